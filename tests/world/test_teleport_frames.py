"""test_teleport_frames: frames of a run whose body jumps lie on one side of the jump or the other."""
# labels: device
import csv
import math
import unittest

from command import CommandTest

# The jump comes between two steps, and frames come between steps on both sides of it.
SCENE = """sheaf: 1
time: { step: 1/100 s, end: 0.1 s, frames: 90 Hz }
materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 45 um } }
motion:
  head:
    keyframes:
      - { time: 0 s }
      - { time: %g s, move: [0, 0, 1 cm] }
      - { time: %g s, move: [100 m, 0, 1 cm], axis: z, angle: 90 deg, jump: true }
      - { time: 0.1 s, move: [100 m, 0, 2 cm], axis: z, angle: 90 deg }
strands:
  - groom: { on: { sphere: { radius: 9 cm } }, count: 4, vertices: 8, length: 10 cm }
    root: { clamp: head }
"""


class TeleportFrames(CommandTest):
    def test_frames_are_never_on_the_way(self):
        for moment in [0.052, 0.0556, 0.058]:  # frame 5 is at 0.0556 s
            self.write("cut.yaml", SCENE % (moment, moment))
            films = []
            for device in ["ref", "0"]:
                self.sheaf("run", "cut.yaml", "--device", device, "-o", "run", "--overwrite")
                self.sheaf("convert", "run", "frames.csv", "--overwrite")
                with (self.folder / "frames.csv").open() as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual(len({row["time_s"] for row in rows}), 10)
                for row in rows:
                    time, x, y = float(row["time_s"]), float(row["x_m"]), float(row["y_m"])
                    center = 100 if time >= moment else 0
                    self.assertLess(math.hypot(x - center, y), 0.2, row)
                films.append([float(row[name]) for row in rows for name in ["x_m", "y_m", "z_m"]])
            for a, b in zip(*films, strict=True):  # the backends differ in the velocity of a root whose speed changes
                self.assertLess(abs(a - b), 1e-4)


if __name__ == "__main__":
    unittest.main()
