"""test_full_disk: a run on a disk that is full sooner or later, 40 sizes of it: no file under its final name is damaged, and
with more room the run goes on to the end that it would have had."""
# labels: frame
import os
import subprocess
import unittest

from command import ROD, SHEAF, CommandTest

SCENE = ROD.replace("end: 0.1 s", "end: 0.4 s").replace("vertices: 6", "vertices: 200")
SIZES = range(80, 520, 11)  # kB; the whole run takes about 350, and 64 for what it may need next


def can_mount():
    if os.geteuid() != 0:
        return False
    return subprocess.run("unshare -m sh -c 'mount -t tmpfs tmpfs /mnt'", shell=True, capture_output=True).returncode == 0


@unittest.skipUnless(can_mount(), "small disks can be mounted by root only")
class FullDisk(CommandTest):
    def mount(self, size):
        disk = self.folder / f"disk{size}"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk

    def check_files(self, folder):
        for name in ["checkpoint.h5", "checkpoint_prev.h5", "trajectory.vtkhdf"]:
            if (folder / name).exists():
                result = self.sheaf("info", str(folder / name), expect=None)
                self.assertTrue(result.returncode == 0 or "there is no frame in it yet" in result.stderr, result.stderr)
        for name in os.listdir(folder):
            self.assertFalse(name.startswith(".sheaf-"), name)

    def test_sizes(self):
        self.write("rod.yaml", SCENE)
        words = ["run", "rod.yaml", "--device", "ref", "-j", "1", "--checkpoint", "0.01"]
        self.sheaf(*words, "-o", "whole")
        whole = [(self.folder / "whole" / name).read_text() for name in ["thermo.csv", "strands.csv"]]
        codes = []
        for size in SIZES:
            with self.subTest(size=size):
                disk = self.mount(size)
                folder = disk / "run"
                result = self.sheaf(*words, "-o", str(folder), expect=None)
                codes.append(result.returncode)
                self.assertIn(result.returncode, [0, 7], result.stderr)
                self.assertEqual("No space left on device" in result.stderr, result.returncode == 7, result.stderr)
                self.check_files(folder)
                subprocess.run(["mount", "-o", "remount,size=40m", disk], check=True)
                result = self.sheaf(*words, "-o", str(folder), "--restart")
                self.assertNotRegex(result.stderr, "damaged|lost|is taken")
                self.assertEqual([(folder / name).read_text() for name in ["thermo.csv", "strands.csv"]], whole)
        self.assertGreater(codes.count(7), 20)  # else the sizes are too large
        self.assertIn(0, codes)


if __name__ == "__main__":
    unittest.main()
