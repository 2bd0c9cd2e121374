"""run: Sheaf and its peers on one scene, in one run, each in a process of its own with a time limit.

usage: python3 benchmarks/peers/run.py [PEER...] [--json FILE] [--quick] [--record] [--limit SECONDS]
Peers: see PEERS below; without a name, all of them. Sheaf is measured before and after each peer, so that a machine
that changes its speed is noticed; what counts is the ratio.

The first run installs the peers in build/peers-env, at the versions of requirements.txt, and lets them compile their
kernels, which takes some five minutes; a run then takes about six. A peer that cannot be installed, crashes or hangs
is reported and skipped; results so far are kept after every process, and when the run is interrupted.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

import scene
from measure import BATCHES, QUICK_BATCHES

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
ENVIRONMENT = SOURCE / "build/peers-env"
PREPARE_LIMIT = 900  # s

# Of children, unless the environment says otherwise. Threads of OpenMP that wait by spinning are a hundred times slower
# as soon as anything else runs on the machine.
SETTINGS = {"PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "OMP_WAIT_POLICY": "passive",
            "WARP_CACHE_PATH": str(ENVIRONMENT / "warp-kernels")}


@dataclasses.dataclass
class Program:
    name: str
    driver: pathlib.Path
    packages: tuple = ()  # to install; without any, the driver runs in this Python
    goal: float = 0.0  # ratio to reach


OURS = Program("sheaf", HERE / "sheaf_rods.py")
PEERS = [
    Program("pyelastica", HERE / "pyelastica.py", ("pyelastica",), 1000),
    Program("pypbd", HERE / "pypbd_rods.py", ("pyPBD",), 500),
    Program("mujoco-chain", HERE / "mujoco_chain.py", ("mujoco",), 60),
    Program("mujoco-flex", HERE / "mujoco_flex.py", ("mujoco",), 120),
    Program("newton", HERE / "newton_cable.py", ("newton", "warp-lang"), 3000),
]


class Failure(Exception):
    """A program that gave nothing, or not all: how it ended, and why."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


# ---- processes

def end(process):
    """Ends a child and whatever it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it said nothing"


def run_child(command, limit, output):
    """Runs a child in a session and a folder of its own; its standard output goes to the file `output`."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+", errors="replace") as errors:
        process = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL,
                                   start_new_session=True, cwd=folder, env={**SETTINGS, **os.environ})
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            raise Failure("hung", f"it took more than {limit:g} s") from None
        finally:
            end(process)
        errors.seek(0)
        if code < 0:
            raise Failure("crashed", f"signal {-code} ({signal.strsignal(-code)})")
        if code > 0:
            raise Failure("crashed", last_line(errors.read()))


def python_of(program):
    return str(ENVIRONMENT / "bin/python") if program.packages else sys.executable


def measure(program, task, limit, quick, events):
    """Runs measure.py on a driver; whatever it told is added to `events`, also when it fails."""
    command = [python_of(program), str(HERE / "measure.py"), str(program.driver), task] + ["--quick"] * quick
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        try:
            run_child(command, limit, output)
        finally:
            output.seek(0)
            events += [json.loads(line) for line in output if line.startswith("{") and line.endswith("}\n")]


# ---- installing

