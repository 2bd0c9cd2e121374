"""command: what the tests that drive the real `sheaf` command share. Standard library only."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SHEAF = os.environ.get("SHEAF_COMMAND", str(SOURCE / "build/release/sheaf"))
SCENES = sorted((SOURCE / "scenes").glob("*.yaml"))
SECOND_TIER = "SHEAF_TEST_ALL" in os.environ  # a test with the label `tiers` is to take its full form
PAPER_SCENES = sorted((SOURCE / "scenes/papers").glob("*.yaml"))


def has_method(name):
    """Whether the sources have a method: who removes one removes its folders."""
    return (SOURCE / "host" / name).is_dir()


def needs_method(name):
    return unittest.skipUnless(has_method(name), f"there is no method {name}")


# What is started in the background may have been told to ignore it, and would pass that on to the command.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A rod of six vertices that runs in no time.
ROD = """sheaf: 1
title: a rod
time: { step: 1/100 s, end: 0.1 s, frames: 50 Hz }
materials:
  steel: { density: 7800 kg/m^3, young: 200 GPa, shear: 77 GPa, radius: 1 mm }
strands:
  - shape: { straight: { length: 50 cm, vertices: 6, direction: x } }
"""


class CommandTest(unittest.TestCase):
    """Runs each test in a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def sheaf(self, *words, expect=0, env=None, **options):
        """Runs the command and checks its exit code; the result's stdout and stderr are text."""
        environment = {**os.environ, "TERM": "xterm", **(env or {})}
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("timeout", 300)
        result = subprocess.run([SHEAF, *words], cwd=self.folder, env=environment, stderr=subprocess.PIPE,
                                text=True, errors="replace", **options)
        if expect is not None:
            self.assertEqual(result.returncode, expect, f"sheaf {words}: {result.stdout}{result.stderr}")
        return result

    def json(self, *words, expect=0):
        return json.loads(self.sheaf(*words, "--json", expect=expect).stdout)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return name

    def names(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")
