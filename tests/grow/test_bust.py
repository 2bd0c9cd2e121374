"""test_bust: the bust of portrait.yaml is what the script beside it makes, closed, and read at once."""
import struct
import subprocess
import sys
import unittest

from command import SOURCE, CommandTest


class Bust(CommandTest):
    def test_the_script_makes_the_file(self):
        subprocess.run([sys.executable, str(SOURCE / "scenes/make_bust.py"), "bust.ply"], cwd=self.folder, check=True)
        made, kept = (self.folder / "bust.ply").read_bytes(), (SOURCE / "scenes/bust.ply").read_bytes()
        self.assertEqual(made, kept)
        self.assertLess(len(kept), 2_000_000)

    def test_it_is_a_closed_body(self):
        """Every edge of a triangle runs the other way in exactly one other; Euler's number is that of a ball."""
        data = (SOURCE / "scenes/bust.ply").read_bytes()
        at = data.index(b"end_header\n") + len(b"end_header\n")
        words = data[:at].decode().split()
        vertices, faces = (int(words[words.index(name) + 1]) for name in ("vertex", "face"))
        points = [struct.unpack_from("<3fB3b", data, at + 16 * k) for k in range(vertices)]
        edges = set()
        for k in range(faces):
            count, *corners = struct.unpack_from("<B3i", data, at + 16 * vertices + 13 * k)
            self.assertEqual(count, 3)
            for i in range(3):
                edge = corners[i], corners[(i + 1) % 3]
                self.assertNotIn(edge, edges)
                edges.add(edge)
        self.assertTrue(all((b, a) in edges for a, b in edges))
        self.assertEqual(vertices - len(edges) // 2 + faces, 2)
        hair = [p for p in points if p[3] > 127]
        self.assertTrue(0.1 < len(hair) / vertices < 0.3)
        self.assertGreater(min(p[2] for p in hair), -0.09)  # none on shoulders
        self.assertFalse([p for p in hair if p[1] < -0.08 and p[2] < 0.04])  # nor in the face


if __name__ == "__main__":
    unittest.main()
