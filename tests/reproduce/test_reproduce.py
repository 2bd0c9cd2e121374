"""test_reproduce: the short form of every experiment, and what `sheaf reproduce` tells, leaves and refuses."""
# labels: device (60 s)
import base64
import csv
import os
import re
import unittest
import xml.etree.ElementTree

from command import CommandTest


class Reproduce(CommandTest):
    def names(self):
        return [row["name"] for row in self.json("reproduce", "--list")["experiments"]]

    def check_folder(self, folder, page):
        for path in folder.iterdir():
            if path.suffix == ".svg":
                xml.etree.ElementTree.parse(path)
            elif path.suffix == ".csv":
                lines = list(csv.reader(path.read_text().splitlines()))
                self.assertGreater(len(lines), 1, path.name)
                self.assertEqual({len(line) for line in lines}, {len(lines[0])}, path.name)
            else:
                self.assertEqual(path.suffix, ".png")
                self.assertIn(base64.b64encode(path.read_bytes()).decode(), page)
            self.assertIn(f"href='{folder.name}/{path.name}'", page)
        self.assertTrue(list(folder.glob("*.svg")) and list(folder.glob("*.csv")), folder.name)

    def test_short_forms_pass_and_make_a_page(self):
        names = self.names()
        result = self.json("reproduce", "all", "--short", "-o", "out")
        for row in result["rows"]:
            self.assertEqual(sorted(row), ["bar", "error", "expected", "experiment", "measured", "pass", "quantity"])
            self.assertTrue(row["pass"], row)
            self.assertLessEqual(row["error"], row["bar"])
        self.assertEqual(list(dict.fromkeys(row["experiment"] for row in result["rows"])), names)
        page = (self.folder / "out/index.html").read_text()
        words = re.sub(r"base64,[A-Za-z0-9+/=]+", "", page)
        self.assertNotRegex(words, r"nan|src='(?!data:)|href='https?:")
        self.assertEqual(re.findall(r"<section id='(\w+)'", page), names)
        for name in names:
            self.check_folder(self.folder / "out" / name, page)

    def test_a_verdict_that_fails_says_so(self):
        wrong = {"LD_PRELOAD": os.environ["SHEAF_THEORY_FAULTS"]}
        result = self.sheaf("reproduce", "helix", "--short", "-o", "wrong", env=wrong, expect=5)
        self.assertRegex(result.stdout, r"envelope, .*: measured [\d.]+, expected 0, error [\d.]+, bar 0.08: fail\n")
        self.assertRegex(result.stderr, r"\d of \d verdicts pass")
        self.assertIn(">fail<", (self.folder / "wrong/index.html").read_text())

    def test_refusals_come_before_work(self):
        self.assertIn("--list", self.sheaf("reproduce", expect=2).stderr)
        self.assertIn("helix", self.sheaf("reproduce", "helx", expect=2).stderr)
        alone = self.sheaf("reproduce", "knot", "--short", "--device", "ref", "-o", "none", expect=6)
        self.assertIn("devices only", alone.stderr)
        (self.folder / "taken").mkdir()
        self.write("taken/index.html", "mine")
        self.assertIn("--overwrite", self.sheaf("reproduce", "helix", "--short", "-o", "taken", expect=7).stderr)
        self.assertEqual((self.folder / "taken/index.html").read_text(), "mine")
        self.assertEqual([path.name for path in (self.folder / "taken").iterdir()], ["index.html"])


if __name__ == "__main__":
    unittest.main()
