"""test_inputs: files in the wrong place, scenes beyond any machine, and what the command says of them."""
import os
import unittest

from command import ROD, CommandTest

GROOM = """sheaf: 1
materials: {{ hair: {{ preset: straight }} }}
strands:
  - groom: {{ preset: straight, on: {{ sphere: {{ radius: 9 cm }} }}, {count}, vertices: 4096 }}
"""

# Starts of files, and what the command has to call them.
KINDS = {
    "groom.usdc": (b"PXR-USDC\0\x08\0\0\0\0\0\0", "binary USD"),
    "groom.abc": (b"Ogawa\xff\0\x01\x08\0\0\0", "Alembic"),
    "old.abc": (b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08", "HDF5"),
    "head.obj": (b"# a head\n\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a mesh (.obj)"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ".png"),
    "pack.usdz": (b"PK\3\4\n\0\0\0\0\0", "zip"),
    "mesh.glb": (b"glTF\2\0\0\0", "glTF"),
}


class Files(CommandTest):
    def test_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        for command in ["check", "run", "info"]:
            message = self.sheaf(command, "pipe", expect=7, timeout=60).stderr
            self.assertIn("'pipe': ", message)
            self.assertIn("regular file", message)
        places = ["strands: [{ file: pipe, unit: cm, up: z }]",
                  "strands: [{ groom: { preset: straight, on: { mesh: { file: pipe } }, count: 9 } }]",
                  "strands: [{ groom: { preset: straight, on: { plane: { size: 1 m } }, count: 9, density_map: pipe } }]"]
        for place in places:
            self.write("scene.yaml", "sheaf: 1\nmaterials: { hair: { preset: straight } }\n" + place + "\n")
            message = self.sheaf("check", "scene.yaml", expect=3, timeout=60).stderr
            self.assertIn("'pipe': it is a pipe; only regular files are read", message)

    def test_foreign_files_are_called_by_name(self):
        for name, (start, called) in KINDS.items():
            (self.folder / name).write_bytes(start + b" " * 40)
            commands = ["check", "run"] if b"HDF" in start else ["check", "run", "info"]  # info opens HDF5 files itself
            for command in commands:
                message = self.sheaf(command, name, expect=3).stderr
                self.assertIn(called, message)
                self.assertIn("Sheaf ", message)
                self.assertNotIn("control character", message)
            self.assertIn("info" in commands and called or "HDF5", self.json("info", name, expect=3)["problems"][0])

    def test_foreign_files_inside_scenes_are_called_by_name(self):
        head = "sheaf: 1\nmaterials: { hair: { preset: straight } }\n"
        groom = "strands: [{ groom: { preset: straight, count: 9, %s } }]\n"
        (self.folder / "x").write_bytes(KINDS["groom.abc"][0])
        self.write("a.yaml", head + "strands: [{ file: x, unit: cm, up: z }]\n")
        self.write("b.yaml", head + groom % "on: { mesh: { file: x, unit: m, up: z } }")
        self.write("c.yaml", head + groom % "on: { plane: { size: 1 m } }, density_map: x")
        for scene in ["a.yaml", "b.yaml", "c.yaml"]:
            self.assertIn("'x' is an Alembic file (.abc)", self.sheaf("check", scene, expect=3).stderr)


    def test_the_folder_that_was_searched_is_named(self):
        (self.folder / "sub").mkdir()
        self.write("sub/a.yaml", "sheaf: 1\nmaterials: { hair: { preset: straight } }\nstrands: [{ file: no.hair }]\n")
        self.assertIn("looked for in the scene's folder, 'sub/'", self.sheaf("check", "sub/a.yaml", expect=3).stderr)

    def test_endings_that_can_be_written_are_listed(self):
        (self.folder / "a.data").write_text("1\n3\n0 0 0\n0 0 1\n0 0 2\n")
        message = self.sheaf("convert", "a.data", "out.abc", expect=2).stderr
        self.assertIn("cannot write '.abc'; Sheaf writes .vtkhdf .usda", message)


class Sizes(CommandTest):
    def test_more_vertices_than_any_machine_holds_are_refused_at_once(self):
        for count in ["count: 16000000", "density: 1e8 1/m^2"]:
            self.write("huge.yaml", GROOM.format(count=count))
            message = self.sheaf("check", "huge.yaml", expect=3, timeout=60).stderr
            self.assertRegex(message, r"strands of 4096 vertices need about [\d.]+ TB of memory")
            self.assertIn("at most 1073741824 vertices", message)

    def test_the_memory_named_is_that_of_a_run(self):
        self.write("some.yaml", GROOM.format(count="count: 100"))
        figures = self.json("check", "some.yaml")
        self.assertAlmostEqual(figures["memory_bytes"] / figures["vertices"], 376, delta=5)


class Doubts(CommandTest):
    """What is allowed and yet likely to be a mistake is told, each with its reason, by check and by run."""

    def warnings(self, scene):
        self.write("scene.yaml", scene)
        told = self.json("check", "scene.yaml")["warnings"]
        shown = self.sheaf("check", "scene.yaml").stderr
        for text in told:
            self.assertIn(text, shown)
        return told

    def assert_one(self, scene, *words):
        told = self.warnings(scene)
        self.assertEqual(len(told), 1, told)
        for word in words:
            self.assertIn(word, told[0])

    def test_nothing_is_told_of_a_sound_rod(self):
        self.assertEqual(self.warnings(ROD), [])

    def test_units_that_slipped(self):
        self.assert_one(ROD.replace("7800 kg/m^3", "1.3"), "'steel'", "1.3 g/cm^3")
        self.assert_one(ROD.replace("7800 kg/m^3", "7.8e5"), "nothing has a density")
        self.assert_one(ROD.replace("200 GPa", "20 Pa"), "20 GPa")
        self.assert_one(ROD.replace("radius: 1 mm", "radius: 40 mm"), "strand 0 is 80 mm thick and 555.6 mm long")

    def test_bodies_that_nothing_stops(self):
        hung = ROD.replace("strands:", "bodies: { bob: { at: [56 cm, 0, 0], mass: 1 kg, sphere: { radius: 1 cm }, "
                           "collide: true } }\nstrands:")
        self.assert_one(hung, "'bob'", "strands and other bodies pass through it")
        floor = hung.replace(", collide: true", "").replace(
            "strands:", "colliders: [{ plane: { point: [0, 0, -1 m], normal: z } }]\nstrands:")
        self.assert_one(floor, "'bob' passes through colliders", "`collide: true`")
        lifted = ("sheaf: 1\ntime: { end: 1 s }\ngravity: [0, 0, -9.81]\ncolliders: [{ plane: {} }]\n"
                  "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2 } }\n"
                  "cables: [{ length: 2 m, from: { at: [0, 0, 4 m] }, to: { load: 50 kg } }]\n")
        self.assertEqual(self.warnings(lifted), [])  # loads of cables stay out of them

    def test_curves_with_too_few_vertices(self):
        arc = "arc: { length: 1 m, radius: 4 mm, vertices: 101, direction: x }"
        self.assert_one(ROD.replace("straight: { length: 50 cm, vertices: 6, direction: x }", arc),
                        "turn by 2.5 rad each", "1 m became a polyline of", "501 vertices")

    def test_ends_that_start_with_a_jump(self):
        self.assert_one(ROD + "    root: { hold: clamp, move: [5 cm, 0, 0] }\n", "root is moved by 50 mm at time 0")
        self.assert_one(ROD + "    root: { hold: clamp, turn: { axis: z, angle: 10 deg } }\n", "root is turned by 0.175 rad")
        self.assertEqual(self.warnings(ROD + "    root: { hold: clamp, move: [{ ramp: { to: 5 cm, over: 1 s } }, 0, 0] }\n"), [])

    def test_a_torque_that_nothing_withstands(self):
        torque = "    tip: { couple: [1 mN*m, 0, 0] }\n"
        self.assert_one(ROD + "    root: pin\n" + torque, "torque on its tip", "no equilibrium")
        self.assertEqual(self.warnings(ROD + "    root: clamp\n" + torque), [])
        self.assertEqual(self.warnings(ROD + "    root: pin\n    tip: { couple: [0, 1 mN*m, 0] }\n"), [])

    def test_run_tells_it_too_unless_quiet(self):
        self.write("scene.yaml", ROD.replace("7800 kg/m^3", "1.3"))
        arguments = ["run", "scene.yaml", "--device", "ref", "--steps", "1", "--overwrite", "-o", "out"]
        self.assertIn("1.3 g/cm^3", self.sheaf(*arguments).stderr)
        self.assertNotIn("1.3 g/cm^3", self.sheaf(*arguments, "--quiet").stderr)

    def test_what_lies_in_clamps_is_told(self):
        self.write("scene.yaml", ROD + "    root: clamp\n")
        self.assertIn("up to 55.56 mm of a strand lie beyond", self.sheaf("check", "scene.yaml").stdout)


if __name__ == "__main__":
    unittest.main()
