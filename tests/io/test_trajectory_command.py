"""test_trajectory_command: what `sheaf run` puts into a trajectory besides points, and how precise these are."""
# labels: device
import csv
import math
import unittest

from command import SOURCE, CommandTest

TWIST = """sheaf: 1
time: { step: 1/240 s, end: 0.3 s, frames: 70 Hz }
gravity: [0, 0, 0]
materials: { rubber: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: 3 mm, drag: 1 Pa*s, damping: 5 ms } }
strands:
  - shape: { straight: { direction: x, length: 50 cm, vertices: 20 } }
    root: clamp
    tip: { hold: clamp, twist: { ramp: { to: 3 turns, over: 0.3 s } } }
"""
FAR = """sheaf: 1
time: { step: 1/120 s, end: 0.1 s, frames: 60 Hz }
materials: { rubber: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: 3 mm } }
strands: [{ shape: { straight: { direction: x, length: 30 cm, vertices: 31, origin: [%s, 0, 0] } }, root: clamp }]
"""


class Trajectory(CommandTest):
    def rows(self, name):
        with open(self.folder / name) as stream:
            return list(csv.DictReader(stream))

    def run_text(self, text, out="out"):
        self.write("scene.yaml", text)
        self.sheaf("run", "scene.yaml", "--device", "ref", "-o", out, "--overwrite")
        return self.json("info", f"{out}/trajectory.vtkhdf")

    def test_imposed_twist_is_there(self):
        """Also at frames between steps: the angle of the tip's edge is what the scene imposes then."""
        self.assertTrue(self.run_text(TWIST)["director_angle"])
        self.sheaf("convert", "out", "out.csv")
        rows, seen = self.rows("out.csv"), 0
        for row in rows:
            if row["vertex"] == "18":
                root = next(r for r in rows if r["frame"] == row["frame"] and r["vertex"] == "0")
                turned = float(row["director_angle_rad"]) - float(root["director_angle_rad"])
                self.assertAlmostEqual(turned, 6 * math.pi * min(float(row["time_s"]) / 0.3, 1), delta=1e-3)
                seen += 1
        self.assertEqual(seen, 22)

    def test_a_film_shows_twist_from_the_trajectory_alone(self):
        """Without a scene: a picture of the twisted rod differs from that of the same points without their angles."""
        self.run_text(TWIST)
        words = ["--size", "320x180", "--camera", "20,10", "-o"]
        self.sheaf("render", "out/trajectory.vtkhdf", *words, "twisted.png")
        self.sheaf("convert", "out", "plain.usda")  # keeps no angles
        self.sheaf("render", "plain.usda", *words, "plain.png")
        self.sheaf("convert", "out", "again.vtkhdf")
        self.sheaf("render", "again.vtkhdf", *words, "again.png")
        twisted, plain, again = ((self.folder / f"{name}.png").read_bytes() for name in ("twisted", "plain", "again"))
        self.assertNotEqual(twisted, plain)
        self.assertEqual(twisted, again)

    def test_asked_for(self):
        hair = (SOURCE / "scenes/hair.yaml").read_text()
        short = "\noutput: { trajectory: { with: [%s] } }\n"
        self.write("hair.yaml", hair.replace("bust.ply", str(SOURCE / "scenes/bust.ply")))
        self.sheaf("run", "hair.yaml", "--device", "ref", "--steps", "1", "-o", "plain")
        self.assertFalse(self.json("info", "plain/trajectory.vtkhdf")["director_angle"])
        self.assertTrue(self.run_text(FAR % 0 + short % "director")["director_angle"])
        self.assertFalse(self.run_text(FAR % 0 + short % "")["director_angle"])
        self.write("scene.yaml", FAR % 0 + short % "directors")
        self.assertIn("did you mean 'director'?", self.sheaf("check", "scene.yaml", expect=3).stderr)

    def test_far_from_the_origin(self):
        """Edges of 1 cm at 100 km: single precision has steps of 8 mm there."""
        self.assertEqual(self.run_text(FAR % 0, "near")["precision"], "single")
        self.assertEqual(self.run_text(FAR % "100 km", "far")["precision"], "double")
        for name in ("near", "far"):
            self.sheaf("convert", name, f"{name}.csv")
        for near, far in zip(self.rows("near.csv"), self.rows("far.csv"), strict=True):
            self.assertAlmostEqual(float(far["x_m"]) - 1e5, float(near["x_m"]), delta=1e-6)
            self.assertAlmostEqual(float(far["z_m"]), float(near["z_m"]), delta=1e-6)
        for near, far in zip(self.rows("near/strands.csv"), self.rows("far/strands.csv"), strict=True):
            self.assertAlmostEqual(float(far["x_m"]) - 1e5, float(near["x_m"]), delta=1e-7)
            self.assertLessEqual(len(near["x_m"]), 16)

    def test_a_motion_that_goes_far(self):
        """Edges of 1 cm need double from 2 m on."""
        for distance, precision in (("1 m", "single"), ("3 m", "double")):
            moved = FAR.replace("root: clamp", "root: { clamp: train }").replace("end: 0.1 s", "end: 1 s") % 0
            moved += f"motion: {{ train: {{ move: [{{ ramp: {{ to: {distance}, over: 1 s, smooth: true }} }}, 0, 0] }} }}\n"
            self.assertEqual(self.run_text(moved)["precision"], precision)

    def test_going_on_keeps_angles(self):
        self.run_text(TWIST, "whole")
        self.sheaf("run", "scene.yaml", "--device", "ref", "--steps", "31", "-o", "parts")
        self.sheaf("run", "scene.yaml", "--device", "ref", "--restart", "-o", "parts")
        for name in ("whole", "parts"):
            self.sheaf("convert", name, f"{name}.csv")
        self.assertEqual((self.folder / "whole.csv").read_text(), (self.folder / "parts.csv").read_text())


if __name__ == "__main__":
    unittest.main()
