"""scene_runs: runs scenes that people start from, a little way, and looks at what comes of it."""
import xml.etree.ElementTree

from command import CommandTest, has_method

ON_REFERENCE = ["cableway", "crane", "winch"]  # rows with limits


class SceneRuns(CommandTest):
    """A test has some of the scenes, so that no test takes long."""

    def run_all(self, scenes):
        for path in scenes:
            with self.subTest(scene=path.name):
                self.run_one(path)

    def run_one(self, path):
        if "\ncables:" in path.read_text() and not has_method("cable"):
            self.assertIn("built without the method of cables", self.sheaf("run", str(path), expect=3).stderr)
            return
        record = self.json("run", str(path), "--steps", "12", "-o", path.stem)
        self.assertEqual((record["exit"], record["frozen_strands"]), (0, 0))
        self.assertEqual(record["unmet_frames"], 0)
        self.assertLess(record["worst_strain"], 2e-2 if "\ncables:" in path.read_text() else 1e-3)  # cables stretch
        self.assertEqual(record["device"] == "reference", path.stem in ON_REFERENCE)
        for picture in ["picture.svg", "energy.svg"]:
            xml.etree.ElementTree.parse(self.folder / path.stem / picture)
