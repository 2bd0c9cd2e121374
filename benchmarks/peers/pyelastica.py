"""pyelastica: PyElastica's Cosserat rods, all of them in one memory block, with position Verlet.

Forces and constraints act on the whole block at once: added rod by rod, as in the package's examples, they cost more
than the rods themselves from a few rods on. The steps and the arithmetic of the rods are the package's own.
"""
import numpy
from elastica.external_forces import GravityForces
from elastica.memory_block.memory_block_rod import MemoryBlockCosseratRod
from elastica.rod.cosserat_rod import CosseratRod
from elastica.timestepper.symplectic_steppers import PositionVerlet

import scene

NAME = "PyElastica"
PACKAGE = "pyelastica"
PRECISION = "double"
SETTINGS = "Cosserat rods in one memory block, position Verlet; computes on one core"
SWING_STEPS = (2400, 24000)  # numbers of steps of a swing to try

GRAVITY = numpy.array([0, 0, -scene.GRAVITY])


def make_rod(y):
    return CosseratRod.straight_rod(
        scene.EDGES, start=numpy.array([scene.vertex(0), y, 0]), direction=numpy.array([1.0, 0, 0]),
        normal=numpy.array([0, 1.0, 0]), base_length=scene.EDGES * scene.EDGE, base_radius=scene.RADIUS,
        density=scene.DENSITY, youngs_modulus=scene.YOUNG, shear_modulus=scene.SHEAR)


class Block:
    """What the package's steppers ask of a collection of systems: one block, and what acts on it."""

    def __init__(self, count, keep):
        rods = [make_rod(0.1 * k) for k in range(count)]
        self.rods = MemoryBlockCosseratRod(rods, list(range(count)))
        self.keep = keep  # share of its velocity that damping leaves in a step
        first = self.rods.start_idx_in_rod_nodes
        self.nodes = numpy.concatenate([first, first + 1])
        self.edges = self.rods.start_idx_in_rod_elems
        self.tip = self.rods.end_idx_in_rod_nodes[0] - 1
        self.held_nodes = self.rods.position_collection[:, self.nodes].copy()
        self.held_frames = self.rods.director_collection[:, :, self.edges].copy()

    def final_systems(self):
        return (self.rods,)

    def constrain_values(self, time):
        self.rods.position_collection[:, self.nodes] = self.held_nodes
        self.rods.director_collection[:, :, self.edges] = self.held_frames

    def constrain_rates(self, time):
        self.rods.velocity_collection[:, self.nodes] = 0
        self.rods.omega_collection[:, self.edges] = 0
        if self.keep < 1:
            self.rods.velocity_collection *= self.keep
            self.rods.omega_collection *= self.keep

    def synchronize(self, time):
        GravityForces.compute_gravity_forces(GRAVITY, self.rods.mass, self.rods.external_forces)

    def apply_callbacks(self, time, step):
        pass


class Rods:
    def __init__(self, count, step, damped=False):
        self.block = Block(count, numpy.exp(-scene.SETTLE_RATE * step) if damped else 1.0)
        self.stepper = PositionVerlet()
        self.step, self.time = step, 0.0

    def advance(self, steps):
        with numpy.errstate(all="ignore"):
            for _ in range(steps):
                self.time = self.stepper.step(self.block, self.time, self.step)

    def tip(self):
        x, _, z = self.block.rods.position_collection[:, self.block.tip]
        return float(x), float(z)
