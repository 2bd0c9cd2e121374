"""gpus: what the tests share that hand our kernels to the compilers of GPUs' makers. No GPU is needed: a compiler tells how
many registers a kernel takes, what it spills to memory and how long its code is."""
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

from command import SOURCE

BUILD = pathlib.Path(os.environ.get("SHEAF_BUILD", SOURCE / "build/release"))
FOLDER = SOURCE / "build/gpu"  # what is compiled, and what was found
COMPILERS = FOLDER / "compilers"  # that bootstrap.sh unpacked
LIBRARY = pathlib.Path("/usr/lib/clc")  # functions of OpenCL C for clang
SKIPPED = 77
INTEGRATORS, PROJECTORS = ["bdf2", "euler", "explicit"], ["", "jacobi", "chebyshev", "red-black"]
PLAIN = {"LANE_WIDTH", "BUNDLE_WIDTH", "START_GRADIENTS"}  # they name no form


def find_program(name):
    """On the path, or among those that bootstrap.sh unpacked. Call it before the tests begin: it may end the program."""
    found = shutil.which(name) or next((str(path) for path in sorted(COMPILERS.glob(f"**/bin/{name}"))), None)
    if found is None:
        print(f"skipped: there is no {name}; ./bootstrap.sh test all fetches it")
        sys.exit(SKIPPED)
    return found


def find_library(name):
    if not (LIBRARY / name).exists():
        print(f"skipped: there is no {LIBRARY / name}; ./bootstrap.sh test all installs it")
        sys.exit(SKIPPED)
    return str(LIBRARY / name)


def version_of(*words):
    lines = subprocess.run(words, capture_output=True, text=True).stdout.splitlines()
    return next((line for line in lines if re.search(r"\d+\.\d+", line)), "unknown").strip()


def clang(compiler, options, target, library):
    return [compiler, "-x", "cl", "-O3", "-D__OPENCL_VERSION__=120", "-Xclang", "-finclude-default-header",
            *options.split(), "-target", *target, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", library, "-S"]


def run(words, **options):
    result = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=1200, **options)
    text = result.stdout + result.stderr
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{text[-4000:]}")
    return text


def code_sizes(path):
    """Bytes of the code of every kernel in an ELF file, by name: sections .text.NAME."""
    data = path.read_bytes()
    assert data[:5] == b"\x7fELF\x02", path
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQ", data, table + k * size) for k in range(count)]
    start = sections[names][4]
    found = {}
    for name, _, _, _, _, length in sections:
        text = data[start + name:data.index(b"\0", start + name)].decode()
        if text.startswith(".text."):
            found[text[len(".text."):]] = length
    return found


def name_of(options, text=""):
    """A form in words: what differs from clamped strands of one length in single precision. `text`: of the program, which
    says whether its materials have laws."""
    defined = dict(word[2:].split("=") for word in options.split() if word.startswith("-D"))
    words = [INTEGRATORS[int(defined.pop("INTEGRATOR", 0))]]
    words.append(PROJECTORS[int(defined.pop("PROJECTOR", 0))])
    words.append("double" if defined.pop("PRECISION_DOUBLE", "0") == "1" else "")
    words += [name.lower() for name, value in defined.items() if name not in PLAIN and value != "0"]
    if "-DINTEGRATOR=2" in options and "-DSTART_GRADIENTS=0" in options:
        words.append("iterate")
    if " law_1_0(const lane given" in text:
        words.append("law")
    return " ".join(word for word in words if word)


def list_forms():
    """Every program as (text, options, who asked for it), made once for all tests of a build."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    program, made = BUILD / "tests/gpu_forms", FOLDER / "forms.tsv"
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        scenes = sorted((SOURCE / "scenes").glob("**/*.yaml"))
        if not made.exists() or made.stat().st_mtime < max(path.stat().st_mtime for path in [program, *scenes]):
            made.unlink(missing_ok=True)
            run([program, FOLDER, *[path.relative_to(SOURCE) for path in scenes]], cwd=SOURCE,
                env={**os.environ, "POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"})
        return [line.split("\t") for line in made.read_text().splitlines()]


def compile_all(maker, version, compile_one, has_double=True):
    """compile_one(text, options, folder) -> {target: {kernel: figures}} for every program. Keeps and prints what it says."""
    def work(number, form):
        text, options, asker = form
        folder = FOLDER / f"{maker}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            return {"form": name_of(options, (FOLDER / text).read_text()), "options": options, "asked_by": asker,
                    "targets": compile_one(FOLDER / text, options, folder)}
        finally:
            shutil.rmtree(folder)

    forms = [form for form in list_forms() if has_double or "-DPRECISION_DOUBLE=1" not in form[1]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(work, range(len(forms)), forms))
    (FOLDER / f"{maker}.json").write_text(json.dumps({"compiler": version, "rows": rows}, indent=1))
    for row in rows:
        for target, kernels in row["targets"].items():
            for kernel, figures in kernels.items():
                print(f"{target:8} {row['form']:40} {kernel:24}", *[f"{k} {v}" for k, v in figures.items()])
    return rows


class MakerTest(unittest.TestCase):
    def check(self, rows, targets, spilled_most, registers_most=256):
        """Every program is there for every target, every kernel with figures that can be. Those in single precision keep
        to the limits of docs/gpus.md; all that do not are named at once."""
        self.assertGreaterEqual(len(rows), 30)
        self.assertTrue(any("step_fused" in row["targets"][targets[0]] for row in rows))
        beyond = []
        for row in rows:
            self.assertEqual(list(row["targets"]), targets)
            for target, kernels in row["targets"].items():
                self.assertTrue(kernels, row["form"])
                self.assertGreater(max(figures["registers"] for figures in kernels.values()), 0, row["form"])
                for kernel, figures in kernels.items():
                    # a stage that this form has no use for does nothing and takes no register
                    self.assertTrue(0 <= figures["registers"] <= 256, (row["form"], kernel, figures))
                    self.assertGreater(figures["code"], 0)
                    self.assertGreaterEqual(figures["spilled"], 0)
                    is_double = "-DPRECISION_DOUBLE=1" in row["options"]
                    if not is_double and (figures["spilled"] > spilled_most or figures["registers"] > registers_most):
                        beyond.append((target, row["form"], kernel, figures))
        self.assertEqual(beyond, [])
