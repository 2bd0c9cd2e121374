"""test_render_scenes: `sheaf render` makes a picture, the same bytes each time, and a film of every scene without a
display."""
# labels: slow
import os
import unittest

from command import SCENES, CommandTest, needs
from pictures import read_png, spread

ONE_STEP = ["--time", "0.001", "--quiet", "--overwrite"]


def one_step(path):
    """On the reference, which needs no kernels; strands that touch each other need a device."""
    return ONE_STEP if "pairs:" in path.read_text() else [*ONE_STEP, "--device", "ref"]


def few_children(path):
    """Full heads take seconds to draw: two strands for each guide show as well that a scene is drawn with children."""
    return ["--children", "2"] if "children:" in path.read_text() else []


class RenderScenes(CommandTest):
    def setUp(self):
        super().setUp()
        os.environ.pop("DISPLAY", None)
        os.environ.pop("WAYLAND_DISPLAY", None)

    def test_every_scene_gives_the_same_picture_twice(self):
        for path in SCENES:
            with self.subTest(scene=path.name):
                pictures = []
                for _ in range(2):
                    self.sheaf("render", str(path), *one_step(path), *few_children(path), "--size", "160x90",
                               "-o", "out.png")
                    pictures.append((self.folder / "out.png").read_bytes())
                self.assertEqual(*pictures)
                self.assertGreater(spread(read_png(pictures[0])), 150)

    @needs("ffmpeg")
    def test_every_scene_gives_a_film(self):
        for path in SCENES:
            with self.subTest(scene=path.name):
                self.sheaf("render", str(path), *one_step(path), *few_children(path), "--rate", "1000",
                           "--size", "80x45", "-o", path.stem + ".mp4")
                film = (self.folder / (path.stem + ".mp4")).read_bytes()
                self.assertEqual(film[4:8], b"ftyp")
                self.assertGreater(len(film), 1000)
        self.assertEqual([name for name in self.names() if not name.endswith(".mp4")], [])


if __name__ == "__main__":
    unittest.main()
