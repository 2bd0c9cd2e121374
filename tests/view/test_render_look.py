# test_render_look: hair, skin and background in pictures are what the scene says of its view.
# labels: device
import os
import unittest

from command import CommandTest
from pictures import read_png

# A curtain of straight hair across the picture, root at the top, lit from the front.
CURTAIN = """sheaf: 1
time: { step: 1/120 s, end: 0.1 s }
materials: { hair: { preset: straight } }
strands:
  - groom: { on: { plane: { size: [6 cm, 1 cm], up: -z } }, count: 1500, vertices: 12, length: 20 cm }
view:
  camera: { from: [0, -2 m, -10 cm], at: [0, 0, -10 cm], angle: 7 deg }
  light: [-1, -2, 0]
  ground: none
"""
HEAD = """sheaf: 1
time: { step: 1/120 s, end: 0.1 s }
materials: { hair: { preset: straight } }
strands:
  - groom: { on: { sphere: { radius: 9 cm, cap: 20 deg } }, count: 30, vertices: 6, length: 1 cm }
    root: clamp
view:
  camera: { from: [0, -1 m, 0], at: [0, 0, 0] }
  light: [-1, -1, 1]
  ground: none
"""
COLOUR = "  colours: [{ colour: [0.4, 0.28, 0.2], vary: 0%s }]\n"


def mean(pixels):
    pixels = list(pixels)
    return [sum(pixel[c] for pixel in pixels) / len(pixels) for c in range(3)]


def band(rows, first, end):
    """Mean colour of the middle of rows, where the curtain hangs, at shares of the height."""
    return mean(pixel for row in rows[int(first * len(rows)):int(end * len(rows))]
                for pixel in row[110:130])


class Look(CommandTest):
    def setUp(self):
        super().setUp()
        os.environ.pop("DISPLAY", None)
        os.environ.pop("WAYLAND_DISPLAY", None)

    def draw(self, text):
        self.write("look.yaml", text)
        self.sheaf("render", "look.yaml", "--time", "0", "--size", "240x160", "--device", "ref", "-q", "-o", "look.png",
                   "--overwrite")
        return read_png((self.folder / "look.png").read_bytes())

    def curtain(self, look="", view=""):
        return self.draw(CURTAIN + COLOUR % look + view)

    def test_hair_has_its_colour_and_gets_lighter_to_the_tip(self):
        rows = self.curtain()
        root, tip = band(rows, 0.25, 0.35), band(rows, 0.65, 0.75)
        for red, green, blue in (root, tip):
            self.assertTrue(red > green > blue, (root, tip))
        self.assertTrue(all(t > 1.06 * r for t, r in zip(tip, root)), (root, tip))
        dark = band(self.curtain(", tip: [0.5, 0.5, 0.5]"), 0.65, 0.75)
        self.assertLess(sum(dark), 0.95 * sum(tip))  # highlights are not the hair's colour

    def test_brightness_stays_in_range(self):
        """Neither black nor burnt out, whatever the settings; what is undefined would be one of both."""
        for look in (", roughness: 0.05, tint: 0", ", roughness: 1, shift: 0.5", ", shine: 10",
                     ", tint: 2, shift: -0.5"):
            with self.subTest(look=look):
                red, green, blue = band(self.curtain(look), 0.3, 0.7)
                self.assertTrue(5 < blue and red < 250, (red, green, blue))

    def test_settings_of_colours(self):
        plain = band(self.curtain(), 0.3, 0.7)
        self.assertLess(sum(band(self.curtain(", shine: 0"), 0.3, 0.7)), sum(plain) - 3)
        self.assertGreater(sum(band(self.curtain(", shine: 4"), 0.3, 0.7)), sum(plain) + 3)
        self.assertLess(sum(band(self.curtain(", tint: 2"), 0.3, 0.7)), sum(plain) - 3)
        self.assertNotEqual(self.curtain(", roughness: 0.1"), self.curtain())
        self.assertNotEqual(self.curtain(", shift: 0.2"), self.curtain())

    def test_exposure_is_that_of_strands_and_bodies(self):
        once, twice = self.curtain(), self.curtain(view="  exposure: 2\n")
        self.assertGreater(sum(band(twice, 0.3, 0.7)), 1.2 * sum(band(once, 0.3, 0.7)))
        self.assertEqual([row[:5] for row in once], [row[:5] for row in twice])

    def test_rim_light_draws_outlines(self):
        """From behind and above, so that hanging hair has to be rough to catch it: it is brighter then."""
        sums = [sum(band(self.curtain(", roughness: 0.7", f"  rim: {rim}\n"), 0.3, 0.7)) for rim in (0, 0.5, 2)]
        self.assertTrue(sums[0] < sums[1] < sums[2], sums)

    def test_backgrounds(self):
        """The studio is grey, the sky blue above, dark is dark but brighter behind the middle, a colour of one's own wins."""
        studio = self.draw(HEAD)[2][2]
        self.assertLess(max(studio) - min(studio), 25)
        sky = self.draw(HEAD + "  background: sky\n")[2][2]
        self.assertGreater(sum(sky), sum(studio))
        rows = self.draw(HEAD + "  background: dark\n")
        self.assertLess(sum(rows[2][2]), 0.35 * sum(studio))
        self.assertGreater(sum(rows[2][len(rows[2]) // 2]), sum(rows[2][2]))
        red = self.draw(HEAD + "  background: sky\n  sky: [1, 0, 0]\n")[2][2]
        self.assertGreater(red[0], red[2])

    def test_skin(self):
        """Skin is reddish where its shadow begins; its colour can be chosen; under hair it is dark."""
        rows = self.draw(HEAD)
        lit, edge = rows[70][108], rows[70][132]
        self.assertGreater(lit[0], lit[2])
        self.assertGreater(edge[0] / (edge[2] + 1), lit[0] / (lit[2] + 1))
        blue = self.draw(HEAD + "  skin: [0.1, 0.2, 0.8]\n")[70][108]
        self.assertGreater(blue[2], blue[0])
        bare = self.draw(HEAD.replace("cap: 20 deg", "cap: 100 deg"))
        self.assertLess(sum(bare[70][108]), 0.8 * sum(lit))


if __name__ == "__main__":
    unittest.main()
