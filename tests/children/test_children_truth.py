"""test_children_truth: children of a few strands are as the same strands would be if all were simulated."""
# The first tier has straight hair and curls, the second waves and coils, too.
# labels: device;tiers (20 s, all 40 s)
import os
import unittest

from command import CommandTest


class ChildrenTruth(CommandTest):
    def test_children_are_like_all_simulated(self):
        whole = "SHEAF_TEST_ALL" in os.environ
        rows = self.json("reproduce", "children", *([] if whole else ["--short"]), "-o", "out")["rows"]
        self.assertEqual(len(rows), 24 if whole else 12)
        for row in rows:
            print(f"{row['quantity']}: {row['measured']:.3g}, bar {row['bar']:.2g}")
            self.assertTrue(row["pass"], row)


if __name__ == "__main__":
    unittest.main()
