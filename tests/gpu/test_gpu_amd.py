"""test_gpu_amd: clang compiles every program for a GPU of AMD."""
# labels: frame;long (120 s)
import re
import unittest

import gpus

TARGET = "gfx1030"
COMPILER, LIBRARY = gpus.find_program("clang"), gpus.find_library("amdgcn--amdhsa.bc")
KERNEL = re.compile(r"^(\w+):\s+; @.*?; codeLenInByte = (\d+).*?; NumVgprs: (\d+).*?; ScratchSize: (\d+).*?"
                    r"; Occupancy: (\d+)", re.M | re.S)


class Amd(gpus.MakerTest):
    def test_every_program(self):
        def compile_one(text, options, folder):
            assembly = folder / "a.s"
            target = ["amdgcn--amdhsa", f"-mcpu={TARGET}", "-nogpulib"]
            gpus.run([*gpus.clang(COMPILER, options, target, LIBRARY), text, "-o", assembly])
            said = assembly.read_text()
            kernels = set(re.findall(r"^\s*\.amdhsa_kernel (\w+)", said, re.M))
            return {TARGET: {name: {"registers": int(registers), "spilled": int(scratch), "occupancy": int(waves),
                                    "code": int(code)}
                             for name, code, registers, scratch, waves in KERNEL.findall(said) if name in kernels}}

        self.check(gpus.compile_all("amd", gpus.version_of(COMPILER, "--version"), compile_one), [TARGET])


if __name__ == "__main__":
    unittest.main()
