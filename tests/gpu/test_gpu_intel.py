"""test_gpu_intel: Intel's compiler compiles every program for one of its GPUs."""
# labels: frame;long (300 s)
import os
import re
import unittest

import gpus

TARGET = "dg2-g10"
COMPILER = gpus.find_program("ocloc")
REGISTERS = 128  # that a thread has; the compiler speaks of them only where they are too few
SPILLED = re.compile(r"kernel (\w+) +compiled SIMD(\d+) allocated (\d+) regs and spilled around (\d+)")


class Intel(gpus.MakerTest):
    def test_every_program(self):
        libraries = sorted(str(path.parent) for path in gpus.COMPILERS.glob("**/libigc.so*"))
        environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries)}

        def compile_one(text, options, folder):
            said = gpus.run([COMPILER, "compile", "-file", text, "-device", TARGET, "-options", options, "-exclude_ir",
                             "--format", "zebin", "-out_dir", folder, "-output", "a"], env=environment)
            spilled = {name: int(count) for name, _, _, count in SPILLED.findall(said)}
            binary, = folder.glob("a*.bin")
            return {TARGET: {name: {"registers": REGISTERS, "spilled": spilled.get(name, 0), "code": size}
                             for name, size in gpus.code_sizes(binary).items() if not name.startswith("Intel_")}}

        rows = gpus.compile_all("intel", version(), compile_one, has_double=False)  # this GPU has none
        self.check(rows, [TARGET], spilled_most=8)


def version():
    """Of the package it was unpacked from, which lies beside it."""
    packages = [path.name.split("_")[1] for path in gpus.COMPILERS.glob("intel-opencl-icd_*.deb")]
    return "ocloc " + " ".join(packages or ["unknown"])


if __name__ == "__main__":
    unittest.main()
