"""table: what the tests of this folder found last, as the table of docs/gpus.md. `python3 tests/gpu/table.py` prints it,
`python3 tests/gpu/table.py write` puts it into the page."""
import json
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FOLDER, PAGE = SOURCE / "build/gpu", SOURCE / "docs/gpus.md"
START, END = "<!-- made by tests/gpu/table.py -->\n", "<!-- end -->\n"
MAKERS = ["nvidia", "amd", "intel"]
HEAD = """| program | form | sm_75 | sm_90 | gfx1030 | dg2 |
|---|---|---|---|---|---|
"""


def program_of(kernels):
    if "step_fused" in kernels:
        return "fused"
    return "staged" if any(name.startswith("stage_") for name in kernels) else "figures"


def cell(maker, kernels):
    """The largest figures of all kernels of all programs of a form."""
    def most(name):
        return max(figures[name] for figures in kernels)

    code = f"{most('code') / 1000:.0f} kB"
    if maker == "nvidia":
        return f"{most('registers')} / {most('spilled')} B / {code}"
    if maker == "amd":
        waves = min(figures["occupancy"] for figures in kernels)
        return f"{most('registers')} / {most('spilled')} B / {waves} / {code}"
    return f"{most('spilled')} / {code}"


def read(maker):
    path = FOLDER / f"{maker}.json"
    return json.loads(path.read_text()) if path.exists() else {"compiler": "was not at hand", "rows": []}


def make_table():
    found = {maker: read(maker) for maker in MAKERS}
    rows, columns = {}, {"nvidia": ["sm_75", "sm_90"], "amd": ["gfx1030"], "intel": ["dg2-g10"]}
    maker_of = {target: maker for maker in MAKERS for target in columns[maker]}
    for maker in MAKERS:
        for row in found[maker]["rows"]:
            for target, kernels in row["targets"].items():
                program = program_of(kernels)
                # figures know nothing of integrators
                form = row["form"].removeprefix("bdf2 ") if program == "figures" else row["form"]
                found_there = rows.setdefault((program, form), {}).setdefault(target, [])
                found_there += kernels.values()
    lines = []
    for (program, form), cells in sorted(rows.items()):
        values = [cell(maker, cells[target]) if target in cells else "-" for target, maker in maker_of.items()]
        lines.append(f"| {program} | {form} | " + " | ".join(values) + " |\n")
    makers = "".join(f"- {maker}: {found[maker]['compiler']}\n" for maker in MAKERS)
    return makers + "\n" + HEAD + "".join(lines)


if __name__ == "__main__":
    table = make_table()
    if sys.argv[1:] == ["write"]:
        text = PAGE.read_text()
        before, rest = text.split(START)
        PAGE.write_text(before + START + "\n" + table + "\n" + END + rest.split(END)[1])
    else:
        print(table, end="")
