"""test_probes: readings along strands over time: known tensions and moments on both backends, and over a restart."""
# labels: device (10 s)
import csv
import unittest

from command import CommandTest

SCENE = """sheaf: 1
time: { end: 3 s, step: 5 ms, frames: 10 Hz }
precision: double
materials:
  rope: { line_mass: 2 kg/m, bend: 1e-3 N*m^2, twist: 1e-3 N*m^2, drag: 20 Pa*s }
  beam: { line_mass: 1 kg/m, bend: 500 N*m^2, twist: 200 N*m^2, drag: 20 Pa*s, damping: 5 ms }
strands:
  - { shape: { straight: { length: 1 m, vertices: 41, direction: -z } }, root: pin, material: rope,
      tip: { force: [0, 0, -3 N] } }
  - { shape: { straight: { length: 1 m, vertices: 41, direction: x } }, normal: z, clamp_plane: vertex, material: beam,
      tip: { force: [0, 0, -1 N], couple: [0.5 N*m, 0, 0] } }
  - { shape: { straight: { length: 1 m, vertices: 41, direction: x } }, normal: z, clamp_plane: vertex,
      sections: [{ to: 50 %, material: beam }, { material: rope }], root: clamp, tip: clamp }
output:
  probes:
    - { name: middle, at: 50 %, what: [position, tension] }
    - { name: low, at: 100 %, what: [tension] }
    - { name: beam, strand: 1, at: 50 %, what: [moment, twist] }
    - { name: all, strand: 2, at: 25 % }
"""


class Probes(CommandTest):
    def rows(self, folder):
        with (self.folder / folder / "probes.csv").open() as file:
            return list(csv.DictReader(file))

    def run_scene(self, folder, *options):
        self.write("scene.yaml", SCENE)
        self.sheaf("run", "scene.yaml", "-o", folder, *options)
        return self.rows(folder)

    def check(self, rows):
        last = {key: float(value) for key, value in rows[-1].items()}
        self.assertEqual(len(rows), 31)
        self.assertEqual([key for key in last if key.startswith("all_")],
                         ["all_x_m", "all_y_m", "all_z_m", "all_tension_N", "all_bend_1_N_m", "all_bend_2_N_m",
                          "all_twist_N_m"])
        self.assertAlmostEqual(last["time_s"], 3)
        self.assertAlmostEqual(last["middle_z_m"], -0.5, 4)
        self.assertAlmostEqual(last["middle_tension_N"], 3 + 9.81, 3)  # the weight of the lower half
        self.assertAlmostEqual(last["low_tension_N"], 3 + 2 * 9.81 * 0.0125, 3)  # of half the last edge
        self.assertAlmostEqual(last["beam_bend_1_N_m"], -(9.81 / 8 + 0.5), 2)  # of a cantilever's outer half
        self.assertAlmostEqual(last["beam_bend_2_N_m"], 0, 2)
        self.assertAlmostEqual(last["beam_twist_N_m"], 0.5, 3)

    def test_readings_are_those_of_statics(self):
        device, reference = self.run_scene("device"), self.run_scene("reference", "--device", "ref")
        self.check(device)
        self.check(reference)

    def test_a_restart_goes_on_with_the_file(self):
        whole = self.run_scene("whole")
        self.write("scene.yaml", SCENE.replace("end: 3 s", "end: 1.23 s"))
        self.sheaf("run", "scene.yaml", "-o", "parts")
        self.write("scene.yaml", SCENE)
        self.sheaf("run", "scene.yaml", "-o", "parts", "--restart")
        parts = [row for row in self.rows("parts") if row["time_s"] != "1.23"]
        self.assertEqual(parts, whole)


if __name__ == "__main__":
    unittest.main()
