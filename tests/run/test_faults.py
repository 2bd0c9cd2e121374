"""test_faults: whatever call to the system fails, a run ends with a status, and final names mean whole files."""
# labels: frame
import errno
import json
import os
import resource
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from command import ROD, SHEAF, CommandTest

# Fails the FAULT_AT-th call of FAULT_CALL with FAULT_ERRNO.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
static int fails(const char *name)
{
    static int count;
    const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"), *code = getenv("FAULT_ERRNO");
    if (!call || strcmp(call, name) != 0 || ++count != atoi(at))
        return 0;
    errno = atoi(code);
    return 1;
}
#define WRAP(name, parameters, arguments) \\
    int name parameters { \\
        if (fails(#name)) return -1; \\
        return ((int (*) parameters)dlsym(RTLD_NEXT, #name)) arguments; \\
    }
WRAP(fsync, (int d), (d))
WRAP(rename, (const char *a, const char *b), (a, b))
WRAP(link, (const char *a, const char *b), (a, b))
WRAP(unlink, (const char *a), (a))
WRAP(mkdir, (const char *a, mode_t m), (a, m))
WRAP(ftruncate, (int d, off_t n), (d, n))
int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    if ((flags & O_CREAT) && fails("open"))
        return -1;
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
"""

ERRORS = ["ENOSPC", "EIO", "EACCES"]


class Faults(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)

    def check_files(self):
        """Every file under a final name is whole, and temporary files are gone."""
        folder = self.folder / "rod.run"
        for name in os.listdir(folder) if folder.exists() else []:
            path = folder / name
            self.assertFalse(name.startswith(".sheaf-"), name)
            if name.endswith(".json"):
                json.loads(path.read_text())
            elif name.endswith(".svg"):
                xml.etree.ElementTree.parse(path)
            elif name == "strands.csv":
                self.assertEqual(path.read_text().count("\n"), 7)

    def run_rod(self, **options):
        shutil.rmtree(self.folder / "rod.run", ignore_errors=True)
        return self.sheaf("run", "rod.yaml", "--device", "ref", expect=None, **options)

    @unittest.skipUnless(shutil.which(os.environ.get("CC", "cc")), "there is no compiler")
    def test_every_call_may_fail(self):
        shim = self.folder / "shim.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-xc", "-", "-o", shim, "-ldl"], input=SHIM,
                       text=True, check=True)
        for call in ["open", "fsync", "rename", "unlink", "mkdir", "ftruncate"]:
            failures = 0
            for at in range(1, 40):
                name = ERRORS[at % len(ERRORS)]
                with self.subTest(call=call, at=at, error=name):
                    result = self.run_rod(env={"LD_PRELOAD": str(shim), "FAULT_CALL": call, "FAULT_AT": str(at),
                                               "FAULT_ERRNO": str(getattr(errno, name))})
                    self.assertIn(result.returncode, [0, 7], result.stderr)
                    self.assertEqual("error:" in result.stderr, result.returncode != 0)
                    self.check_files()
                failures += result.returncode != 0
                if result.returncode == 0 and at > 12:
                    break
            self.assertGreater(failures, 0, call)

    def test_the_disk_may_fill_at_any_byte(self):
        self.assertEqual(self.run_rod().returncode, 0)
        largest = max(path.stat().st_size for path in (self.folder / "rod.run").iterdir())
        for size in [0, 1, 100, 150, *range(200, largest, max(700, largest // 24)), largest - 1]:
            with self.subTest(size=size):
                result = self.run_rod(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
                self.assertEqual(result.returncode, 7, result.stderr)
                self.assertIn("File too large", result.stderr)
                self.check_files()


if __name__ == "__main__":
    unittest.main()
