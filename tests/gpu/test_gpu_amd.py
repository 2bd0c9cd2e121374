"""test_gpu_amd: clang compiles every program for a GPU of AMD."""
# labels: frame;long (120 s)
import re
import unittest

import gpus

TARGET = "gfx1030"
COMPILER, LIBRARY = gpus.find_program("clang"), gpus.find_library("amdgcn--amdhsa.bc")
LABEL, FIGURE = re.compile(r"^(\w+):\s+; @"), re.compile(r"^; (codeLenInByte|NumVgprs|ScratchSize|Occupancy)(?: =|:) (\d+)")


def read_functions(assembly):
    """What the compiler says of every function and kernel, by name."""
    functions, name = {}, None
    for line in assembly.splitlines():
        label, figure = LABEL.match(line), FIGURE.match(line)
        if label:
            name = label[1]
        elif figure and name is not None:
            functions.setdefault(name, {}).setdefault(figure[1], int(figure[2]))
    return functions


class Amd(gpus.MakerTest):
    def test_every_program(self):
        def compile_one(text, options, folder):
            assembly = folder / "a.s"
            target = ["amdgcn--amdhsa", f"-mcpu={TARGET}", "-nogpulib"]
            gpus.run([*gpus.clang(COMPILER, options, target, LIBRARY), text, "-o", assembly])
            said = assembly.read_text()
            kernels = set(re.findall(r"^\s*\.amdhsa_kernel (\w+)", said, re.M))
            functions = read_functions(said)
            called = sum(found["codeLenInByte"] for name, found in functions.items() if name not in kernels)
            # registers and scratch of a kernel include those of what it calls, its code does not
            return {TARGET: {name: {"registers": functions[name]["NumVgprs"], "spilled": functions[name]["ScratchSize"],
                                    "occupancy": functions[name]["Occupancy"],
                                    "code": functions[name]["codeLenInByte"] + called} for name in kernels}}

        self.check(gpus.compile_all("amd", gpus.version_of(COMPILER, "--version"), compile_one), [TARGET], spilled_most=64)


if __name__ == "__main__":
    unittest.main()
