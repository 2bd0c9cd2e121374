"""test_bench: `sheaf bench` tells what it promises, in numbers that can be; how fast anything is, is not judged here."""
# labels: device
import json
import unittest

from devices import DeviceTest

ROW = {"set": str, "workload": str, "form": str, "schedule": str, "strands": int, "vertices": int, "threads": int,
       "vertex_steps_per_s": float, "peak_flops_per_vertex_step": float, "strand_seconds_per_s": float,
       "spread": float, "quartiles": list, "peak_gflops": float, "step": float, "newton": float, "projections": float}
EXPECTED = {"workloads": 3, "forms": 4, "schedules": 2, "strands": 4, "vertices": 4}


class Bench(DeviceTest):
    def bench(self, *words, **options):
        return self.sheaf("bench", *words, "--quick", env=self.environment, **options)

    def check_row(self, row):
        self.assertEqual(set(row), set(ROW))
        for name, kind in ROW.items():
            self.assertIsInstance(row[name], kind, name)
        for name in ["strands", "vertices", "threads", "vertex_steps_per_s", "peak_flops_per_vertex_step",
                     "strand_seconds_per_s", "peak_gflops", "step", "projections"]:
            self.assertGreater(row[name], 0, name)
        self.assertGreaterEqual(row["spread"], 0)
        self.assertEqual(sorted(row["quartiles"]), row["quartiles"])
        self.assertLessEqual(row["quartiles"][2], row["vertex_steps_per_s"])
        cost = 1e9 * row["peak_gflops"] / row["vertex_steps_per_s"]
        self.assertAlmostEqual(row["peak_flops_per_vertex_step"] / cost, 1, 6)
        self.assertEqual(row["newton"], {"bdf2": 1, "bdf2-2newton": 2, "explicit": 0}[row["workload"]])

    def test_all_of_it_as_json(self):
        found = json.loads(self.bench("--json").stdout)
        self.assertTrue(found["device"] and found["machine"])
        self.assertGreater(found["peak"]["fp32_gflops"], 0)
        self.assertGreater(found["peak"]["copy_gb_per_s"], 0)
        self.assertGreaterEqual(found["peak"]["fp64_gflops"], 0)
        self.assertEqual(found["peers"], [])
        for row in found["rows"]:
            self.check_row(row)
        sets = [row["set"] for row in found["rows"]]
        self.assertEqual({name: sets.count(name) for name in EXPECTED}, EXPECTED)
        threads = [row["threads"] for row in found["rows"] if row["set"] == "threads"]
        self.assertIn(threads, [[], [1, 2]])
        forms = [row["form"] for row in found["rows"] if row["set"] == "forms"]
        self.assertEqual(forms, ["float", "float4", "float8", "float16"])
        for name in ["strands", "free_vertices"]:
            self.assertTrue(0.2 < found["exponents"][name] < 3, found["exponents"])
        for verdict in found["verdicts"]:
            self.assertGreater(verdict["measured"], 0)
            self.assertGreater(verdict["bar"], 0)
            self.assertIsInstance(verdict["pass"], bool)

    def test_one_workload_as_a_table(self):
        text = self.bench("bdf2").stdout
        self.assertRegex(text, r"(?m)^bdf2 +float\d+ +fused +1000 +32 ")
        self.assertRegex(text, r"(?m)^bdf2, peak flops per vertex-step .*(met|near.*|missed)$")
        self.assertNotIn("explicit", text)

    def test_no_device(self):
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)
        result = self.bench("bdf2", expect=6)
        self.assertIn("no OpenCL device", result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
