"""test_files_command: `sheaf convert` and `sheaf info` on files of strands, good and hostile."""
import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import time
import unittest

from command import ROD, SHEAF, CommandTest

SPACE = ["--unit", "cm", "--up", "y"]


def hair(strands, arrays=0, note=b""):
    """A .hair file of strands, each a list of points."""
    points = [p for strand in strands for p in strand]
    header = struct.pack("<4sIIIIff3f88s", b"HAIR", len(strands), len(points), 3 | arrays, 0, 1, 0, 1, 1, 1, note)
    body = b"".join(struct.pack("<H", len(strand) - 1) for strand in strands)
    body += b"".join(struct.pack("<3f", *point) for point in points)
    if arrays & 4:
        body += b"".join(struct.pack("<f", 0.01 * (k % 5)) for k in range(len(points)))
    return header + body


def zigzag(strands, vertices=None):
    """Strands of 2, 3, 4, ... vertices, or of `vertices` each."""
    return [[(s, (k % 2) / 4, -k / 8) for k in range(vertices or 2 + s % 7)] for s in range(strands)]


class Convert(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "ragged.hair").write_bytes(hair(zigzag(20), 4))
        (self.folder / "even.hair").write_bytes(hair(zigzag(20, 6)))

    def formats(self):
        return self.json("convert", "--formats")["formats"]

    def test_every_pair_of_formats(self):
        rows = self.formats()
        self.assertGreaterEqual(len(rows), 4)
        for first in rows:
            if not first["written"]:
                continue
            name = f"first{first['extension']}"
            self.sheaf("convert", "even.hair", name, *SPACE)
            if not first["read"]:
                continue
            facts = self.json("info", name)
            self.assertEqual((facts["format"], facts["strands"], facts["vertices"], facts["frames"]),
                             (first["name"], 20, 120, 1))
            self.assertEqual(facts["bounds"], [[0, 0, -0.625], [19, 0.25, 0]])
            for second in rows:
                if second["written"]:
                    done = self.json("convert", name, f"{first['name']}-to{second['extension']}", *SPACE, "--quiet")
                    self.assertEqual((done["from"], done["to"], done["vertices"]), (first["name"], second["name"], 120))

    def test_hair_comes_out_as_it_went_in(self):
        for name in ["ragged", "even"]:
            self.sheaf("convert", f"{name}.hair", "copy.hair", "--overwrite")
            self.assertEqual((self.folder / "copy.hair").read_bytes(), (self.folder / f"{name}.hair").read_bytes())

    def test_what_is_told(self):
        told = self.sheaf("convert", "ragged.hair", "r.data", "--resample", "4", "--unit", "cm", "--to-unit", "m").stderr
        self.assertRegex(told, r"read ragged.hair: 20 strands, 97 vertices, 1 frames; unit not said, up axis not said")
        self.assertRegex(told, r"resampled to 4 vertices: length changed by [\d.e+-]+ % at most")
        self.assertRegex(told, r"wrote r.data: 20 strands, 80 vertices, 1 frames; unit m, up axis not said")
        self.assertEqual(self.sheaf("convert", "ragged.hair", "r.data", "--overwrite", "--quiet").stderr, "")
        done = self.json("convert", "ragged.hair", "r.npy", "--resample", "9")
        self.assertGreater(done["resampling"]["worst_turning_rad"], 0)

    def test_units_axes_and_strands(self):
        self.sheaf("convert", "even.hair", "out.hair", *SPACE, "--to-unit", "m", "--to-up", "z", "--strands", "1,3-5")
        facts = self.json("info", "out.hair")
        self.assertEqual(facts["strands"], 4)
        for got, expected in zip(sum(facts["bounds"], []), [0.01, 0, 0, 0.05, 0.00625, 0.0025]):
            self.assertAlmostEqual(got, expected, places=8)

    def test_refusals_leave_nothing_behind(self):
        before = self.names()
        for words, code, message in [
            (["convert"], 2, "IN is missing"),
            (["convert", "even.hair"], 2, "OUT is missing"),
            (["convert", "--formats", "even.hair"], 2, "goes alone"),
            (["convert", "even.hair", "x.foo"], 2, "cannot write '.foo'; Sheaf writes "),
            (["convert", "even.hair", "ragged.hair"], 7, "--overwrite"),
            (["convert", "even.hair", "x.data", "--unit", "kg"], 2, "no unit of length"),
            (["convert", "even.hair", "x.data", "--unit", "0"], 2, "no unit of length"),
            (["convert", "even.hair", "x.data", "--up", "w"], 2, "none of x, y, z"),
            (["convert", "even.hair", "x.data", "--to-unit", "m"], 3, "say it by --unit"),
            (["convert", "even.hair", "x.data", "--to-up", "y"], 3, "say it by --up"),
            (["convert", "even.hair", "x.data", "--resample", "1"], 2, "2 to 65536"),
            (["convert", "even.hair", "x.data", "--strands", "3-1"], 2, "no list"),
            (["convert", "even.hair", "x.data", "--strands", "1,,2"], 2, "no list"),
            (["convert", "even.hair", "x.data", "--strands", "20"], 3, "strands 0 to 19"),
            (["convert", "even.hair", "x.data", "--time", "1", "--every", "2"], 2, "exclude"),
            (["convert", "even.hair", "x.data", "--time", "-1"], 2, "is not a time of 0 or above"),
            (["convert", "ragged.hair", "x.npy"], 3, "--resample"),
            (["convert", "missing.hair", "x.data"], 7, "No such file"),
            (["convert", "even.hair", "nowhere/x.data"], 7, "No such file"),
            (["convert", ".", "x.data"], 7, "cannot read"),
        ]:
            with self.subTest(words=words):
                self.assertIn(message, self.sheaf(*words, expect=code).stderr)
        self.assertEqual(self.names(), before)

    def test_names_of_any_kind(self):
        for name in ["new\nline.hair", "percent%n%s.hair", "-dash.hair", "\udcff.hair", "a" * 240 + ".hair"]:
            (self.folder / os.fsencode(name).decode(errors="surrogateescape")).write_bytes(hair(zigzag(3)))
            told = self.sheaf("convert", "--overwrite", "--", name, "out.data").stderr
            self.assertEqual(len(told.splitlines()), 2)
            self.assertIn("out.data", self.sheaf("convert", "--overwrite", "--", "out.data", name).stderr)
        self.sheaf("convert", "x" * 5000, "out.npy", expect=7)
        self.sheaf("info", "x" * 5000, expect=7)

    def test_links_are_not_followed_when_writing(self):
        (self.folder / "victim").write_text("untouched")
        (self.folder / "out.data").symlink_to("victim")
        self.sheaf("convert", "even.hair", "out.data", expect=7)
        self.sheaf("convert", "even.hair", "out.data", "--overwrite")
        self.assertEqual((self.folder / "victim").read_text(), "untouched")
        self.assertFalse((self.folder / "out.data").is_symlink())


