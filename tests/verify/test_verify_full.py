"""test_verify_full: `sheaf verify` passes: all stages on a thousand strands in one form, one stage in all forms. The first
tier has a tenth of the strands, whole steps along colliders, one more form, and kernels that are compiled without
optimisation, which is sooner and changes no bit."""
# labels: slow;device;tiers (50 s, all 150 s)
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from command import SECOND_TIER
from devices import DeviceTest

STRANDS = 1000 if SECOND_TIER else 100
# test_engine and test_verify have them
LEFT_OUT = set() if SECOND_TIER else {"bdf2", "euler", "explicit", "jacobi", "violent"}


class Full(DeviceTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not SECOND_TIER:  # kernels that nobody else has a use for
            cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-test-"))
            cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)

    def setUp(self):
        super().setUp()
        if not SECOND_TIER:
            self.environment["POCL_EXTRA_BUILD_FLAGS"] = "-cl-opt-disable -DINLINE=static"

    def verify(self, *words):
        found = json.loads(self.sheaf("verify", "--json", *words, env=self.environment, expect=None, timeout=1200).stdout)
        self.assertEqual([row for row in found["rows"] if not row["pass"]], [])
        self.assertEqual((found["failed"], found["passed"]), (0, len(found["rows"])))
        return found["rows"]

    def stages(self):
        """All stages, as the command names them when it is given one that it has not."""
        words = re.search(r"is none of (.*)", self.sheaf("verify", "--stage", "none", expect=2).stderr)[1]
        return set(words.split(", "))

    def rows(self):
        words = ["--form", "float8", "--strands", str(STRANDS), "--steps", "10"]
        if SECOND_TIER:
            return self.verify(*words)
        return [row for stage in sorted(self.stages() - LEFT_OUT) for row in self.verify("--stage", stage, *words)]

    def test_all_stages(self):
        self.assertGreaterEqual(len(self.stages()), 22)
        rows = self.rows()
        self.assertEqual({row["stage"] for row in rows}, self.stages() - LEFT_OUT)
        least = {"ends": 0.9, "collide": 0.3, "violent": 0.2}  # some ends are free, some strands touch nothing
        for stage in {row["stage"] for row in rows} - {"rounding"}:
            strands = max(row["strands"] for row in rows if row["stage"] == stage)
            self.assertGreaterEqual(strands, least.get(stage, 1) * STRANDS, stage)

    # The reference takes most of the time of a hundred steps, so these have fewer strands.
    def test_a_hundred_steps(self):
        for stage in ["bdf2", "explicit", "bdf2_contact"] if SECOND_TIER else ["bdf2_contact"]:
            rows = self.verify("--form", "float8", "--stage", stage, "--strands", str(STRANDS // 5), "--steps", "100")
            self.assertIn("100 steps", {row["quantity"] for row in rows})

    def test_all_forms(self):
        if SECOND_TIER:
            forms = {row["form"] for row in self.verify("--stage", "bend_twist", "--strands", str(STRANDS))}
            self.assertTrue(forms >= {"float1", "float4", "float8", "float16"})
            return
        self.verify("--stage", "bend_twist", "--strands", str(STRANDS), "--form", "double4")


if __name__ == "__main__":
    unittest.main()
