"""test_window_files: the real window under a virtual display: what it opens and what is dropped on it, how it ends, and
what it says where no window can be had."""
# labels: device (40 s)
import json
import os
import signal
import subprocess
import unittest

from command import ROD, SCENES, SHEAF
from desktop import Desktop
from window import SOFT, VIEW, WindowTest, by_hand

GL_FAULTS = os.environ.get("SHEAF_GL_FAULTS", "")
TIMES_GROUP = (60, 180)  # in the panel
TIME_STAGES = (60, 237)


class WindowFiles(WindowTest):
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
