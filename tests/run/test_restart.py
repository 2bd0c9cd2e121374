"""test_restart: a run that was stopped, killed or had come to its end goes on as if nothing had happened."""
# labels: device
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import time
import unittest

from command import SHEAF, CommandTest

# Bent hairs that are shaken; frames fall between steps.
SCENE = """sheaf: 1
title: hairs
time: { step: 1/200 s, end: 1 s, frames: 60 Hz }
output: { checkpoint: { every: 0.05 s } }
materials: { hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: [45 um, 32 um] } }
motion: { head: { rotate: { angle: 40 deg, period: 0.7 s } } }
strands:
  - groom:
      on: { sphere: { radius: 9 cm } }
      count: %d
      vertices: %d
      length: { mean: 10 cm, spread: 10 %% }
      curl: { radius: 6 mm, pitch: 30 mm }
    root: { clamp: head }
"""
KILLS = int(os.environ.get("SHEAF_KILLS", 60))


class Restart(CommandTest):
    def scene(self, strands, vertices, name="hair.yaml", **changes):
        text = SCENE % (strands, vertices)
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write(name, text)

    def start(self, *words):
        return subprocess.Popen([SHEAF, "run", *words], cwd=self.folder, stderr=subprocess.PIPE, text=True)

    def results(self, folder):
        """What must not depend on interruptions: figures, frames, and positions at the end."""
        folder = self.folder / folder
        self.sheaf("convert", str(folder), "frames.csv", "--overwrite")
        return [(folder / "thermo.csv").read_text(), (self.folder / "frames.csv").read_text(),
                (folder / "strands.csv").read_text()]

    def check_whole(self, folder, whole, device):
        record = json.loads((self.folder / folder / "run.json").read_text())
        self.assertEqual((record["steps"], record["exit"]), (200, 0))
        for ours, theirs in zip(self.results(folder), whole):
            self.assertEqual(ours, theirs)
        return record

    def test_two_halves_are_a_whole(self):
        for device in ["ref", "0"]:
            with self.subTest(device=device):
                self.scene(6, 8)
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "whole", "--overwrite")
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "halves", "--steps", "101", "--overwrite")
                result = self.sheaf("run", "hair.yaml", "-o", "halves", "--restart")  # finds out where it ran
                self.assertIn("going on from step 101", result.stderr)
                record = self.check_whole("halves", self.results("whole"), device)
                self.assertEqual(record["restarts"], 1)
                self.assertTrue((self.folder / "halves/checkpoint_prev.h5").exists())

    def test_a_later_end(self):
        self.scene(2, 5)
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "whole")
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "early", "--time", "0.31")
        self.sheaf("run", "hair.yaml", "-o", "early", "--restart", "--time", "0.31")  # nothing left to do
        self.sheaf("run", "hair.yaml", "-o", "early", "--restart", "--no-checkpoint")
        self.check_whole("early", self.results("whole"), "ref")

    def test_frames_do_not_change_the_motion(self):
        """Also: frames lie at even times, and what is interpolated is close to what smaller steps would show."""
        for device in ["ref", "0"]:
            ends, films = [], []
            for rate in ["30 Hz", "60 Hz", "120 Hz", "47 Hz"]:
                self.scene(6, 8, **{"60 Hz": rate})
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "run", "--overwrite")
                ends.append((self.folder / "run/strands.csv").read_text())
                self.sheaf("convert", "run", "frames.csv", "--overwrite")
                lines = (self.folder / "frames.csv").read_text().splitlines()[1:]
                films.append({(round(float(row[1]), 9), row[2], row[3]): row[4:]
                              for row in (line.split(",") for line in lines)})
                times = sorted({key[0] for key in films[-1]})
                rate = float(rate.split()[0])
                for k, moment in enumerate(times[:-1]):
                    self.assertAlmostEqual(moment, k / rate, 8)
            self.assertEqual(ends, ends[:1] * 4)
            for film in films[:2]:  # the frames of half the rate are among those of the whole, to the last bit
                for key in film:
                    self.assertEqual(film[key], films[2][key])

    def times(self, folder):
        self.sheaf("convert", folder, "frames.csv", "--overwrite")
        lines = (self.folder / "frames.csv").read_text().splitlines()[1:]
        return sorted({round(float(line.split(",")[1]), 6) for line in lines})

    def test_some_frames(self):
        """One frame in four: 0, 4, ..., 60 of 61, between steps and on them, also of a run that ended in between."""
        some = {"output: {": "output: { trajectory: { every: 4 frames },"}
        for device in ["ref", "0"]:
            with self.subTest(device=device):
                self.scene(6, 8)
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "all", "--overwrite")
                every = self.results("all")
                self.scene(6, 8, **some)
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "whole", "--overwrite")
                whole = self.results("whole")
                self.assertEqual((every[0], every[2]), (whole[0], whole[2]))  # what is kept changes no bit
                lines = {line.partition(",")[2] for line in every[1].splitlines()}
                self.assertLessEqual({line.partition(",")[2] for line in whole[1].splitlines()}, lines)
                self.assertEqual(self.times("whole"), [round(4 * k / 60, 6) for k in range(16)])
                # frame 18, on step 60, is none of those kept, but the end of this run; the next one takes it out again
                self.sheaf("run", "hair.yaml", "--device", device, "-o", "parts", "--steps", "60", "--overwrite")
                self.assertEqual(self.times("parts"), [round(4 * k / 60, 6) for k in range(5)] + [0.3])
                for steps in ["101", "102", "200"]:
                    self.assertNotIn("lost", self.sheaf("run", "hair.yaml", "-o", "parts", "--restart", "--steps", steps).stderr)
                self.check_whole("parts", whole, device)
                for command in ["parts", "parts/trajectory.vtkhdf"]:
                    self.assertEqual(self.json("info", command)["frames"], 16)

    def test_another_choice_of_frames(self):
        """A run that goes on with fewer frames loses none of those it has."""
        self.scene(2, 5)
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "run", "--time", "0.5")
        self.scene(2, 5, **{"output: {": "output: { trajectory: { every: 10 frames },"})
        self.assertNotIn("lost", self.sheaf("run", "hair.yaml", "-o", "run", "--restart").stderr)
        self.assertEqual(self.times("run"), [round(k / 60, 6) for k in [*range(31), 40, 50, 60]])

    def test_no_frames(self):
        self.scene(2, 5, **{"output: {": "output: { trajectory: false,"})
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "run", "--time", "0.5")
        self.sheaf("run", "hair.yaml", "-o", "run", "--restart")
        self.assertFalse((self.folder / "run/trajectory.vtkhdf").exists())
        self.assertEqual(self.json("info", "run")["frames"], 61)  # rows of figures
        self.assertEqual(self.json("info", "hair.yaml")["frames"], 0)

    def test_signals(self):
        self.scene(40, 32, **{"end: 1 s": "end: 1000 s", "every: 0.05 s": "every: 1 h"})
        for number in [signal.SIGINT, signal.SIGTERM]:
            run = self.folder / f"run{number}"
            process = self.start("hair.yaml", "--device", "ref", "-o", run.name)
            while not (run / "run.json").exists():
                time.sleep(0.01)
            time.sleep(0.3)
            sent = time.monotonic()
            process.send_signal(number)
            self.assertEqual(process.wait(20), 128 + number, process.stderr.read())
            process.stderr.close()
            self.assertLess(time.monotonic() - sent, 5)  # 1 s on a machine that does nothing else
            checkpoint = run / "checkpoint.h5"
            self.assertLess(checkpoint.stat().st_mtime - (time.time() - (time.monotonic() - sent)), 2.5)
            record = json.loads((run / "run.json").read_text())
            self.assertEqual(record["exit"], 128 + number)
            facts = self.json("info", f"{run.name}/checkpoint.h5")
            self.assertEqual((facts["format"], facts["steps"]), ("checkpoint", record["steps"]))

    def processor_time(self, pid):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "sanitizers take their own time")
    def test_a_signal_in_a_crowd(self):
        """Ten thousand hairs of 32 vertices end within 1 s, checkpoint first; other programs may hold the processors."""
        self.scene(10000, 32, **{"end: 1 s": "end: 1000 s", "every: 0.05 s": "every: 1 h"})
        run = self.folder / "crowd"
        process = subprocess.Popen([SHEAF, "run", "hair.yaml", "--device", "0", "-o", run.name, "-q"], cwd=self.folder)
        while not (run / "thermo.csv").exists() or (run / "thermo.csv").read_text().count("\n") < 4:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        before, sent, moment = self.processor_time(process.pid), time.monotonic(), time.time()
        process.send_signal(signal.SIGTERM)
        _, state, used = os.wait4(process.pid, 0)
        wall, work = time.monotonic() - sent, used.ru_utime + used.ru_stime - before
        process.returncode = os.waitstatus_to_exitcode(state)
        self.assertEqual(process.returncode, 143)
        saved = (run / "checkpoint.h5").stat().st_mtime - moment
        print(f"checkpoint after {saved:.2f} s, end after {wall:.2f} s; {work:.2f} s of processor time")
        self.assertLess(min(wall, work), 1)
        self.assertLess(saved, 0.9 * wall)
        steps = json.loads((run / "run.json").read_text())["steps"]
        self.assertEqual(self.json("info", "crowd/checkpoint.h5")["steps"], steps)
        self.sheaf("run", "hair.yaml", "-o", run.name, "--restart", "--steps", str(steps + 1), "-q")

    def test_kills(self):
        """A run that is killed again and again, at any moment, comes to the same end, and never falls back far."""
        self.scene(30 * max(1, KILLS // 4), 16)
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "whole", "--checkpoint", "100")
        random.seed(1)
        kills = restarts = 0
        while True:
            process = self.start("hair.yaml", "--device", "ref", "-j", "1", "-o", "run", "--restart", "--checkpoint",
                                 "0.02" if kills < KILLS else "100")
            if kills < KILLS:
                try:
                    process.wait(0.05 + 0.25 * random.random())
                except subprocess.TimeoutExpired:
                    process.kill()
                    kills += 1
            code = process.wait(100)
            told = process.stderr.read()
            self.assertNotIn("are lost", told)
            restarts += "going on" in told
            process.stderr.close()
            if (self.folder / "run/trajectory.vtkhdf").exists():
                told = self.sheaf("info", "run/trajectory.vtkhdf", expect=None)  # readable, with whole frames or none yet
                self.assertTrue(told.returncode == 0 or "there is no frame in it yet" in told.stderr, told.stderr)
            if code == 0 and kills < KILLS:  # it was too fast for us
                break
            if code != -signal.SIGKILL:
                self.assertEqual(code, 0)
                break
        self.assertGreater(kills, 0)
        self.check_whole("run", self.results("whole"), "ref")
        print(f"{kills} kills, {restarts} restarts")


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("hair.yaml", (SCENE % (2, 5)).replace("end: 1 s", "end: 0.1 s"))
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "run")

    def refuse(self, *words, code=3):
        before = {path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()}
        error = self.sheaf("run", "hair.yaml", "-o", "run", "--restart", *words, expect=code).stderr
        after = {path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()}
        self.assertEqual(before, after)
        return error

    def test_what_has_no_checkpoint_is_not_replaced(self):
        """Unless it is the same scene's run, cut off before it wrote one: nothing is lost then."""
        for name in ["checkpoint.h5", "checkpoint_prev.h5"]:
            (self.folder / "run" / name).unlink(missing_ok=True)
        self.assertIn("without a checkpoint", self.refuse())  # ended
        record = json.loads((self.folder / "run/run.json").read_text())
        record["exit"] = None
        (self.folder / "run/run.json").write_text(json.dumps(record))
        self.assertIn("already holds a run", self.refuse(code=7))  # with results
        for name in ["strands.csv", "picture.svg", "energy.svg"]:
            (self.folder / "run" / name).unlink()
        (self.folder / "run/report.html").write_text("<!doctype html>")
        self.refuse(code=7)
        (self.folder / "run/report.html").unlink()
        record["scene"] = "another.yaml"
        (self.folder / "run/run.json").write_text(json.dumps(record))
        self.refuse(code=7)
        record["scene"] = "hair.yaml"
        (self.folder / "run/run.json").write_text(json.dumps(record))
        self.sheaf("run", "hair.yaml", "-o", "run", "--restart", "--device", "ref")

    def test_another_scene(self):
        text = (self.folder / "hair.yaml").read_text()
        for old, new in [("3.5 GPa", "3.6 GPa"), ("40 deg", "41 deg"), ("count: 2", "count: 3"), ("6 mm", "5 mm")]:
            self.write("hair.yaml", text.replace(old, new))
            identity = r"[0-9a-f]{16} \('hairs', \d strands, \d+ vertices\)"
            self.assertRegex(self.refuse(), f"is of scene {identity}, not {identity}; ")
        self.write("hair.yaml", text.replace("1/200 s", "1/100 s"))
        self.assertIn("with a step of", self.refuse())
        self.write("hair.yaml", text)
        self.assertIn("is of a run on the reference", self.refuse("--device", "0"))
        self.write("hair.yaml", text.replace("hairs", "the same").replace("60 Hz", "50 Hz"))
        self.sheaf("run", "hair.yaml", "-o", "run", "--restart")  # what changes no motion may change

    def test_damage_falls_back(self):
        last, previous = self.folder / "run/checkpoint.h5", self.folder / "run/checkpoint_prev.h5"
        self.sheaf("run", "hair.yaml", "-o", "run", "--restart", "--time", "0.12")
        last.write_bytes(last.read_bytes()[:-5])
        result = self.sheaf("run", "hair.yaml", "-o", "run", "--restart", "--time", "0.12")
        self.assertIn("the one before it, checkpoint_prev.h5, is taken", result.stderr)
        last.write_bytes(b"nothing")
        previous.unlink()
        self.assertIn("not a checkpoint", self.refuse())
        last.unlink()
        self.assertIn("without a checkpoint", self.refuse())

    def test_a_damaged_trajectory(self):
        """A wrong bit in a frame is told by info, and nothing goes on from it; moved away, the run goes on without."""
        path = self.folder / "run/trajectory.vtkhdf"
        point = (self.folder / "run/strands.csv").read_text().splitlines()[-1].split(",")[2:]
        whole = path.read_bytes()
        at = whole.rindex(struct.pack("<f", float(point[0])))  # in the last frame
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        self.assertRegex(self.sheaf("info", "run/trajectory.vtkhdf", expect=3).stderr, r"points of frame \d+ .*checksum")
        self.assertIn("checksum", " ".join(self.json("info", "run")["problems"]))
        words = ["run", "hair.yaml", "-o", "run", "--restart", "--time", "0.2"]
        self.assertRegex(self.sheaf(*words, expect=3).stderr, "trajectory.vtkhdf' is damaged: points of frame")
        path.unlink()
        self.assertIn("some are lost", self.sheaf(*words).stderr)
        self.assertEqual(self.json("info", "run/trajectory.vtkhdf")["problems"], [])

    def test_nothing_there_starts(self):
        self.sheaf("run", "hair.yaml", "--device", "ref", "-o", "new", "--restart")
        self.assertEqual((self.folder / "new/strands.csv").read_bytes(), (self.folder / "run/strands.csv").read_bytes())

    def test_usage(self):
        self.refuse("--overwrite", code=2)
        self.refuse("--checkpoint", "1", "--no-checkpoint", code=2)

    def test_locked(self):
        self.write("long.yaml", (SCENE % (2, 5)).replace("end: 1 s", "end: 1000 s"))
        first = subprocess.Popen([SHEAF, "run", "long.yaml", "--device", "ref", "-o", "long", "-q"], cwd=self.folder)
        while not (self.folder / "long/checkpoint.h5").exists():
            time.sleep(0.01)
        error = self.sheaf("run", "long.yaml", "-o", "long", "--restart", expect=7).stderr
        self.assertIn("another run is writing", error)
        first.terminate()
        self.assertEqual(first.wait(), 143)


if __name__ == "__main__":
    unittest.main()
