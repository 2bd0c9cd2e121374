"""test_gpu_amd: clang compiles every program for a GPU of AMD."""
# labels: frame;long (120 s)
import re
import unittest

import gpus

TARGET = "gfx1030"
COMPILER, LIBRARY = gpus.find_program("clang"), gpus.find_library("amdgcn--amdhsa.bc")
FUNCTION = re.compile(r"^(\w+):\s+; @.*?; codeLenInByte = (\d+).*?; NumVgprs: (\d+).*?; ScratchSize: (\d+)", re.M | re.S)
OCCUPANCY = re.compile(r"^(\w+):\s+; @.*?; Occupancy: (\d+)", re.M | re.S)


class Amd(gpus.MakerTest):
    def test_every_program(self):
        def compile_one(text, options, folder):
            assembly = folder / "a.s"
            target = ["amdgcn--amdhsa", f"-mcpu={TARGET}", "-nogpulib"]
            gpus.run([*gpus.clang(COMPILER, options, target, LIBRARY), text, "-o", assembly])
            said = assembly.read_text()
            kernels = set(re.findall(r"^\s*\.amdhsa_kernel (\w+)", said, re.M))
            functions = {name: [int(figure) for figure in figures] for name, *figures in FUNCTION.findall(said)}
            called = sum(code for name, (code, _, _) in functions.items() if name not in kernels)
            waves = {name: int(count) for name, count in OCCUPANCY.findall(said) if name in kernels}
            # registers and scratch of a kernel include those of what it calls, its code does not
            return {TARGET: {name: {"registers": functions[name][1], "spilled": functions[name][2],
                                    "occupancy": waves[name], "code": functions[name][0] + called} for name in kernels}}

        self.check(gpus.compile_all("amd", gpus.version_of(COMPILER, "--version"), compile_one), [TARGET], spilled_most=64)


if __name__ == "__main__":
    unittest.main()
