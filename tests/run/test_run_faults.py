"""test_run_faults: what may happen to a run and its folder from outside: folders that go away, planted links, tight
limits, writes that fail, fall short or are interrupted, signals that come twice."""
# labels: frame
import errno
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from command import ROD, SHEAF, CommandTest

NOBODY = 65534
LONG = ROD.replace("end: 0.1 s", "end: 10000 s").replace("50 Hz", "2 Hz")

# Lets the FAULT_AT-th write, and with FAULT_LASTS all after it, fail with FAULT_ERRNO, or with 0 write only half of it.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
static int kind(void)
{
    static int count;
    const int at = atoi(getenv("FAULT_AT"));
    return ++count == at || (count > at && getenv("FAULT_LASTS")) ? atoi(getenv("FAULT_ERRNO")) : -1;
}
ssize_t pwrite64(int d, const void *b, size_t n, off64_t at)
{
    const int code = kind();
    if (code > 0) { errno = code; return -1; }
    return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(
        d, b, code == 0 && n > 1 ? n / 2 : n, at);
}
ssize_t pwrite(int d, const void *b, size_t n, off_t at) { return pwrite64(d, b, n, at); }
"""


class RunFaults(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rod.yaml", ROD)
        self.write("long.yaml", LONG)

    def start(self, **options):
        """A run of hours that has written a checkpoint."""
        process = subprocess.Popen([SHEAF, "run", "long.yaml", "--device", "ref", "-j", "1", "--checkpoint", "0.05"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        while not (self.folder / "long.run/checkpoint_prev.h5").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process

    def test_a_folder_that_goes_away(self):
        process = self.start()
        (self.folder / "long.run").rename(self.folder / "elsewhere.run")
        self.assertEqual(process.wait(60), 7)
        self.assertIn("cannot write", process.stderr.read())
        steps = self.json("info", "elsewhere.run/checkpoint.h5")["steps"]  # what was saved is still there
        result = self.sheaf("run", "long.yaml", "-o", "elsewhere.run", "--restart", "--steps", str(steps + 3))
        self.assertIn(f"going on from step {steps}", result.stderr)

    def test_a_folder_that_is_removed(self):
        process = self.start()
        run = self.folder / "long.run"
        while run.exists():  # it may be writing to it just now
            shutil.rmtree(run, ignore_errors=True)
        self.assertEqual(process.wait(60), 7)
        self.assertRegex(process.stderr.read(), "cannot write 'long.run/.*': No such file or directory")
        self.assertFalse(run.exists())

    def test_a_file_in_the_way(self):
        process = self.start()
        saved = self.folder / "long.run/checkpoint_prev.h5"
        saved.unlink()
        saved.mkdir()  # the next checkpoint cannot be kept there
        self.assertEqual(process.wait(60), 7)
        self.assertIn("cannot write 'long.run/checkpoint_prev.h5'", process.stderr.read())
        self.sheaf("info", "long.run/checkpoint.h5")

    def test_a_folder_that_becomes_read_only(self):
        """Nothing is read-only to root, so the run is another user's."""
        user = {}
        if os.geteuid() == 0:
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.folder, NOBODY, NOBODY)
            if subprocess.run([SHEAF, "check", "long.yaml"], cwd=self.folder, capture_output=True, **user).returncode != 0:
                self.skipTest("other users cannot start the command")
        process = self.start(**user)
        (self.folder / "long.run").chmod(0o555)
        self.assertEqual(process.wait(60), 7)
        self.assertIn("cannot write 'long.run/checkpoint.h5': Permission denied", process.stderr.read())
        steps = self.json("info", "long.run/checkpoint.h5")["steps"]
        (self.folder / "long.run").chmod(0o755)
        result = self.sheaf("run", "long.yaml", "--restart", "--steps", str(steps + 3), **user)
        self.assertIn(f"going on from step {steps}", result.stderr)

    def test_a_second_signal_ends_at_once(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        sent = time.monotonic()
        self.assertIn(process.wait(60), [130, 143])
        self.assertLess(time.monotonic() - sent, 2)
        self.sheaf("info", "long.run/checkpoint.h5")

    def test_links_planted_at_temporary_names(self):
        (self.folder / "rod.run").mkdir()
        victim = self.folder / "victim"
        victim.write_text("safe")
        plant = "for k in 0 1 2 3; do ln -s ../victim rod.run/.sheaf-$$-$k.tmp; done"
        result = subprocess.run(["bash", "-c", f"{plant}; exec {SHEAF} run rod.yaml --device ref -q --overwrite"],
                                cwd=self.folder)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(victim.read_text(), "safe")
        self.assertEqual(json.loads((self.folder / "rod.run/run.json").read_text())["exit"], 0)
        self.assertFalse((self.folder / "rod.run/checkpoint.h5").is_symlink())

    def test_tight_limits(self):
        """Runs, or says why not; never dies."""
        limits = [(resource.RLIMIT_AS, 1 << 30), (resource.RLIMIT_NOFILE, 16), (resource.RLIMIT_STACK, 256 << 10),
                  (resource.RLIMIT_NOFILE, 6), (resource.RLIMIT_AS, 200 << 20)]
        for which, most in limits:
            with self.subTest(which=which, most=most):
                result = self.sheaf("run", "rod.yaml", "--device", "ref", "--overwrite", expect=None,
                                    preexec_fn=lambda: resource.setrlimit(which, (most, most)))
                self.assertIn(result.returncode, [0, 1, 6, 7], result.stderr)
                self.assertEqual("error:" in result.stderr, result.returncode != 0)

    def build_shim(self):
        shim = self.folder / "shim.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-xc", "-", "-o", shim, "-ldl"], input=SHIM,
                       text=True, check=True)
        return shim

    @unittest.skipUnless(shutil.which(os.environ.get("CC", "cc")), "there is no compiler")
    def test_a_disk_that_fails_for_good(self):
        """Whatever write it begins with: the run ends with 7, no file is damaged, and the next run goes on from them."""
        shim = self.build_shim()
        self.write("rod.yaml", ROD.replace("vertices: 6", "vertices: 90"))
        words = ["run", "rod.yaml", "--device", "ref", "-j", "1", "--checkpoint", "0.01"]
        self.sheaf(*words)
        whole = (self.folder / "rod.run/strands.csv").read_text()
        codes = []
        for at in range(1, 400, 9):
            with self.subTest(at=at):
                shutil.rmtree(self.folder / "rod.run")
                result = self.sheaf(*words, expect=None, env={"LD_PRELOAD": str(shim), "FAULT_AT": str(at),
                                                              "FAULT_ERRNO": str(errno.ENOSPC), "FAULT_LASTS": "1"})
                codes.append(result.returncode)
                self.assertIn(result.returncode, [0, 7], result.stderr)
                for name in ["checkpoint.h5", "checkpoint_prev.h5", "trajectory.vtkhdf"]:
                    if (self.folder / "rod.run" / name).exists():
                        told = self.sheaf("info", f"rod.run/{name}", expect=None)
                        self.assertTrue(told.returncode == 0 or "no frame in it yet" in told.stderr, told.stderr)
                self.assertNotRegex(self.sheaf(*words, "--restart").stderr, "damaged|lost|is taken")
                self.assertEqual((self.folder / "rod.run/strands.csv").read_text(), whole)
        self.assertGreater(codes.count(7), 10)

    @unittest.skipUnless(shutil.which(os.environ.get("CC", "cc")), "there is no compiler")
    def test_writes_that_fail_or_fall_short(self):
        shim = self.build_shim()
        self.sheaf("run", "rod.yaml", "--device", "ref")
        whole = (self.folder / "rod.run/strands.csv").read_text()
        failures = 0
        for at in range(1, 100, 7):
            for code in [errno.ENOSPC, errno.EIO, errno.EINTR, 0]:
                result = self.sheaf("run", "rod.yaml", "--device", "ref", "--overwrite", expect=None, env={
                    "LD_PRELOAD": str(shim), "FAULT_AT": str(at), "FAULT_ERRNO": str(code)})
                if code in [errno.EINTR, 0]:  # tried again, and done
                    self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(result.returncode, [0, 7], result.stderr)
                failures += result.returncode
                if result.returncode == 0:
                    self.assertEqual((self.folder / "rod.run/strands.csv").read_text(), whole)
                for name in os.listdir(self.folder / "rod.run"):
                    self.assertFalse(name.startswith(".sheaf-"), name)
                for name in ["checkpoint.h5", "trajectory.vtkhdf"]:
                    if (self.folder / "rod.run" / name).exists():
                        told = self.sheaf("info", f"rod.run/{name}", expect=None)
                        self.assertTrue(told.returncode == 0 or "no frame in it yet" in told.stderr, told.stderr)
        self.assertGreater(failures, 7)


if __name__ == "__main__":
    unittest.main()
