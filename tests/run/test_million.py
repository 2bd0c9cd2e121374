# test_million: a million strands of 32 vertices are loaded, stepped and written within 6 GiB of memory. The first tier has
# a tenth of the strands, within a tenth of that and a GiB for the program and its compiler.
# labels: slow;device;tiers (15 s, all 70 s)
import json
import sys
import unittest

from command import SECOND_TIER
from devices import DeviceTest

COUNT = 1000000 if SECOND_TIER else 100000

SCENE = f"""sheaf: 1
title: {COUNT} strands
materials: {{ hair: {{ density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] }} }}
strands:
  - groom:
      on: {{ sphere: {{ radius: 9 cm }} }}
      count: {COUNT}
      vertices: 32
      length: {{ mean: 20 cm, spread: 10 % }}
      curl: {{ radius: 6 mm, pitch: 30 mm }}
    material: hair
    root: clamp
"""
LEAST, MOST = (3 << 30) * COUNT // 1000000, (6 << 30) * COUNT // 1000000  # bytes
if not SECOND_TIER:
    MOST += 1 << 30


def free_memory():
    with open("/proc/meminfo") as facts:
        return next(1024 * int(line.split()[1]) for line in facts if line.startswith("MemAvailable:"))


class Million(DeviceTest):
    def test_fits(self):
        self.write("million.yaml", SCENE)
        result = self.sheaf("run", "million.yaml", "--device", "0", "--steps", "2", "-o", "million.run",
                            "--no-checkpoint", env=self.environment, timeout=3000)
        record = json.loads((self.folder / "million.run/run.json").read_text())
        print(f"{record['peak_memory_bytes'] / 2**30:.2f} GiB, first step after {record['start_seconds']:.1f} s, "
              f"{record['vertex_steps_per_s']:.3g} vertex-steps per second")
        self.assertEqual((record["strands"], record["vertices"], record["steps"]), (COUNT, 32 * COUNT, 2))
        self.assertEqual(record["frozen_strands"], 0)
        self.assertLess(record["worst_strain"], 1e-4)
        self.assertGreater(record["peak_memory_bytes"], LEAST)  # state and model are that large
        self.assertLess(record["peak_memory_bytes"], MOST)
        self.assertIn("one strand in", result.stderr)
        sizes = {path.name: path.stat().st_size for path in (self.folder / "million.run").iterdir()}
        self.assertLess(sum(sizes.values()), 300 << 20, sizes)
        positions = self.json("info", "million.run/strands.csv")
        self.assertEqual(positions["problems"], [])
        self.assertEqual(positions["strands"], -(-COUNT // record["one_strand_written_in"]))


if __name__ == "__main__":
    if free_memory() < MOST + (1 << 30):
        print("too little memory for a million strands")
        sys.exit(77)
    unittest.main()
