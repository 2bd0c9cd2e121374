"""test_window: the real window under a virtual display: keys, mouse and sliders change what the solver does and what is
seen."""
# labels: device (60 s)
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from command import ROD, SCENES, SHEAF, CommandTest
from desktop import Desktop
from pictures import read_png

GL_FAULTS = os.environ.get("SHEAF_GL_FAULTS", "")
VIEW = "view: { camera: { from: [25 cm, -2 m, 0], at: [25 cm, 0, 0], angle: 20 deg } }\n"
SOFT = ROD.replace("200 GPa", "2 GPa").replace("77 GPa", "0.7 GPa").replace("1 mm", "2 mm, drag: 0.5 Pa*s")
MIDDLE = (640, 360)     # of the window, where the rod is
TIMES_GROUP = (60, 180)  # in the panel
TIME_STAGES = (60, 237)
SCENE_GROUP = (60, 226)
GRAVITY = (70, 249)
FILE_NAME = (70, 456)
SAVE = (70, 479)


def by_hand(test):
    """A test that moves the mouse as a person does. On a busy machine pictures come late, and a hand that does not wait
    for them misses; then all of it is done once more, more slowly."""
    @functools.wraps(test)
    def wrapper(self):
        try:
            test(self)
        except (AssertionError, subprocess.TimeoutExpired):
            self.doCleanups()
            self.setUp()
            self.patience = 5
            test(self)
    return wrapper


@unittest.skipUnless(shutil.which("Xvfb") and shutil.which("xdotool"), "Xvfb or xdotool is not installed")
class Window(CommandTest):
    patience = 1  # factor of all pauses

    @classmethod
    def setUpClass(cls):
        read, write = os.pipe()
        cls.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24"],
                                      pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as stream:
            cls.display = ":" + stream.readline().strip()
        cls.env = {**os.environ, "DISPLAY": cls.display, "LIBGL_ALWAYS_SOFTWARE": "1"}

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait()

    def hand(self, *words, pause=0.4):
        subprocess.run(["xdotool", *map(str, words)], env=self.env, check=True, timeout=60, stdout=subprocess.DEVNULL)
        time.sleep(self.patience * pause)

    def view(self, *words):
        self.process = subprocess.Popen([SHEAF, "view", *words, "--json"], cwd=self.folder, env=self.env, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.process.kill)
        self.hand("search", "--sync", "--onlyvisible", "--name", "[^ ]+ - Sheaf", pause=1)

    def window(self, title):
        """The window with a title, which may take a while to appear."""
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", title], env=self.env, check=True,
                               timeout=30, capture_output=True, text=True)
        return int(found.stdout.split()[0])

    def click(self, place):
        self.hand("mousemove", *place)
        self.hand("click", 1)

    def end(self, expect=0):
        """Quits, and returns what was shown last."""
        self.hand("key", "q")
        out, err = self.process.communicate(timeout=30)
        self.assertEqual(self.process.returncode, expect, err)
        return json.loads(out)

    def picture(self):
        path = self.folder / "sheaf-view.png"
        path.unlink(missing_ok=True)
        self.hand("key", "p")
        self.wait_for(path.name)
        return read_png(path.read_bytes())

    def wait_for(self, name):
        """Until a file is there; files appear whole."""
        for _ in range(600):
            if (self.folder / name).exists():
                return
            time.sleep(0.1)
        self.fail(f"{name} was not written, but {self.names()}")

    def rod_height(self, column=885):
        """Row of the picture's darkest blue in a column, which is near the rod's tip unless it is pulled up."""
        rows = self.picture()
        return min(range(100, 700), key=lambda y: sum(rows[y][column][:2]) - rows[y][column][2])

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

    @by_hand
    def test_drop(self):
        """A scene that is dropped is opened; a file that is none leaves the scene that was there."""
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref")
        self.write("other.yaml", SOFT + VIEW)
        self.write("wrong.yaml", "sheaf: 1\nstrands: 5\n")
        desktop, window = Desktop(self.display), self.window("rod.yaml - Sheaf")
        desktop.drop(window, self.folder / "other.yaml")
        self.window("other.yaml - Sheaf")
        desktop.drop(window, self.folder / "wrong.yaml")
        self.hand("key", "Right", pause=2)
        self.window("other.yaml - Sheaf")
        self.end()

    def test_closed_in_mid_run(self):
        self.view(self.write("rod.yaml", SOFT + VIEW), "-d", "ref", "--play")
        Desktop(self.display).close(self.window("rod.yaml - Sheaf"))
        out, err = self.process.communicate(timeout=30)
        self.assertEqual((self.process.returncode, err), (0, ""))
        self.assertGreater(json.loads(out)["step"], 0)
        self.assertEqual(self.names(), ["rod.yaml"])

    @unittest.skipUnless(GL_FAULTS, "the shim was not built")
    def test_a_context_that_is_lost(self):
        self.write("rod.yaml", ROD)
        lost = {"LD_PRELOAD": GL_FAULTS, "FAULT_GL_AFTER": "40"}
        result = subprocess.run([SHEAF, "view", "rod.yaml", "-d", "ref", "--play"], cwd=self.folder,
                                env={**self.env, **lost}, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 6)
        self.assertIn("context was lost", result.stderr)
        self.assertEqual(self.names(), ["rod.yaml"])

    @by_hand
    def test_scenes_and_runs_open(self):
        curls = next(path for path in SCENES if path.stem == "curls")
        self.view(str(curls))
        self.assertGreater(len({pixel for row in self.picture()[200:500:10] for pixel in row}), 50)
        self.end()
        self.write("rod.yaml", ROD)
        self.sheaf("run", "rod.yaml", "-d", "ref", "-q")
        self.view("rod.run")
        self.hand("key", "Right", "Right", "Left", "Right", pause=1)
        self.assertEqual(self.end()["step"], 2)
        self.view("rod.yaml", "-d", "ref")
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        self.assertEqual(self.process.returncode, 128 + signal.SIGTERM)

    @by_hand
    def test_stages_are_timed(self):
        self.view(self.write("rod.yaml", ROD + VIEW))
        self.click(TIMES_GROUP)
        self.click(TIME_STAGES)
        self.picture()  # once other kernels are built
        self.hand("key", "Right", "Right", pause=3)
        self.picture()
        shown = self.end()
        self.assertEqual(shown["step"], 2)
        self.assertGreater(sum(shown["stages_ms"].values()), 0)  # of the device's kernels

    def test_no_window(self):
        """No display, or too old an OpenGL: a clear message and the exit code of devices."""
        self.write("rod.yaml", ROD)
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        for more, text in [({}, "sheaf render"), ({"DISPLAY": ":9999"}, "sheaf render"),
                           ({"DISPLAY": self.display, "MESA_GL_VERSION_OVERRIDE": "3.0"}, "OpenGL 3.3")]:
            result = subprocess.run([SHEAF, "view", "rod.yaml"], cwd=self.folder, env={**environment, **more},
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 6)
            self.assertIn(text, result.stderr)
        self.assertEqual(self.names(), ["rod.yaml"])


if __name__ == "__main__":
    unittest.main()
