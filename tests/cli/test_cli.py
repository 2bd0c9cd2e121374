"""test_cli: the `sheaf` command as its users meet it: help, usage errors, files, signals, exit codes."""
import csv
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from command import ROD, SHEAF, CommandTest, needs

COMMANDS = ["new", "check", "run", "view", "render", "devices", "verify", "bench", "reproduce", "report", "info", "convert",
            "help", "version"]
OPTIONS = {"new": ["--list", "--json", "--overwrite"], "check": ["--json", "--schema"], "info": ["--json"],
           "convert": ["--unit", "--up", "--to-unit", "--to-up", "--resample", "--every", "--rate", "--time", "--strands",
                       "--clips", "--overwrite", "--formats", "--json"],
           "devices": ["--json", "--trial"],
           "verify": ["--device", "--stage", "--form", "--strands", "--vertices", "--steps", "--seed", "--quick", "--json"],
           "bench": ["--device", "--json", "--quick", "--save", "--page", "--compare", "--peers"],
           "reproduce": ["--list", "--device", "--precision", "--short", "--output", "--overwrite", "--json"],
           "run": ["--output", "--device", "--time", "--steps", "--threads", "--no-trajectory", "--overwrite", "--json", "--quiet"]}
RESULTS = ["checkpoint.h5", "energy.svg", "picture.svg", "run.json", "strands.csv", "thermo.csv", "trajectory.vtkhdf"]
IN_FOLDER = sorted([*RESULTS, "scene"])


