"""test_oracle_vtk: VTK, h5py and NumPy read what we write, frame by frame, while a run goes on and after it was killed."""
# labels: oracle;frame
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import oracle

oracle.enter("vtk", "h5py", "numpy")

import h5py
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from command import ROD, SHEAF, SOURCE
from oracle import COUNTS, TIMES


class Complaints:
    """Gathers what VTK would print."""

    def __enter__(self):
        self.window = vtk.vtkStringOutputWindow()
        vtk.vtkOutputWindow.SetInstance(self.window)
        return self

    def __exit__(self, *_):
        vtk.vtkOutputWindow.SetInstance(None)

    def text(self):
        return self.window.GetOutput()


def lines_of(data):
    ends = vtk_to_numpy(data.GetLines().GetOffsetsArray())
    places = vtk_to_numpy(data.GetLines().GetConnectivityArray())
    return [list(places[a:b]) for a, b in zip(ends, ends[1:])]


class Vtk(oracle.OracleTest):
    def check(self, data, frame, radius=True):
        self.assert_same(vtk_to_numpy(data.GetPoints().GetData()), frame)
        self.assertEqual([len(line) for line in lines_of(data)], COUNTS)
        self.assertEqual(sum(lines_of(data), []), list(range(sum(COUNTS))))
        numpy.testing.assert_allclose(vtk_to_numpy(data.GetPointData().GetArray("radius")),
                                      numpy.repeat([1e-3, 3e-3, 3e-3], COUNTS), rtol=1e-6)
        self.assertEqual(list(vtk_to_numpy(data.GetCellData().GetArray("strand"))), [0, 1, 2])

    def test_steps_of_a_trajectory(self):
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(self.folder / "swing.run/trajectory.vtkhdf"))
        with Complaints() as complaints:
            reader.UpdateInformation()
            times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
            numpy.testing.assert_allclose(times, TIMES, atol=1e-12)
            for frame in [0, 5, 2, 3, 1, 4]:
                reader.UpdateTimeStep(times[frame])
                self.check(reader.GetOutputDataObject(0), frame)
            self.assertEqual(complaints.text(), "")

    def test_angles_of_directors(self):
        """One number for each point, other ones at each step."""
        vertices = sum(COUNTS) + 2
        self.write("turned.yaml", oracle.SWING.replace("vertices: 4", "vertices: 6").replace(
            "material: steel }", "material: steel, tip: { hold: clamp, twist: { ramp: { to: 1 turns, over: 0.2 s } } } }"))
        self.sheaf("run", "turned.yaml", "--device", "ref")
        path = self.folder / "turned.run/trajectory.vtkhdf"
        with h5py.File(path) as file:
            self.assertEqual(file["Sheaf"].attrs["format"], 2)
            angles = file["VTKHDF/PointData/director_angle"][:].reshape(-1, vertices)
            points = file["VTKHDF/Points"][:].reshape(-1, vertices, 3).astype(float)
        self.assertAlmostEqual(angles[-1][4] - angles[-1][0], 2 * numpy.pi, delta=1e-3)
        page = (SOURCE / "docs/files.md").read_text()
        code = next(block for block in page.split("```python\n") if block.startswith("import numpy")).split("```")[0]
        names = {}
        exec(code, names)
        made = numpy.array(list(names["directors"](points[1][:6], angles[1][:6])))  # after a quarter of a turn
        numpy.testing.assert_allclose(numpy.linalg.norm(made, axis=1), 1, atol=1e-6)
        numpy.testing.assert_allclose(numpy.sum(made * numpy.diff(points[1][:6], axis=0), axis=1), 0, atol=1e-6)
        self.assertAlmostEqual(made[0] @ made[4], 0, delta=2e-3)
        self.assertGreater(numpy.cross(made[0], made[4]) @ [1, 0, 0], 0.99)
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(path))
        with Complaints() as complaints:
            for frame in [0, 5, 2]:
                reader.UpdateInformation()
                reader.UpdateTimeStep(TIMES[frame])
                data = reader.GetOutputDataObject(0)
                numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPointData().GetArray("director_angle")),
                                                 angles[frame])
                numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), points[frame])
            self.assertEqual(complaints.text(), "")

    def test_a_groom_as_a_trajectory(self):
        self.sheaf("convert", "swing.run", "one.hair")
        self.sheaf("convert", "one.hair", "one.vtkhdf")
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(self.folder / "one.vtkhdf"))
        with Complaints() as complaints:
            reader.Update()
            self.assert_same(vtk_to_numpy(reader.GetOutputDataObject(0).GetPoints().GetData()), 5)
            self.assertEqual(complaints.text(), "")

    def test_files_of_a_sequence(self):
        self.sheaf("convert", "swing.run", "swing.pvd")
        sets = xml.etree.ElementTree.parse(self.folder / "swing.pvd").getroot().findall("Collection/DataSet")
        numpy.testing.assert_allclose([float(item.get("timestep")) for item in sets], TIMES, atol=1e-12)
        for frame, item in enumerate(sets):
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(str(self.folder / item.get("file")))
            with Complaints() as complaints:
                reader.Update()
                self.check(reader.GetOutput(), frame)
                self.assertEqual(complaints.text(), "")

    def test_the_last_frame_is_where_strands_are(self):
        rows = numpy.loadtxt(self.folder / "swing.run/strands.csv", delimiter=",", skiprows=1)
        numpy.testing.assert_allclose(self.frames[-1], rows[:, 2:], rtol=3e-7, atol=1e-12)

    def test_arrays_of_numpy(self):
        self.sheaf("convert", "swing.run", "even.npy", "--resample", "4")
        array = numpy.load(self.folder / "even.npy")
        self.assertEqual((array.shape, array.dtype), ((6, 3, 4, 3), numpy.float32))
        numpy.testing.assert_array_equal(array[3, 0, 0], self.frames[3, 0])
        for given in [array[0], array.astype(numpy.float64), numpy.ones((1, 1, 3))]:
            numpy.save(self.folder / "given.npy", given)
            self.sheaf("convert", "given.npy", "back.npy", "--overwrite")
            back = numpy.load(self.folder / "back.npy")
            self.assertEqual(back.dtype, given.dtype)
            numpy.testing.assert_array_equal(back, given)
        numpy.save(self.folder / "given.npy", numpy.asfortranarray(array))
        self.sheaf("info", "given.npy", expect=3)

    def test_facts_of_a_run(self):
        with h5py.File(self.folder / "swing.run/trajectory.vtkhdf") as file:
            self.assertEqual(file["Sheaf"].attrs["metres_per_unit"], 1)
            self.assertEqual(file["Sheaf"].attrs["up"], b"z")
            self.assertEqual(file["Sheaf"].attrs["title"], b"three rods")
            self.assertEqual(file["VTKHDF/Steps"].attrs["NSteps"], len(TIMES))

    def test_a_growing_and_a_killed_run(self):
        self.write("slow.yaml", ROD.replace("end: 0.1 s", "end: 1000 s").replace("vertices: 6", "vertices: 200"))
        path, frames = self.folder / "slow.run/trajectory.vtkhdf", 0
        process = subprocess.Popen([SHEAF, "run", "slow.yaml", "--device", "ref"], cwd=self.folder, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        for _ in range(600):
            time.sleep(0.05)
            try:
                with h5py.File(path, locking=False) as file:
                    frames = int(file["VTKHDF/Steps"].attrs["NSteps"])
            except (OSError, KeyError):
                continue  # not there yet, or between two flushes
            if frames > 3:
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertGreater(frames, 3)
        reader = vtk.vtkHDFReader()
        reader.SetFileName(str(path))
        with Complaints() as complaints:
            reader.UpdateInformation()
            times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
            self.assertGreaterEqual(len(times), frames)
            reader.UpdateTimeStep(times[-1])
            self.assertEqual(reader.GetOutputDataObject(0).GetNumberOfPoints(), 200)
            self.assertEqual(complaints.text(), "")


if __name__ == "__main__":
    unittest.main()
