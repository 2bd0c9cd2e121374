"""pypbd_rods: the direct solver for stiff rods of pyPBD (PositionBasedDynamics), one constraint for each rod.

It is the package's only rod that takes moduli; a rod is a chain of rigid bodies, the first of which does not move.
"""
import math

import numpy
import pypbd

import scene

NAME = "pyPBD"
PACKAGE = "pyPBD"
PRECISION = "double"
SETTINGS = "direct solver for stiff rods, 1 iteration; computes on all cores"
SWING_STEPS = (60, 2000)

# A body's own axis y is along the rod. pyPBD has y up, the scene z: rods lie along x in both.
ALONG = numpy.array([0, 0, -math.sqrt(0.5), math.sqrt(0.5)])  # quaternion (x, y, z, w)


def make_mesh():
    """A tetrahedron: bodies must have a mesh, and a small one costs least."""
    vertices, mesh = pypbd.VertexData(), pypbd.IndexedFaceMesh()
    for corner in ([1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]):
        vertices.addVertex(numpy.array(corner, dtype=float))
    mesh.initMesh(4, 6, 4)
    for face in ([0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]):
        mesh.addFace(face)
    mesh.buildNeighbors()
    return vertices, mesh


def add_rod(model, vertices, mesh, index):
    first, z = scene.EDGES * index, 0.1 * index
    across = scene.EDGE_MASS * scene.EDGE**2 / 12
    inertia = numpy.array([across, scene.EDGE_MASS * scene.RADIUS**2 / 2, across])
    for k in range(scene.EDGES):
        body = model.addRigidBody(1.0, vertices, mesh, testMesh=False, generateCollisionObject=False)
        body.initBody(scene.EDGE_MASS if k > 0 else 0.0, numpy.array([k * scene.EDGE, 0, z]), inertia, ALONG, vertices,
                      mesh, numpy.full(3, 0.1 * scene.EDGE))
    joints = scene.EDGES - 1
    model.addDirectPositionBasedSolverForStiffRodsConstraint(
        [(first + k, first + k + 1) for k in range(joints)],
        [numpy.array([(k + 0.5) * scene.EDGE, 0, z]) for k in range(joints)],
        [scene.RADIUS] * joints, [scene.EDGE] * joints, [scene.YOUNG] * joints, [scene.SHEAR] * joints)


class Rods:
    def __init__(self, count, step, damped=False):
        simulation = pypbd.Simulation.getCurrent()
        if simulation.getModel() is None:
            simulation.initDefault()
        self.model = simulation.getModel()
        self.model.cleanup()
        vertices, mesh = make_mesh()
        for k in range(count):
            add_rod(self.model, vertices, mesh, k)
        self.model.initConstraintGroups()
        self.stepper = simulation.getTimeStep()
        self.stepper.setValueUInt(pypbd.TimeStepController.NUM_SUB_STEPS, 1)
        self.stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS, 1)
        self.stepper.setValueUInt(pypbd.TimeStepController.MAX_ITERATIONS_V, 1)
        pypbd.TimeManager.getCurrent().setTimeStepSize(step)
        self.keep = math.exp(-scene.SETTLE_RATE * step) if damped else 1.0

    def advance(self, steps):
        for _ in range(steps):
            self.stepper.step(self.model)
            if self.keep < 1:
                self.slow_down()

    def slow_down(self):
        for body in self.model.getRigidBodies():
            body.setVelocity(self.keep * body.getVelocity())
            body.setAngularVelocity(self.keep * body.getAngularVelocity())

    def tip(self):
        body = self.model.getRigidBodies()[scene.EDGES - 1]
        x, y, _ = body.getPosition() + body.getRotationMatrix() @ numpy.array([0, scene.EDGE / 2, 0])
        return float(x), float(y)
