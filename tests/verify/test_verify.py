"""test_verify: `sheaf verify`: its table, its JSON, its exit codes, and that wrong numbers are found."""
# labels: device
import json
import os
import unittest

from command import needs_method
from devices import DeviceTest

FAULTS = os.environ.get("SHEAF_FAULTS", "")
FEW = ["--strands", "16", "--vertices", "9", "--form", "float8"]
FIELDS = {"stage", "quantity", "form", "schedule", "precision", "strands", "max_error", "p99_error", "median_error",
          "judged", "bar", "pass"}


class Verify(DeviceTest):
    def verify(self, *words, expect=0, **changes):
        return self.sheaf("verify", *words, expect=expect, env={**self.environment, **changes})

    def test_json_has_a_record_per_quantity(self):
        found = json.loads(self.verify(*FEW, "--stage", "bend_twist", "--json").stdout)
        self.assertEqual(found["failed"], 0)
        self.assertEqual(found["passed"], len(found["rows"]))
        self.assertTrue(found["device"])
        self.assertEqual({row["quantity"] for row in found["rows"]},
                         {"force", "torque balance", "force at a vertex", "typical force at a vertex"})
        for row in found["rows"]:
            self.assertEqual(set(row), FIELDS)
            self.assertEqual((row["stage"], row["form"], row["schedule"]), ("bend_twist", "float8", "staged"))
            self.assertTrue(0 < row["median_error"] <= row["p99_error"] <= row["max_error"])
            self.assertLessEqual(row["strands"], 16)

    def test_the_table_says_the_same(self):
        words = [*FEW, "--stage", "bend_twist"]
        rows = json.loads(self.verify(*words, "--json").stdout)["rows"]
        lines = self.verify(*words).stdout.splitlines()
        self.assertEqual(lines[-1], f"{len(rows)} rows passed, 0 failed")
        for row, line in zip(rows, lines[2:-1]):
            self.assertIn(row["quantity"], line)
            self.assertIn(f"{row['max_error']:.1e}", line)
            self.assertTrue(line.endswith("ok"))

    def test_violent_steps_are_those_of_truth(self):
        words = ["--strands", "16", "--form", "double4", "--stage", "violent"]
        rows = {row["quantity"]: row for row in json.loads(self.verify(*words, "--json").stdout)["rows"]}
        self.assertEqual(rows["no path of truth"]["strands"], 5)
        self.assertGreaterEqual(rows["converged"]["strands"], 4)
        self.assertLessEqual(rows["converged"]["max_error"], 1e-9)

    @needs_method("cable")
    def test_cables_are_those_of_the_reference(self):
        words = ["--strands", "40", "--vertices", "20", "--stage", "cable", "--quick", "--steps", "100"]
        rows = json.loads(self.verify(*words, "--json").stdout)["rows"]
        self.assertEqual([(row["form"], row["quantity"]) for row in rows],
                         [(form, quantity) for form in ["float4", "double4"]
                          for quantity in ["1 step", "10 steps", "100 steps", "bits of all forms"]])
        for row in rows:
            self.assertEqual((row["strands"], row["schedule"]), (40, "fused"))
            self.assertEqual(row["max_error"] > 0, row["bar"] > 0)
        self.verify("--strands", "8", "--vertices", "5", "--stage", "cable", "--form", "double4")

    def test_the_seed_decides_the_strands(self):
        def errors(seed):
            rows = json.loads(self.verify(*FEW, "--stage", "bend_twist", "--seed", seed, "--json").stdout)["rows"]
            return [row["max_error"] for row in rows]

        self.assertEqual(errors("5"), errors("5"))
        self.assertNotEqual(errors("5"), errors("6"))

    def test_whole_steps_in_both_schedules(self):
        rows = json.loads(self.verify(*FEW, "--stage", "explicit", "--steps", "10", "--json").stdout)["rows"]
        for schedule in ["staged", "fused"]:
            self.assertEqual([row["quantity"] for row in rows if row["schedule"] == schedule],
                             ["1 step", "10 steps", "strain over bound", "frame", "bits of all forms"])

    @unittest.skipUnless(FAULTS, "the shim was not built")
    def test_wrong_numbers_are_a_mismatch(self):
        wrong = {"LD_PRELOAD": FAULTS, "FAULT_CL_MODE": "scale"}
        found = json.loads(self.verify(*FEW, "--stage", "explicit", "--steps", "1", "--json", expect=5, **wrong).stdout)
        self.assertGreater(found["failed"], 0)
        self.assertEqual(found["failed"], sum(not row["pass"] for row in found["rows"]))
        self.assertIn("FAILED", self.verify(*FEW, "--stage", "explicit", "--steps", "1", expect=5, **wrong).stdout)

    def test_what_is_not_there_is_refused(self):
        self.assertIn("there is no OpenCL device 7", self.verify("--device", "7", expect=6).stderr)
        self.assertIn("nothing to verify", self.verify(OCL_ICD_VENDORS=str(self.folder), expect=6).stderr)
        for words in [["--stage", "dreams"], ["--form", "float3"], ["--vertices", "4"], ["--strands", "0"]]:
            self.verify(*words, expect=2)


if __name__ == "__main__":
    unittest.main()