def install(program):
    """Puts a peer into the environment, once, and lets it compile what it compiles."""
    if not program.packages:
        return
    stamp = ENVIRONMENT / f"{program.name}.ready"
    versions = (HERE / "requirements.txt").read_text()
    if stamp.exists() and stamp.read_text() == versions:
        return
    try:
        note(f"{program.name}: installing")
        if not (ENVIRONMENT / "bin/python").exists():
            run_child([sys.executable, "-m", "venv", str(ENVIRONMENT)], PREPARE_LIMIT, subprocess.DEVNULL)
        run_child([python_of(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c",
                   str(HERE / "requirements.txt"), *program.packages], PREPARE_LIMIT, subprocess.DEVNULL)
    except Failure as failure:
        raise Failure("not installed", str(failure)) from None
    note(f"{program.name}: compiling")
    measure(program, "prepare", PREPARE_LIMIT, False, [])
    stamp.write_text(versions)


# ---- results

def collect(program, events):
    """What a program told, as one record."""
    found = {"name": program.name, "swing": [], "rates": [], "skipped": []}
    for event in events:
        kind = event.pop("event")
        if kind == "about":
            found.update(event, program=event["name"], name=program.name)
        elif kind == "step":
            found.update(step=event["step"], swing_error=event["error"])
        elif kind == "settled":
            found["settled_error"] = event["error"]
        else:
            found[{"swing": "swing", "rate": "rates", "skipped": "skipped"}[kind]].append(event)
    return found


def rate_at(record, *batches):
    """Best rate of the batches, or None."""
    found = [rate["strand_seconds_per_s"] for rate in record["rates"] if rate["strands"] in batches]
    return max(found, default=None)


def mean_of(rates):
    found = [rate for rate in rates if rate]
    return statistics.mean(found) if found else None


def compare(record, goal, batches, before, after):
    """Adds how many times as fast Sheaf was, by what it did before and after: with many rods, against the peer's best,
    and with one."""
    one, *many = batches[:3]
    ours = {batch: mean_of([rate_at(before, batch), rate_at(after, batch)]) for batch in (one, many[-1])}
    record["ours"] = {"strands": many[-1], "before": rate_at(before, many[-1]), "after": rate_at(after, many[-1])}
    for key, mine, theirs in [("ratio", ours[many[-1]], rate_at(record, *many)),
                              ("ratio_of_one", ours[one], rate_at(record, one))]:
        record[key] = mine / theirs if mine and theirs else None
    record["goal"] = goal
    record["met"] = record["ratio"] is not None and record["swing_error"] is not None and record["ratio"] >= goal


def rows(results):
    """One row for each peer and batch, as `sheaf bench --peers` shows them."""
    for record in results["programs"]:
        for rate in record["rates"]:
            mine = rate_at(results["ours"], rate["strands"])
            yield {"peer": f"{record.get('program')} {record.get('version')}", "strands": rate["strands"],
                   "tip_error": record.get("swing_error"), "strand_seconds_per_s": rate["strand_seconds_per_s"],
                   "ours_strand_seconds_per_s": mine, "ratio": mine / rate["strand_seconds_per_s"] if mine else None}


def machine():
    """As `sheaf bench` tells it: kinds of virtual machines may have one name and differ in family and model."""
    facts = {}
    if pathlib.Path("/proc/cpuinfo").exists():
        lines = [line.split(":", 1) for line in open("/proc/cpuinfo") if ":" in line]
        facts = {name.strip(): value.strip() for name, value in reversed(lines)}
    name = facts.get("model name", "unknown processor")
    if "cpu family" in facts and "model" in facts:
        name += f", family {facts['cpu family']} model {facts['model']}"
    return f"{name}, {os.cpu_count()} cores"


def keep(results, path):
    results["peers"] = list(rows(results))
    if path:
        part = pathlib.Path(f"{path}.part")
        part.write_text(json.dumps(results, indent=1) + "\n")
        part.replace(path)


# ---- tables

def percent(share):
    return "-" if share is None else ">100 %" if share > 1 else f"{100 * share:.2f} %"


def quantity(value):
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def milliseconds(step):
    return "-" if step is None else f"{1000 * step:.3g} ms"


def verdict(record):
    if record.get("ratio") is None:
        return ""
    return f"{quantity(record['ratio'])} (goal {record['goal']:,.0f}: {'met' if record['met'] else 'missed'})"


def cells(record, batches):
    skipped = {skip["strands"] for skip in record["skipped"]}
    rates = ["too slow" if batch in skipped else quantity(rate_at(record, batch)) for batch in batches]
    return [f"{record.get('program', record['name'])} {record.get('version', '')}".strip(),
            record.get("precision", "-"), percent(record.get("settled_error")), milliseconds(record.get("step")),
            percent(record.get("swing_error")), *rates, verdict(record),
            quantity(record["ratio_of_one"]) if record.get("ratio_of_one") else ""]


def head(batches):
    return ["program", "precision", "settled", "step", "swing", *(f"{batch:,}" for batch in batches),
            "Sheaf is faster by", "with 1 rod"]


def failures(results):
    for record in [results["ours"], *results["programs"]]:
        if record["status"] != "ok":
            yield f"{record['name']}: {record['status']}: {record['why']}"
        for skip in record["skipped"]:
            yield f"{record['name']}: {skip['strands']} rods skipped: {skip['why']}"


def steps_tried(record):
    """Errors around the step that was taken, coarse to fine."""
    worth = [tried for tried in record["swing"] if tried["error"] < 0.5][-6:]
    return ", ".join(f"{milliseconds(tried['step'])} {percent(tried['error'])}" for tried in worth) or "none below 50 %"


def table(results):
    records, batches = [results["ours"], *results["programs"]], results["batches"]
    lines = [head(batches), *(cells(record, batches) for record in records)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = [results["machine"], "",
            f"One rod that bends under its weight (Gamma 10), and {', '.join(f'{b:,}' for b in batches[1:])} of them.",
            "settled: error of its tip at rest. step: the largest one with a swinging tip within 1 % of the length",
            "after 0.5 s without damping; swing: that error. Rates: strand-seconds simulated per second.",
            f"Ratio: ours with {batches[2]:,} rods to the peer's best with {batches[1]:,} and {batches[2]:,}.", ""]
    text += ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text += ["", "swing error against the step"]
    text += [f"  {record.get('program', record['name'])}: {steps_tried(record)}" for record in records
             if record["swing"]]
    return "\n".join([*text, "", *failures(results)]).rstrip() + "\n"


def markdown(results):
    records, batches = [results["ours"], *results["programs"]], results["batches"]
    lines = [f"{results['machine']}.", "", "| " + " | ".join(head(batches)) + " |", "|" + "---|" * len(head(batches))]
    lines += ["| " + " | ".join(cells(record, batches)) + " |" for record in records]
    lines += ["", "| program | settings | swing error against the step |", "|---|---|---|"]
    lines += [f"| {record['program']} | {record['settings']} | {steps_tried(record)} |" for record in records
              if "program" in record]
    return "\n".join([*lines, "", *(f"{line}.  " for line in failures(results))]) + "\n"


# ---- the run

def note(text):
    print(text, file=sys.stderr, flush=True)


def attempt(program, task, limit, quick):
    """A record of what a program gave, whatever became of it."""
    events, ending = [], ("ok", None)
    try:
        install(program)
        note(f"{program.name}: measuring")
        measure(program, task, limit, quick, events)
    except Failure as failure:
        ending = failure.status, str(failure)
        note(f"{program.name}: {failure.status}: {failure}")
    record = collect(program, events)
    record["status"], record["why"] = ending
    if ending[0] == "ok" and not events:
        record["status"], record["why"] = "crashed", "it told no figures"
    return record


def run(peers, options, results):
    keep(results, options.json)
    prepare_ours()
    ours = results["ours"] = attempt(OURS, "all", options.limit, options.quick)
    keep(results, options.json)
    again = f"rates={ours.get('step', 0.01)!r}"
    before = ours
    for program in peers:
        record = attempt(program, "all", options.limit, options.quick)
        after = attempt(OURS, again, options.limit, options.quick)
        if "step" in record:
            compare(record, program.goal, results["batches"], before, after)
        results["programs"].append(record)
        before = after
        keep(results, options.json)
    results["complete"] = True
    keep(results, options.json)


def prepare_ours():
    """Sheaf has kernels to compile, too: how long that takes must not pass for the time of building a batch."""
    try:
        measure(OURS, "prepare", PREPARE_LIMIT, False, [])
    except Failure:
        pass  # it is measured next, and tells


def record_results(results):
    """Keeps the figures of this kind of machine, and puts them into the page about performance."""
    start, stop = "<!-- peers: written by benchmarks/peers/run.py -->\n", "<!-- end of peers -->\n"
    name = "".join(c if c.isalnum() else "-" for c in results["machine"].lower()).replace("--", "-")
    (SOURCE / f"benchmarks/results/{name}-peers.json").write_text(json.dumps(results, indent=1) + "\n")
    page = SOURCE / "docs/performance.md"
    text = page.read_text()
    before, after = text.index(start) + len(start), text.index(stop)
    page.write_text(text[:before] + "\n" + markdown(results) + "\n" + text[after:])


def parse(words):
    names = [program.name for program in PEERS]
    parser = argparse.ArgumentParser(prog="run.py", description="Sheaf and its peers on one scene.")
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"which of {', '.join(names)} (default: all)")
    parser.add_argument("--json", metavar="FILE", help="keep the results in FILE, from the first one on")
    parser.add_argument("--quick", action="store_true", help="few rods, to see that it works; the figures mean little")
    parser.add_argument("--record", action="store_true",
                        help="keep the results in benchmarks/results/ and docs/performance.md")
    parser.add_argument("--limit", type=float, default=150, metavar="SECONDS", help="that a program may take (150)")
    options = parser.parse_args(words)
    unknown = [name for name in options.peers if name not in names]
    if unknown:
        parser.error(f"no peer is called {unknown[0]!r}; there are {', '.join(names)}")
    return options, [program for program in PEERS if not options.peers or program.name in options.peers]


def main(words):
    options, peers = parse(words)
    ours = {"name": OURS.name, "status": "not run", "why": "interrupted", "swing": [], "rates": [], "skipped": []}
    results = {"machine": machine(), "scene": {"name": "SWING", "gamma": scene.GAMMA, "vertices": scene.VERTICES,
                                               "time": scene.SWING_TIME, "error": scene.SWING_ERROR},
               "batches": list(QUICK_BATCHES if options.quick else BATCHES), "complete": False, "ours": ours,
               "programs": []}
    code = 0
    try:
        run(peers, options, results)
    except KeyboardInterrupt:
        note("interrupted; what was measured so far:")
        keep(results, options.json)
        code = 130
    print(table(results), end="", flush=True)
    if options.record and results["complete"] and not options.quick:
        record_results(results)
    return code if code or results["ours"]["status"] == "ok" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
