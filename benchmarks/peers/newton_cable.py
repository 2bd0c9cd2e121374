"""newton_cable: cables of Newton, solved by its vertex block descent (VBD) on the CPU.

With the stretch stiffness that the modulus gives, VBD needs some 200 iterations for the right bend; lowered by hand, so
that what the rod stretches and what iterations leave undone weigh each other up, five do.
"""
import numpy
import warp

warp.config.quiet = True
import newton

import scene

NAME = "Newton"
PACKAGE = "newton"
PRECISION = "single"
ITERATIONS = 5
STRETCH = 4e4  # N/m; 3.8e5 by the modulus
SETTINGS = f"VBD, {ITERATIONS} iterations, stretch stiffness lowered to {STRETCH:g} N/m; computes on one core"
SWING_STEPS = (300, 4000)
MULTIPLE = 2  # steps recorded together
DAMPING_TIME = 0.2  # s, of the damped run


def make_rod(damped):
    builder = newton.ModelBuilder(gravity=(0, 0, -scene.GRAVITY))
    newton.solvers.SolverVBD.register_custom_attributes(builder)
    rod = newton.Rod.create_straight(start=warp.vec3(scene.vertex(0), 0, 0), direction=warp.vec3(1, 0, 0),
                                     length=scene.EDGES * scene.EDGE, segment_count=scene.EDGES, radius=scene.RADIUS)
    bend, twist = scene.BEND / scene.EDGE, scene.TWIST / scene.EDGE
    damping = DAMPING_TIME if damped else 0
    bodies, _ = builder.add_rod(rod=rod, stretch_stiffness=STRETCH, bend_stiffness=bend, bend_damping=damping * bend,
                                twist_stiffness=twist, twist_damping=damping * twist, body_frame_origin="com",
                                cfg=newton.ModelBuilder.ShapeConfig(has_shape_collision=False))
    across, along = scene.EDGE_MASS * scene.EDGE**2 / 12, scene.EDGE_MASS * scene.RADIUS**2 / 2
    for body in bodies:
        set_mass(builder, body, scene.EDGE_MASS, (across, across, along))
    set_mass(builder, bodies[0], 0, (0, 0, 0))
    builder.body_flags[bodies[0]] = int(newton.BodyFlags.KINEMATIC)
    return builder


def set_mass(builder, body, mass, inertia):
    """Mass and moments of inertia about the body's axes, of which z is along the rod; 0: does not move."""
    builder.body_mass[body] = mass
    builder.body_inv_mass[body] = 1 / mass if mass else 0
    builder.body_inertia[body] = warp.mat33(*numpy.diag(inertia).ravel())
    builder.body_inv_inertia[body] = warp.mat33(*numpy.diag([1 / i if i else 0 for i in inertia]).ravel())


class Rods:
    def __init__(self, count, step, damped=False):
        self.step = step
        builder = newton.ModelBuilder(gravity=(0, 0, -scene.GRAVITY))
        newton.solvers.SolverVBD.register_custom_attributes(builder)
        rod = make_rod(damped)
        builder.replicate(rod, count, spacing=(0, 0.1, 0))
        builder.color()
        model = builder.finalize(device="cpu")
        self.solver = newton.solvers.SolverVBD(model, iterations=ITERATIONS, rigid_compliant_alm=True)
        self.control = model.control()
        self.states = [model.state(), model.state()]

        self.record(model)

    def record(self, model):
        """Records two steps, which lead from the first state to the second and back. Steps that were taken before load
        what is recorded; they are undone."""
        self.take_step()
        self.take_step()
        for state in self.states:
            state.assign(model.state())
        with warp.ScopedCapture(device="cpu") as capture:
            self.take_step()
            self.take_step()
        self.two_steps = capture.graph

    def take_step(self):
        self.states[0].clear_forces()
        self.solver.step(self.states[0], self.states[1], self.control, None, self.step)
        self.states.reverse()

    def advance(self, steps):
        """An even number of them, recorded once: launched one by one they cost ten times as much for few rods."""
        for _ in range(steps // 2):
            warp.capture_launch(self.two_steps)

    def tip(self):
        pose = self.states[0].body_q.numpy()[scene.EDGES - 1].astype(float)
        x, y, z, w = pose[3:]
        along = numpy.array([2 * (x * z + w * y), 0, 1 - 2 * (x * x + y * y)])  # the body's axis z
        place = pose[:3] + 0.5 * scene.EDGE * along
        return float(place[0]), float(place[2])
