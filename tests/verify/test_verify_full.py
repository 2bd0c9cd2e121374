"""test_verify_full: `sheaf verify` passes: all stages on a thousand strands in one form, one stage in all forms."""
# labels: slow;device (150 s)
import json
import unittest

from devices import DeviceTest


class Full(DeviceTest):
    def verify(self, *words):
        found = json.loads(self.sheaf("verify", "--json", *words, env=self.environment, expect=None, timeout=1200).stdout)
        self.assertEqual([row for row in found["rows"] if not row["pass"]], [])
        self.assertEqual((found["failed"], found["passed"]), (0, len(found["rows"])))
        return found["rows"]

    def test_all_stages(self):
        rows = self.verify("--form", "float8", "--strands", "1000", "--steps", "10")
        self.assertGreaterEqual(len({row["stage"] for row in rows}), 22)
        least = {"ends": 900, "collide": 300}  # some ends are free, some strands touch nothing
        for stage in {row["stage"] for row in rows} - {"rounding"}:
            strands = max(row["strands"] for row in rows if row["stage"] == stage)
            self.assertGreaterEqual(strands, least.get(stage, 1000), stage)

    # The reference takes most of the time of a hundred steps, so these have fewer strands.
    def test_a_hundred_steps(self):
        for stage in ["bdf2", "explicit", "bdf2_contact"]:
            rows = self.verify("--form", "float8", "--stage", stage, "--strands", "200", "--steps", "100")
            self.assertIn("100 steps", {row["quantity"] for row in rows})

    def test_all_forms(self):
        forms = {row["form"] for row in self.verify("--stage", "bend_twist", "--strands", "1000")}
        self.assertTrue(forms >= {"float1", "float4", "float8", "float16"})


if __name__ == "__main__":
    unittest.main()
