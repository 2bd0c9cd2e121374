"""record: runs `sheaf bench`, keeps its figures as results/<machine>.json, and puts them into docs/performance.md.

usage: python3 benchmarks/record.py [--from FILE]     run it while nothing else runs
  --from FILE   take figures that `sheaf bench --json` wrote earlier
SHEAF_COMMAND says which command to measure (default: build/release/sheaf).
"""
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PAGE = SOURCE / "docs/performance.md"
SHEAF = os.environ.get("SHEAF_COMMAND", str(SOURCE / "build/release/sheaf"))
START, END = "<!-- figures: written by benchmarks/record.py -->\n", "<!-- end of figures -->\n"


def measure(words):
    if words and words[0] != "--from":
        sys.exit(__doc__)
    if words:
        return json.loads(pathlib.Path(words[1]).read_text())
    return json.loads(subprocess.run([SHEAF, "bench", "--json"], check=True, stdout=subprocess.PIPE).stdout)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def row_cells(row):
    return [row["workload"], row["form"], row["stage"] or row["schedule"], f"{row['strands']:,}", str(row["vertices"]),
            str(row["threads"]), f"{row['vertex_steps_per_s'] / 1e6:.1f}",
            f"{row['peak_flops_per_vertex_step']:,.0f}", f"{row['flops_per_vertex_step']:,.0f}",
            f"{row['bytes_per_vertex_step']:.0f}", f"{100 * row['share_of_limit']:.0f} % {row['limit']}",
            f"{100 * row['spread']:.0f} %"]


def verdict_cells(verdict):
    is_cost = verdict["bar"] > 100
    is_least = " / " in verdict["what"]
    show = "{:,.0f}" if is_cost else "{:.2f}"
    return [verdict["what"], show.format(verdict["measured"]),
            ("at least " if is_least else "at most ") + show.format(verdict["bar"]),
            "met" if verdict["pass"] else "missed"]


def figures(found):
    peak = found["peak"]
    lines = [f"{found['machine']}, {found['device']}: peak {peak['fp32_gflops']:.0f} GFLOP/s in single and "
             f"{peak['fp64_gflops']:.0f} in double precision, copy {peak['copy_gb_per_s']:.0f} GB/s through memory and "
             f"{peak['cache_copy_gb_per_s']:.0f} in the cache, launch {peak['launch_us']:.0f} us.", ""]
    lines += table(["figure", "measured", "bar", ""], map(verdict_cells, found["verdicts"]))
    lines += table(["workload", "form", "kernels", "strands", "vertices", "threads", "M vertex-steps/s",
                    "peak flops per vertex-step", "flops", "bytes", "share of limit", "spread"], map(row_cells, found["rows"]))
    return "\n".join(lines)


def main():
    found = measure(sys.argv[1:])
    machine = re.sub(r"[^a-z0-9]+", "-", found["machine"].lower()).strip("-")
    results = SOURCE / "benchmarks/results"
    results.mkdir(exist_ok=True)
    kept = results / f"{machine}.json"
    if not found["peers"] and kept.exists():  # measured by peers/run.py, not here
        found["peers"] = json.loads(kept.read_text()).get("peers", [])
    kept.write_text(json.dumps(found, indent=1) + "\n")
    page = PAGE.read_text()
    before, after = page.index(START) + len(START), page.index(END)
    PAGE.write_text(page[:before] + "\n" + figures(found) + "\n" + page[after:])


if __name__ == "__main__":
    main()
