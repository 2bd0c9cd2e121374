"""test_scenes: every scene people start from passes the check and is what `sheaf new` writes, and those of
the papers run."""
# labels: slow (25 s)
import subprocess
import sys
import unittest

from command import PAPER_SCENES, SCENES, CommandTest


class Scenes(CommandTest):
    def test_new_writes_them_all(self):
        kinds = [kind["kind"] for kind in self.json("new", "--list")["kinds"]]
        self.assertEqual(kinds, [path.stem for path in SCENES])
        for path in SCENES:
            self.assertEqual(self.sheaf("new", path.stem).stdout, path.read_text())

    def test_meshes_come_along(self):
        self.sheaf("new", "fur", "pet.yaml")
        self.assertEqual((self.folder / "fur.obj").read_text(), (SCENES[0].parent / "fur.obj").read_text())
        self.assertGreater(self.json("check", "pet.yaml")["strands"], 100)
        self.sheaf("new", "caterpillar", "pet2.yaml")
        self.assertEqual(len(list(self.folder.glob("caterpillar.*.obj"))), 13)
        self.assertGreater(self.json("check", "pet2.yaml")["strands"], 100)

        self.sheaf("new", "portrait", "me.yaml")
        self.assertEqual((self.folder / "bust.ply").read_bytes(), (SCENES[0].parent / "bust.ply").read_bytes())

    def test_meshes_are_what_their_script_makes(self):
        folder = SCENES[0].parent
        subprocess.run([sys.executable, "-B", folder / "caterpillar.py", self.folder], check=True)
        for path in folder.glob("caterpillar.*.obj"):
            self.assertEqual((self.folder / path.name).read_text(), path.read_text())

    def test_each_is_free_of_errors_and_commented(self):
        for path in SCENES + PAPER_SCENES:
            with self.subTest(scene=path.name):
                report = self.sheaf("check", str(path))
                self.assertNotRegex(report.stderr, "warning|error")
                lines = path.read_text().splitlines()
                self.assertGreaterEqual(sum("#" in line for line in lines), 5 if path in SCENES else 2)
                self.assertLessEqual(max(map(len, lines)), 120)

    def test_those_of_the_papers_run(self):
        for path in PAPER_SCENES:
            with self.subTest(scene=path.name):
                record = self.json("run", str(path), "--steps", "3", "-o", path.stem)
                self.assertEqual((record["exit"], record["frozen_strands"]), (0, 0))


if __name__ == "__main__":
    unittest.main()
