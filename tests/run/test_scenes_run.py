"""test_scenes_run: every second scene that people start from runs to good results."""
# labels: slow (30 s)
import unittest

from command import SCENES
from scene_runs import SceneRuns


class Runs(SceneRuns):
    def test_each_runs(self):
        self.run_all(SCENES[0::2])


if __name__ == "__main__":
    unittest.main()
