"""test_peers: the harness that runs Sheaf beside other programs survives them: one that crashes, one that hangs, one that
cannot be installed, and Ctrl-C. The other programs are stand-ins; how fast anything is, is not judged here."""
# labels: frame;device
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from command import SHEAF, SOURCE
from devices import DeviceTest

PEERS = SOURCE / "benchmarks/peers"

# A rod whose tip is off by the step times ten.
GOOD = """
import scene
NAME, PACKAGE, VERSION, PRECISION, SETTINGS = "Good", "", "1.2", "double", "as it comes"
SWING_STEPS = (50, 4000)

class Rods:
    def __init__(self, count, step, damped=False):
        self.step, self.damped = step, damped

    def advance(self, steps):
        pass

    def tip(self):
        x, z = scene.settled_tip() if self.damped else scene.SWING_TIP
        return x + 10 * self.step, z
"""
CRASH = GOOD.replace("Good", "Crash").replace("def advance(self, steps):",
                                              "def advance(self, steps):\n        import os; self.damped and os.abort()")
RAISE = GOOD.replace("Good", "Raise").replace("import scene", "import scene, no_such_module")
HANG = GOOD.replace("Good", "Hang").replace("def advance(self, steps):",
                                            "def advance(self, steps):\n        import time; self.damped and time.sleep(99)")

HARNESS = """
import pathlib, sys
sys.path.insert(0, {peers!r})
import run
folder = pathlib.Path({folder!r})
run.ENVIRONMENT = folder / "env"
run.OURS = run.Program("sheaf", folder / "ours.py")
run.PEERS = [run.Program(name, folder / (name + ".py"), packages, 2) for name, packages in {programs!r}]
sys.exit(run.main(sys.argv[1:]))
"""


class Peers(DeviceTest):
    def start(self, programs, *words):
        """Starts the harness on stand-ins, (name, text of the driver, packages) each, Sheaf's too."""
        self.write("ours.py", GOOD.replace("Good", "Ours"))
        for name, text, _ in programs:
            self.write(f"{name}.py", text)
        pip = self.folder / "env/bin/python"
        pip.parent.mkdir(parents=True)
        pip.write_text("#!/bin/sh\necho 'no package is called that' >&2\nexit 1\n")
        pip.chmod(0o755)
        self.write("harness.py", HARNESS.format(peers=str(PEERS), folder=str(self.folder),
                                                programs=[(name, packages) for name, _, packages in programs]))
        return subprocess.Popen([sys.executable, "harness.py", "--quick", "--json", "found.json", *words],
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process, expect):
        out, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, expect, out + errors)
        return out, json.loads((self.folder / "found.json").read_text())

    def test_failing_programs_are_reported_and_skipped(self):
        out, found = self.finish(self.start([("crash", CRASH, ()), ("raise", RAISE, ()), ("hang", HANG, ()),
                                             ("missing", GOOD, ("missing",)),
                                             ("good", GOOD, ())], "--limit", "8"), 0)
        self.assertTrue(found["complete"])
        ended = {record["name"]: (record["status"], record["why"]) for record in found["programs"]}
        self.assertEqual({name: status for name, (status, _) in ended.items()},
                         {"crash": "crashed", "raise": "crashed", "hang": "hung", "missing": "not installed",
                          "good": "ok"})
        self.assertIn("signal 6", ended["crash"][1])
        self.assertIn("no_such_module", ended["raise"][1])
        self.assertEqual(ended["missing"][1], "no package is called that")
        for name, (status, why) in ended.items():
            if status != "ok":
                self.assertIn(f"{name}: {status}: {why}", out)
        # A program that dies leaves what it had told.
        self.assertEqual(found["programs"][0]["swing_error"], found["programs"][-1]["swing_error"])
        self.check_good(found, found["programs"][-1], out)

    def check_good(self, found, good, out):
        self.assertEqual((good["program"], good["version"], good["precision"]), ("Good", "1.2", "double"))
        tried = [(round(0.5 / row["step"]), round(row["error"], 9)) for row in good["swing"]]
        self.assertEqual(tried, [(n, round(5 / n, 9)) for n in (50, 100, 200, 400, 800)])
        self.assertAlmostEqual(good["step"], 0.5 / 800)
        self.assertAlmostEqual(good["settled_error"], 10 * good["step"], 6)
        self.assertEqual([rate["strands"] for rate in good["rates"]], found["batches"])
        for rate in good["rates"]:
            self.assertAlmostEqual(rate["strand_seconds_per_s"] * 32 / good["step"] / rate["vertex_steps_per_s"], 1, 6)
        ours, theirs = good["ours"], max(rate["strand_seconds_per_s"] for rate in good["rates"][1:3])
        self.assertAlmostEqual(good["ratio"], (ours["before"] + ours["after"]) / 2 / theirs)
        self.assertEqual(good["met"], good["ratio"] >= good["goal"])
        self.assertRegex(out, r"(?m)^Good 1\.2 +double +0\.6\d % +0\.625 ms +0\.6\d % .*\(goal 2: (met|missed)\)")
        rows = [row for row in found["peers"] if row["peer"] == "Good 1.2"]
        self.assertEqual([row["strands"] for row in rows], found["batches"])
        self.assertEqual(set(rows[0]), {"peer", "strands", "tip_error", "strand_seconds_per_s",
                                        "ours_strand_seconds_per_s", "ratio"})

    def test_interrupt_leaves_the_results_so_far(self):
        process = self.start([("good", GOOD, ()), ("hang", HANG, ()), ("never", GOOD, ())])
        while "hang: measuring" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, found = self.finish(process, 130)
        self.assertFalse(found["complete"])
        self.assertEqual([record["name"] for record in found["programs"]], ["good"])
        self.assertRegex(out, r"(?m)^Good 1\.2 ")

    def test_names_that_are_no_peers(self):
        process = self.start([("good", GOOD, ())], "best")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("no peer is called 'best'; there are good", errors)

    def test_sheaf_is_right_on_the_scene(self):
        library = os.environ.get("SHEAF_LIBRARY", os.path.join(os.path.dirname(SHEAF), "libsheaf.so"))
        result = subprocess.run([sys.executable, str(PEERS / "measure.py"), str(PEERS / "sheaf_rods.py"), "all", "--quick"],
                                capture_output=True, text=True, timeout=300, cwd=self.folder,
                                env={**os.environ, **self.environment, "SHEAF_LIBRARY": library})
        self.assertEqual(result.returncode, 0, result.stderr)
        events = [json.loads(line) for line in result.stdout.splitlines()]
        step = next(event for event in events if event["event"] == "step")
        settled = next(event for event in events if event["event"] == "settled")
        self.assertLessEqual(step["error"], 0.01)
        self.assertGreaterEqual(step["step"], 1 / 130)
        self.assertLessEqual(settled["error"], 0.002)
        self.assertEqual([event["strands"] for event in events if event["event"] == "rate"], [1, 4, 8])

    def test_settled_tips_are_the_known_ones(self):
        sys.path.insert(0, str(PEERS))
        import scene
        for gamma, x, z in [(1, 0.991246, -0.123471), (10, 0.656354, -0.700200), (100, 0.159223, -0.937524)]:
            tip = scene.settled_tip(gamma)
            self.assertAlmostEqual(tip[0], x, 6)
            self.assertAlmostEqual(tip[1], z, 6)
        self.assertAlmostEqual(scene.BEND, 0.30819, 5)


if __name__ == "__main__":
    unittest.main()
