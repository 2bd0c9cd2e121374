"""test_bench_all: `sheaf bench` measures all that it promises, in numbers that can be; how fast anything is, is not
judged here. The first tier has the workloads, twist and the projectors, the second all sets."""
# labels: slow;device;tiers (25 s, all 60 s)
import json
import unittest

from command import SECOND_TIER
from devices import DeviceTest

ROW = {"set": str, "workload": str, "form": str, "schedule": str, "strands": int, "vertices": int, "threads": int,
       "vertex_steps_per_s": float, "peak_flops_per_vertex_step": float, "strand_seconds_per_s": float,
       "spread": float, "quartiles": list, "peak_gflops": float, "step": float, "newton": float, "projections": float,
       "strain": float, "memory_bytes": float, "rounds": int, "steps_per_launch": int, "stage": (str, type(None)),
       "flops_per_vertex_step": float, "bytes_per_vertex_step": float, "limit": str, "share_of_limit": float}
EXPECTED = {"workloads": 3, "forms": 4, "schedules": 4, "stages": 19, "twist": 2, "projectors": 4, "laws": 3, "populations": 8,
            "strands": 4, "vertices": 5}
SOME = ["workloads", "twist", "projectors"]
FLOPS = {"bdf2": 1500, "bdf2-2newton": 2600, "explicit": 640}
NEWTON = {"bdf2": 1, "bdf2-2newton": 2, "explicit": 0, "closed-form": 2, "newton": 2,
          "linear": 2, "atan": 2, "atan-fit": 2}


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
        self.assertEqual(row["newton"], NEWTON.get(row["workload"], row["newton"]))
        # touching strands may be left half of what contact.clh allows squared lengths
        self.assertLess(row["strain"], 5.1e-4 if row["workload"].endswith(("-blown", "-film")) else 1.01e-4)
        self.assertIn(row["limit"], ["compute", "memory"])
        if row["limit"] == "compute":
            self.assertAlmostEqual(row["share_of_limit"] * cost / row["flops_per_vertex_step"], 1, 6)
        if row["schedule"] == "fused" and row["vertices"] == 32 and row["workload"] in FLOPS:
            self.assertTrue(0.8 < row["flops_per_vertex_step"] / FLOPS[row["workload"]] < 1.25, row)

    def test_some_of_it_as_json(self):
        rows = json.loads(self.bench(*FLOPS, "twist", "projectors", "--json").stdout)["rows"]
        for row in rows:
            self.check_row(row)
        sets = [row["set"] for row in rows]
        self.assertEqual({name: sets.count(name) for name in sets}, {name: EXPECTED[name] for name in SOME})
        self.check_projectors({row["workload"]: row for row in rows if row["set"] == "projectors"})

    @unittest.skipUnless(SECOND_TIER, "second tier")
    def test_all_of_it_as_json(self):
        found = json.loads(self.bench("--json", "--save", "figures.json", "--page", "figures.html").stdout)
        self.assertEqual(json.loads((self.folder / "figures.json").read_text())["rows"], found["rows"])
        page = (self.folder / "figures.html").read_text()
        self.assertEqual((page.count("<svg "), page.count("</svg>")), (3, 3))
        self.assertIn("Cost grows like strands to the power of", page)
        self.assertNotIn("nan", page)
        self.assertTrue(found["device"] and found["machine"])
        self.assertGreater(found["peak"]["fp32_gflops"], 0)
        self.assertGreater(found["peak"]["copy_gb_per_s"], 0)
        self.assertGreaterEqual(found["peak"]["fp64_gflops"], 0)
        for name in ["cache_copy_gb_per_s", "cache_bytes", "launch_us", "tridiagonal_gb_per_s"]:
            self.assertGreater(found["peak"][name], 0, name)
        self.assertEqual((found["peers"], found["failures"], found["complete"]), ([], {}, True))
        for row in found["rows"]:
            self.check_row(row)
        sets = [row["set"] for row in found["rows"]]
        self.assertEqual({name: sets.count(name) for name in EXPECTED}, EXPECTED)
        threads = [row["threads"] for row in found["rows"] if row["set"] == "threads"]
        self.assertIn(threads, [[], [1, 2]])
        forms = [row["form"] for row in found["rows"] if row["set"] == "forms"]
        self.assertEqual(forms, ["float", "float4", "float8", "float16"])
        self.check_projectors({row["workload"]: row for row in found["rows"] if row["set"] == "projectors"})
        stages = {row["stage"] for row in found["rows"] if row["set"] == "stages"}
        self.assertLessEqual({"guess", "frames", "twist", "assemble", "solve", "project", "wind", "collide"}, stages)
        for name in ["strands", "free_vertices"]:
            self.assertTrue(0.2 < found["exponents"][name] < 3, found["exponents"])
        self.check_paper(found["paper"])
        for verdict in found["verdicts"]:
            self.assertGreater(verdict["measured"], 0)
            self.assertGreater(verdict["bar"], 0)
            self.assertIsInstance(verdict["pass"], bool)

    def check_paper(self, paper):
        """The paper's rows are all there, and ours beside those whose scenes can be built."""
        self.assertEqual([row["figure"] for row in paper["rows"]], ["1", "5", "6", "9", "7", "8", "10", "11", "12"])
        self.assertEqual([row["figure"] for row in paper["rows"] if row["ours"]], ["5", "7", "8"])
        self.assertEqual((paper["paper_clock_ghz"], paper["batch"]), (2.66, 256))
        for row in paper["rows"]:
            times, ours = row["paper"], row["ours"] or {}
            parts = [times[f"{name}_ms"] or 0 for name in ["forces", "contact", "twist", "projection"]]
            self.assertLess(abs(sum(parts) - times["total_ms"]), 0.4 * times["total_ms"])  # as it is printed
            for name in ours:
                self.assertGreater(ours[name], 0, name)
            if ours:
                without_contact = times["total_ms"] - (times["contact_ms"] or 0)
                self.assertAlmostEqual(ours["ratio_of_one"] * ours["one_ms"] / without_contact, 1, 6)
                self.assertAlmostEqual(ours["ratio_of_batch"] * ours["batch_ms"] / without_contact, 1, 6)

    def check_projectors(self, rows):
        """All reach the same strain; relaxations take more iterations for it than the direct solve."""
        self.assertEqual(set(rows), {"tridiagonal", "jacobi", "chebyshev", "red-black"})
        for name in ["chebyshev", "red-black"]:
            self.assertGreater(rows[name]["projections"], rows["tridiagonal"]["projections"])
            self.assertGreater(rows["jacobi"]["projections"], 2 * rows[name]["projections"])

    def test_the_papers_table(self):
        text = self.bench("paper").stdout
        self.assertRegex(text, r"(?m)^paper: Table 1 .*\(2\.66 GHz, one thread\) and ours \(\d+\.\d\d GHz, \d thread")
        self.assertRegex(text, r"(?m)^7 +75 +2\.0 +0\.0430 +- +0\.10 +0\.20 +0\.34  \|( +\d+\.\d+){7}  \|( +\d+(\.\d)?){2}$")
        self.assertRegex(text, r"(?m)^12 .* 22\.00  \| not yet: tree in wind$")


if __name__ == "__main__":
    unittest.main()
