"""test_oracle_usd: usd-core and Blender read the .usda files we write, and we read those that usd-core writes."""
# labels: oracle;frame
import importlib.util
import unittest

import oracle

oracle.enter("pxr", "h5py", "numpy")

import h5py
import numpy
from pxr import Gf, Sdf, Usd, UsdGeom

from oracle import COUNTS, TIMES


class Usda(oracle.OracleTest):
    def check_curves(self, curves, codes):
        """What validators do not look at: every count, at every time, and the bounds."""
        total = sum(COUNTS)
        self.assertEqual(curves.GetTypeAttr().Get(), "linear")
        self.assertEqual(curves.GetWrapAttr().Get(), "nonperiodic")
        self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get()), COUNTS)
        widths = curves.GetWidthsAttr().Get()
        numpy.testing.assert_allclose(widths, numpy.repeat([2e-3, 6e-3, 6e-3], COUNTS), rtol=1e-6)
        self.assertEqual(curves.GetWidthsInterpolation(), "vertex")
        self.assertIn(curves.ComputeInterpolationForSize(total, Usd.TimeCode.Default()), ["vertex", "varying"])
        for frame, code in enumerate(codes):
            points = curves.GetPointsAttr().Get(code)
            self.assertEqual(len(points), total)
            self.assert_same(points, frame)
            self.assertTrue(numpy.isfinite(numpy.asarray(points)).all())
            self.assertEqual(list(curves.GetExtentAttr().Get(code)), list(UsdGeom.Curves.ComputeExtent(points, widths)))

    def test_time_samples(self):
        self.sheaf("convert", "swing.run", "swing.usda")
        stage = Usd.Stage.Open(str(self.folder / "swing.usda"))
        self.assertEqual((UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)), ("Z", 1))
        self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()), (20, 0, 5))
        curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
        codes = curves.GetPointsAttr().GetTimeSamples()
        numpy.testing.assert_allclose([code / 20 for code in codes], TIMES, atol=1e-9)
        self.check_curves(curves, codes)

    def test_value_clips(self):
        """The file beside the folder opens as one film, from anywhere, under names with blanks and dots."""
        self.sheaf("convert", "swing.run", "the film.v1.usda", "--clips")
        stage = Usd.Stage.Open(str(self.folder / "the film.v1.usda"))
        self.assertEqual((UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)), ("Z", 1))
        self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()), (20, 0, 5))
        curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
        self.assertEqual(curves.GetPointsAttr().GetTimeSamples(), [0, 1, 2, 3, 4, 5])
        self.check_curves(curves, range(6))

    def test_value_clips_of_uneven_frames(self):
        """The end of a run is a frame, wherever it falls; clips are one file's time samples, between frames too."""
        self.sheaf("run", "swing.yaml", "--device", "ref", "--time", "0.26", "-o", "odd.run")
        with h5py.File(self.folder / "odd.run/trajectory.vtkhdf") as file:
            self.frames = file["VTKHDF/Points"][:].reshape(-1, sum(COUNTS), 3)
            times = file["VTKHDF/Steps/Values"][:]
        self.assertGreater(abs(times[-1] * 20 - round(times[-1] * 20)), 0.1)
        self.sheaf("convert", "odd.run", "clips.usda", "--clips")
        self.sheaf("convert", "odd.run", "whole.usda")
        stages = [Usd.Stage.Open(str(self.folder / name)) for name in ("clips.usda", "whole.usda")]
        clips, whole = [UsdGeom.BasisCurves(stage.GetDefaultPrim()) for stage in stages]
        codes = clips.GetPointsAttr().GetTimeSamples()
        numpy.testing.assert_allclose([code / stages[0].GetTimeCodesPerSecond() for code in codes], times, atol=1e-9)
        self.check_curves(clips, codes)
        for code in [-1, 0.3, codes[1] + 0.4, (codes[-2] + codes[-1]) / 2, codes[-1] + 7]:
            numpy.testing.assert_array_equal(clips.GetPointsAttr().Get(code), whole.GetPointsAttr().Get(code))

    def test_units_and_axes_are_what_they_say(self):
        self.sheaf("convert", "swing.run", "y.usda", "--to-unit", "cm", "--to-up", "y", "--time", "0.25")
        stage = Usd.Stage.Open(str(self.folder / "y.usda"))
        self.assertEqual((UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)), ("Y", 0.01))
        points = numpy.asarray(UsdGeom.BasisCurves(stage.GetDefaultPrim()).GetPointsAttr().Get())
        x, y, z = self.frames[5].T
        numpy.testing.assert_allclose(points, 100 * numpy.stack([x, z, -y], 1), rtol=1e-6, atol=1e-9)

    def write_stage(self):
        """Two prims below moved ones, one of them animated, as another program would write them."""
        stage = Usd.Stage.CreateNew(str(self.folder / "given.usda"))
        UsdGeom.SetStageUpAxis(stage, "Y")
        UsdGeom.SetStageMetersPerUnit(stage, 0.01)
        stage.SetTimeCodesPerSecond(30)
        world = UsdGeom.Xform.Define(stage, "/world")
        world.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
        world.AddRotateXYZOp().Set(Gf.Vec3f(20, 30, 40))
        world.AddScaleOp().Set(Gf.Vec3f(2, 2, 2))
        for name, offset in [("a", 0), ("b", 5)]:
            curves = UsdGeom.BasisCurves.Define(stage, f"/world/{name}")
            curves.CreateTypeAttr("cubic")
            curves.CreateBasisAttr("catmullRom")
            curves.CreateWrapAttr("pinned")
            curves.CreateCurveVertexCountsAttr([3, 4])
            points = [Gf.Vec3f(offset + k / 3, k * k, -k) for k in range(7)]
            curves.CreatePointsAttr(points)
            if name == "a":
                for code in [10, 11, 12.5]:
                    curves.GetPointsAttr().Set([p + Gf.Vec3f(code, 0, 0) for p in points], code)
            curves.AddRotateZOp().Set(90.0)
            curves.AddTransformOp().Set(Gf.Matrix4d(1).SetTranslate((7, 8, 9)))
            curves.CreateWidthsAttr([0.25])
            curves.SetWidthsInterpolation("constant")
        stage.GetRootLayer().Save()
        return stage

    def test_files_of_others(self):
        stage = self.write_stage()
        self.sheaf("convert", "given.usda", "read.csv")
        rows = numpy.loadtxt(self.folder / "read.csv", delimiter=",", skiprows=1).reshape(3, 14, 7)
        for frame, code in enumerate([10, 11, 12.5]):
            self.assertAlmostEqual(rows[frame, 0, 1], code / 30, places=9)
            expected = []
            for name in "ab":
                curves = UsdGeom.BasisCurves.Get(stage, f"/world/{name}")
                matrix = UsdGeom.XformCache(code).GetLocalToWorldTransform(curves.GetPrim())
                expected += [matrix.Transform(Gf.Vec3d(p)) for p in curves.GetPointsAttr().Get(code)]
            numpy.testing.assert_allclose(rows[frame, :, 4:], expected, rtol=2e-6, atol=2e-6)
        facts = self.json("info", "given.usda")
        self.assertEqual((facts["unit"], facts["up"], facts["strands"], facts["frames"]), ("cm", "y", 4, 3))


class Blender(oracle.OracleTest):
    @unittest.skipUnless(importlib.util.find_spec("bpy"), "bpy is not installed")
    def test_blender_imports_the_curves(self):
        self.sheaf("convert", "swing.run", "swing.usda")
        self.check_import("swing.usda")

    @unittest.skipUnless(importlib.util.find_spec("bpy"), "bpy is not installed")
    def test_blender_plays_value_clips(self):
        self.sheaf("convert", "swing.run", "clips.usda", "--clips")
        self.check_import("clips.usda")

    def check_import(self, name):
        import bpy
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.usd_import(filepath=str(self.folder / name))
        [item] = [item for item in bpy.data.objects if item.type == "CURVES"]
        self.assertEqual([curve.points_length for curve in item.data.curves], COUNTS)
        for frame in range(6):
            bpy.context.scene.frame_set(frame)
            shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
            self.assert_same([point.position[:] for point in shown.points], frame)
            numpy.testing.assert_allclose([point.radius for point in shown.points],
                                          numpy.repeat([1e-3, 3e-3, 3e-3], COUNTS), rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
