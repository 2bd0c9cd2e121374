"""hoists: Sheaf and MuJoCo, many heavy loads on ropes, in one run: which step each holds them at, and how fast.

usage: python3 benchmarks/peers/hoists.py [--json FILE] [--ratio R] [--cables N] [--threads N] [--quick]
       python3 benchmarks/peers/hoists.py --ratios | --cost

A rope of 10 m in 24 segments hangs askew from a ball joint, with a load of R times a segment's mass (1e4 unless said).
A program holds it at a step if, over 10 s, everything stays finite, no two segments are bent against each other by more
than 1 rad, energy does not exceed 1.1 times that of the start, and the load swings as far, within 20 %, as in steps of an
eighth. What counts is simulated seconds per second at the largest step at which it does, with all ropes (1,000 unless
said) stepped at once. That says nothing of orders in time: MuJoCo's steps are of another one.

MuJoCo has the rope as rigid bodies on ball joints, with the rope's stiffness as springs and without any, and all of its
integrators that take springs implicitly, a batch of simulations on all threads. The best of them counts.

--ratios: instead, the largest ratio that each holds at 1/60, 1/240 and 1/1000 s. --cost: instead, what a step costs Sheaf in peak
flops per body, with the peak measured between rounds, and how that grows with segments and ropes.

The first run installs MuJoCo in build/peers-env. Sheaf's library is build/release/libsheaf.so, or SHEAF_LIBRARY.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

SEGMENTS, LENGTH, LINE_MASS, RADIUS = 24, 10.0, 1.6, 0.01
STRETCH, BEND, TWIST = 18e6, 100.0, 70.0
TILT, GRAVITY, STEEL = 0.2, 9.81, 7850.0
SEGMENT = LENGTH / SEGMENTS
MASS = LINE_MASS * SEGMENT
SECONDS, COARSEST, FINER, FINEST = 10.0, 1 / 60, 2**0.25, 1 / 20000
ROUNDS, ROUND_TIME = 5, 0.5


def edge_of(load):
    """Of a block of steel, m."""
    return (load / STEEL) ** (1 / 3)


def bends_too_far(points):
    for a, b, c in zip(points, points[1:], points[2:]):
        u, v = [b[k] - a[k] for k in range(3)], [c[k] - b[k] for k in range(3)]
        cosine = sum(x * y for x, y in zip(u, v)) / (math.hypot(*u) * math.hypot(*v) or math.nan)
        if not cosine >= math.cos(1.0):
            return True
    return False


# ---- MuJoCo

class MuJoCo:
    """One way of having the rope in MuJoCo."""

    def __init__(self, integrator, springs, load):
        self.integrator, self.springs, self.load = integrator, springs, load
        self.name = f"MuJoCo, {integrator}, {'springs' if springs else 'no springs'}"

    def make_model(self, step, tells_energy=False):
        import mujoco
        edge, energy = edge_of(self.load), "enable" if tells_energy else "disable"
        across, along = MASS * (SEGMENT**2 / 12 + RADIUS**2 / 4), MASS * RADIUS**2 / 2
        stiffness = BEND / SEGMENT if self.springs else 0
        damping = stiffness * step  # of one step, as Sheaf's joints have it
        bodies = (f'<body name="load" pos="0 0 {-SEGMENT}"><joint type="ball"/><inertial pos="0 0 {-edge / 2}" '
                  f'mass="{self.load}" diaginertia="{self.load * edge**2 / 6} {self.load * edge**2 / 6} '
                  f'{self.load * edge**2 / 6}"/></body>')
        for k in range(SEGMENTS - 1, -1, -1):
            spring = f' stiffness="{stiffness}" damping="{damping}"' if k > 0 else ""
            turn = f' euler="0 {-TILT} 0"' if k == 0 else ""
            bodies = (f'<body pos="0 0 {-SEGMENT if k else 0}"{turn}><joint type="ball"{spring}/>'
                      f'<inertial pos="0 0 {-SEGMENT / 2}" mass="{MASS}" diaginertia="{across} {across} {along}"/>'
                      f"{bodies}</body>")
        return mujoco.MjModel.from_xml_string(
            f'<mujoco><compiler angle="radian"/><option timestep="{step!r}" integrator="{self.integrator}" '
            f'gravity="0 0 {-GRAVITY}"><flag contact="disable" constraint="disable" '
            f'energy="{energy}"/></option>'
            f"<worldbody>{bodies}</worldbody></mujoco>")

    def run(self, step):
        """Whether nothing breaks, and how far the load swings in the second half."""
        import mujoco
        model = self.make_model(step, True)
        data = mujoco.MjData(model)
        load = model.body("load").id
        mujoco.mj_forward(model, data)
        start, swing = data.energy.sum(), 0.0
        # hanging straight it has none; both are measured from the anchor
        lowest = -GRAVITY * (self.load * (LENGTH + edge_of(self.load) / 2) + LINE_MASS * LENGTH**2 / 2)
        for k in range(round(SECONDS / step)):
            mujoco.mj_step(model, data)
            if k % max(1, round(1 / 240 / step)):
                continue
            points = [tuple(data.xpos[b]) for b in range(1, SEGMENTS + 2)]
            if data.warning.number.any() or not math.isfinite(data.energy.sum()) or bends_too_far(points):
                return False, swing
            if data.energy.sum() - lowest > 1.1 * (start - lowest):
                return False, swing
            if k * step > SECONDS / 2:
                swing = max(swing, abs(data.xipos[load][0]))
        return True, swing

    def open(self, count, step, threads):
        from mujoco.batch import Batch
        batch = Batch(self.make_model(step), nsim=count, nthread=threads)
        return lambda steps: batch.step(nstep=steps)


# ---- Sheaf

class Sheaf:
    name = "Sheaf"

    def __init__(self, load):
        self.load = load

    def text(self, count, step):
        return f"""sheaf: 1
