"""mujoco_batch: rods as a batch of MuJoCo's simulations, one for each, on all cores; both of its drivers step these."""
import mujoco
from mujoco.batch import Batch


class Batched:
    """`count` simulations of a model. `find_tip(data)` is what has a place, `xpos`, at a rod's tip."""

    def __init__(self, model, count, find_tip):
        self.model = model
        self.batch = Batch(model, nsim=count)
        self.find_tip = find_tip

    def advance(self, steps):
        self.batch.step(nstep=steps)

    def tip(self):
        data = self.batch.get_data(0)
        mujoco.mj_forward(self.model, data)
        x, _, z = self.find_tip(data).xpos
        return float(x), float(z)