class Runs(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)

    def test_a_run_keeps_its_frames(self):
        self.sheaf("run", "rod.yaml", "--device", "ref")
        facts = self.json("info", "rod.run/trajectory.vtkhdf")
        self.assertEqual((facts["format"], facts["strands"], facts["vertices"], facts["frames"], facts["unit"], facts["up"]),
                         ("vtkhdf", 1, 6, 6, "m", "z"))
        self.assertAlmostEqual(facts["last_time_s"], 0.1)
        self.sheaf("convert", "rod.run", "last.csv", "--time", "5")
        last = [line.split(",")[3:] for line in (self.folder / "last.csv").read_text().splitlines()[1:]]
        positions = [line.split(",")[1:] for line in (self.folder / "rod.run/strands.csv").read_text().splitlines()[1:]]
        for got, expected in zip(last, positions, strict=True):
            for a, b in zip(got, expected, strict=True):
                self.assertAlmostEqual(float(a), float(b), places=6)
        self.sheaf("run", "rod.yaml", "--device", "ref", "--overwrite", "--no-trajectory")
        self.assertFalse((self.folder / "rod.run/trajectory.vtkhdf").exists())

    def test_a_scene_with_strands_of_a_file(self):
        """The first frame is the file, in metres and with z up, without the ghosts that clamps need."""
        (self.folder / "groom").mkdir()
        (self.folder / "groom/hair.hair").write_bytes(hair(zigzag(20)))
        self.write("groom.yaml", ROD[:ROD.index("strands:")] + "strands: [{ file: groom/hair.hair, unit: cm, up: y }]\n")
        self.sheaf("run", "groom.yaml", "--device", "ref", "--steps", "1")
        facts = self.json("info", "groom.run/trajectory.vtkhdf")
        self.assertEqual((facts["strands"], facts["vertices"], facts["frames"]), (20, 97, 2))
        self.sheaf("convert", "groom.run", "start.csv")
        rows = [line.split(",") for line in (self.folder / "start.csv").read_text().splitlines()[1:98]]
        points = [point for strand in zigzag(20) for point in strand]
        for row, (x, y, z) in zip(rows, points, strict=True):
            for got, expected in zip(row[4:], (x / 100, -z / 100, y / 100), strict=True):
                self.assertAlmostEqual(float(got), expected, places=7)

    def test_info_on_what_is_only_written(self):
        self.sheaf("run", "rod.yaml", "--device", "ref")
        for name, expected in [("a.csv", ("csv", 1, 6, 6, 0, 0.1)), ("a.vtp", ("vtp", 1, 6, 1, 0.1, 0.1)),
                               ("a.pvd", ("pvd", None, None, 6, 0, 0.1))]:
            self.sheaf("convert", "rod.run", name)
            facts = self.json("info", name)
            self.assertEqual(tuple(facts[field] for field in ["format", "strands", "vertices", "frames", "first_time_s",
                                                              "last_time_s"]), expected)
            self.assertEqual(facts["problems"], [])
            self.assertIn("frames", self.sheaf("info", name).stdout)
            path = self.folder / name
            path.write_bytes(path.read_bytes()[:-5] if name != "a.vtp" else path.read_bytes()[:150])
            self.assertIn("cut short", " ".join(self.json("info", name)["problems"]))
        for name in ["rod.run/picture.svg", SHEAF]:
            self.assertIn("Sheaf does not read it", self.sheaf("info", name, expect=3).stderr)
        record = json.loads((self.folder / "rod.run/run.json").read_text())
        del record["strands"]
        (self.folder / "rod.run/run.json").write_text(json.dumps(record))
        self.assertIsNone(self.json("info", "rod.run/run.json")["strands"])

    def test_frames_are_chosen(self):
        self.sheaf("run", "rod.yaml", "--device", "ref")
        self.assertEqual(self.json("convert", "rod.run", "a.usda", "--every", "2")["frames"], 3)
        self.assertEqual(self.json("convert", "rod.run", "a.vtp")["frames"], 1)
        self.assertIn("took frame 4 of 6", self.sheaf("convert", "rod.run", "b.hair", "--time", "61ms").stderr)
        self.sheaf("convert", "rod.run", "frames.npy")
        self.sheaf("convert", "frames.npy", "c.vtkhdf", expect=3)
        for words, taken in [(["rod.run", "--time", "0"], 1), (["frames.npy", "--time", "0.04", "--rate", "50"], 3)]:
            self.assertIn(f"took frame {taken} of 6", self.sheaf("convert", *words, "d.hair", "--overwrite").stderr)
        self.assertIn("--rate", self.sheaf("convert", "frames.npy", "e.hair", "--time", "0.04", expect=3).stderr)
        self.sheaf("convert", "frames.npy", "c.vtkhdf", "--rate", "50")
        self.assertAlmostEqual(self.json("info", "c.vtkhdf")["last_time_s"], 0.1)

    def test_sequences(self):
        self.sheaf("run", "rod.yaml", "--device", "ref")
        self.sheaf("convert", "rod.run", "rod.pvd")
        names = re.findall(r'timestep="([^"]+)" part="0" file="([^"]+)"', (self.folder / "rod.pvd").read_text())
        self.assertEqual([round(float(time), 6) for time, _ in names], [0, 0.02, 0.04, 0.06, 0.08, 0.1])
        for _, name in names:
            self.assertTrue((self.folder / name).read_bytes().startswith(b"<?xml"))
        self.assertIn("exists already", self.sheaf("convert", "rod.run", "rod.usda", "--clips", expect=7).stderr)
        self.sheaf("convert", "rod.run", "clips.usda", "--clips")
        self.assertEqual(len(list((self.folder / "clips_frames").iterdir())), 7)
        self.assertIn("--clips is for", self.sheaf("convert", "rod.run", "x.pvd", "--clips", expect=2).stderr)
        self.sheaf("convert", "rod.run", "quote'.pvd", expect=2)

    def test_a_killed_run_can_be_read(self):
        self.write("slow.yaml", ROD.replace("end: 0.1 s", "end: 1000 s").replace("vertices: 6", "vertices: 200"))
        process = subprocess.Popen([SHEAF, "run", "slow.yaml", "--device", "ref"], cwd=self.folder, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        path, frames = self.folder / "slow.run/trajectory.vtkhdf", 0
        for _ in range(1000):
            time.sleep(0.05)
            info = self.sheaf("info", "slow.run/trajectory.vtkhdf", "--json", expect=None) if path.exists() else None
            if info is not None and info.returncode == 0:  # while it grows; just when it is written it may not open
                frames = json.loads(info.stdout)["frames"]
            if frames > 3:
                break
        process.kill()
        process.wait()
        self.assertGreaterEqual(self.json("info", "slow.run/trajectory.vtkhdf")["frames"], frames)
        self.assertGreater(frames, 3)


class Hostile(CommandTest):
    def test_lies_cost_no_memory(self):
        """A header that announces gigabytes is refused at once, in little memory."""
        (self.folder / "lie.hair").write_bytes(struct.pack("<4sIIII", b"HAIR", 2**32 - 1, 2**32 - 1, 31, 0) + bytes(108))

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        result = subprocess.run([SHEAF, "info", "lie.hair"], cwd=self.folder, capture_output=True, text=True, timeout=2,
                                preexec_fn=None if os.environ.get("ASAN_OPTIONS") else limit)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("146028888030", result.stderr)

    def test_a_sparse_file_of_five_gigabytes(self):
        path = self.folder / "sparse.hair"
        path.write_bytes(hair(zigzag(3)))
        os.truncate(path, 5 << 30)
        facts = self.json("info", "sparse.hair")
        self.assertEqual(facts["strands"], 3)
        self.assertRegex(facts["problems"][0], r"^5368\d+ bytes after the last array are ignored")

    def test_sparse_files_of_a_run(self):
        """Texts are refused by their size, before a byte of them is read."""
        for name, start in [("run.json", "{"), ("thermo.csv", "time_s,step,"), ("scene.yaml", "sheaf: 1\n")]:
            self.write(name, start)
            os.truncate(self.folder / name, 5 << 30)
            result = self.sheaf("info", name, expect=3, timeout=60 if os.environ.get("ASAN_OPTIONS") else 10)
            self.assertIn("larger than", result.stderr)

    def test_info_tells_problems(self):
        (self.folder / "odd.hair").write_bytes(hair([[(0, 0, 0)], [(0, 0, 0), (0, 0, 0), (1, 0, 0)]]) + b"rest")
        facts = self.json("info", "odd.hair")
        self.assertEqual(len(facts["problems"]), 3)
        self.assertIn("problem", self.sheaf("info", "odd.hair").stdout)
        (self.folder / "bad.hair").write_bytes(hair([[(0, 0, 0), (float("nan"), 0, 0)]]))
        facts = self.json("info", "bad.hair", expect=3)
        self.assertIn("strand 0, vertex 1", facts["problems"][0])
        self.assertIn("strand 0, vertex 1", self.sheaf("info", "bad.hair", expect=3).stderr)

    def test_pipes_and_folders_are_refused(self):
        os.mkfifo(self.folder / "pipe.hair")
        for name in ["pipe.hair", "."]:
            self.sheaf("convert", name, "out.data", expect=7)


if __name__ == "__main__":
    unittest.main()
