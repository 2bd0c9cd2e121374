"""test_sag_free: strands that are to start at rest stay, but for those that are listed, and the list is whole."""
# labels: device
import csv
import json
import math
import unittest

from command import CommandTest

# Combed curls: those that hang from the sides are stable, those that stand out from the top fall.
SCENE = """sheaf: 1
time: { step: 1/120 s, end: 2 s, frames: 0.5 Hz }
materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] } }
strands:
  - groom:
      on: { sphere: { radius: 9 cm, cap: 95 deg } }
      count: 400
      vertices: 32
      length: { mean: 21 cm, spread: 10 % }
      curl: { radius: 6 mm, pitch: 30 mm }
      comb: { along: -z }
      tilt: 80 deg
      lay: 60 deg
    natural: NATURAL
"""
OFF = "{ form: sag-free, stiffen: off }"


class SagFree(CommandTest):
    def moves(self):
        """How far a vertex of each strand is from where it was at first, at most, in lengths of the strand."""
        self.sheaf("convert", "hair.run", "hair.csv", "--overwrite", "-q")
        frames = {}
        with open(self.folder / "hair.csv") as stream:
            for row in csv.DictReader(stream):
                point = [float(row[name]) for name in ("x_m", "y_m", "z_m")]
                frames.setdefault(int(row["frame"]), {}).setdefault(int(row["strand"]), []).append(point)
        first, last = frames[0], frames[max(frames)]
        return {strand: max(map(math.dist, points, last[strand])) / sum(map(math.dist, points, points[1:]))
                for strand, points in first.items()}

    def test_all_but_the_listed_stay(self):
        self.write("hair.yaml", SCENE.replace("NATURAL", OFF))
        told = self.sheaf("run", "hair.yaml", "--device", "0").stderr
        record = json.loads((self.folder / "hair.run/run.json").read_text())["sag_free"]
        with open(self.folder / "hair.run/unstable.csv") as stream:
            fallen = {int(row["strand"]): row["reason"] for row in csv.DictReader(stream)}
        self.assertEqual((record["strands"], record["unbalanced"], record["file"]), (400, 0, "unstable.csv"))
        self.assertEqual((set(fallen.values()), len(fallen)), ({"it would fall"}, record["unstable"]))
        self.assertEqual([item["strand"] for item in record["first"]], list(fallen)[:100])
        self.assertIn("in unstable.csv", told)
        self.assertTrue(100 < len(fallen) < 250, len(fallen))
        moves = self.moves()
        worst = max(move for strand, move in moves.items() if strand not in fallen)
        print(f"{400 - len(fallen)} of 400 are stable and move by {100 * worst:.2g} % at most")
        self.assertLess(worst, 0.005)
        self.assertGreater(sorted(moves[strand] for strand in fallen)[len(fallen) // 2], 0.05)
        facts = self.json("info", "hair.run/unstable.csv")
        self.assertEqual((facts["format"], facts["strands"], facts["would_fall"], facts["problems"]),
                         ("unstable strands", len(fallen), len(fallen), []))
        self.sheaf("report", "hair.run")
        self.assertIn("unstable.csv", (self.folder / "hair.run/report.html").read_text())

    def test_those_that_would_fall_are_made_stiffer(self):
        self.write("hair.yaml", SCENE.replace("NATURAL", "sag-free").replace("count: 400", "count: 200"))
        told = self.sheaf("run", "hair.yaml", "--device", "0").stderr
        record = json.loads((self.folder / "hair.run/run.json").read_text())["sag_free"]
        with open(self.folder / "hair.run/stiffened.csv") as stream:
            factors = {int(row["strand"]): float(row["factor"]) for row in csv.DictReader(stream)}
        self.assertEqual((record["stiffened"], record["unstable"]), (len(factors), 0))
        self.assertAlmostEqual(record["largest_factor"], max(factors.values()), delta=1e-4)
        self.assertIn(f"{len(factors)} were made stiffer to stay there", told)
        self.assertFalse((self.folder / "hair.run/unstable.csv").exists())
        worst = max(self.moves().values())
        print(f"{len(factors)} of 200 were made stiffer, and all move by {100 * worst:.2g} % at most")
        self.assertLess(worst, 0.001)
        facts = self.json("info", "hair.run/stiffened.csv")
        self.assertEqual((facts["format"], facts["strands"], facts["problems"]), ("stiffened strands", len(factors), []))
        self.write("damaged.csv", "strand,factor,wished\n3,2,1\n")
        self.assertIn("line 2 is damaged", self.json("info", "damaged.csv")["problems"][0])

    def test_limits_and_mistakes(self):
        capped = "{ form: sag-free, limit: 1.2 }"
        self.write("hair.yaml", SCENE.replace("NATURAL", capped).replace("count: 400", "count: 40"))
        self.assertIn("need more than their limit", self.sheaf("check", "hair.yaml").stderr)
        for fraction, warned in [("groom", False), ("1e-6", True)]:
            pressed = SCENE.replace("NATURAL", "sag-free").replace("count: 400", "count: 40")
            self.write("hair.yaml", pressed + f"touch: {{ volume: {{ fraction: {fraction} }} }}\n")
            self.assertEqual("balanced against gravity alone" in self.sheaf("check", "hair.yaml").stderr, warned)
        for natural, said in [("{ form: sag-free, margin: -5 % }", "margin: -0.05 is out of range"),
                              ("{ form: sag-free, limit: 0.5 }", "limit: 0.5 is out of range"),
                              ("{ form: straight, margin: 5 % }", "margin is for strands that start at rest"),
                              ("{ form: sag-free, stiffen: yes }", "expected one of auto, off")]:
            self.write("bad.yaml", SCENE.replace("NATURAL", natural))
            self.assertIn(said, self.sheaf("check", "bad.yaml", expect=3).stderr)

    def test_without_it_they_sag(self):
        self.write("hair.yaml", SCENE.replace("NATURAL", "shape").replace("count: 400", "count: 40"))
        self.sheaf("run", "hair.yaml", "--device", "0")
        self.assertFalse((self.folder / "hair.run/unstable.csv").exists())
        moves = sorted(self.moves().values())
        self.assertGreater(moves[len(moves) // 2], 0.1)

    def test_the_list_belongs_to_the_run(self):
        self.write("hair.yaml", SCENE.replace("NATURAL", OFF).replace("count: 400", "count: 40"))
        self.sheaf("run", "hair.yaml", "--device", "ref", "--steps", "1")
        text = (self.folder / "hair.run/unstable.csv").read_text()
        for damaged, rows in [(text[:-3], -1), (text.replace("fall\n", "fall", 1), 0), ("strand,reason\n5,\n", 0)]:
            self.write("damaged.csv", damaged)
            facts = self.json("info", "damaged.csv")
            self.assertIn("is damaged or cut short", facts["problems"][0])
            self.assertEqual(facts["strands"], text.count("\n") - 2 if rows < 0 else rows)
        self.write("hair.yaml", SCENE.replace("NATURAL", "shape").replace("count: 400", "count: 2"))
        self.sheaf("run", "hair.yaml", "--device", "ref", "--steps", "1", "--overwrite")
        self.assertFalse((self.folder / "hair.run/unstable.csv").exists())


if __name__ == "__main__":
    unittest.main()
