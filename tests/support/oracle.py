"""oracle: what tests share that hold our files against other programs' readers. They run in an environment of their own,
build/oracles, which bootstrap.sh makes; without it they are skipped, and say so."""
import importlib.util
import os
import pathlib
import sys

from command import SOURCE, CommandTest

ENVIRONMENT = pathlib.Path(os.environ.get("SHEAF_ORACLES", SOURCE / "build/oracles"))
SKIPPED = 77

# Strands of 4, 5 and 3 vertices that swing for six frames.
SWING = """sheaf: 1
title: three rods
time: { step: 1/240 s, end: 0.25 s, frames: 20 Hz }
materials:
  steel: { density: 7800 kg/m^3, young: 200 GPa, shear: 77 GPa, radius: 1 mm }
  rubber: { density: 1100 kg/m^3, young: 5 MPa, shear: 2 MPa, radius: 3 mm }
strands:
  - { shape: { straight: { length: 50 cm, vertices: 4, direction: x } }, material: steel }
  - { shape: { arc: { length: 30 cm, radius: 20 cm, vertices: 5, direction: y, normal: x } }, material: rubber }
  - { shape: { straight: { length: 20 cm, vertices: 3, direction: [1, 1, 0], origin: [0, 0, 1 m] } }, material: rubber }
"""
COUNTS = [4, 5, 3]
TIMES = [0, 0.05, 0.1, 0.15, 0.2, 0.25]


def enter(*modules):
    """Goes on in the oracles' environment. Skips the test where that, or a module, is missing."""
    python = ENVIRONMENT / "bin/python"
    if pathlib.Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        if not python.exists():
            print(f"skipped: there is no {python}; ./bootstrap.sh test makes it")
            sys.exit(SKIPPED)
        os.execv(python, [str(python), "-B", *sys.argv])
    for module in modules:
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {module} is not installed in {ENVIRONMENT}")
            sys.exit(SKIPPED)


class OracleTest(CommandTest):
    """Has a run of SWING in swing.run, and its frames as [frame][vertex][xyz] in `frames`, read by h5py."""

    def setUp(self):
        super().setUp()
        import h5py
        self.write("swing.yaml", SWING)
        self.sheaf("run", "swing.yaml", "--device", "ref")
        with h5py.File(self.folder / "swing.run/trajectory.vtkhdf") as file:
            self.frames = file["VTKHDF/Points"][:].reshape(-1, sum(COUNTS), 3)

    def assert_same(self, points, frame):
        import numpy
        numpy.testing.assert_array_equal(numpy.asarray(points, dtype=numpy.float32), self.frames[frame])
