# test_million: a million strands of 32 vertices are loaded, stepped and written within 6 GiB of memory.
# labels: slow;device (70 s)
import json
import sys
import unittest

from devices import DeviceTest

SCENE = """sheaf: 1
title: a million strands
materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] } }
strands:
  - groom:
      on: { sphere: { radius: 9 cm } }
      count: 1000000
      vertices: 32
      length: { mean: 20 cm, spread: 10 % }
      curl: { radius: 6 mm, pitch: 30 mm }
    material: hair
    root: clamp
"""
MOST = 6 << 30  # bytes


def free_memory():
    with open("/proc/meminfo") as facts:
        return next(1024 * int(line.split()[1]) for line in facts if line.startswith("MemAvailable:"))


class Million(DeviceTest):
    def test_fits(self):
        self.write("million.yaml", SCENE)
        result = self.sheaf("run", "million.yaml", "--device", "0", "--steps", "2", "-o", "million.run",
                            "--no-checkpoint", env=self.environment)
        record = json.loads((self.folder / "million.run/run.json").read_text())
        print(f"{record['peak_memory_bytes'] / 2**30:.2f} GiB, first step after {record['start_seconds']:.1f} s, "
              f"{record['vertex_steps_per_s']:.3g} vertex-steps per second")
        self.assertEqual((record["strands"], record["vertices"], record["steps"]), (1000000, 32000000, 2))
        self.assertEqual(record["frozen_strands"], 0)
        self.assertLess(record["worst_strain"], 1e-4)
        self.assertGreater(record["peak_memory_bytes"], 3 << 30)  # state and model are that large
        self.assertLess(record["peak_memory_bytes"], MOST)
        self.assertIn("one strand in", result.stderr)
        sizes = {path.name: path.stat().st_size for path in (self.folder / "million.run").iterdir()}
        self.assertLess(sum(sizes.values()), 300 << 20, sizes)
        positions = self.json("info", "million.run/strands.csv")
        self.assertEqual(positions["problems"], [])
        self.assertEqual(positions["strands"], -(-1000000 // record["one_strand_written_in"]))


if __name__ == "__main__":
    if free_memory() < MOST + (1 << 30):
        print("too little memory for a million strands")
        sys.exit(77)
    unittest.main()
