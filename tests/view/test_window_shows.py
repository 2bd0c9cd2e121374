"""test_window_shows: the real window under a virtual display: parts of the picture, children, the last seconds, cameras
and films."""
# labels: device (60 s)
import json
import re
import shutil
import subprocess
import unittest

from window import SOFT, VIEW, WindowTest, by_hand

HEAD = """sheaf: 1
time: { step: 1/100 s, end: 1 s }
materials: { hair: { preset: wavy } }
strands:
  - groom: { preset: wavy, on: { ellipsoid: { radii: [8 cm, 9 cm, 10 cm], cap: 80 deg } }, count: 60, vertices: 12 }
    root: clamp
    children: { count: 20 }
colliders: [{ ellipsoid: { radii: [8 cm, 9 cm, 10 cm] } }]
"""


class WindowShows(WindowTest):
    def differing(self, before, after):
        """Share of the pixels that differ, of every fourth row."""
        pairs = [(a, b) for row, other in zip(before[::4], after[::4]) for a, b in zip(row, other)]
        return sum(a != b for a, b in pairs) / len(pairs)

    @by_hand
    def test_parts(self):
        self.view(self.write("head.yaml", HEAD), "-d", "ref", "--size", "320x200")
        whole = self.picture()
        for key, name in enumerate(["ground", "bodies", "shadows", "children", "guides"], 1):
            self.hand("key", key)
            self.assertGreater(self.differing(whole, self.picture()), 0.001, name)
            self.hand("key", key)
        self.assertEqual(self.differing(whole, self.picture()), 0)
        self.hand("key", "1", "3")
        shown = self.end()
        self.assertEqual(shown["hidden"], ["ground", "shadows"])

    @by_hand
    def test_all_children_once_nothing_moves(self):
        self.view(self.write("head.yaml", HEAD), "-d", "ref", "--size", "320x200")
        self.picture()  # has all of them
        shown = self.end()
        self.assertEqual((shown["strands_drawn"], shown["children_drawn"], shown["fine"]), (60 * 21, 60 * 20, 1))
        self.view("head.yaml", "-d", "ref", "--children", "0", "--size", "320x200")
        self.picture()
        self.assertEqual(self.end()["strands_drawn"], 60)

    @by_hand
    def test_back_through_the_last_seconds(self):
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        start = self.rod_height()
        self.hand("key", "space", pause=2)
        self.hand("key", "space")
        late = self.rod_height()
        self.assertGreater(late, start + 5)
        self.hand("key", *["Left"] * 100, pause=1)
        self.assertLess(abs(self.rod_height() - start), 3)  # as at the start again
        back = self.end()
        self.assertLess(back["time_s"], 0.1)
        self.assertFalse(back["playing"])

    @by_hand
    def test_camera(self):
        """V writes the camera into the scene; the scene opens with it, and keeps all the rest."""
        self.view(self.write("rod.yaml", SOFT + VIEW + "# the end\n"), "-d", "ref")
        self.hand("mousemove", 640, 600, "mousedown", 1)
        self.hand("mousemove", 740, 560)
        self.hand("mouseup", 1)
        self.hand("key", "V", pause=1)
        moved = self.end()["camera"]
        text = (self.folder / "rod.yaml").read_text()
        self.assertEqual(text.replace(moved, "{ from: [25 cm, -2 m, 0], at: [25 cm, 0, 0], angle: 20 deg }"),
                         SOFT + VIEW + "# the end\n")
        self.sheaf("check", "rod.yaml")
        self.view("rod.yaml", "-d", "ref")
        again = self.end()["camera"]
        numbers = [[float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", entry)] for entry in (moved, again)]
        self.assertEqual(len(numbers[0]), 7)
        for a, b in zip(*numbers):
            self.assertAlmostEqual(a, b, delta=1e-3)
        self.assertNotAlmostEqual(numbers[0][0], 0.25, delta=0.01)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    @by_hand
    def test_film(self):
        """As long as the scene's time that passed while it was recorded; another one gets another name."""
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        self.hand("key", "m")
        self.hand("key", "space", pause=1.5)
        self.hand("key", "space")
        self.hand("key", "m", pause=1)
        self.wait_for("sheaf-view-1.mp4")
        self.hand("key", "m", pause=1)
        frames = self.end()["film_frames"]
        self.wait_for("sheaf-view-2.mp4")  # ended with the window
        self.assertGreater(frames, 0)
        about = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "json",
                                "sheaf-view-1.mp4"], cwd=self.folder, capture_output=True, text=True, check=True)
        length = float(json.loads(about.stdout)["format"]["duration"])
        self.assertTrue(0.3 < length < 60, length)


if __name__ == "__main__":
    unittest.main()
