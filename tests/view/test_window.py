"""test_window: the real window under a virtual display: keys, mouse and sliders change what the solver does and what is
seen."""
# labels: device (40 s)
import re
import time
import unittest

from window import SOFT, VIEW, WindowTest, by_hand

MIDDLE = (640, 360)     # of the window, where the rod is
SCENE_GROUP = (60, 226)  # in the panel
GRAVITY = (70, 249)
FILE_NAME = (70, 456)
SAVE = (70, 479)


class Window(WindowTest):
    @by_hand
    def test_play_pause_step_colour(self):
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        self.hand("key", "Right", "Right", "Right")
        self.hand("key", "c", pause=1)
        shown = self.end()
        self.assertEqual((shown["step"], shown["playing"], shown["colour"]), (3, False, "strand"))
        self.view("rod.yaml", "-d", "ref")
        before = self.rod_height()
        self.hand("key", "space", pause=1.5)
        self.hand("key", "space")
        after = self.rod_height()
        shown = self.end()
        self.assertGreater(shown["step"], 10)
        self.assertFalse(shown["playing"])
        self.assertGreater(after, before + 5)  # it hangs down now

    @by_hand
    def test_pick_and_drag(self):
        weightless = SOFT.replace("materials:", "gravity: [0, 0, 0]\nmaterials:")
        self.view(self.write("rod.yaml", weightless + VIEW), "-d", "ref", "--play")
        self.hand("mousemove", 880, MIDDLE[1])
        self.hand("click", 1)
        self.hand("keydown", "ctrl", "mousedown", 1, "keyup", "ctrl")
        self.addCleanup(self.hand, "mouseup", 1)
        for y in range(340, 200, -40):
            self.hand("mousemove", 880, y, pause=0.2)
        time.sleep(1)
        height = self.rod_height(column=780)
        shown_at_hand = self.end()
        self.assertEqual(shown_at_hand["picked"], 0)
        self.assertGreater(shown_at_hand["tip_m"][2], 0.02)
        self.assertLess(height, MIDDLE[1] - 10)
        self.assertLess(shown_at_hand["deviation_m"], 1e-9)  # the shadow was pulled alike

    def turn_gravity(self):
        self.click(SCENE_GROUP)
        self.hand("mousemove", *GRAVITY)
        self.hand("mousedown", 1)
        self.hand("mousemove", GRAVITY[0] + 60, GRAVITY[1])
        self.hand("mouseup", 1, pause=1)

    @by_hand
    def test_slider(self):
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        self.turn_gravity()
        shown = self.end()
        self.assertGreater(shown["gravity_m_per_s2"], 15)

    @by_hand
    def test_save_and_undo(self):
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        self.turn_gravity()
        self.click(FILE_NAME)
        self.hand("type", "--delay", "100", "heavy.yaml", pause=1)
        self.click(SAVE)
        self.wait_for("heavy.yaml")
        self.hand("key", "ctrl+z", pause=1)
        self.assertAlmostEqual(self.end()["gravity_m_per_s2"], 9.81)
        heavier = re.search(r"gravity:\s*\[\s*0,\s*0,\s*-([\d.]+)", (self.folder / "heavy.yaml").read_text())
        self.assertGreater(float(heavier[1]), 15)
        self.sheaf("check", "heavy.yaml")
        self.assertEqual((self.folder / "rod.yaml").read_text(), SOFT + VIEW)


if __name__ == "__main__":
    unittest.main()
