"""mujoco_chain: MuJoCo's usual cable, rigid bodies joined by ball joints with springs, one simulation for each rod.

The integrator `discrete` takes springs implicitly; the others are stable below steps of 0.3 ms on this rod.
"""
import mujoco

import scene
from mujoco_batch import Batched

NAME = "MuJoCo chain"
PACKAGE = "mujoco"
PRECISION = "double"
SETTINGS = "ball joints with springs, integrator discrete; rods in a batch on all cores"
SWING_STEPS = (16, 1000)
DAMPING_TIME = 0.2  # s, of the damped run


def make_model(step, damped):
    stiffness = scene.BEND / scene.EDGE
    damping = DAMPING_TIME * stiffness if damped else 0.0
    across, along = scene.EDGE_MASS * scene.EDGE**2 / 12, scene.EDGE_MASS * scene.RADIUS**2 / 2
    body = (f'<joint type="ball" stiffness="{stiffness}" damping="{damping}"/>'
            f'<inertial pos="{scene.EDGE / 2} 0 0" mass="{scene.EDGE_MASS}" diaginertia="{along} {across} {across}"/>')
    bodies = f'<site name="tip" pos="{scene.EDGE} 0 0"/>'
    for k in range(scene.EDGES - 1, 0, -1):  # edge 0 is held, and so no body
        bodies = f'<body pos="{scene.vertex(1) if k == 1 else scene.EDGE} 0 0">{body}{bodies}</body>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" integrator="discrete" gravity="0 0 {-scene.GRAVITY}">'
        '<flag contact="disable" constraint="disable"/></option>'
        f'<worldbody>{bodies}</worldbody></mujoco>')


class Rods(Batched):
    def __init__(self, count, step, damped=False):
        super().__init__(make_model(step, damped), count, lambda data: data.site("tip"))
