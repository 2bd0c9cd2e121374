"""measure: one program on the common scene, in a process of its own.

usage: python3 measure.py DRIVER.py TASK [--quick]
TASK: prepare   build one rod and a batch and step them, so that whatever the program compiles is compiled
      all       error of the swinging tip against the step, the settled tip, and throughput
      rates=S   throughput alone, with a step of S seconds

Every figure is a line of JSON on standard output as soon as it is there, so that a program that crashes or hangs leaves
what it had. A driver has NAME, PACKAGE, PRECISION, SETTINGS, SWING_STEPS (numbers of steps in the swing to try, from
coarse to fine) and a class Rods(count, step, damped) with advance(steps) and tip(). It may have MULTIPLE, of which
numbers of steps must be multiples, LEAST_STEPS that are timed at once, and Rods.describe() with more to tell.
"""
import importlib.metadata
import importlib.util
import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import scene  # noqa: E402

BATCHES = (1, 64, 1024, 16384)  # the middle ones are what programs are compared by
QUICK_BATCHES = (1, 4, 8)
ROUNDS = 5
ROUND_TIME = 0.3  # s of wall time
PATIENCE = 30.0  # s that one batch may take to build, or to step
FINER = 2**0.125  # from one number of steps to the next


def tell(**figures):
    print(json.dumps(figures), flush=True)


def load(path):
    path = pathlib.Path(path).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    return driver


def version_of(driver):
    return importlib.metadata.version(driver.PACKAGE) if driver.PACKAGE else driver.VERSION


def whole(steps, driver):
    multiple = getattr(driver, "MULTIPLE", 1)
    return max(1, round(steps / multiple)) * multiple


# ---- accuracy

def swing_error(driver, steps):
    rods = driver.Rods(1, scene.SWING_TIME / steps)
    rods.advance(steps)
    return scene.distance(rods.tip(), scene.SWING_TIP)


def sweep(driver, quick):
    """The largest step whose error is small enough and stays so at the next finer one; None: there is none."""
    coarse, fine = driver.SWING_STEPS
    good, tried = None, 0
    while coarse <= 1.01 * fine:
        steps = whole(coarse, driver)
        coarse *= 2 if quick else FINER
        if steps == tried:
            continue
        tried, step = steps, scene.SWING_TIME / steps
        error = swing_error(driver, steps)
        tell(event="swing", step=step, error=min(error, 1e9))
        if error > scene.SWING_ERROR:
            good = None
        elif good is not None or quick:
            return good or (step, error)
        else:
            good = step, error
    return good


def settle(driver, step):
    rods = driver.Rods(1, step, True)
    rods.advance(whole(scene.SETTLE_TIME / step, driver))
    tell(event="settled", error=min(scene.distance(rods.tip(), scene.settled_tip()), 1e9))


# ---- throughput

def least_steps(driver):
    return whole(getattr(driver, "LEAST_STEPS", 1), driver)


def clock(rods, steps):
    start = time.perf_counter()
    rods.advance(steps)
    return time.perf_counter() - start


def rate(driver, count, step, quick):
    """Builds a batch and times it; returns s to build it and s per step."""
    start = time.perf_counter()
    rods = driver.Rods(count, step)
    built = time.perf_counter() - start
    least = least_steps(driver)
    clock(rods, least)
    once = clock(rods, least)
    steps = whole(min((0.02 if quick else ROUND_TIME) / max(once, 1e-6), 10000) * least, driver)
    if steps > least:
        clock(rods, steps)
    times = [clock(rods, steps) / steps for _ in range(1 if quick else ROUNDS)]
    median = statistics.median(times)
    tell(event="rate", strands=count, step=step, steps=steps, strand_seconds_per_s=count * step / median,
         vertex_steps_per_s=count * scene.VERTICES / median, spread=(max(times) - min(times)) / median, build_s=built)
    return built, median


def expected(done, count):
    """What a batch will take, by the line through the last two, (count, seconds) each; 0: there are no two."""
    if len(done) < 2:
        return 0.0
    (fewer, less), (more, longer) = done[-2:]
    return longer + max(longer - less, 0.0) / (more - fewer) * (count - more)


def rates(driver, step, quick, batches):
    built, stepped = [], []
    for count in batches:
        if max(expected(built, count), 7 * least_steps(driver) * expected(stepped, count)) > PATIENCE:
            tell(event="skipped", strands=count, why=f"would take more than {PATIENCE:.0f} s to build or to step")
            break
        build_time, step_time = rate(driver, count, step, quick)
        built.append((count, build_time))
        stepped.append((count, step_time))


def main(words):
    quick = "--quick" in words
    path, task = [word for word in words if word != "--quick"]
    driver = load(path)
    if task == "prepare":
        for count in BATCHES[:2]:
            driver.Rods(count, scene.SWING_TIME / driver.SWING_STEPS[1]).advance(whole(1, driver))
        return
    batches = QUICK_BATCHES if quick else BATCHES
    if task.startswith("rates="):
        rates(driver, float(task[len("rates="):]), quick, batches[:3])
        return
    about = {"name": driver.NAME, "version": version_of(driver), "settings": driver.SETTINGS}
    if hasattr(driver, "PRECISION"):
        about["precision"] = driver.PRECISION
    if hasattr(driver.Rods, "describe"):
        about.update(driver.Rods(1, 0.01).describe())
    tell(event="about", **about)
    found = sweep(driver, quick)
    step = found[0] if found else scene.SWING_TIME / whole(driver.SWING_STEPS[1], driver)
    tell(event="step", step=step, error=found[1] if found else None)
    settle(driver, step)
    rates(driver, step, quick, batches)


if __name__ == "__main__":
    main(sys.argv[1:])
