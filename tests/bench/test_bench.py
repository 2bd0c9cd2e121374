"""test_bench: `sheaf bench` as a command: tables, comparisons, files, interrupts; test_bench_all looks at its figures."""
# labels: device (40 s)
import json
import os
import re
import signal
import subprocess
import time
import unittest

from command import SHEAF
from devices import DeviceTest

FAULTS = os.environ.get("SHEAF_FAULTS", "")


class Bench(DeviceTest):
    def bench(self, *words, **options):
        return self.sheaf("bench", *words, "--quick", env=self.environment, **options)

    def test_one_workload_as_a_table(self):
        text = self.bench("bdf2").stdout
        self.assertRegex(text, r"(?m)^bdf2 +float\d+ +fused +1000 +32 ")
        self.assertRegex(text, r"(?m)^bdf2, peak flops per vertex-step .*(met|near.*|missed)$")
        self.assertNotIn("explicit", text)

    def saved(self, name, factor):
        """Figures of one workload, as if costs had been so many times what they are now."""
        self.bench("explicit", "--save", name)
        figures = json.loads((self.folder / name).read_text())
        row = figures["rows"][0]
        row["rounds"] = 9
        row["vertex_steps_per_s"] /= factor
        row["quartiles"] = [rate / factor for rate in row["quartiles"]]
        self.write(name, json.dumps(figures))
        return figures

    def test_comparison_with_an_earlier_run(self):
        self.saved("dear.json", 50)
        text = self.bench("explicit", "bdf2", "--compare", "dear.json").stdout
        self.assertRegex(text, r"(?m)^explicit .* faster$")
        self.assertIn("1 faster, 0 slower, 0 the same within noise, 1 not in the file", text)
        self.saved("cheap.json", 1 / 50)
        result = self.bench("explicit", "--compare", "cheap.json", "--json", expect=5)
        self.assertEqual(len(json.loads(result.stdout)["rows"]), 1)
        self.assertRegex(result.stderr, r"(?m)^explicit .* slower$")

    def test_files_that_are_none(self):
        self.write("broken.json", '{"rows": [')
        self.write("other.json", '{"rows": 3}')
        self.assertIn("broken.json:1:", self.bench("bdf2", "--compare", "broken.json", expect=3).stderr)
        self.assertIn("no list 'rows'", self.bench("bdf2", "--compare", "other.json", expect=3).stderr)
        self.assertIn("no list 'peers'", self.bench("bdf2", "--peers", "other.json", expect=3).stderr)
        self.bench("bdf2", "--compare", "missing.json", expect=7)

    def test_interrupt_keeps_results(self):
        running = subprocess.Popen([SHEAF, "bench", "bdf2", "strands", "--save", "part.json"], cwd=self.folder,
                                   env={**os.environ, **self.environment}, stdout=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        text = running.communicate(timeout=120)[0]
        self.assertEqual(running.returncode, 130)
        self.assertIn("stopped: what is missing was not measured", text)
        self.assertFalse(json.loads((self.folder / "part.json").read_text())["complete"])

    def test_figures_of_others_are_kept(self):
        peer = {"peer": "other", "strands": 64, "tip_error": 0.01, "strand_seconds_per_s": 5.0,
                "ours_strand_seconds_per_s": 5000.0, "ratio": 1000.0}
        self.write("peers.json", json.dumps({"peers": [peer]}))
        found = json.loads(self.bench("limits", "--peers", "peers.json", "--json", "--page", "page.html").stdout)
        self.assertRegex((self.folder / "page.html").read_text(), "<td>other</td>.*>64<.*>1 %<.*>5000<.*>1000<")
        self.assertEqual((found["peers"], found["rows"]), ([peer], []))

    def test_gpus_in_the_model(self):
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)  # it needs no device
        text = self.sheaf("bench", "--gpus", env=self.environment).stdout
        for workload in ["bdf2", "bdf2-2newton", "explicit"]:
            self.assertEqual(len(re.findall(rf"(?m) {workload} +all +[0-9]+ M vs/s, .* cached +[0-9]+ M vs/s", text)), 7)

    def test_a_gpu_is_held_against_its_model(self):
        gpu = {"LD_PRELOAD": FAULTS, "FAULT_CL_CACHE": "1000000", "SHEAF_LANES": "1"}
        self.environment |= gpu | {"FAULT_CL_NAME": "NVIDIA A100-SXM4-40GB"}
        found = json.loads(self.bench("bdf2", "--json").stdout)
        rate = found["rows"][0]["vertex_steps_per_s"]
        row, = found["gpu_model"]["rows"]
        self.assertEqual((found["gpu_model"]["gpu"], row["workload"]), ("NVIDIA A100 40 GB", "bdf2"))
        self.assertAlmostEqual(row["measured_over_model"] * row["vertex_steps_per_s"] / rate, 1, 6)
        self.assertRegex(self.bench("bdf2").stdout, r"(?m)^bdf2 .* M vs/s, model .* \(limit memory\): +[0-9]+ %$")
        self.environment["FAULT_CL_NAME"] = "Some GPU"
        self.assertIn("no public figures of this GPU", self.bench("limits").stdout)

    def test_no_device(self):
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)
        result = self.bench("bdf2", expect=6)
        self.assertIn("no OpenCL device", result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
