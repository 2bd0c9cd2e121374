"""test_gpu_nvidia: clang and NVIDIA's assembler compile every program for two generations of GPUs."""
# labels: frame;long (120 s)
import re
import unittest

import gpus

TARGETS = ["sm_75", "sm_90"]
CLANG, ASSEMBLER = gpus.find_program("clang"), gpus.find_program("ptxas")
LIBRARY = gpus.find_library("nvptx64--nvidiacl.bc")
ENTRY = re.compile(r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
                   r"(\d+) bytes spill loads.*?Used (\d+) registers", re.S)


class Nvidia(gpus.MakerTest):
    def test_every_program(self):
        def compile_one(text, options, folder):
            assembly, found = folder / "a.ptx", {}
            gpus.run([*gpus.clang(CLANG, options, ["nvptx64-nvidia-nvcl"], LIBRARY), text, "-o", assembly])
            for target in TARGETS:
                said = gpus.run([ASSEMBLER, "-v", f"-arch={target}", assembly, "-o", folder / target])
                sizes = gpus.code_sizes(folder / target)
                found[target] = {name: {"registers": int(registers), "spilled": int(stores) + int(loads),
                                        "stack": int(stack), "code": sizes[name]}
                                 for name, stack, stores, loads, registers in ENTRY.findall(said)}
            return found

        version = "ptxas: " + gpus.version_of(ASSEMBLER, "--version")
        self.check(gpus.compile_all("nvidia", version, compile_one), TARGETS, spilled_most=0, registers_most=168)


if __name__ == "__main__":
    unittest.main()
