"""test_method_removed: a copy of the sources without the method of cables builds, keeps its layers, computes what it did,
and says what it cannot do."""
# labels: frame;slow;long (300 s)
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
METHOD = "cable"


class Removed(unittest.TestCase):
    """The tests run in the order of their names, on one copy."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-removed-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.tree = cls.folder / "tree"
        shutil.copytree(SOURCE, cls.tree, ignore=shutil.ignore_patterns("build", ".git", ".cache", "__pycache__"))
        cls.build_folder = cls.folder / "build"
        cls.environment = {**os.environ, "CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1",
                           "SHEAF_BUILD": str(cls.build_folder)}
        for folder in [f"host/{METHOD}", f"kernels/{METHOD}", f"tests/{METHOD}"]:
            shutil.rmtree(cls.tree / folder)
        path = cls.tree / "host/method/list.c"
        lines = path.read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(f"    X({METHOD})")]
        assert len(kept) == len(lines) - 1, "host/method/list.c names it once"
        path.write_text("".join(kept))
        words = [os.environ.get("CMAKE", "cmake"), "-G", "Ninja", "-S", cls.tree, "-B", cls.build_folder,
                 "-DCMAKE_BUILD_TYPE=Release", "-DSHEAF_TESTS=ON"]
        if shutil.which("ccache"):
            words += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        subprocess.run(words, check=True, env=cls.environment, stdout=subprocess.DEVNULL)

    def run_there(self, *words, expect=0):
        result = subprocess.run(words, cwd=self.tree, env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=1800)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout[-4000:]}")
        return result.stdout

    def test_1_everything_builds(self):
        self.run_there(os.environ.get("CMAKE", "cmake"), "--build", self.build_folder)

    def test_2_the_source_tree_holds(self):
        for name in ["test_layers.sh", "test_links.sh", "test_style.sh"]:
            self.run_there("bash", f"tests/frame/{name}")

    def test_3_others_compute_what_they_did(self):
        for name in ["golden", "test_model", "test_parts", "test_solver", "test_scene_docs", "test_bench_figures",
                     "test_check_refuses", "test_docs_paths"]:
            self.run_there("ctest", "--test-dir", self.build_folder, "-R", f"^{name}$", "--no-tests=error",
                           "--output-on-failure")

    def test_4_scenes_with_it_are_refused(self):
        for scene, place in [("hoist", "cables"), ("cables", None)]:
            said = self.run_there(self.build_folder / "sheaf", "check", f"scenes/{scene}.yaml", expect=3 if place else 0)
            self.assertEqual("built without the method of cables" in said, place is not None)


if __name__ == "__main__":
    unittest.main(failfast=True)
