"""test_signals: signals at any moment of a start that compiles kernels, and children whose parent is killed."""
# labels: slow;device (50 s)
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from command import SHEAF
from devices import DeviceTest

FAULTS = os.environ.get("SHEAF_FAULTS", "")
MOMENTS = int(os.environ.get("SHEAF_TEST_MOMENTS", "12"))
WHOLE = 1.5  # s that a start with an empty cache takes, about


class Signals(DeviceTest):
    def setUp(self):
        super().setUp()
        self.run_rod()  # tries the device and finds the lane width, which later starts remember
        self.cache = self.copy_cache()
        self.environment["POCL_EXTRA_BUILD_FLAGS"] = "-cl-opt-disable"  # nobody else needs these programs: compile soon

    def start(self, name, **options):
        """A run that has to compile all of its kernels itself; a group of its own, as a terminal would make it."""
        shutil.rmtree(self.cache / "pocl", ignore_errors=True)
        process = subprocess.Popen([SHEAF, "run", "rod.yaml", "--device", "0", "-o", name, "-q", "--json"],
                                   cwd=self.folder, env={**os.environ, **self.environment}, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True, **options)
        self.addCleanup(process.kill)
        return process

    def test_an_interrupt_at_any_moment(self):
        chance = random.Random(11)
        for k in range(MOMENTS):
            process = self.start(f"run{k}")
            moment = chance.uniform(0, WHOLE)
            time.sleep(moment)
            still = process.poll() is None
            # a terminal tells the whole group, and so the driver's own helpers
            os.killpg(process.pid, signal.SIGINT) if k % 2 else process.send_signal(signal.SIGINT)
            messages = process.communicate(timeout=120)[1]
            # before the device is opened nothing has been done that would have to be kept: the signal ends it
            ends = [130, -signal.SIGINT] if still else [0]
            self.assertIn(process.returncode, ends, f"at {moment:.3f} s: {messages}")

    def test_an_interrupt_that_the_caller_ignores(self):
        process = self.start("steady", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.02)
        output, messages = process.communicate()
        self.assertEqual(process.returncode, 0, messages)
        self.assertRegex(json.loads(output)["form"], "^float")

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_trial_ends_with_its_parent(self):
        shutil.rmtree(self.cache)  # so that the device is tried
        stuck = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "hang", "SHEAF_LAUNCH_LIMIT": "600"}
        self.environment.update(stuck)
        parent = self.start("stuck")
        self.assertTrue(self.wait_for(lambda: self.trials(parent.pid), 60))
        children = self.trials(parent.pid)
        time.sleep(0.5)  # the child has said whom it follows
        parent.kill()
        parent.communicate()
        self.assertTrue(self.wait_for(lambda: not any(self.is_running(child) for child in children), 5))

    @staticmethod
    def wait_for(condition, limit):
        end = time.monotonic() + limit
        while not condition() and time.monotonic() < end:
            time.sleep(0.02)
        return condition()

    @staticmethod
    def trials(parent):
        """Children that try device 0; the one that lists devices ends by itself."""
        found = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [int(word) for word in found
                if pathlib.Path(f"/proc/{word}/cmdline").read_bytes().endswith(b"--probe\0" + b"0\0")]

    @staticmethod
    def is_running(process):
        try:
            return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False


if __name__ == "__main__":
    unittest.main()
