"""test_devices_command: `sheaf devices`, and runs on machines whose OpenCL is missing, broken, lying or slow."""
# labels: device
import json
import os
import pathlib
import unittest

from devices import DeviceTest

FAULTS = os.environ.get("SHEAF_FAULTS", "")
VENDORS = pathlib.Path("/etc/OpenCL/vendors")
LIBRARIES = sorted(pathlib.Path("/usr/lib").glob("*-linux-gnu/libpocl.so.*.*.*"))
HAIR = """sheaf: 1
materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um } }
strands:
  - groom: { on: { sphere: { radius: 9 cm } }, count: 40, vertices: 8, length: 5 cm }
    material: hair
    root: clamp
"""


class Devices(DeviceTest):
    def test_devices_are_listed(self):
        self.environment["SHEAF_LANES"] = ""  # the best width for many strands is found by trial
        self.write("hair.yaml", HAIR)
        self.sheaf("run", "hair.yaml", "-q", "--steps", "2", env=self.environment)
        self.assertEqual(json.loads(self.run_rod().stdout)["form"], "float4")  # one strand needs no more
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

    def test_a_profile_tells_the_time_of_every_stage(self):
        plain, profiled = json.loads(self.run_rod().stdout), json.loads(self.run_rod("--profile").stdout)
        self.assertIsNone(plain["profile"])
        times = {row["stage"]: row for row in profiled["profile"]}
        for stage in ["guess", "frames", "curvature", "twist", "assemble", "solve", "project", "finish"]:
            self.assertGreaterEqual(times[stage]["launches"], profiled["steps"])
            self.assertGreater(times[stage]["seconds"], 0)
        self.assertEqual(plain["worst_strain"], profiled["worst_strain"])
        table = self.sheaf("run", "rod.yaml", "--overwrite", "-q", "--profile", env=self.environment).stdout
        self.assertRegex(table, r"(?m)^solve +\d+ +[\d.]+ +[\d.]+%")
        self.assertIn("--profile", self.run_rod("--profile", "--device", "ref", expect=2).stderr)

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

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_driver_that_computes_a_little_wrong_is_refused(self):
        wrong = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "scale"}
        self.assert_on_reference(self.run_rod(**wrong), "computes wrongly")
        self.assertIn("computes wrongly", self.run_rod("--device", "0", expect=6, **wrong).stderr)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_driver_that_hangs_is_refused(self):
        slow = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "hang", "SHEAF_LAUNCH_LIMIT": "1"}
        self.assert_on_reference(self.run_rod(**slow), "hung")
        self.run_rod("--device", "0", expect=6, **slow)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_driver_that_ends_the_process_is_refused(self):
        (self.folder / "own.icd").write_text((VENDORS / "pocl.icd").read_text())
        ending = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "exit", "OCL_ICD_VENDORS": str(self.folder)}
        self.assert_on_reference(self.run_rod(**ending), "ended a trial before it was over")

    @unittest.skipUnless(VENDORS.is_dir() and LIBRARIES, "PoCL is not where Debian puts it")
    def test_a_driver_replaced_in_place_is_tried_again(self):
        library = self.folder / "lib" / "here" / "libdriver.so"
        library.parent.mkdir(parents=True)
        (self.folder / "share").symlink_to("/usr/share")  # its other halves, looked for beside it
        (library.parent / "pocl").symlink_to(LIBRARIES[0].parent / "pocl")
        library.write_bytes(LIBRARIES[0].read_bytes())
        (self.folder / "own.icd").write_text(f"{library}\n")
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)

        def first_start():
            run = ["run", "rod.yaml", "--overwrite", "--steps", "2", "--device", "0"]
            return "first start with this driver" in self.sheaf(*run, env=self.environment).stderr

        self.assertTrue(first_start())
        self.assertFalse(first_start())
        with open(library, "ab") as file:
            file.write(b"another version")
        self.assertTrue(first_start())
        self.assertFalse(first_start())

    def test_kernels_are_compiled_ahead(self):
        told = self.sheaf("devices", "--prepare", env=self.environment, timeout=600).stderr
        self.assertIn("compiling kernels of grass", told)
        self.assertRegex(told, r"kernels of \d+ kinds of scenes are compiled and kept")
        self.sheaf("devices", "--prepare", "--json", expect=2)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_a_device_without_double_precision(self):
        lacking = {"LD_PRELOAD": FAULTS, "FAULT_CL_FP64": "0"}
        self.assert_on_device(self.run_rod(**lacking))
        self.write("rod.yaml", "precision: double\n" + (self.folder / "rod.yaml").read_text())
        self.assert_on_reference(self.run_rod(**lacking), "no double precision")
        self.assertIn("no double precision", self.run_rod("--device", "0", expect=6, **lacking).stderr)

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_calls_that_fail(self):
        for call in [1, 2, 5, 20, 23, 26, 30, 45, 60, 90, 120]:
            result = self.run_rod(LD_PRELOAD=FAULTS, FAULT_CL_CALL=str(call), expect=None)
            self.assertIn(result.returncode, [0, 6], result.stderr)


if __name__ == "__main__":
    unittest.main()
