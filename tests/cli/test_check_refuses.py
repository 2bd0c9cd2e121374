"""test_check_refuses: `sheaf check` refuses what `sheaf run` does, tells in JSON what it prints, and runs tell what is
not known and what ran away."""
import csv
import json
import math
import unittest

from command import CommandTest, has_method, needs_method

HEAD = """sheaf: 1
time: { step: 1/100 s, end: 0.5 s, frames: 20 Hz }
materials:
  rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm }
  thread: { density: 1150, young: 80 MPa, shear: 30 MPa, radius: 1 mm, drag: 1 Pa*s }
"""
BALL = "bodies: { ball: { at: [0, 0, -20 cm], sphere: { radius: 2 cm }, mass: 100 g } }\n"
THREAD = """strands:
  - { shape: { straight: { direction: -z, length: 20 cm, vertices: 11 } }, material: thread, root: clamp,
      tip: { clamp: ball } }
"""
HUNG = """cables:
  - { material: rope, length: 2 m, segments: 8, from: { at: [1 m, 0, 4 m] }, to: { body: load, at: [0, 0, 30 cm] } }
"""
LOAD = "  load: { mass: %s, at: [1 m, 0, 1.7 m], box: { size: [50 cm, 50 cm, 60 cm] } }\n"

# Scenes that are read without an error, and what no solver takes about them.
REFUSED = {
    "explicit": (HEAD.replace("time:", "step: { integrator: explicit }\ntime:") + BALL + THREAD,
                 "bodies need an implicit integrator"),
    "mixed": (HEAD + BALL.replace(" } }\n", " },\n") + LOAD.replace("\n", " }\n") % "1000 kg" + THREAD + HUNG,
              "strand 0 of the method der and strand 1 of the method cable are both fixed to bodies"),
    "closed": (HEAD + "strands:\n  - { shape: { circle: { radius: 1 m, vertices: 12 } }, material: rope, method: cable }\n",
               "cable 0: it is closed"),
    "loose": (HEAD + "bodies:\n" + LOAD % "1000 kg" +
              "  stone: { at: [5 m, 0, 0], sphere: { radius: 2 cm }, mass: 1 kg }\n" + HUNG, "the body 'stone' hangs on no cable"),
}


class CheckRefuses(CommandTest):
    def test_what_run_refuses(self):
        for name, (text, words) in REFUSED.items():
            if "cable" in text and not has_method("cable"):
                continue
            with self.subTest(name):
                self.write("scene.yaml", text)
                checked = self.sheaf("check", "scene.yaml", expect=3).stderr
                run = self.sheaf("run", "scene.yaml", "-d", "ref", "-o", name, expect=3).stderr
                self.assertIn(words, checked)
                self.assertIn(words, run)
                told = self.json("check", "scene.yaml", expect=3)
                self.assertEqual(len(told["errors"]), 1)
                self.assertIn(words, told["errors"][0]["message"])
                self.assertIsNone(told["strands"])

    @needs_method("cable")
    def test_facts_are_in_json(self):
        text = HEAD + "bodies:\n" + LOAD % "1000 kg" + HUNG
        self.write("scene.yaml", text)
        told, printed = self.json("check", "scene.yaml"), self.sheaf("check", "scene.yaml").stdout
        self.assertEqual(list(told["facts"]), ["cables", "tension at rest"])
        for name, fact in told["facts"].items():
            self.assertIn(f"{name:20s} {fact}", printed)
        self.assertEqual(told["warnings"], [])

    @needs_method("cable")
    def test_the_critical_tension_is_warned_of_in_json(self):
        head = HEAD.replace("time:", "step: { cable: { tension: none } }\ntime:")
        self.write("scene.yaml", head + "bodies:\n" + LOAD % "30000 kg" + HUNG)
        result = self.sheaf("check", "scene.yaml", "--json")
        warnings = json.loads(result.stdout)["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertIn("above its critical tension", warnings[0])
        self.assertIn(warnings[0], result.stderr)

    def test_a_body_that_runs_away(self):
        """More than 2 rad in a step: it is frozen, and the run has not gone well."""
        self.write("scene.yaml", HEAD + BALL.replace("mass: 100 g", "mass: 100 g, spin: [0, 0, 500 rad/s]") + THREAD)
        said = self.sheaf("run", "scene.yaml", "-d", "ref", "-o", "out", expect=4).stderr
        self.assertIn("1 of 1 bodies ran away", said)
        record = json.loads((self.folder / "out/run.json").read_text())
        self.assertEqual((record["exit"], record["frozen_bodies"], record["frozen_strands"]), (4, 1, 0))
        self.assertIn("1 bodies ran away and were frozen", self.sheaf("info", "out", expect=None).stdout)

    @needs_method("cable")
    def test_probes_where_methods_are_several(self):
        """A strand bears its weight beside a cable that bears its load; both are read."""
        text = (HEAD.replace("end: 0.5 s", "end: 4 s") + "bodies:\n" + LOAD % "10 kg" +
                THREAD.replace("tip: { clamp: ball }", "tip: free").replace("root: clamp", "root: pin") + HUNG +
                "output:\n  probes:\n    - { name: thread, at: 50 % }\n" +
                "    - { name: rope, strand: 1, at: 50 %, what: [tension] }\n")
        self.write("scene.yaml", text)
        self.sheaf("run", "scene.yaml", "-d", "ref", "-o", "out")
        with open(self.folder / "out/probes.csv") as file:
            last = list(csv.DictReader(file))[-1]
        weight = 1150 * math.pi * 1e-6 * 0.1 * 9.81
        self.assertAlmostEqual(float(last["thread_tension_N"]) / weight, 1, 2)
        self.assertAlmostEqual(float(last["rope_tension_N"]) / (9.81 * (10 + 1.6)), 1, 1)

    def test_tensions_that_are_not_known_are_told(self):
        self.write("scene.yaml", HEAD.replace("end: 0.5 s", "end: 0.01 s").replace("1/100 s", "1e-5 s") +
                   "step: { integrator: explicit }\n" + THREAD.replace("clamp: ball", "hold: free").replace(
                       "tip: { hold: free }", "tip: free") + "output: { probes: [{ name: low, at: 100 % }] }\n")
        said = self.sheaf("run", "scene.yaml", "-d", "ref", "-o", "out").stderr
        self.assertEqual(said.count("the tension of strand 0 is not known, which explicit steps do not work out"), 1)


if __name__ == "__main__":
    unittest.main()
