"""test_method: in a copy of the sources, a method is added by its folder and one line, used, and removed by removing them;
and a field is added to the rods of Discrete Elastic Rods by one line and its packing function."""
# labels: frame;long (240 s)
import csv
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
METHODS = re.findall(r"(?m)^    X\((\w+)\)", (SOURCE / "host/method/list.c").read_text())

HEAD = """sheaf: 1
title: two methods
time: { step: 1/200 s, end: 0.4 s, frames: 50 Hz }
materials: { hair: { density: 1300, young: 1 GPa, shear: 0.4 GPa, radius: [60 um, 40 um], drag: 0.2 mPa*s } }
wind: { velocity: [2 m/s, 0, 0], gust: { strength: 60 %, scale: 20 cm, seed: 3 } }
strands:
"""
RODS = ["""  - groom: { on: { sphere: { radius: 9 cm } }, count: 6, vertices: 9, length: 8 cm, seed: 2 }
    root: clamp
""", """  - { shape: { helix: { origin: [0, 0, 5 cm], radius: 5 mm, pitch: 20 mm, length: 12 cm, vertices: 17 } }, root: pin }
  - { shape: { straight: { origin: [-1, 0, 2], length: 10 cm, vertices: 5, direction: x } }, root: clamp }
"""]  # the last is so far away that trajectories are kept in double precision: all bits are seen
STONE = "  - { shape: { straight: { origin: [1, 0, 2], length: 10 cm, vertices: 5, direction: x } }, method: fall }\n"
STONES = [0, 7, 10]  # their numbers in TWO
TWO = HEAD + STONE + RODS[0] + STONE + RODS[1] + STONE
ALONE = HEAD + RODS[0] + RODS[1]