class Help(CommandTest):
    def test_overview_lists_every_command_and_exit_code(self):
        overview = self.sheaf("help").stdout
        for command in COMMANDS:
            self.assertRegex(overview, rf"(?m)^  {command} ")
        for code in [0, 1, 2, 3, 4, 5, 6, 7, 130, 143]:
            self.assertRegex(overview, rf"(?m)^ +{code}  ")
        self.assertEqual(overview, self.sheaf("--help").stdout)
        self.assertEqual(overview, self.sheaf("-h").stdout)

    def test_each_command_explains_itself(self):
        for command in COMMANDS:
            text = self.sheaf(command, "--help").stdout
            self.assertEqual(text, self.sheaf("help", command).stdout)
            self.assertTrue(text.startswith(f"Usage: sheaf {command}"))
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            for option in OPTIONS.get(command, []) + ["--help"]:
                self.assertIn(option, text)

    def test_bench_names_only_what_can_be_asked_for(self):
        text = self.sheaf("bench", "--help").stdout
        names = re.findall(r"[a-z0-9-]+", self.sheaf("bench", "nonesuch", expect=2).stderr) + ["multiply-adds", "vertex-step", "1e-4"]
        for word in re.findall(r"(?<![-\w])[a-z0-9]+-[a-z0-9]+\b", " ".join(text.split())):
            self.assertIn(word, names)

    def test_version(self):
        self.assertRegex(self.sheaf("--version").stdout, r"^sheaf \d+\.\d+\.\d+\n$")
        self.assertEqual(self.sheaf("version").stdout, f"sheaf {self.json('version')['version']}\n")

    @needs("mandoc")
    def test_manual_pages_have_no_faults(self):
        for page in ["sheaf", *COMMANDS]:
            text = self.sheaf("help", "--man", page).stdout
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text, text=True,
                                  capture_output=True)
            self.assertEqual(lint.stdout, "", page)
            shown = subprocess.run(["mandoc", "-T", "ascii"], input=text, text=True, capture_output=True).stdout
            plain = re.sub(".\b", "", shown)
            for option in OPTIONS.get(page, []):
                self.assertIn(option, plain)

    def complete_bash(self, *words):
        script = self.sheaf("help", "--completion", "bash").stdout
        script += 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sheaf; printf "%s\\n" "${COMPREPLY[@]}"'
        result = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True,
                                cwd=self.folder, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_bash_completes(self):
        self.write("scene.yaml", ROD)
        self.assertEqual(self.complete_bash("sheaf", "ch"), ["check"])
        self.assertEqual(self.complete_bash("sheaf", "run", "--o"), ["--output", "--overwrite"])
        self.assertEqual(self.complete_bash("sheaf", "run", "--device", "")[:3], ["auto", "ref", "0"])
        self.assertEqual(self.complete_bash("sheaf", "run", "sc"), ["scene.yaml"])
        self.assertIn("hair", self.complete_bash("sheaf", "new", ""))
        self.assertEqual(self.complete_bash("sheaf", "bench", "bdf2", "str"), ["strands"])
        self.assertNotIn("--man", self.complete_bash("sheaf", "help", "--"))

    @needs("zsh")
    def test_zsh_loads(self):
        self.write("_sheaf", self.sheaf("help", "--completion", "zsh").stdout)
        result = subprocess.run(
            ["zsh", "-fc", "autoload -U compinit && compinit -D -u && source ./_sheaf && echo $_comps[sheaf]"],
            capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((result.stdout, result.stderr), ("_sheaf\n", ""))

    @needs("fish")
    def test_fish_completes(self):
        self.write("sheaf.fish", self.sheaf("help", "--completion", "fish").stdout)
        home = {**os.environ, "HOME": str(self.folder)}
        result = subprocess.run(["fish", "--no-config", "-c", "source sheaf.fish; complete -C 'sheaf run --dev'"],
                                capture_output=True, text=True, cwd=self.folder, env=home)
        self.assertTrue(result.stdout.startswith("--device\t"), result.stdout + result.stderr)

    def test_installed_texts_are_complete(self):
        texts = pathlib.Path(SHEAF).parent / "texts"
        self.assertEqual(sorted(path.name for path in texts.iterdir()),
                         sorted(["_sheaf", "sheaf", "sheaf.fish", "sheaf.1", *(f"sheaf-{c}.1" for c in COMMANDS)]))
        for path in texts.iterdir():
            self.assertGreater(path.stat().st_size, 200)

    def test_unknown_topics_are_refused(self):
        self.sheaf("help", "nothing", expect=2)
        self.sheaf("help", "--man", "nothing", expect=2)
        self.sheaf("help", "--completion", "tcsh", expect=2)


class Usage(CommandTest):
    def test_wrong_words_are_refused_without_side_effects(self):
        self.write("rod.yaml", ROD)
        before = self.names()
        for words, message in [
            ([], "which command?"),
            (["rnu"], "did you mean 'run'?"),
            (["--nothing"], "there is no option"),
            (["run"], "SCENE is missing"),
            (["run", ""], "SCENE is empty"),
            (["run", "rod.yaml", "other.yaml"], "unexpected argument 'other.yaml'"),
            (["run", "rod.yaml", "--stpes", "3"], "did you mean '--steps'?"),
            (["run", "rod.yaml", "--over"], "did you mean '--overwrite'?"),
            (["run", "rod.yaml", "-z"], "unknown option '-z'"),
            (["run", "rod.yaml", "--steps"], "--steps needs a value"),
            (["run", "rod.yaml", "-n"], "-n needs a value"),
            (["run", "rod.yaml", "--json=yes"], "--json takes no value"),
            (["run", "rod.yaml", "--steps", "-1"], "'-1' is not a whole number"),
            (["run", "rod.yaml", "--steps", "0"], "'0' is not a whole number"),
            (["run", "rod.yaml", "--steps", "1e3"], "'1e3' is not a whole number"),
            (["run", "rod.yaml", "--steps", "0x10"], "'0x10' is not a whole number"),
            (["run", "rod.yaml", "--steps", " 3"], "is not a whole number"),
            (["run", "rod.yaml", "--steps", "9223372036854775808"], "is not a whole number"),
            (["run", "rod.yaml", "--steps", "1" * 400], "is not a whole number"),
            (["run", "rod.yaml", "--steps", "3", "--steps", "3"], "--steps is given twice"),
            (["run", "rod.yaml", "--json", "--json"], "--json is given twice"),
            (["run", "rod.yaml", "-n", "3", "--steps=3"], "--steps is given twice"),
            (["run", "rod.yaml", "--steps", "3", "--time", "1"], "exclude each other"),
            (["run", "rod.yaml", "--time", "-1"], "--time"),
            (["run", "rod.yaml", "--time", "0"], "--time"),
            (["run", "rod.yaml", "--time", "nan"], "--time"),
            (["run", "rod.yaml", "--time", "1e400"], "--time"),
            (["run", "rod.yaml", "--time", "2 kg"], "--time"),
            (["run", "rod.yaml", "--device", "gpu"], "'gpu' is none of auto, ref"),
            (["run", "rod.yaml", "--output", ""], "--output is empty"),
            (["new"], "KIND is missing"),
            (["new", "haor", "x.yaml"], "did you mean 'hair'?"),
            (["new", "--list", "hair"], "--list takes no KIND"),
            (["new", "hair", "--json"], "--json goes with --list"),
            (["new", "hair", "--overwrite"], "--overwrite goes with FILE"),
            (["check"], "SCENE is missing"),
            (["check", "--schema", "xml"], "none of json, markdown"),
            (["check", "rod.yaml", "--schema", "json"], "--schema goes alone"),
            (["bench", "bfd2"], "did you mean 'bdf2'?"),
            (["bench", "bdf2", "every"], "WORKLOAD: 'every' is none of all, engine"),
            (["bench", "--device", "ref"], "'ref' is none of auto, 0"),
            (["info"], "FILE is missing"),
            (["version", "now"], "unexpected argument"),
        ]:
            with self.subTest(words=words):
                result = self.sheaf(*words, expect=2)
                self.assertEqual(result.stdout, "")
                self.assertIn(message, result.stderr)
                self.assertRegex(result.stderr, r"Try 'sheaf .*--help'\.")
                self.assertEqual(self.names(), before)

    def test_hostile_paths_are_escaped(self):
        for path in ["x" * 5000, "a/" * 2500, "new\nline", "%n%s%n", b"\xff\xfe", "\x1b[31mred", "\u202egnirts"]:
            for command in ["check", "run", "info"]:
                with self.subTest(path=path[:20], command=command):
                    result = self.sheaf(command, path, expect=7)
                    self.assertNotRegex(result.stderr, "[\x1b\u202e]")
                    self.assertTrue(result.stderr.startswith("sheaf: error: "))
                    self.assertEqual(result.stderr.count("\n"), 1)
        errors = json.loads(self.sheaf("check", b"\xff\n", "--json", expect=7).stdout)["errors"]
        self.assertEqual(errors[0]["file"], "\\xff\\n")

    def test_a_leading_dash_is_no_option_after_two_dashes(self):
        self.write("-rod.yaml", ROD)
        self.sheaf("check", "-rod.yaml", expect=2)
        self.sheaf("check", "--", "-rod.yaml")
        self.sheaf("run", "--", "-rod.yaml")
        self.assertTrue((self.folder / "-rod.run/run.json").exists())


class Streams(CommandTest):
    def test_a_vanished_reader_is_an_io_failure(self):
        read, write = os.pipe()
        os.close(read)
        result = self.sheaf("help", expect=7, stdout=write)
        os.close(write)
        self.assertIn("standard output", result.stderr)

    def test_a_full_disk_is_an_io_failure(self):
        with open("/dev/full", "w") as full:
            self.sheaf("new", "--list", expect=7, stdout=full)

    def test_closed_streams_do_not_end_up_in_files(self):
        self.write("rod.yaml", ROD)
        for closed, code in [(">&-", 7), (">&- 2>&-", 7), ("<&- >&- 2>&-", 7)]:
            result = subprocess.run(["bash", "-c", f"'{SHEAF}' run rod.yaml --json --overwrite {closed}"],
                                    cwd=self.folder)
            self.assertEqual(result.returncode, code, closed)
            thermo = (self.folder / "rod.run/thermo.csv").read_text()
            self.assertTrue(thermo.startswith("time_s,step,"))
            self.assertNotIn("sheaf", thermo)
        result = subprocess.run(["bash", "-c", f"'{SHEAF}' run rod.yaml --overwrite >&- 2>&- <&-"], cwd=self.folder)
        self.assertEqual(result.returncode, 0)

    def on_terminal(self, *words, env=None):
        """Runs with stderr on a terminal; returns what was shown there."""
        main, side = pty.openpty()
        process = subprocess.Popen([SHEAF, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=side,
                                   env={**os.environ, "TERM": "xterm", **(env or {})})
        os.close(side)
        shown = b""
        while True:
            try:
                block = os.read(main, 65536)
            except OSError:
                break
            if not block:
                break
            shown += block
        os.close(main)
        process.wait(60)
        return shown.decode()

    def test_colour_only_on_terminals_and_unless_refused(self):
        self.assertNotIn("\x1b", self.sheaf("run", expect=2).stderr)
        self.assertIn("\x1b[1;31merror:", self.on_terminal("run"))
        self.assertNotIn("\x1b", self.on_terminal("run", env={"NO_COLOR": "1"}))
        self.assertIn("\x1b", self.on_terminal("run", env={"NO_COLOR": ""}))
        self.assertNotIn("\x1b", self.on_terminal("run", env={"TERM": "dumb"}))

    def test_progress_only_on_terminals(self):
        self.write("rod.yaml", ROD)
        shown = self.on_terminal("run", "rod.yaml", "--overwrite")
        self.assertRegex(shown, r"\d+ %  \d.* s  .* steps/s  \d+:\d\d left  .* J  strain \d")
        self.assertIn("picture.svg", shown)
        self.assertNotIn("%", self.on_terminal("run", "rod.yaml", "--overwrite", "--quiet"))
        self.assertNotIn("%", self.sheaf("run", "rod.yaml", "--overwrite").stderr)


class New(CommandTest):
    def test_list(self):
        kinds = self.json("new", "--list")["kinds"]
        listed = self.sheaf("new", "--list").stdout
        self.assertGreaterEqual(len(kinds), 6)
        for kind in kinds:
            self.assertRegex(listed, rf"(?m)^{kind['kind']} +{re.escape(kind['summary'])}$")

    def test_a_file_is_kept_unless_told_otherwise(self):
        self.sheaf("new", "grass", "scene.yaml")
        text = (self.folder / "scene.yaml").read_text()
        self.assertEqual(text, self.sheaf("new", "grass").stdout)
        self.assertIn("#", text)
        self.write("scene.yaml", "mine")
        self.assertIn("--overwrite", self.sheaf("new", "grass", "scene.yaml", expect=7).stderr)
        self.assertEqual((self.folder / "scene.yaml").read_text(), "mine")
        self.sheaf("new", "grass", "scene.yaml", "--overwrite")
        self.assertEqual((self.folder / "scene.yaml").read_text(), text)
        self.assertEqual(self.names(), ["scene.yaml"])

    def test_what_cannot_be_written_is_told(self):
        self.write("file", "")
        for path in ["missing/scene.yaml", "file/scene.yaml"]:
            self.assertIn("cannot write", self.sheaf("new", "hair", path, expect=7).stderr)
        self.assertEqual(self.names(), ["file"])


class Check(CommandTest):
    def test_a_good_scene_gives_figures(self):
        self.write("rod.yaml", ROD)
        figures = self.json("check", "rod.yaml")
        self.assertEqual((figures["errors"], figures["strands"], figures["vertices"]), ([], 1, 6))
        self.assertEqual(figures["steps"], 10)
        self.assertAlmostEqual(figures["longest_m"], 0.55, delta=0.06)  # the clamped half edge counts, too
        self.assertAlmostEqual(figures["mass_kg"] / figures["longest_m"], 7800 * 3.14159e-6, delta=1e-6)
        self.assertGreater(figures["explicit_step_limit_s"], 1e-6)
        self.assertGreater(figures["memory_bytes"], 1000)
        shown = self.sheaf("check", "rod.yaml").stdout
        for word in ["rod.yaml: ok", "strands", "length", "mass", "explicit step limit", "memory"]:
            self.assertIn(word, shown)

    def test_every_error_is_told_with_its_place(self):
        wrong = ROD.replace("young: 200 GPa", "yuong: 200 GPa").replace("1/100 s", "-1 s").replace("50 cm", "50 kg")
        wrong = wrong.replace("vertices: 6", "vertices: 1.5").replace("title:", "titel:")
        self.write("wrong.yaml", wrong)
        result = self.sheaf("check", "wrong.yaml", expect=3)
        self.assertEqual(result.stdout, "")
        self.assertGreaterEqual(len(re.findall(r"(?m)^wrong\.yaml:\d+:\d+: error: ", result.stderr)), 5)
        self.assertGreaterEqual(len(re.findall(r"(?m)^[ |0-9]*\^", result.stderr)), 5)
        self.assertIn("young", result.stderr)
        report = self.json("check", "wrong.yaml", expect=3)
        self.assertGreaterEqual(len(report["errors"]), 5)
        for error in report["errors"]:
            self.assertEqual(error["file"], "wrong.yaml")
            self.assertGreater(error["line"], 0)
            self.assertGreater(error["column"], 0)
            self.assertTrue(error["message"])
            self.assertIn("hint", error)
        for name in ["strands", "vertices", "explicit_step_limit_s", "memory_bytes"]:
            self.assertIsNone(report[name])

    def test_run_and_info_tell_them_alike(self):
        self.write("wrong.yaml", ROD.replace("steel:", "stahl: 3\n  steel:"))
        told = self.sheaf("check", "wrong.yaml", expect=3).stderr
        self.assertEqual(self.sheaf("run", "wrong.yaml", expect=3).stderr, told)
        self.assertEqual(self.sheaf("info", "wrong.yaml", expect=3).stderr, told)
        self.assertEqual(self.names(), ["wrong.yaml"])

    def test_what_cannot_be_read_is_an_io_failure(self):
        for path in [".", "missing.yaml"]:
            self.sheaf("check", path, expect=7)
            self.assertEqual(len(self.json("check", path, expect=7)["errors"]), 1)

    def test_a_step_above_the_explicit_limit_is_warned_of(self):
        self.write("stiff.yaml", ROD + "step: { integrator: explicit }\n")
        self.assertIn("will diverge", self.sheaf("check", "stiff.yaml").stderr)
        self.assertEqual(self.sheaf("check", self.write("rod.yaml", ROD)).stderr, "")

    def test_schema(self):
        schema = json.loads(self.sheaf("check", "--schema", "json").stdout)
        self.assertIn("$schema", schema)
        self.assertIn("materials", self.sheaf("check", "--schema", "markdown").stdout)


# All that a scene has, as its users would write it first.
BREEZE = """sheaf: 1
title: curly hair, head turning in a breeze
time:      { step: 1/120 s, end: 4 s, frames: 60 Hz }
step:      { integrator: bdf2, newton: auto, projection: { method: tridiagonal, tolerance: 1e-5 } }   # or euler, explicit; auto = as many as a strand needs
gravity:   [0, 0, -9.81 m/s^2]
materials:
  hair:    { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] }   # two radii: elliptic section
strands:
  - groom: { on: { sphere: { radius: 9 cm } }, count: 24, vertices: 32, length: { mean: 20 cm, spread: 10 % },
             curl: { radius: 6 mm, pitch: 25 mm }, seed: 7 }
    material: hair
    root: { clamp: head }
motion:    { head: { rotate: { axis: z, angle: 40 deg, period: 1.5 s } } }
wind:      { velocity: [2 m/s, 0, 0], gust: { strength: 60 %, scale: 0.4 m, seed: 3 } }
colliders: [ { sphere: { radius: 8.8 cm, follow: head }, friction: 0.3 } ]
output:    { trajectory: { every: 1 frame }, checkpoint: { every: 30 s } }
"""


class Breeze(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("breeze.yaml", BREEZE)

    def test_it_checks_and_runs(self):
        checked = self.sheaf("check", "breeze.yaml")
        self.assertEqual((checked.stderr, checked.stdout.splitlines()[0]), ("", "breeze.yaml: ok"))
        for device in ["ref", "0"]:
            record = self.json("run", "breeze.yaml", "--device", device, "--time", "0.1", "-o", device)
            self.assertEqual((record["exit"], record["frozen_strands"], record["strands"]), (0, 0, 24))
            self.assertEqual(self.json("info", f"{device}/trajectory.vtkhdf")["frames"], 7)

    def blown(self, name, old="", new=""):
        """Mean of x at the end, m, of hair that the wind blows along x."""
        self.assertIn(old, BREEZE)
        self.write(f"{name}.yaml", BREEZE.replace(old, new))
        self.sheaf("run", f"{name}.yaml", "--device", "ref", "--time", "0.2", "-q")
        rows = (self.folder / f"{name}.run/strands.csv").read_text().splitlines()[1:]
        return sum(float(row.split(",")[2]) for row in rows) / len(rows)

    def test_wind_is_felt(self):
        """Also by a material that says nothing of drag, but not by one that says it has none."""
        drag = self.json("info", "breeze.yaml")["materials"][0]["drag_Pa_s"]
        self.assertAlmostEqual(drag, 0.27e-3, delta=0.02e-3)
        still, felt = self.blown("still", "wind: ", "# wind: "), self.blown("felt")
        self.assertEqual(self.blown("none", "radius: [45 um, 32 um]", "radius: [45 um, 32 um], drag: 0"), still)
        self.assertGreater(felt, still + 0.01)
        said = self.blown("said", "radius: [45 um, 32 um]", f"radius: [45 um, 32 um], drag: {drag!r}")
        self.assertAlmostEqual(said, felt, 8)  # to the digits that info gives

    def test_a_wind_that_finds_no_hold_is_told_of(self):
        wire = "line_mass: 6 mg/m, bend: 1e-8, twist: 1e-8"
        text = BREEZE.replace(BREEZE[BREEZE.index("density"):BREEZE.index(" }   # two radii")], wire)
        self.write("wire.yaml", text)
        for words in [["check", "wire.yaml"], ["run", "wire.yaml", "--device", "ref", "--steps", "1"]]:
            self.assertIn("the wind does not act on 'hair'", self.sheaf(*words).stderr)
        self.write("wire.yaml", text.replace(wire, wire + ", drag: 0.1 mPa*s"))
        self.assertEqual(self.sheaf("check", "wire.yaml").stderr, "")


class Run(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)

    def record(self, folder="rod.run"):
        return json.loads((self.folder / folder / "run.json").read_text())

    def thermo(self, folder="rod.run"):
        with open(self.folder / folder / "thermo.csv") as stream:
            return list(csv.DictReader(stream))

    def test_results(self):
        result = self.sheaf("run", "rod.yaml", "--device", "ref")
        self.assertEqual(result.stdout, "")
        self.assertIn("rod.run/picture.svg", result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder / "rod.run")), IN_FOLDER)
        record = self.record()
        for name, value in {"scene": "rod.yaml", "title": "a rod", "precision": "double", "steps": 10, "frames": 6,
                            "strands": 1, "vertices": 6, "frozen_strands": 0, "exit": 0, "seed": 1}.items():
            self.assertEqual(record[name], value, name)
        for name in ["device", "form", "wall_seconds", "vertex_steps_per_s", "worst_strain"]:
            self.assertIn(name, record)
        self.assertGreater(record["machine"]["cores"], 0)
        self.assertIn("compiler", record["machine"])
        self.assertIn("sheaf", record["versions"])
        self.assertEqual(record["settings"]["integrator"], "bdf2")
        rows = self.thermo()
        self.assertEqual([float(row["time_s"]) for row in rows], [0, 0.02, 0.04, 0.06, 0.08, 0.1])
        for row in rows:
            parts = sum(float(row[name]) for name in ["kinetic_J", "bending_J", "twisting_J", "gravitational_J"])
            self.assertAlmostEqual(float(row["total_J"]), parts, delta=1e-8 * (1 + abs(parts)))
        self.assertGreater(float(rows[-1]["bending_J"]), 0)
        with open(self.folder / "rod.run/strands.csv") as stream:
            positions = list(csv.DictReader(stream))
        self.assertEqual([int(row["vertex"]) for row in positions], list(range(6)))
        self.assertLess(float(positions[-1]["z_m"]), 0)  # it has begun to fall
        for picture in ["picture.svg", "energy.svg"]:
            root = xml.etree.ElementTree.parse(self.folder / "rod.run" / picture).getroot()
            self.assertTrue(root.tag.endswith("svg"))

    def test_time_and_steps_decide_how_far(self):
        for words, steps in [(["--steps", "3"], 3), (["--time", "0.05"], 5), (["--time", "50ms"], 5),
                             (["--time", "1/20 s"], 5), (["-t", "0.3"], 30)]:
            record = self.json("run", "rod.yaml", "--overwrite", *words)
            self.assertEqual(record["steps"], steps, words)
            self.assertEqual(record, self.record())
        self.assertEqual(len(self.thermo()), 16)

    def test_threads_do_not_matter(self):
        self.sheaf("run", "rod.yaml", "-j", "1", "-o", "one")
        self.sheaf("run", "rod.yaml", "-j", "4", "-o", "four")
        for name in ["thermo.csv", "strands.csv", "picture.svg"]:
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "four" / name).read_bytes())

    def test_quiet(self):
        self.assertEqual(self.sheaf("run", "rod.yaml", "--quiet").stderr, "")

    def test_an_earlier_run_is_kept_unless_told_otherwise(self):
        self.sheaf("run", "rod.yaml")
        before = self.record()
        self.assertIn("--overwrite", self.sheaf("run", "rod.yaml", "--steps", "2", expect=7).stderr)
        self.assertEqual(self.record(), before)
        self.write("rod.run/notes.txt", "mine")
        self.sheaf("run", "rod.yaml", "--steps", "2", "--overwrite")
        self.assertEqual(self.record()["steps"], 2)
        self.assertEqual((self.folder / "rod.run/notes.txt").read_text(), "mine")

    def test_folders_of_others_are_left_alone(self):
        (self.folder / "mine").mkdir()
        self.write("mine/letter.txt", "dear")
        for words in [[], ["--overwrite"]]:
            self.assertIn("left alone", self.sheaf("run", "rod.yaml", "-o", "mine", *words, expect=7).stderr)
        self.assertEqual(os.listdir(self.folder / "mine"), ["letter.txt"])
        (self.folder / "empty").mkdir()
        self.sheaf("run", "rod.yaml", "-o", "empty")

    def test_what_cannot_be_written_is_told_before_the_work(self):
        self.write("file", "")
        for path in ["file", "file/run", "missing/run"]:
            self.sheaf("run", "rod.yaml", "-o", path, expect=7)
        self.assertEqual(self.names(), ["file", "rod.yaml"])

    def test_links_in_a_folder_are_not_followed(self):
        self.sheaf("run", "rod.yaml")
        victim = self.folder / "victim"
        victim.write_text("safe")
        for name in RESULTS:
            (self.folder / "rod.run" / name).unlink()
            (self.folder / "rod.run" / name).symlink_to(victim)
        self.sheaf("run", "rod.yaml", "--overwrite", expect=None)
        self.assertEqual(victim.read_text(), "safe")

    def slow_run(self):
        """Starts a run of hours and waits for its first frames."""
        self.write("slow.yaml", ROD.replace("end: 0.1 s", "end: 1000 s").replace("vertices: 6", "vertices: 200"))
        process = subprocess.Popen([SHEAF, "run", "slow.yaml"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        thermo = self.folder / "slow.run/thermo.csv"
        for _ in range(1000):
            if thermo.exists() and thermo.read_text().count("\n") > 3:
                break
            time.sleep(0.05)
        return process

    def test_signals_end_a_run_with_its_results(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            process = self.slow_run()
            process.send_signal(number)
            told = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, code)
            self.assertIn("stopped", told)
            record = self.record("slow.run")
            self.assertEqual(record["exit"], code)
            self.assertEqual(record["frames"], len(self.thermo("slow.run")))
            self.assertEqual(sorted(os.listdir(self.folder / "slow.run")), IN_FOLDER)
            shutil.rmtree(self.folder / "slow.run")

    def test_two_runs_do_not_share_a_folder(self):
        process = self.slow_run()
        self.assertIsNone(self.record("slow.run")["exit"])
        self.assertIn("another run", self.sheaf("run", "slow.yaml", "--overwrite", expect=7).stderr)
        info = self.json("info", "slow.run")
        self.assertIn("not ended", " ".join(info["problems"]))
        process.kill()
        process.communicate()
        self.sheaf("run", "slow.yaml", "--steps", "2", "--overwrite")

    def test_divergence_is_told_and_has_its_exit_code(self):
        self.write("wild.yaml", ROD.replace("end: 0.1 s", "end: 10 s") + "step: { integrator: explicit }\n")
        result = self.sheaf("run", "wild.yaml", expect=4)
        self.assertRegex(result.stderr, r"strand 0 diverged at step \d+: \w+ of vertex \d+")
        record = self.record("wild.run")
        self.assertEqual((record["exit"], record["frozen_strands"]), (4, 1))
        self.assertEqual(record["incidents"][0]["strand"], 0)
        self.assertLess(record["steps"], 1000)  # nothing is left to simulate
        written = "".join((self.folder / "wild.run" / name).read_text() for name in RESULTS[1:-1])
        self.assertNotRegex(written, r"(?i)[,\s'-](nan|inf)[,\s']")

    def test_what_cannot_be_met_is_told_and_has_its_exit_code(self):
        far = "    tip: { hold: pin, move: [{ ramp: { to: 1 m, over: 20 ms } }, 0, 0] }\n"
        self.write("far.yaml", ROD + far)
        rubber = "materials: { m: { density: 1100, young: 5 MPa, shear: 2 MPa, radius: 4 mm } }\n"
        shape = "strands: [{ shape: { straight: { length: 60 cm, vertices: 40, direction: x } } }]\n"
        self.write("heavy.yaml", "sheaf: 1\ntime: { end: 0.1 s }\ngravity: [0, 0, -1e6]\n" + rubber + shape)
        for name in ["far", "heavy"]:
            for device in ["ref", "auto"]:
                result = self.sheaf("run", name + ".yaml", "--overwrite", "--device", device, expect=4)
                self.assertRegex(result.stderr, r"at \S+ s 1 of 1 strands do not meet .* off its length by \S+ %")
                self.assertIn("do not trust", result.stderr)
                record, rows = self.record(name + ".run"), self.thermo(name + ".run")
                self.assertEqual((record["exit"], record["frozen_strands"], record["unmet_strands"]), (4, 0, 1))
                self.assertEqual(record["unmet_frames"], sum(row["unmet"] == "1" for row in rows))
                self.assertIn("did not meet", " ".join(self.json("info", name + ".run")["problems"]))

    def test_one_divergence_does_not_stop_the_others(self):
        soft = "  soft: { line_mass: 1 g/m, bend: 1e-9 N*m^2, twist: 1e-9 N*m^2 }\n"
        other = "  - { shape: { straight: { length: 50 cm, vertices: 6, direction: y } }, material: soft }\n"
        both = ROD.replace("strands:", soft + "strands:").replace("direction: x } }", "direction: x } }\n    material: steel")
        self.write("both.yaml", both + other + "step: { integrator: explicit }\n")
        self.sheaf("run", "both.yaml", "--steps", "200", expect=4)
        record = self.record("both.run")
        self.assertEqual((record["frozen_strands"], record["steps"]), (1, 200))


class Info(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)

    def check_fields(self, facts):
        for name in ["format", "strands", "vertices", "frames", "bounds", "problems"]:
            self.assertIn(name, facts)

    def test_scene(self):
        facts = self.json("info", "rod.yaml")
        self.check_fields(facts)
        self.assertEqual((facts["format"], facts["strands"], facts["vertices"], facts["frames"]), ("scene", 1, 6, 6))
        self.assertEqual(facts["materials"][0]["name"], "steel")
        self.assertAlmostEqual(facts["bounds"][1][0], 0.5, delta=0.06)
        shown = self.sheaf("info", "rod.yaml").stdout
        for word in ["strands", "bounds", "duration_s", "steel"]:
            self.assertIn(word, shown)

    def test_run(self):
        self.sheaf("run", "rod.yaml")
        for path, form in [("rod.run", "run folder"), ("rod.run/run.json", "run record"),
                           ("rod.run/thermo.csv", "run figures"), ("rod.run/strands.csv", "positions")]:
            facts = self.json("info", path)
            self.check_fields(facts)
            self.assertEqual((facts["format"], facts["problems"]), (form, []))
            self.assertIn(form, self.sheaf("info", path).stdout)
        facts = self.json("info", "rod.run")
        self.assertEqual((facts["strands"], facts["vertices"], facts["frames"]), (1, 6, 6))
        self.assertEqual(len(facts["bounds"]), 2)

    def test_damage_is_told(self):
        self.sheaf("run", "rod.yaml")
        for name in ["thermo.csv", "strands.csv"]:
            path = self.folder / "rod.run" / name
            path.write_bytes(path.read_bytes()[:-5])
            for where in ["rod.run", f"rod.run/{name}"]:
                self.assertIn(name, " ".join(self.json("info", where)["problems"]))
        self.assertIn("problem", self.sheaf("info", "rod.run").stdout)
        (self.folder / "rod.run/thermo.csv").unlink()
        self.assertIn("thermo.csv", " ".join(self.json("info", "rod.run")["problems"]))
        for text in ["{}", "{", "[1, 2]", '{"versions": 3, "steps": 1}', ""]:
            self.write("rod.run/run.json", text)
            self.sheaf("info", "rod.run", expect=3)
            self.assertEqual(len(self.json("info", "rod.run", expect=3)["problems"]), 1)
        (self.folder / "rod.run/run.json").unlink()
        self.sheaf("info", "rod.run", expect=7)
        self.sheaf("info", "missing", expect=7)
        self.check_fields(self.json("info", "missing", expect=7))
        self.write("wrong.yaml", ROD.replace("young", "yuong").replace("50 cm", "50 kg"))
        self.assertGreaterEqual(len(self.json("info", "wrong.yaml", expect=3)["problems"]), 2)


if __name__ == "__main__":
    unittest.main()
