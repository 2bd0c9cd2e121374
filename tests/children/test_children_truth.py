"""test_children_truth: children of a few strands are as the same strands would be if all were simulated."""
# labels: device (12 s)
import unittest

from command import CommandTest


class ChildrenTruth(CommandTest):
    def test_children_are_like_all_simulated(self):
        rows = self.json("reproduce", "children", "-o", "out")["rows"]
        self.assertEqual(len(rows), 12)
        for row in rows:
            print(f"{row['quantity']}: {row['measured']:.3g}, bar {row['bar']:.2g}")
            self.assertTrue(row["pass"], row)


if __name__ == "__main__":
    unittest.main()
