"""test_devices_command: `sheaf devices`, and runs on machines whose OpenCL is missing, broken, lying or slow."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import unittest

from command import ROD, CommandTest

FAULTS = os.environ.get("SHEAF_FAULTS", "")
ON_REFERENCE = "sheaf: running on the reference: "


class Devices(CommandTest):
    """Shares one cache between tests, so that kernels are compiled once; those who spoil it copy it first."""

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.environ.get("SHEAF_BUILD", "/tmp")) / "test-cache"
        cls.shared.mkdir(parents=True, exist_ok=True)

    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD.replace("200 GPa", "2 GPa").replace("1/100", "1/1000"))
        self.environment = {"XDG_CACHE_HOME": str(self.shared)}

    def run_rod(self, *words, expect=0, **changes):
        return self.sheaf("run", "rod.yaml", "--overwrite", "-q", "--json", *words, expect=expect,
                          env={**self.environment, **changes})

    def copy_cache(self):
        cache = self.folder / "cache"
        shutil.copytree(self.shared, cache)
        self.environment["XDG_CACHE_HOME"] = str(cache)
        return cache / "sheaf"

    def assert_on_reference(self, result, reason):
        self.assertEqual(json.loads(result.stdout)["device"], "reference")
        notices = [line for line in result.stderr.splitlines() if line.startswith(ON_REFERENCE)]
        self.assertEqual(len(notices), 1, result.stderr)
        self.assertIn(reason, notices[0])

    def assert_on_device(self, result):
        record = json.loads(result.stdout)
        self.assertRegex(record["form"], "^float(1|4|8|16)$")
        self.assertEqual(record["precision"], "single")

    def test_devices_are_listed(self):
        found = json.loads(self.sheaf("devices", "--json", env=self.environment).stdout)["devices"]
        self.assertGreaterEqual(len(found), 1)
        self.assertEqual([device["index"] for device in found], list(range(len(found))))
        self.assertEqual(sum(device["chosen"] for device in found), 1)
        for device in found:
            self.assertIn(device["type"], ["cpu", "gpu", "accelerator"])
            self.assertIsInstance(device["fp64"], bool)
            self.assertGreater(device["memory_bytes"], 0)
            self.assertTrue(device["platform"] and device["name"] and device["driver"])
        chosen = next(device for device in found if device["chosen"])
        self.assertRegex(chosen["form"], "^float(1|4|8|16)$")
        self.assertTrue(chosen["usable"] and chosen["vertex_steps_per_s"])
        text = self.sheaf("devices", env=self.environment).stdout
        self.assertIn(chosen["name"], text)
        self.assertIn(f"takes device {chosen['index']}", text)

    def test_a_run_takes_the_device_and_says_so(self):
        self.assert_on_device(self.run_rod())
        self.assert_on_device(self.run_rod("--device", "0"))
        self.assertEqual(json.loads(self.run_rod("--device", "ref").stdout)["device"], "reference")
        self.assertIn("there is no OpenCL device 7", self.run_rod("--device", "7", expect=6).stderr)

    def test_lane_width_can_be_wished_for(self):
        self.assertEqual(json.loads(self.run_rod(SHEAF_LANES="4").stdout)["form"], "float4")
        self.assertIn("SHEAF_LANES", self.run_rod(SHEAF_LANES="3", expect=2).stderr)

    def test_no_device(self):
        for vendors in [str(self.folder / "nowhere"), str(self.folder)]:
            self.assert_on_reference(self.run_rod(OCL_ICD_VENDORS=vendors), "no OpenCL device")
            self.run_rod("--device", "0", expect=6, OCL_ICD_VENDORS=vendors)
            listed = json.loads(self.sheaf("devices", "--json",
                                           env={**self.environment, "OCL_ICD_VENDORS": vendors}).stdout)
            self.assertEqual(listed["devices"], [])

    def test_a_driver_that_is_missing_or_no_library(self):
        (self.folder / "broken.icd").write_text("/nowhere/libdriver.so\n")
        (self.folder / "text.icd").write_text(f"{self.folder}/rod.yaml\n")
        self.assert_on_reference(self.run_rod(OCL_ICD_VENDORS=str(self.folder)), "no OpenCL device")

    def test_an_unwritable_cache_costs_only_time(self):
        for place in ["/dev/null", "/proc/nowhere"]:
            result = self.run_rod(XDG_CACHE_HOME=place)
            self.assert_on_device(result)
            self.assertEqual(result.stderr.count("running without a kernel cache"), 1, result.stderr)
        self.assertEqual([path for path in pathlib.Path("/tmp").glob("sheaf-pocl-*")], [])

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

    def test_a_damaged_cache_of_the_users_own_driver(self):
        cache = self.copy_cache()
        for path in (cache / "pocl").rglob("*.so"):
            path.write_bytes(path.read_bytes()[:1000])
        self.assert_on_device(self.run_rod(POCL_CACHE_DIR=str(cache / "pocl")))
        (self.folder / "plain").write_text("no folder")
        result = self.run_rod(POCL_CACHE_DIR=str(self.folder / "plain"))
        self.assertEqual(result.returncode, 0)

    @unittest.skipUnless(FAULTS and "libclang_rt" not in FAULTS, "the shim was not built")
    def test_a_driver_that_computes_a_little_wrong_is_refused(self):
        wrong = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "scale"}
        self.assert_on_reference(self.run_rod(**wrong), "computes wrongly")
        self.assertIn("computes wrongly", self.run_rod("--device", "0", expect=6, **wrong).stderr)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_driver_that_hangs_is_refused(self):
        slow = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "hang", "SHEAF_PROBE_LIMIT": "4"}
        self.assert_on_reference(self.run_rod(**slow), "hung")
        self.run_rod("--device", "0", expect=6, **slow)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_calls_that_fail(self):
        for call in [1, 2, 5, 20, 23, 26, 30, 45, 60, 90, 120]:
            result = self.run_rod(LD_PRELOAD=FAULTS, FAULT_CL_CALL=str(call), expect=None)
            self.assertIn(result.returncode, [0, 6], result.stderr)

    def test_two_at_once_from_nothing(self):
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cold")
        (self.folder / "cold").mkdir()
        environment = {**os.environ, **self.environment}
        command = [os.environ.get("SHEAF_COMMAND", "sheaf"), "run", "rod.yaml", "-q", "-o"]
        runs = [subprocess.Popen([*command, name], cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True)
                for name in ["first", "second"]]
        for run in runs:
            messages = run.communicate(timeout=500)[1]
            self.assertEqual(run.returncode, 0, messages)
            self.assertNotIn(ON_REFERENCE, messages)


if __name__ == "__main__":
    unittest.main()
