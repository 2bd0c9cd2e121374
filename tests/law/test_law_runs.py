"""test_law_runs: scenes with laws as a user runs them: ready laws, refused texts, ranges that are left, restarts."""
# labels: device (60 s)
import concurrent.futures
import csv
import json
import os
import random
import re
import shutil
import unittest

from command import SOURCE, CommandTest

SCENE = """sheaf: 1
title: a rod with a law
time: { step: 1/500 s, end: %s s, frames: 50 Hz }
output: { checkpoint: { every: 0.01 s } }
gravity: [0, 0, 0]
materials:
  m:
    line_mass: 0.1 kg/m
    bend: 1 N*m^2
    twist: 0.8 N*m^2
    drag: 2 Pa*s
    law: { %s }
strands:
  - material: m
    shape: { straight: { length: 1 m, direction: x, vertices: 12 } }
    normal: z
    root: clamp
    tip: { couple: [0.3 N*m, %s N*m, 0.2 N*m] }
"""

# What the letters of the table of ready laws stand for here.
CONSTANTS = {"bend: \"c*": "c: 4 1/m", "a*x^3": "a: 0.05 m^2", "a*q^5": "a: 0.05 m^4", "(x/c)^2": "c: 4 1/m",
             "a/2*(x1^2": "a: 1 N*m^2, b: 0.8 N*m^2, d: 0.2 N*m^2"}

# Text, column of the caret (from 1), a word of the message.
WRONG = [("x;", 2, "';'"), ("#include", 1, "'#'"), ("x**3", 2, "'**'"), ("2x", 2, "right after"),
         ("x^y", 3, "unknown name 'y'"), ("x^40", 3, "-32 to 32"), ("1e400", 1, "too large"),
         ("atn(x)", 1, "unknown function 'atn'"), ("min(x)", 1, "takes 2"), ("(" * 17 + "x" + ")" * 17, 17, "deeper"),
         ("x" * 501, 501, "500"), ("x" + "+x" * 65, None, "64 operations"), ("x/0", 2, "division by zero"),
         ("log(x)", 1, "not finite"), ("1/x", 1, "not finite"), ("x+1", 1, "at rest"), ("-x", 1, "slope at rest"),
         ("x \u00e9", 3, "does not belong"), ("x & y", 3, "'&'"), ("x, x", 2, "not expected")]


