"""test_devices_cold: runs whose kernel caches are missing, damaged or in use, so that kernels are compiled again, and
many runs at once."""
# labels: slow;device;tiers
import json
import os
import random
import shutil
import subprocess
import unittest

from command import SECOND_TIER
from devices import ON_REFERENCE, DeviceTest

COLD, CROWD = (3, 100) if SECOND_TIER else (2, 8)  # runs at once, with an empty cache and a full one


class Cold(DeviceTest):
    def test_an_unwritable_cache_costs_only_time(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        for place in ["/dev/null", "/proc/nowhere"]:
            result = self.run_rod(XDG_CACHE_HOME=place, TMPDIR=str(scratch))
            self.assert_on_device(result)
            self.assertEqual(result.stderr.count("running without a kernel cache"), 1, result.stderr)
        self.assertEqual(list(scratch.iterdir()), [])

    def test_a_damaged_cache_is_made_anew(self):
        expected = self.run_rod().stdout
        chance = random.Random(5)
        for damage in ["cut", "empty", "flip"]:
            cache = self.copy_cache()
            for path in [path for path in cache.rglob("*") if path.is_file() and path.stat().st_size > 0]:
                content = bytearray(path.read_bytes())
                if damage == "flip":
                    content[chance.randrange(len(content))] ^= 0x41
                path.write_bytes(content if damage == "flip" else content[:len(content) // 2] if damage == "cut" else b"")
            result = self.run_rod()
            self.assert_on_device(result)
            self.assertEqual(json.loads(result.stdout)["worst_strain"], json.loads(expected)["worst_strain"])
            shutil.rmtree(self.folder / "cache")

    def test_the_drivers_own_cache_is_left_alone(self):
        (self.folder / "plain").write_text("no folder")
        for place in [self.folder / "plain", self.folder / "damaged"]:
            self.assert_on_device(self.run_rod(POCL_CACHE_DIR=str(place)))
        self.assertFalse((self.folder / "damaged").exists())

    # What is in it would run as part of the process.
    def test_a_drivers_cache_that_others_may_write_to_is_avoided(self):
        elsewhere = self.folder / "elsewhere"
        for fault, words in {"mode": "others can write to it", "link": "a symbolic link"}.items():
            cache = self.copy_cache()
            place = next(path for path in cache.rglob("pocl") if path.is_dir())
            if fault == "mode":
                place.chmod(0o777)
            else:
                place.rename(elsewhere)
                place.symlink_to(elsewhere)
                place = elsewhere
            before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
            self.assertTrue(before)
            result = self.run_rod()
            self.assert_on_device(result)
            self.assertIn(words, result.stderr)
            self.assertEqual(before, {path: path.read_bytes() for path in place.rglob("*") if path.is_file()})
            shutil.rmtree(self.folder / "cache")

    def run_at_once(self, count):
        """Runs that start together: every one ends well, on the device, and all strands are where one run has them."""
        command = [os.environ.get("SHEAF_COMMAND", "sheaf"), "run", "rod.yaml", "-q", "-o"]
        runs = [subprocess.Popen([*command, f"run{k}"], cwd=self.folder, env={**os.environ, **self.environment},
                                 stderr=subprocess.PIPE, text=True) for k in range(count)]
        for run in runs:
            self.addCleanup(run.kill)
        for run in runs:
            messages = run.communicate(timeout=500)[1]
            self.assertEqual(run.returncode, 0, messages)
            self.assertNotIn(ON_REFERENCE, messages)
        ends = {(self.folder / f"run{k}" / "strands.csv").read_bytes() for k in range(count)}
        self.assertEqual(len(ends), 1)

    def test_some_at_once_from_nothing(self):
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cold")
        self.environment["SHEAF_LANES"] = ""  # the best width is found by trial
        (self.folder / "cold").mkdir()
        self.run_at_once(COLD)

    def test_many_at_once(self):
        self.run_rod()
        self.run_at_once(CROWD)


if __name__ == "__main__":
    unittest.main()
