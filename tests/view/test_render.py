"""test_render: `sheaf render` draws without a display, and refuses clearly. test_render_scenes draws every scene."""
# labels: device
import os
import shutil
import unittest

from command import ROD, CommandTest, needs
from pictures import read_png

GL_FAULTS = os.environ.get("SHEAF_GL_FAULTS", "")
SMALL = ["--device", "ref", "--size", "160x90", "--quiet"]
VIEW = """view:
  camera: { from: [25 cm, -2 m, 0], at: [25 cm, 0, 0], angle: 2 deg }
  light: [0, -1, 2]
  ground: none
  sky: [0.1, 0.2, 0.9]
  colours: [{ colour: [1, 0, 0] }]
"""


class Render(CommandTest):
    def setUp(self):
        super().setUp()
        os.environ.pop("DISPLAY", None)
        os.environ.pop("WAYLAND_DISPLAY", None)

    def png(self, *words):
        self.sheaf("render", *words, *SMALL, "-o", "out.png", "--overwrite")
        return (self.folder / "out.png").read_bytes()

    @needs("ffmpeg")
    def test_a_film_of_a_scene(self):
        self.sheaf("render", self.write("rod.yaml", ROD), "--time", "0.05", *SMALL, "-o", "rod.mp4")
        film = (self.folder / "rod.mp4").read_bytes()
        self.assertEqual(film[4:8], b"ftyp")
        self.assertGreater(len(film), 1000)
        self.assertEqual(self.names(), ["rod.mp4", "rod.yaml"])

    def test_the_view_block_sets_camera_and_colours(self):
        rows = read_png(self.png(self.write("rod.yaml", ROD + VIEW), "--time", "0.01"))
        middle = [rows[y][80] for y in range(42, 49)]  # the rod lies across it
        self.assertTrue(any(red > 1.5 * max(green, blue) for red, green, blue in middle), middle)
        red, green, blue = rows[2][80]
        self.assertGreater(blue, red)
        self.assertNotEqual(rows, read_png(self.png("rod.yaml", "--time", "0.01", "--camera", "0,80,0.1")))

    def test_a_run_is_drawn_as_it_was(self):
        self.write("rod.yaml", ROD)
        self.sheaf("run", "rod.yaml", "-d", "ref", "-q")
        drawn = self.png("rod.run", "--time", "0.1")
        self.assertEqual(drawn, self.png("rod.run"))
        self.assertNotEqual(drawn, self.png("rod.run", "--time", "0.02"))
        (self.folder / "rod.yaml").unlink()
        self.assertEqual(drawn, self.png("rod.run"))
        shutil.rmtree(self.folder / "rod.run/scene")
        told = self.sheaf("render", "rod.run", *SMALL, "-o", "alone.png").stderr
        self.assertIn("scene is not there any more", told)
        self.sheaf("render", "rod.run", *SMALL, "-o", "frames/")
        self.assertEqual(len(list((self.folder / "frames").glob("0000*.png"))), 4)

    def test_the_start_is_drawn(self):
        """Without a step of a scene; the first frame of a run, also of one whose frames begin later."""
        self.write("rod.yaml", ROD + VIEW)
        start = self.png("rod.yaml", "--time", "0")
        self.assertNotEqual(start, self.png("rod.yaml", "--time", "0.1"))
        self.sheaf("run", "rod.yaml", "-d", "ref", "-q")
        self.assertEqual(start, self.png("rod.run", "--time", "0"))
        self.sheaf("render", "rod.yaml", *SMALL, "--time", "0", "-o", "frames/")
        self.assertEqual((self.folder / "frames/00000.png").read_bytes(), start)
        self.sheaf("convert", "rod.run", "rod.usda")
        text = (self.folder / "rod.usda").read_text()
        self.write("late.usda", text.replace("\n        0: ", "\n        0.5: ", 2))
        self.sheaf("render", "late.usda", *SMALL, "--time", "0", "-o", "late/")
        self.assertEqual(len(list((self.folder / "late").glob("*.png"))), 1)
        self.assertIn("of 0 or above", self.sheaf("render", "rod.yaml", "--time=-1", expect=2).stderr)

    def test_files_are_not_lost(self):
        self.write("rod.yaml", ROD)
        self.write("rod.png", "mine")
        self.assertIn("--overwrite", self.sheaf("render", "rod.yaml", *SMALL, expect=7).stderr)
        self.assertIn("cannot", self.sheaf("render", "rod.yaml", *SMALL, "-o", "no/such.png", expect=7).stderr)
        told = self.sheaf("render", "rod.yaml", *SMALL, "-o", "rod.mp4", env={"PATH": "/nowhere"}, expect=7).stderr
        self.assertIn("ffmpeg", told)
        self.assertEqual(self.names(), ["rod.png", "rod.yaml"])
        self.assertEqual((self.folder / "rod.png").read_text(), "mine")

    def test_no_graphics(self):
        """A clear message, the exit code of devices, nothing written."""
        self.write("rod.yaml", ROD)
        for setting, text in [("LIBGL_DRIVERS_PATH=/nowhere", "no graphics driver"),
                              ("__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere", "without a display"),
                              ("MESA_GL_VERSION_OVERRIDE=3.0", "no OpenGL 3.3")]:
            name, value = setting.split("=")
            told = self.sheaf("render", "rod.yaml", *SMALL, "-o", "rod.png", env={name: value}, expect=6).stderr
            self.assertIn(text, told)
            self.assertIn("install", told)
        self.assertEqual(self.names(), ["rod.yaml"])

    @unittest.skipUnless(GL_FAULTS, "the shim was not built")
    def test_a_context_that_is_lost(self):
        """Told, with the exit code of devices; neither a picture nor a part of a film is left."""
        self.write("rod.yaml", ROD)
        for after, name in [("4", "rod.png"), ("12", "rod.mp4")]:
            lost = {"LD_PRELOAD": GL_FAULTS, "FAULT_GL_AFTER": after}
            told = self.sheaf("render", "rod.yaml", *SMALL, "--time", "0.1", "-o", name, env=lost, expect=6).stderr
            self.assertIn("context was lost", told)
        self.assertEqual(self.names(), ["rod.yaml"])

    def test_the_pace_is_told(self):
        told = self.sheaf("render", self.write("rod.yaml", ROD), *SMALL, "--pace", "3").stdout
        self.assertRegex(told, r"^\d+\.\d pictures/s of 160 x 90, 6 vertices, 1 of 1 strands, 0 children, by OpenGL")
        self.assertEqual(self.names(), ["rod.yaml"])

    def test_wrong_words(self):
        self.write("rod.yaml", ROD)
        for words in [["--size", "12"], ["--size", "9000x10"], ["--camera", "3"], ["--camera", "0,95"],
                      ["-o", "rod.jpg"], ["--rate", "5000"]]:
            self.assertIn("sheaf render --help", self.sheaf("render", "rod.yaml", *words, expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