time: {{ step: {step!r} s, end: 1 s }}
materials:
  rope: {{ line_mass: {LINE_MASS} kg/m, stretch: {STRETCH} N, bend: {BEND} N*m^2, twist: {TWIST} N*m^2, radius: {RADIUS} m }}
cables:
  - {{ length: {LENGTH} m, segments: {SEGMENTS}, from: {{ at: [0, 0, 0] }}, to: {{ load: {self.load!r} kg }},
      direction: [{math.sin(TILT)!r}, 0, {-math.cos(TILT)!r}], count: {count}, spacing: [0, 10 cm, 0] }}
""".encode()

    def solver(self, count, step):
        import ctypes
        import sheaf_rods
        made, model, solver = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        text = self.text(count, step)
        sheaf_rods.call("sheaf_scene_parse", text, ctypes.c_size_t(len(text)), b"hoists", ctypes.byref(made))
        sheaf_rods.call("sheaf_model_create", made, ctypes.byref(model))
        options = sheaf_rods.sheaf.sheaf_solver_def_default()
        options.backend = sheaf_rods.DEVICE
        sheaf_rods.call("sheaf_solver_open", model, ctypes.byref(options), ctypes.byref(solver))
        places = (ctypes.c_double * (3 * (SEGMENTS + 1) * count))()
        room = ctypes.c_uint64((SEGMENTS + 1) * count)

        def advance(steps):
            """Steps, and the places they lead to: steps alone may still be under way when the call returns."""
            sheaf_rods.call("sheaf_solver_step", solver, ctypes.c_uint32(steps))
            sheaf_rods.call("sheaf_solver_read_positions", solver, places, room)
            return places

        self.device = f"{sheaf_rods.sheaf.sheaf_solver_precision(solver).decode()} precision on " \
                      f"{sheaf_rods.sheaf.sheaf_solver_device(solver).decode()}"
        return advance

    def run(self, step):
        """As MuJoCo's; a cable that breaks is frozen, and moves no more."""
        advance = self.solver(1, step)
        every, swing = max(1, round(1 / 60 / step)), 0.0
        last = None
        for k in range(round(SECONDS / step / every)):
            flat = advance(every)
            points = [tuple(flat[3 * i:3 * i + 3]) for i in range(SEGMENTS + 1)]
            if not all(map(math.isfinite, flat)) or bends_too_far(points) or points == last:
                return False, swing
            last = points
            # energy: a load that rises above where it was let go has gained some
            if points[-1][2] > -LENGTH * (1 - 1.1 * (1 - math.cos(TILT))):
                return False, swing
            if k * every * step > SECONDS / 2:
                swing = max(swing, abs(points[-1][0]))
        return True, swing

    def open(self, count, step, threads):
        return self.solver(count, step)


# ---- the rule, and rates

def holds(program, step):
    fine, coarse = None, program.run(step)
    if coarse[0]:
        fine = program.run(step / 8)
    return coarse[0] and fine[0] and abs(coarse[1] - fine[1]) <= 0.2 * fine[1]


def largest_step(program, quick):
    """The largest step, four to an octave, that holds and whose next finer one does, too; None: there is none."""
    step, found = COARSEST, None
    while step >= FINEST:
        if holds(program, step):
            if found or quick:
                return found or step
            found = step
        else:
            found = None
        step /= 4 if quick else FINER
    return found


def rate(program, count, step, threads, quick, choose=statistics.median):
    """Simulated seconds of a rope per second; the median of rounds, or as `choose` says."""
    advance = program.open(count, step, threads)
    advance(2)
    start = time.perf_counter()
    advance(2)
    steps = max(2, round((0.05 if quick else ROUND_TIME) / max(time.perf_counter() - start, 1e-6) * 2))
    times = []
    for _ in range(1 if quick else ROUNDS):
        start = time.perf_counter()
        advance(steps)
        times.append((time.perf_counter() - start) / steps)
    return count * step / choose(times)


