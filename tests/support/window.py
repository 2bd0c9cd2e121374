"""window: what the tests of the real window share: a virtual display, and a hand on keys and mouse."""
import functools
import json
import os
import shutil
import subprocess
import time
import unittest

from command import ROD, SHEAF, CommandTest
from pictures import read_png

VIEW = "view: { camera: { from: [25 cm, -2 m, 0], at: [25 cm, 0, 0], angle: 20 deg } }\n"
SOFT = ROD.replace("200 GPa", "2 GPa").replace("77 GPa", "0.7 GPa").replace("1 mm", "2 mm, drag: 0.5 Pa*s")


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
class WindowTest(CommandTest):
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
