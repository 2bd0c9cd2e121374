"""sheaf_rods: Sheaf on the same scene, by its C library. Standard library only.

SHEAF_LIBRARY says which library to measure (default: build/release/libsheaf.so). The scene is a file as any user would
write it, with defaults throughout: BDF2, iterations as needed, the best device.
"""
import ctypes
import os
import pathlib

import scene

NAME = "Sheaf"
PACKAGE = ""
SETTINGS = "BDF2, all settings as they come"
SWING_STEPS = (16, 1000)
LEAST_STEPS = 8  # that a launch takes

DEVICE = 2  # sheaf_backend: an OpenCL device, or an error
LIBRARY = os.environ.get("SHEAF_LIBRARY",
                         str(pathlib.Path(__file__).resolve().parents[2] / "build/release/libsheaf.so"))

SCENE = """sheaf: 1
time: {{ step: {step!r} s, end: 1 s }}
gravity: [0, 0, {gravity!r} m/s^2]
materials:
  rod: {{ density: {density!r} kg/m^3, young: {young!r} Pa, shear: {shear!r} Pa, radius: {radius!r} m,
         drag: {drag!r} Pa*s }}
strands:
  - groom: {{ on: {{ plane: {{ size: 10 m, up: x }} }}, count: {count}, length: {{ mean: {length!r} m }},
             vertices: {vertices} }}
    root: clamp
"""


class SolverDef(ctypes.Structure):
    """sheaf_solver_def"""
    _fields_ = [("cookie", ctypes.c_uint32), ("backend", ctypes.c_int), ("device", ctypes.c_uint32),
                ("is_double", ctypes.c_bool), ("step", ctypes.c_double), ("threads", ctypes.c_uint32)]


def load():
    library = ctypes.CDLL(LIBRARY)
    library.sheaf_last_error.restype = ctypes.c_char_p
    library.sheaf_version.restype = ctypes.c_char_p
    library.sheaf_solver_precision.restype = ctypes.c_char_p
    library.sheaf_solver_device.restype = ctypes.c_char_p
    library.sheaf_solver_def_default.restype = SolverDef
    for name in ["sheaf_scene_free", "sheaf_model_free", "sheaf_solver_close"]:
        getattr(library, name).restype = None
    return library


sheaf = load()
VERSION = sheaf.sheaf_version().decode()


def call(name, *arguments):
    if getattr(sheaf, name)(*arguments) != 0:
        raise RuntimeError(sheaf.sheaf_last_error().decode())


def make_model(count, step, damped):
    drag = scene.SETTLE_RATE * scene.DENSITY * scene.AREA if damped else 0.0
    text = SCENE.format(step=step, gravity=-scene.GRAVITY, density=scene.DENSITY, young=scene.YOUNG, shear=scene.SHEAR,
                        radius=scene.RADIUS, drag=drag, count=count, length=scene.LENGTH,
                        vertices=scene.VERTICES).encode()
    made, model = ctypes.c_void_p(), ctypes.c_void_p()
    call("sheaf_scene_parse", text, ctypes.c_size_t(len(text)), b"swing", ctypes.byref(made))
    try:
        call("sheaf_model_create", made, ctypes.byref(model))
    finally:
        sheaf.sheaf_scene_free(made)
    return model


class Rods:
    def __init__(self, count, step, damped=False):
        self.solver = self.model = ctypes.c_void_p()
        self.model = make_model(count, step, damped)
        self.solver = ctypes.c_void_p()
        options = sheaf.sheaf_solver_def_default()
        options.backend = DEVICE
        call("sheaf_solver_open", self.model, ctypes.byref(options), ctypes.byref(self.solver))
        self.positions = (ctypes.c_double * (3 * scene.VERTICES * count))()
        self.capacity = ctypes.c_uint64(scene.VERTICES * count)

    def __del__(self):
        sheaf.sheaf_solver_close(self.solver)
        sheaf.sheaf_model_free(self.model)

    def advance(self, steps):
        """Steps, and the positions they lead to: steps alone may still be under way when the call returns."""
        call("sheaf_solver_step", self.solver, ctypes.c_uint32(steps))
        call("sheaf_solver_read_positions", self.solver, self.positions, self.capacity)

    def tip(self):
        x, _, z = self.positions[3 * scene.EDGES:3 * scene.VERTICES]
        return x, z - self.positions[2]  # the wall that rods grow on is x = 0, their roots are all over it

    def describe(self):
        """What only a running solver knows."""
        return {"precision": sheaf.sheaf_solver_precision(self.solver).decode(),
                "settings": f"{SETTINGS}; on {sheaf.sheaf_solver_device(self.solver).decode()}"}