class Method(unittest.TestCase):
    """The tests run in the order of their names, on one copy."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-method-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.tree = cls.folder / "tree"
        shutil.copytree(SOURCE, cls.tree, ignore=shutil.ignore_patterns("build", ".git", ".cache", "__pycache__"))
        cls.build_folder = cls.folder / "build"
        cls.environment = {**os.environ, "CCACHE_BASEDIR": str(cls.folder), "CCACHE_NOHASHDIR": "1"}
        words = [os.environ.get("CMAKE", "cmake"), "-G", "Ninja", "-S", cls.tree, "-B", cls.build_folder,
                 "-DCMAKE_BUILD_TYPE=Release", "-DSHEAF_TESTS=OFF"]
        if shutil.which("ccache"):
            words += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        subprocess.run(words, check=True, env=cls.environment, stdout=subprocess.DEVNULL)

    def build(self, *targets):
        words = [os.environ.get("CMAKE", "cmake"), "--build", self.build_folder, "--target", *targets]
        result = subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, 0, result.stdout[-4000:])

    def sheaf(self, *words, expect=0):
        result = subprocess.run([self.build_folder / "sheaf", *words], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}")
        return result.stdout

    def edit(self, path, old, new):
        text = (self.tree / path).read_text()
        self.assertEqual(text.count(old), 1, f"{path}: {old}")
        (self.tree / path).write_text(text.replace(old, new))

    def changed(self, folder=""):
        """What differs between the copy and the sources."""
        difference = filecmp.dircmp(SOURCE / folder, self.tree / folder,
                                    ignore=["build", ".git", ".cache", "__pycache__"])
        names = [os.path.join(folder, name) for name in difference.diff_files + difference.right_only +
                 difference.left_only]
        for name in difference.common_dirs:
            names += self.changed(os.path.join(folder, name))
        return sorted(names)

    def rows(self, run):
        """Where every vertex was in every frame: {(frame, strand): [rows of text]}, and the times."""
        self.sheaf("convert", run, f"{run}.csv", "--overwrite")
        found, times = {}, {}
        with open(self.folder / f"{run}.csv", newline="") as file:
            for row in csv.DictReader(file):
                key = (int(row["frame"]), int(row["strand"]))
                found.setdefault(key, []).append((row["x_m"], row["y_m"], row["z_m"]))
                times[key[0]] = float(row["time_s"])
        return found, times

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def check_frame(self):
        """Tests of the source tree hold with the method as they do without."""
        for name in ["test_layers.sh", "test_links.sh", "test_style.sh"]:
            result = subprocess.run(["bash", f"tests/frame/{name}"], cwd=self.tree, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True,
                                    env={**self.environment, "SHEAF_BUILD": str(self.build_folder)})
            self.assertEqual(result.returncode, 0, f"{name}: {result.stdout}")

    def test_1_a_method_is_a_folder_and_a_line(self):
        shutil.copytree(self.tree / "tests/method/fall", self.tree / "host/fall")
        self.edit("host/method/list.c", "    /* the end */\n", "    X(fall) \\\n    /* the end */\n")
        self.build("sheaf", "sheaf_library")
        self.assertEqual(self.changed(), ["host/fall", "host/method/list.c"])
        self.check_frame()

    def test_2_strands_of_both_move_as_they_should(self):
        self.write("two.yaml", TWO)
        self.write("alone.yaml", ALONE)
        self.assertIn("11, with 91 vertices", self.sheaf("check", "two.yaml"))
        self.sheaf("run", "two.yaml", "-d", "ref", "-o", "two")
        self.sheaf("run", "alone.yaml", "-d", "ref", "-o", "alone")
        two, times = self.rows("two")
        alone, _ = self.rows("alone")
        self.assertEqual(len(times), 21)
        rods = [s for s in range(11) if s not in STONES]
        for frame, time in times.items():
            for k, number in enumerate(rods):
                self.assertEqual(two[frame, number], alone[frame, k])
            for number in STONES:
                for i, (x, y, z) in enumerate(two[frame, number]):
                    start = [float(c) for c in two[0, number][i]]
                    self.assertEqual([float(x), float(y)], start[:2])
                    self.assertAlmostEqual(float(z), start[2] - 9.81 * time ** 2 / 2, delta=1e-13)
        self.assertNotEqual(two[20, 1], two[0, 1])

    def test_3_a_restart_goes_on_with_both(self):
        self.sheaf("run", "two.yaml", "-d", "ref", "-o", "halves", "-t", "0.17")
        self.sheaf("run", "two.yaml", "-d", "ref", "-o", "halves", "--restart")
        for name in ["thermo.csv", "strands.csv"]:
            self.assertEqual((self.folder / "two" / name).read_text(), (self.folder / "halves" / name).read_text())
        self.assertEqual(self.rows("two"), self.rows("halves"))

    def test_4_pictures_and_pages_show_both(self):
        self.sheaf("report", "two", "-o", "page.html")
        self.assertIn("two methods", (self.folder / "page.html").read_text())
        self.sheaf("render", "two", "--time", "0.3", "-s", "200x120", "-o", "two.png")
        self.assertEqual((self.folder / "two.png").read_bytes()[:4], b"\x89PNG")
        self.sheaf("info", "two")

    def test_5_what_a_method_cannot_do_is_said(self):
        said = self.sheaf("run", "two.yaml", "-d", "0", "-o", "device", expect=6)
        self.assertIn("strands of the method fall do not run on a device; use `--device ref`", said)
        said = self.sheaf("run", "two.yaml", "-o", "auto")
        self.assertIn("running on the reference: strands of the method fall do not run on a device", said)
        self.assertEqual(self.rows("auto"), self.rows("two"))
        self.write("bad.yaml", TWO.replace("method: fall", "method: fal"))
        said = self.sheaf("check", "bad.yaml", expect=3)
        self.assertIn("'fal' is no method", said)
        self.assertIn(f"methods are: {', '.join(METHODS)}, fall", said)

    def test_6_removed_again_nothing_is_left(self):
        shutil.rmtree(self.tree / "host/fall")
        shutil.copy(SOURCE / "host/method/list.c", self.tree / "host/method/list.c")
        self.build("sheaf", "sheaf_library")
        self.assertEqual(self.changed(), [])
        self.assertIn(f"methods are: {', '.join(METHODS)}\n", self.sheaf("check", "two.yaml", expect=3))
        self.sheaf("run", "alone.yaml", "-d", "ref", "-o", "after")
        self.assertEqual(self.rows("after"), self.rows("alone"))
        self.check_frame()

    def test_7_a_field_is_a_line_and_its_packing(self):
        self.edit("kernels/der/fields.clh", "    X(touch, SLOT,",
                  '    X(label, SLOT, 1, CONSTANT, SCALAR, PACKED, "1", "a number of its own") \\\n    X(touch, SLOT,')
        self.edit("host/der/device/pack.c", "// How each field is packed;",
                  "static void pack_label(const spot *at, double *out)\n{\n"
                  "    out[0] = 1000.0 * at->model->strands[at->strand].number + at->vertex;\n}\n\n"
                  "// How each field is packed;")
        self.assertEqual(self.changed(), ["host/der/device/pack.c", "kernels/der/fields.clh"])
        with open(self.tree / "host/CMakeLists.txt", "a") as file:
            file.write("add_executable(read_label ${PROJECT_SOURCE_DIR}/tests/method/read_label.c)\n"
                       "target_link_libraries(read_label PRIVATE sheaf_objects sheaf_flags)\n")
        self.build("sheaf", "read_label")
        program = next(self.build_folder.rglob("read_label"))
        result = subprocess.run([program], stdout=subprocess.PIPE, text=True, timeout=200, env=self.environment)
        self.assertEqual((result.returncode, result.stdout), (0, "labels are right\n"))
        self.sheaf("verify", "--strands", "16", "--vertices", "9", "--form", "float8", "--stage", "bend_twist")


if __name__ == "__main__":
    unittest.main(failfast=True)