def measure(options):
    load = options.ratio * MASS
    programs, found = programs_with(options.ratio), []
    ours = programs[0]
    for program in programs:
        step = largest_step(program, options.quick)
        print(f"{program.name}: {'holds at no step' if step is None else f'holds at {1000 * step:.3g} ms'}",
              file=sys.stderr, flush=True)
        found.append({"program": program.name, "step": step, "rate": 0.0})
    # in turns, so that a machine that changes its speed slows down all of them
    for _ in range(1 if options.quick else 2):
        for program, record in zip(programs, found):
            if record["step"] is not None:
                record["rate"] = max(record["rate"], rate(program, options.cables, record["step"], options.threads,
                                                          options.quick))
    best = max((record["rate"] for record in found[1:]), default=0.0)
    return {"ratio": options.ratio, "load_kg": load, "cables": options.cables, "threads": options.threads,
            "device": ours.device, "programs": found, "faster_by": found[0]["rate"] / best if best else None}


def programs_with(ratio):
    load = ratio * MASS
    return [Sheaf(load)] + [MuJoCo(integrator, springs, load) for springs in (True, False)
                            for integrator in ("implicitfast", "discrete", "Euler")]


def tell_ratios():
    steps, ratios = (1 / 60, 1 / 240, 1 / 1000), [10.0**k for k in range(0, 7)]
    print("largest power of ten that holds, load over segment; 0: none\n")
    print(f"{'':<36}" + "".join(f"{'1/' + str(round(1 / step)) + ' s':>12}" for step in steps))
    for k, first in enumerate(programs_with(1.0)):
        cells = []
        for step in steps:
            last = 0.0
            for ratio in ratios:
                if not holds(programs_with(ratio)[k], step):
                    break
                last = ratio
            cells.append(last)
        print(f"{first.name:<36}" + "".join(f"{cell:12g}" for cell in cells), flush=True)


# ---- cost

def peak_flops():
    """Multiply-adds, counted twice, that the device does in a second at best."""
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release/sheaf")
    text = subprocess.run([os.environ.get("SHEAF", command), "bench", "limits", "--quick", "--json"], check=True,
                          capture_output=True, text=True).stdout
    return 1e9 * json.loads(text)["peak"]["fp32_gflops"]


def body_steps(segments, cables, threads):
    global SEGMENTS, SEGMENT, MASS
    SEGMENTS, SEGMENT, MASS = segments, LENGTH / segments, LINE_MASS * LENGTH / segments
    return rate(Sheaf(1e3 * MASS), cables, 1 / 60, threads, False, min) * 60 * (segments + 1)


def exponent(sizes, seconds):
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in seconds]
    a, b = statistics.mean(x), statistics.mean(y)
    return sum((p - a) * (q - b) for p, q in zip(x, y)) / sum((p - a) ** 2 for p in x)


def tell_cost(threads):
    def cost(segments, cables):
        before, speed, after = peak_flops(), body_steps(segments, cables, threads), peak_flops()
        print(f"{cables:6} ropes of {segments:3} segments: {1e-6 * speed:7.2f} million body-steps per second, "
              f"{max(before, after) / speed:7.0f} peak flops each", flush=True)
        return max(before, after) / speed

    print(f"2048 ropes of 24 segments: {cost(24, 2048):.0f} peak flops per body-step (bar 5500, with refinement)\n")
    lengths, counts = (6, 12, 24, 48, 96), (256, 1024, 4096, 16384)
    by_length = [cost(n, 2048) * (n + 1) for n in lengths]
    by_count = [cost(24, n) * n for n in counts]
    print(f"\nexponent of cost in bodies {exponent([n + 1 for n in lengths], by_length):.3f}, "
          f"in ropes {exponent(counts, by_count):.3f} (bar 1.1)")


def tell(results):
    print(f"{results['cables']} ropes of {SEGMENTS} segments, loads of {results['load_kg']:,.0f} kg "
          f"({results['ratio']:g} times a segment); Sheaf in {results['device']}\n")
    for record in results["programs"]:
        step = "breaks" if record["step"] is None else f"{1000 * record['step']:8.4g} ms"
        print(f"{record['program']:<36} {step:>12} {record['rate']:12,.1f} rope-seconds per second")
    if results["faster_by"]:
        print(f"\nSheaf is faster by {results['faster_by']:,.0f} than the best of MuJoCo (bar 100)")
    else:
        print("\nMuJoCo holds the load at no step")


def main():
    parser = argparse.ArgumentParser(description="Sheaf and MuJoCo with heavy loads on ropes.")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--ratio", type=float, default=1e4, help="of a load's mass to a segment's (1e4)")
    parser.add_argument("--cables", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="coarse, to see that it works")
    parser.add_argument("--ratios", action="store_true", help="the largest ratio that each holds at three steps")
    parser.add_argument("--cost", action="store_true", help="peak flops per body and step of Sheaf, and their growth")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.child:
        import run
        run.install(next(program for program in run.PEERS if program.name == "mujoco-chain"))
        python = str(run.ENVIRONMENT / "bin/python")
        limit = {"POCL_MAX_PTHREAD_COUNT": str(options.threads), "POCL_MAX_COMPUTE_UNITS": str(options.threads)}
        sys.exit(subprocess.run([python, __file__, "--child", *sys.argv[1:]], env={**limit, **os.environ}).returncode)
    if options.ratios or options.cost:
        return tell_ratios() if options.ratios else tell_cost(options.threads)
    results = measure(options)
    tell(results)
    if options.json:
        with open(options.json, "w") as file:
            file.write(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
