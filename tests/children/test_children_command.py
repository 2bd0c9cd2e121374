"""test_children_command: render strands of scenes and runs, in pictures and in files."""
# labels: device
import struct
import subprocess
import unittest

import command

HEAD = """sheaf: 1
time: {{ step: 1/100 s, end: 0.05 s, frames: 100 Hz }}
materials: {{ hair: {{ preset: straight }} }}
strands:
  - groom: {{ preset: straight, on: {{ sphere: {{ radius: 9 cm }} }}, count: {count}, vertices: 12 }}
    {children}
colliders: [ {{ sphere: {{ radius: 9 cm }} }} ]
"""


def points_of(path):
    """Strands and points of a .hair file, by its header."""
    return struct.unpack("<II", path.read_bytes()[4:12])


class ChildrenTest(command.CommandTest):
    def run_head(self, count=50, children="children: { count: 4 }", name="head"):
        self.write(f"{name}.yaml", HEAD.format(count=count, children=children))
        self.sheaf("run", f"{name}.yaml", "-o", f"{name}.run", "--device", "ref", "-q")

    def test_files_hold_strands_and_children(self):
        self.run_head()
        self.sheaf("convert", "head.run", "all.hair")
        self.sheaf("convert", "head.run", "few.hair", "--children", "0")
        self.sheaf("convert", "head.run", "more.hair", "--children", "7")
        self.assertEqual(points_of(self.folder / "few.hair"), (50, 600))
        self.assertEqual(points_of(self.folder / "all.hair"), (250, 3000))
        self.assertEqual(points_of(self.folder / "more.hair"), (400, 4800))
        few, every = (self.folder / "few.hair").read_bytes(), (self.folder / "all.hair").read_bytes()
        segments = 2 * 250
        self.assertEqual(few[128:128 + 600 * 12], every[128 + segments:128 + segments + 600 * 12])  # guides first
        again = self.json("convert", "all.hair", "again.usda")
        self.assertEqual(again["strands"], 250)

    def test_usda_has_all_frames(self):
        self.run_head()
        told = self.json("convert", "head.run", "head.usda", "--to-unit", "cm", "--to-up", "y")
        self.assertEqual((told["strands"], told["vertices"], told["frames"]), (250, 3000, 6))
        self.sheaf("convert", "head.usda", "last.hair")
        self.sheaf("convert", "head.run", "run.hair", "--to-unit", "cm", "--to-up", "y")
        ours, theirs = (self.folder / "last.hair").read_bytes(), (self.folder / "run.hair").read_bytes()
        points = [struct.unpack("<9000f", data[-3000 * 16:-3000 * 4]) for data in (ours, theirs)]
        self.assertLess(max(abs(a - b) for a, b in zip(*points)), 1e-5)

    def test_the_run_is_the_same(self):
        self.run_head()
        self.run_head(children="", name="bare")
        self.sheaf("convert", "head.run", "a.npy")
        self.sheaf("convert", "bare.run", "b.npy")
        self.assertEqual((self.folder / "a.npy").read_bytes(), (self.folder / "b.npy").read_bytes())

    def test_files_of_strands_are_split(self):
        self.run_head(count=200)
        self.sheaf("convert", "head.run", "guides.hair", "--children", "0", "--time", "0")
        self.write("file.yaml", "sheaf: 1\ntime: { step: 1/100 s, end: 0.03 s }\nmaterials: { hair: { preset: straight } }"
                   "\nstrands: [ { file: guides.hair, simulate: 10 % } ]\n")
        self.sheaf("run", "file.yaml", "-o", "file.run", "--device", "ref", "-q")
        self.sheaf("convert", "file.run", "split.hair")
        self.assertEqual(points_of(self.folder / "split.hair"), (200, 2400))
        self.sheaf("convert", "file.run", "split0.hair", "--children", "0")
        self.assertEqual(points_of(self.folder / "split0.hair")[0], 20)
        self.write("copies.yaml", "sheaf: 1\ntime: { step: 1/100 s, end: 0.03 s }\n"
                   "materials: { hair: { preset: straight } }\n"
                   "strands: [ { file: guides.hair, children: { count: 3 } } ]\n")
        self.sheaf("run", "copies.yaml", "-o", "copies.run", "--device", "ref", "-q")
        self.sheaf("convert", "copies.run", "copies.hair")
        self.assertEqual(points_of(self.folder / "copies.hair"), (800, 9600))

    def test_memory_does_not_grow_with_children(self):
        """400 guides with 20 and with 500 children each: 2.4 million vertices, 58 MB of points in double precision."""
        self.run_head(count=400)
        peaks = []
        for count in ("20", "500"):
            code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                    "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            out = subprocess.run(["python3", "-c", code, command.SHEAF, "convert", "head.run", f"{count}.hair",
                                  "--children", count], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
            peaks.append(int(out.stdout))
        self.assertEqual(points_of(self.folder / "500.hair"), (200400, 2404800))
        self.assertLess(peaks[1] - peaks[0], 45 * 1024, peaks)  # kB; what is kept of a child is its place and guides

    def test_bad_options_are_told(self):
        self.run_head()
        for words, message in [
                (("convert", "head.run", "a.npy", "--children", "3"), ".usda and .hair"),
                (("convert", "head.run", "a.hair", "--children", "-1"), "is no number from 0 to 1000"),
                (("convert", "head.run", "a.hair", "--children", "1000000"), "is no number from 0 to 1000"),
                (("convert", "head.run", "a.hair", "--children", "3", "--resample", "8"), "goes with none of"),
                (("render", "head.run", "--children", "many"), "is no number from 0 to 1000"),
        ]:
            result = self.sheaf(*words, expect=None)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(message, result.stderr)
        self.sheaf("convert", "head.run", "alone.hair")
        self.assertIn("needs the folder of a run", self.sheaf("convert", "alone.hair", "b.usda", "--children", "3",
                                                              expect=None).stderr)

    def test_pictures_show_them(self):
        self.write("head.yaml", HEAD.format(count=60, children="children: { count: 10 }"))
        sizes = {}
        for count in ("0", "10", None):
            words = ["--children", count] if count else []
            result = self.sheaf("render", "head.yaml", "--time", "0", "-s", "200x120", "-o", f"{count}.png", *words,
                                expect=None)
            if "OpenGL" in result.stderr and result.returncode:
                self.skipTest("no graphics")
            self.assertEqual(result.returncode, 0, result.stderr)
            sizes[count] = (self.folder / f"{count}.png").read_bytes()
        self.assertEqual(sizes["10"], sizes[None])
        self.assertNotEqual(sizes["0"], sizes["10"])


if __name__ == "__main__":
    unittest.main()