class Laws(CommandTest):
    def scene(self, law, end=0.04, couple=1.0):
        return self.write("law.yaml", SCENE % (end, law, couple))

    def record(self, folder):
        return json.loads((self.folder / folder / "run.json").read_text())

    def test_ready_laws_run(self):
        page = (SOURCE / "docs/laws.md").read_text()
        table = page[page.index("## Ready laws"):page.index("## Polynomials")]
        laws = re.findall(r"^\| [^|]+ \| `(.*)` \|$", table, re.M)
        self.assertGreaterEqual(len(laws), 8)
        head, strand = (SCENE % ("0.04", "LAW", 1)).split("strands:\n")
        head, material = head.split("  m:\n")
        materials = strands = ""
        for k, law in enumerate(laws):
            names = [value for key, value in CONSTANTS.items() if key in law]
            text = law + (", with: { " + names[0] + " }" if names else "") + ", range: 10 1/m"
            materials += f"  m{k}:\n" + material.replace("LAW", text)
            strands += strand.replace("material: m", f"material: m{k}")
        self.write("laws.yaml", head + materials + "strands:\n" + strands)
        ends = {}
        for device in ["ref", "0"]:
            self.sheaf("run", "laws.yaml", "-o", device, "--device", device, "-q")
            record = self.record(device)
            self.assertEqual((record["exit"], record["law_beyond_range"], record["frozen_strands"]), (0, None, 0))
            rows = csv.DictReader((self.folder / device / "strands.csv").read_text().splitlines())
            ends[device] = [tuple(float(row[c]) for c in ["x_m", "y_m", "z_m"]) for row in rows]
        for ours, theirs in zip(ends["ref"], ends["0"]):  # single precision, a rod of 1 m
            self.assertLess(max(abs(a - b) for a, b in zip(ours, theirs)), 5e-6)

    def wrong(self):
        """The list above, then texts of random bytes, and sound texts with one byte put in that is not allowed."""
        yield from WRONG
        chance = random.Random(5)
        for _ in range(100):
            at = chance.randrange(12)
            sound = "4*atan(x/4)+0.1*x"
            yield sound[:at] + chance.choice(";#\"'{}[]$%&!?@|~<>=:") + sound[at:], at + 1, None
        for _ in range(91):
            yield "".join(chance.choice("x+-*/^(),.0123456789e #;'\"") for _ in range(30)) + ";", None, None

    def test_two_hundred_wrong_texts(self):
        """Each ends with exit code 3, and where the place is known with the caret under it. All take the processor for
        20 s at most: how long they wait for it is a matter of what else the machine does."""
        count = 0
        start = os.times()
        wrong = list(self.wrong())
        with concurrent.futures.ThreadPoolExecutor(8) as pool:  # what takes time is the start of a process
            answers = list(pool.map(lambda row: self.sheaf("law", "--range", "5", "--", row[0], expect=None), wrong))
        for (text, column, word), answer in zip(wrong, answers):
            with self.subTest(text=text):
                errors = answer.stderr
                self.assertEqual(answer.returncode, 3, errors)
                found = re.match(r"law:1:(\d+): error: (.*)\n    .*\n    ( *)\^", errors)
                self.assertIsNotNone(found, errors)
                self.assertEqual(len(found[3].encode()) + 1, int(found[1]))
                if column is not None:
                    self.assertEqual(int(found[1]), column, errors)
                if word is not None:
                    self.assertIn(word, found[2])
                count += 1
        self.assertGreaterEqual(count, 200)
        end = os.times()
        self.assertLess(end.children_user + end.children_system - start.children_user - start.children_system, 20)

    def test_programs_are_kept_by_law(self):
        """A law that is refused builds no program; a sound one does, once, and another law another."""
        cache = self.folder / "cache"
        environment = {"XDG_CACHE_HOME": str(cache), "SHEAF_PROGRAM_CACHE": "on"}

        def programs(law, expect=0):
            self.scene(law, end=0.002)
            result = self.sheaf("run", "law.yaml", "-o", "out", "--device", "0", "--overwrite", expect=expect,
                                env=environment)
            return result, {path: path.stat().st_mtime_ns for path in cache.rglob("program-*")}

        result, none = programs('bend: "x + atn(x)"', expect=3)
        self.assertIn("unknown function 'atn'", result.stderr)
        self.assertEqual(none, {})
        _, first = programs('bend: "x + 0.1*x^3", range: 5 1/m')
        self.assertGreater(len(first), 0)
        _, again = programs('bend: "x + 0.1*x^3", range: 5 1/m')
        self.assertEqual(again, first)
        _, other = programs('bend: "x + 0.2*x^3", range: 5 1/m')
        self.assertGreater(len(other), len(first))
        result, refused = programs('bend: "x + 0.2*x^3 + 1", range: 5 1/m', expect=3)
        self.assertEqual(refused, other)

    def test_a_law_is_checked_along_the_strand(self):
        """On 1 m the slope at rest stays above 0, on 3 m it does not: the first of the five places tried is named."""
        law = 'bend: "x*(1-0.5*s)", range: 5 1/m'
        self.scene(law)
        self.sheaf("check", "law.yaml")
        path = self.folder / "law.yaml"
        path.write_text(path.read_text().replace("length: 1 m", "length: 3 m"))
        errors = self.sheaf("check", "law.yaml", expect=3).stderr
        self.assertIn("material 'm', on a strand of 3 m: the slope at rest is -0.125, not above 0, at s = 2.25 m", errors)

    def test_a_range_that_is_left_is_counted_and_named(self):
        law = 'bend: "x + 0.05*x^3", range: 0.5 1/m'
        for device in ["ref", "0"]:
            with self.subTest(device=device):
                self.scene(law, end=0.4)
                result = self.sheaf("run", "law.yaml", "-o", "out", "--device", device, "--overwrite")
                beyond = self.record("out")["law_beyond_range"]
                self.assertEqual(beyond["first_strand"], 0)
                self.assertTrue(1 <= beyond["first_vertex"] <= 10 and 1 <= beyond["vertices"] <= 10)
                self.assertGreater(beyond["strain_per_m"], 0.5)
                self.assertIn(f"first vertex {beyond['first_vertex']} of strand 0", result.stderr)

    def test_friction_is_for_implicit_steps_without_damping(self):
        law = 'bend: "x", friction: { stiffness: 1, limit: 0.1 1/m }'
        self.scene(law)
        text = (self.folder / "law.yaml").read_text()
        for old, new, word in [("drag: 2 Pa*s", "damping: 1 ms", "leave out damping"),
                               ("gravity:", "step: { integrator: explicit }\ngravity:", "bdf2 or euler"),
                               ('bend: "x"', 'radial: "k"', "of each strain by itself"),
                               ("stiffness: 1,", "stiffness: -1,", "stiffness")]:
            with self.subTest(word=word):
                (self.folder / "law.yaml").write_text(text.replace(old, new))
                self.assertIn(word, self.sheaf("check", "law.yaml", expect=3).stderr)

    def test_restart(self):
        """The same bits whether a run is broken off or not; friction within the material remembers its way."""
        friction = "friction: { stiffness: 1, limit: 0.1 1/m }"
        for device, more in [("ref", ""), ("0", ""), ("ref", ", " + friction), ("0", ", " + friction)]:
            with self.subTest(device=device, more=more):
                self.scene('bend: "c*atan(x/c)", twist: "x + 0.05*x^3", with: { c: 4 1/m }, range: 10 1/m' +
                           more, end=0.1)
                self.sheaf("run", "law.yaml", "--device", device, "-o", "whole", "--overwrite")
                shutil.rmtree(self.folder / "halves", ignore_errors=True)
                self.sheaf("run", "law.yaml", "--device", device, "-o", "halves", "--steps", "27")
                self.sheaf("run", "law.yaml", "-o", "halves", "--restart")
                for name in ["thermo.csv", "strands.csv"]:
                    self.assertEqual((self.folder / "whole" / name).read_text(),
                                     (self.folder / "halves" / name).read_text())


if __name__ == "__main__":
    unittest.main()
