"""test_run_folder: a run's folder stands alone: it holds its scene, and looks the same wherever it is."""
# labels: device
import json
import os
import shutil
import unittest

from command import SOURCE, CommandTest

SCENE = """sheaf: 1
title: a rod above a box
time: { step: 1/120 s, end: 0.05 s, frames: 60 Hz }
materials: { rubber: { density: 1100 kg/m^3, young: 3 MPa, shear: 1 MPa, radius: 3 mm } }
strands: [{ shape: { straight: { direction: x, length: 30 cm, vertices: 8 } }, root: clamp }]
colliders: [{ mesh: { file: ../meshes/box.obj, unit: cm, up: z, cell: 5 mm, center: [15 cm, 0, -10 cm] } }]
view: { camera: { from: [0.5 m, -0.9 m, 0.4 m], at: [15 cm, 0, 0] }, colours: [{ colour: [0.8, 0.1, 0.1] }] }
"""
BIG = 65 << 20  # bytes, more than a folder keeps


class RunFolder(CommandTest):
    def setUp(self):
        super().setUp()
        for name in ("work/scenes", "work/meshes", "elsewhere"):
            (self.folder / name).mkdir(parents=True)
        shutil.copy(SOURCE / "tests/data/meshes/cube.obj", self.folder / "work/meshes/box.obj")
        self.scene = self.write("work/scenes/rod.yaml", SCENE)

    def run_scene(self, *words):
        return self.sheaf("run", self.scene, "--device", "ref", "--no-checkpoint", "-o", "out", *words)

    def record(self, folder="out"):
        return json.loads((self.folder / folder / "run.json").read_text())

    def picture(self, folder, *words):
        """The bytes of a picture of a folder, and what was told."""
        told = self.sheaf("render", folder, "-o", "picture.png", "--overwrite", "--size", "160x120", *words).stderr
        return (self.folder / "picture.png").read_bytes(), told

    def test_a_moved_folder_looks_the_same(self):
        self.run_scene()
        before, _ = self.picture("out")
        self.sheaf("report", "out")
        page = (self.folder / "out/report.html").read_bytes()
        shutil.move(self.folder / "out", self.folder / "elsewhere/moved")
        shutil.rmtree(self.folder / "work")
        after, told = self.picture("elsewhere/moved")
        self.assertEqual(before, after)
        self.assertNotIn("scene", told)
        self.sheaf("report", "elsewhere/moved")
        self.assertEqual(page, (self.folder / "elsewhere/moved/report.html").read_bytes())

    def test_the_scene_decides_how_it_looks(self):
        """What is compared above is no empty picture, and the kept scene is what makes it."""
        self.run_scene()
        with_scene, _ = self.picture("out")
        shutil.rmtree(self.folder / "out/scene")
        without, told = self.picture("out")
        self.assertNotEqual(with_scene, without)
        self.assertIn("'scene/scene.yaml' is missing from the run's folder", told)
        self.assertIn("bodies and colours are not known", told)

    def test_the_record_says_what_is_kept(self):
        self.run_scene()
        record, kept = self.record(), self.record()["scene_kept"]
        self.assertRegex(record["identity"], "^[0-9a-f]{16}$")
        self.assertEqual((self.folder / "out/scene/scene.yaml").read_text(), SCENE)
        self.assertEqual([(file["name"], file["kept"]) for file in kept["files"]],
                         [("../meshes/box.obj", "001-box.obj")])
        self.assertEqual((self.folder / "out/scene/001-box.obj").read_bytes(),
                         (self.folder / "work/meshes/box.obj").read_bytes())
        self.assertEqual(kept["path"], os.path.realpath(self.folder / self.scene))

    def test_another_file_of_the_same_scene(self):
        self.run_scene()
        red, _ = self.picture("out")
        self.write("work/scenes/blue.yaml", SCENE.replace("0.8, 0.1, 0.1", "0.1, 0.1, 0.8"))
        blue, told = self.picture("out", "--scene", "work/scenes/blue.yaml")
        self.assertNotEqual(red, blue)
        self.assertNotIn("changed", told)
        self.sheaf("report", "out", "--scene", "work/scenes/blue.yaml")
        self.assertIn("data:image/png;base64", (self.folder / "out/report.html").read_text())

    def test_another_scene_is_refused(self):
        self.run_scene()
        self.write("work/scenes/stiff.yaml", SCENE.replace("3 MPa", "4 MPa"))
        for command in ("render", "report"):
            told = self.sheaf(command, "out", "--scene", "work/scenes/stiff.yaml", expect=3).stderr
            self.assertIn("is not the scene of this run: the identity of its model is", told)
            self.assertIn(self.record()["identity"], told)
        self.sheaf("render", self.scene, "--scene", self.scene, expect=2)

    def test_changed_files_are_told(self):
        self.run_scene()
        before, told = self.picture("out")
        self.assertNotIn("changed", told)
        self.write(self.scene, SCENE.replace("0.8, 0.1, 0.1", "0.1, 0.1, 0.8"))
        after, told = self.picture("out")
        self.assertEqual(before, after)
        self.assertIn("rod.yaml' has changed since the run", told)
        self.assertIn("rod.yaml' has changed since the run", self.sheaf("report", "out").stderr)
        self.write(self.scene, SCENE)
        with open(self.folder / "work/meshes/box.obj", "a") as mesh:
            mesh.write("# another box\n")
        self.assertIn("box.obj' has changed since the run", self.picture("out")[1])

    def test_large_files_stay_where_they_are(self):
        mesh = self.folder / "work/meshes/box.obj"
        line = b"# " + b"-" * 1021 + b"\n"
        with open(mesh, "ab") as stream:
            stream.write(line * (BIG // len(line)))
        self.assertIn("'../meshes/box.obj' is not kept in the folder", self.run_scene().stderr)
        file = self.record()["scene_kept"]["files"][0]
        self.assertIsNone(file["kept"])
        self.assertEqual(file["path"], os.path.realpath(mesh))
        self.assertEqual(file["bytes"], mesh.stat().st_size)
        self.assertEqual(sorted(os.listdir(self.folder / "out/scene")), ["scene.yaml"])
        before, _ = self.picture("out")
        shutil.move(self.folder / "out", self.folder / "elsewhere/moved")
        self.assertEqual(before, self.picture("elsewhere/moved")[0])
        with open(mesh, "r+b") as stream:
            stream.seek(-10, os.SEEK_END)
            stream.write(b"+")
        self.assertIn("box.obj', which the run's scene names, has changed since the run",
                      self.picture("elsewhere/moved")[1])
        mesh.unlink()
        after, told = self.picture("elsewhere/moved")
        self.assertNotEqual(before, after)
        self.assertIn(f"'../meshes/box.obj', which the run's scene names, is not at '{os.path.realpath(mesh)}'", told)
        self.assertIn(file["hash"], told)

    def test_a_file_that_is_missing_is_named(self):
        self.run_scene()
        (self.folder / "out/scene/001-box.obj").unlink()
        self.assertIn("'../meshes/box.obj', which the run's scene names, is not at", self.picture("out")[1])

    def test_frames_of_a_mesh_are_kept(self):
        for path in SOURCE.glob("scenes/caterpillar*"):
            shutil.copy(path, self.folder / "work")
        self.sheaf("run", "work/caterpillar.yaml", "--device", "ref", "--steps", "2", "-o", "out")
        before, _ = self.picture("out")
        shutil.move(self.folder / "out", self.folder / "elsewhere/moved")
        shutil.rmtree(self.folder / "work")
        after, told = self.picture("elsewhere/moved")
        self.assertEqual(before, after)
        self.assertNotIn("not known", told)

    def test_going_on_keeps_the_scene_of_now(self):
        self.sheaf("run", self.scene, "--device", "ref", "-o", "out", "--steps", "2")
        changed = SCENE.replace("0.8, 0.1, 0.1", "0.1, 0.1, 0.8")
        self.write(self.scene, changed)
        self.sheaf("run", self.scene, "--device", "ref", "-o", "out", "--restart")
        self.assertEqual((self.folder / "out/scene/scene.yaml").read_text(), changed)
        self.assertNotIn("changed", self.picture("out")[1])

    def test_overwriting_leaves_files_of_others(self):
        self.run_scene()
        (self.folder / "out/scene/notes.txt").write_text("mine")
        (self.folder / "out/scene/007-old.obj").write_text("an earlier run's")
        self.run_scene("--overwrite")
        self.assertEqual(sorted(os.listdir(self.folder / "out/scene")), ["001-box.obj", "notes.txt", "scene.yaml"])

    def test_links_are_not_followed(self):
        self.run_scene()
        shutil.move(self.folder / "out/scene", self.folder / "elsewhere/scene")
        (self.folder / "out/scene").symlink_to(self.folder / "elsewhere/scene")
        self.sheaf("run", self.scene, "--device", "ref", "-o", "out", "--overwrite", expect=7)
        self.assertEqual(sorted(os.listdir(self.folder / "elsewhere/scene")), ["001-box.obj", "scene.yaml"])

    def test_a_record_does_not_lead_out_of_the_folder(self):
        self.run_scene()
        record = self.record()
        record["scene_kept"]["files"][0]["kept"] = "../../work/meshes/box.obj"
        (self.folder / "out/run.json").write_text(json.dumps(record))
        told = self.sheaf("render", "out", "-o", "p.png", expect=3).stderr
        self.assertIn("scene_kept", told)


class OlderFolder(CommandTest):
    """A folder that version 0.1 left, which has neither scene nor identity, beside its scene."""

    def setUp(self):
        super().setUp()
        shutil.copytree(SOURCE / "tests/data/runs", self.folder, dirs_exist_ok=True)

    def draw(self, *words):
        told = self.sheaf("render", "swing.run", "-o", "p.png", "--overwrite", "--size", "160x120", *words).stderr
        return (self.folder / "p.png").read_bytes(), told

    def test_is_read_as_ever(self):
        with_scene, told = self.draw()
        self.assertNotIn("not known", told)
        self.assertNotIn("changed", told)
        self.sheaf("report", "swing.run")
        self.assertEqual(self.json("info", "swing.run/trajectory.vtkhdf")["frames"], 4)
        text = (self.folder / "swing.yaml").read_text()
        self.write("blue.yaml", text.replace("0.7, 0.1, 0.1", "0.1, 0.1, 0.7"))
        self.assertNotEqual(with_scene, self.draw("--scene", "blue.yaml")[0])
        self.write("other.yaml", text.replace("vertices: 8", "vertices: 9"))
        self.sheaf("render", "swing.run", "-o", "q.png", "--scene", "other.yaml", expect=3)
        (self.folder / "swing.yaml").unlink()
        without, told = self.draw()
        self.assertNotEqual(with_scene, without)
        self.assertIn("bodies and colours are not known", told)


if __name__ == "__main__":
    unittest.main()
