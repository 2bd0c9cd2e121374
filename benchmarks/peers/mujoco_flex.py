"""mujoco_flex: MuJoCo's own elastic rod, a flex of dimension 1, one simulation for each rod.

Edges keep their length by a soft constraint. As soft as it is by default the rod stretches so far that no step comes
near the right answer, so it is made as stiff as it can be.
"""
import mujoco

import scene
from mujoco_batch import Batched

NAME = "MuJoCo flex"
PACKAGE = "mujoco"
PRECISION = "double"
SETTINGS = "1D flex with edges made stiff, integrator discrete, Newton solver; rods in a batch on all cores"
SWING_STEPS = (16, 1000)
DAMPING_TIME = 0.2  # s, of the damped run
TIP = f"rod_{scene.EDGES}"


def make_model(step, damped):
    points = " ".join(f"{scene.vertex(i)} 0 0" for i in range(scene.VERTICES))
    elements = " ".join(f"{i} {i + 1}" for i in range(scene.EDGES))
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" integrator="discrete" gravity="0 0 {-scene.GRAVITY}">'
        '<flag contact="disable"/></option><worldbody>'
        f'<flexcomp name="rod" type="direct" dim="1" mass="{scene.EDGE_MASS * scene.VERTICES}" radius="{scene.RADIUS}"'
        f' point="{points}" element="{elements}"><pin id="0 1"/><contact selfcollide="none"/>'
        '<edge equality="true" solref="-1e7 -10" solimp="0.999 0.9999"/>'
        f'<elasticity young="{scene.YOUNG}" shear="{scene.SHEAR}" damping="{DAMPING_TIME if damped else 0}"/>'
        '</flexcomp></worldbody></mujoco>')
    tip = model.body(TIP).id  # all vertices get the same mass; an end stands for half an edge
    model.body_mass[tip] /= 2
    model.body_inertia[tip] /= 2
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


class Rods(Batched):
    def __init__(self, count, step, damped=False):
        super().__init__(make_model(step, damped), count, lambda data: data.body(TIP))
