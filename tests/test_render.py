"""test_render: `sheaf render` draws every scene without a display, the same bytes each time, and refuses clearly."""
# labels: device
import os
import struct
import unittest
import zlib

from command import ROD, SCENES, CommandTest, needs

SMALL = ["--device", "ref", "--size", "160x90", "--quiet"]
VIEW = """view:
  camera: { from: [25 cm, -2 m, 0], at: [25 cm, 0, 0], angle: 2 deg }
  light: [0, -1, 2]
  ground: none
  sky: [0.1, 0.2, 0.9]
  colours: [{ colour: [1, 0, 0] }]
"""


def read_png(data):
    """Rows of (red, green, blue) of a PNG with 8 bits per channel."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 2)
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += size + 12
    raw, rows, last = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        how, line = raw[y * (3 * width + 1)], bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for k in range(3 * width):
            left, up, corner = (line[k - 3], last[k], last[k - 3]) if k >= 3 else (0, last[k], 0)
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[k] = (line[k] + [0, left, up, (left + up) // 2, nearest][how]) % 256
        last = bytes(line)
        rows.append([tuple(last[k:k + 3]) for k in range(0, 3 * width, 3)])
    return rows


def spread(rows):
    """How far apart the darkest and brightest pixel are."""
    values = [sum(pixel) for row in rows for pixel in row]
    return max(values) - min(values)


class Render(CommandTest):
    def setUp(self):
        super().setUp()
        os.environ.pop("DISPLAY", None)
        os.environ.pop("WAYLAND_DISPLAY", None)

    def png(self, *words):
        self.sheaf("render", *words, *SMALL, "-o", "out.png", "--overwrite")
        return (self.folder / "out.png").read_bytes()

    def test_every_scene_gives_the_same_picture_twice(self):
        for path in SCENES:
            with self.subTest(scene=path.name):
                first, second = (self.png(str(path), "--time", "0.02") for _ in range(2))
                self.assertEqual(first, second)
                self.assertGreater(spread(read_png(first)), 150)

    @needs("ffmpeg")
    def test_every_scene_gives_a_film(self):
        for path in SCENES:
            with self.subTest(scene=path.name):
                self.sheaf("render", str(path), "--time", "0.05", *SMALL, "-o", path.stem + ".mp4")
                film = (self.folder / (path.stem + ".mp4")).read_bytes()
                self.assertEqual(film[4:8], b"ftyp")
                self.assertGreater(len(film), 1000)
        self.assertEqual([name for name in self.names() if not name.endswith(".mp4")], [])

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
        told = self.sheaf("render", "rod.run", *SMALL, "-o", "alone.png").stderr
        self.assertIn("scene is not there any more", told)
        self.sheaf("render", "rod.run", *SMALL, "-o", "frames/")
        self.assertEqual(len(list((self.folder / "frames").glob("0000*.png"))), 4)

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

    def test_wrong_words(self):
        self.write("rod.yaml", ROD)
        for words in [["--size", "12"], ["--size", "9000x10"], ["--camera", "3"], ["--camera", "0,95"],
                      ["-o", "rod.jpg"], ["--rate", "5000"]]:
            self.assertIn("sheaf render --help", self.sheaf("render", "rod.yaml", *words, expect=2).stderr)


if __name__ == "__main__":
    unittest.main()
