"""make_bust: writes the head and shoulders of portrait.yaml to the file given. In metres, z up, face along -y.

The body is a blend of ellipsoids and cones; its surface is found cell by cell from a seed, as one vertex in each cell
that it passes through. Vertices have the properties density (where hair grows, 0 to 255) and comb_x, comb_y, comb_z
(which way it is combed, from the parting)."""
import math
import pathlib
import struct
import sys

CELL = 3.5  # mm

# Parts in the order in which they are blended: kind, then mm. "both" is mirrored at x = 0; a cut takes away.
# ellipsoid: centre, radii; cone: from, to, radius at each end. The last number is the width of the blend.
PARTS = [
    ("ellipsoid", "one", "add", (0, 12, 24), (74.5, 93.5, 86.5), 0),
    ("ellipsoid", "one", "add", (0, -34, -42), (59, 56, 78), 35),
    ("ellipsoid", "one", "add", (0, -30, 45), (62, 56, 50), 30),
    ("cone", "both", "add", (50, 0, -70), (14, -66, -108), (17, 16), 30),
    ("ellipsoid", "one", "add", (0, -76, -108), (19, 15, 15), 25),
    ("cone", "both", "add", (40, -66, -30), (58, -30, -22), (17, 12), 30),
    ("cone", "both", "add", (12, -85, 10.5), (42, -72, 12), (9, 7), 18),
    ("ellipsoid", "both", "cut", (31.5, -98.5, -7), (18.5, 19, 13), 14),
    ("ellipsoid", "both", "add", (31.5, -71.5, -8), (13.5, 13, 11.5), 6),
    ("cone", "one", "add", (0, -86, 6), (0, -108, -37), (6.5, 9.8), 14),
    ("ellipsoid", "both", "add", (10.5, -97.5, -40.5), (7.5, 9, 6.5), 8),
    ("ellipsoid", "one", "add", (0, -78, -72), (33, 19, 26), 22),
    ("ellipsoid", "one", "add", (0, -98.5, -65), (19.5, 6.2, 4.6), 8),
    ("ellipsoid", "one", "add", (0, -97.5, -75.5), (16.5, 6.6, 5.8), 8),
    ("cone", "one", "cut", (-18, -103, -70), (18, -103, -70), (1.2, 1.2), 4),
    ("ellipsoid", "both", "add", (75.5, 13, -17), (8.5, 18.5, 31), 8),
    ("ellipsoid", "both", "cut", (86, 8, -14), (7, 10.5, 19), 6),
    ("cone", "one", "add", (0, 22, -60), (0, 34, -175), (49, 55), 40),
    ("cone", "both", "add", (20, 50, -130), (140, 48, -202), (34, 30), 50),
    ("cone", "both", "add", (80, 45, -238), (165, 45, -232), (62, 52), 60),
    ("ellipsoid", "one", "add", (0, 20, -300), (175, 95, 115), 50),
]
BOTTOM, BOTTOM_BLEND = -300, 12
EARS = ((75.5, 13, -17), (8.5, 18.5, 31))

# Hairline seen from a point inside the head: azimuth from the face and least elevation, degrees.
EYE = (0, 12, 10)
HAIRLINE = [(0, 35), (22, 34), (36, 30), (50, 19), (60, 5), (70, -10), (80, -2), (90, 12), (104, 11), (118, -10),
            (135, -30), (160, -43), (180, -46)]
SOFT = 2.5  # degrees to either side

PARTING = [(25, -90, 52), (24, -66, 88), (24, -30, 104), (20, 10, 110), (10, 52, 100)]
DOWN, BACK = 0.5, 1.4


# ---- distances, mm, negative inside; near enough to first order

def ellipsoid(centre, radii):
    cx, cy, cz = centre
    ax, ay, az = (1 / r for r in radii)

    def distance(x, y, z):
        x, y, z = (x - cx) * ax, (y - cy) * ay, (z - cz) * az
        way = math.sqrt(x * x + y * y + z * z)
        x, y, z = x * ax, y * ay, z * az
        slope = math.sqrt(x * x + y * y + z * z)
        return way * (way - 1) / slope if slope > 0 else -min(radii)
    return distance


def cone(start, end, radii):
    sx, sy, sz = start
    dx, dy, dz = (b - a for a, b in zip(start, end))
    square = dx * dx + dy * dy + dz * dz
    first, more = radii[0], radii[1] - radii[0]

    def distance(x, y, z):
        x, y, z = x - sx, y - sy, z - sz
        t = (x * dx + y * dy + z * dz) / square
        t = 0.0 if t < 0 else 1.0 if t > 1 else t
        x, y, z = x - t * dx, y - t * dy, z - t * dz
        return math.sqrt(x * x + y * y + z * z) - first - t * more
    return distance


def mirrored(place):
    return (-place[0],) + place[1:]


def solids():
    """(distance, whether it is cut away, blend) of every part, mirrored ones twice."""
    found = []
    for kind, sides, way, first, second, *rest in PARTS:
        for side in range(2 if sides == "both" else 1):
            a = mirrored(first) if side else first
            if kind == "ellipsoid":
                found.append((ellipsoid(a, second), way == "cut", rest[0]))
            else:
                found.append((cone(a, mirrored(second) if side else second, rest[0]), way == "cut", rest[1]))
    found.append((lambda x, y, z: z - BOTTOM, True, BOTTOM_BLEND))
    return found


SOLIDS = solids()


def distance(x, y, z):
    """Of the whole body: smooth least of the parts, in order."""
    whole = SOLIDS[0][0](x, y, z)
    for part, is_cut, blend in SOLIDS[1:]:
        own = part(x, y, z)
        a = -whole if is_cut else whole
        gap = own - a
        if gap < -blend:
            a = own
        elif gap < blend:
            h = 0.5 + 0.5 * gap / blend
            a = own + (a - own) * h - blend * h * (1 - h)
        whole = -a if is_cut else a
    return whole


# ---- the surface

class Surface:
    """Cells that the surface passes through, each with a vertex; faces between those around an edge that it crosses."""

    def __init__(self):
        self.values = {}
        self.vertices = {}
        self.normals = {}

    def value(self, corner):
        found = self.values.get(corner)
        if found is None:
            found = self.values[corner] = distance(CELL * corner[0], CELL * corner[1], CELL * corner[2])
        return found

    def corners(self, cell):
        x, y, z = cell
        return [self.value((x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))) for k in range(8)]

    def crosses(self, cell):
        values = self.corners(cell)
        return min(values) < 0 <= max(values)

    def follow(self, cell):
        """All cells of the surface that are connected with one of them."""
        waiting, seen = [cell], {cell}
        while waiting:
            x, y, z = waiting.pop()
            self.place((x, y, z))
            for other in ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)):
                if other not in seen:
                    seen.add(other)
                    if self.crosses(other):
                        waiting.append(other)

    def place(self, cell):
        """The vertex of a cell: the mean of where its edges are crossed, moved onto the surface."""
        v = self.corners(cell)
        total, count = [0.0, 0.0, 0.0], 0
        for axis in range(3):
            step = 1 << axis
            for k in range(8):
                if not k & step and (v[k] < 0) != (v[k | step] < 0):
                    share = v[k] / (v[k] - v[k | step])
                    for c in range(3):
                        total[c] += share if c == axis else k >> c & 1
                    count += 1
        normal = [sum(v[k | 1 << c] - v[k] for k in range(8) if not k >> c & 1) / (4 * CELL) for c in range(3)]
        square = sum(n * n for n in normal)
        point = [CELL * (cell[c] + total[c] / count) for c in range(3)]
        for _ in range(2):
            away = distance(*point) / square
            away = max(-0.5, min(0.5, away / CELL)) * CELL  # it stays near its cell, so that no face turns over
            point = [point[c] - away * normal[c] for c in range(3)]
        self.vertices[cell] = tuple(point)
        self.normals[cell] = tuple(n / math.sqrt(square) for n in normal)

    def faces(self, number):
        """Two triangles for each edge of the grid that the surface crosses, counter-clockwise seen from outside."""
        found = []
        for cell in sorted(self.vertices):
            for axis in range(3):
                here = self.value(cell)
                there = self.value(tuple(cell[c] + (c == axis) for c in range(3)))
                if (here < 0) == (there < 0):
                    continue
                a, b = (axis + 1) % 3, (axis + 2) % 3
                around = [tuple(cell[c] - (c == a) * i - (c == b) * j for c in range(3))
                          for i, j in ((1, 1), (0, 1), (0, 0), (1, 0))]
                quad = [number[k] for k in around]
                if here >= 0:
                    quad.reverse()
                places = [self.vertices[k] for k in (around if here < 0 else around[::-1])]
                if math.dist(places[0], places[2]) <= math.dist(places[1], places[3]):
                    found += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
                else:
                    found += [(quad[1], quad[2], quad[3]), (quad[1], quad[3], quad[0])]
        return found


# ---- hair

def density(point):
    """Share of the full density, by the hairline; none on the ears."""
    x, y, z = (point[c] - EYE[c] for c in range(3))
    azimuth = math.degrees(math.atan2(abs(x), -y))
    elevation = math.degrees(math.atan2(z, math.hypot(x, y)))
    for (a, low), (b, high) in zip(HAIRLINE, HAIRLINE[1:]):
        if azimuth <= b:
            line = low + (high - low) * (azimuth - a) / (b - a)
            break
    t = min(max((elevation - line + SOFT) / (2 * SOFT), 0), 1)
    if any(ellipsoid(side, EARS[1])(*point) < 3 for side in (EARS[0], mirrored(EARS[0]))):
        return 0.0
    return t * t * (3 - 2 * t)


def nearest_of_parting(point):
    best = None
    for a, b in zip(PARTING, PARTING[1:]):
        side = [b[c] - a[c] for c in range(3)]
        t = sum((point[c] - a[c]) * side[c] for c in range(3)) / sum(s * s for s in side)
        t = min(max(t, 0), 1)
        place = [a[c] + t * side[c] for c in range(3)]
        if best is None or math.dist(place, point) < math.dist(best, point):
            best = place
    return best


def comb(point, normal):
    """Away from the parting, down, and back where the face is; along the surface."""
    away = [p - q for p, q in zip(point, nearest_of_parting(point))]
    length = math.sqrt(sum(a * a for a in away))
    way = [a / length if length > 0 else 0 for a in away]
    way[2] -= DOWN
    way[1] += BACK * min(max((30 - point[1]) / 80, 0), 1)
    off = sum(w * n for w, n in zip(way, normal))
    way = [w - off * n for w, n in zip(way, normal)]
    length = math.sqrt(sum(w * w for w in way))
    return [w / length for w in way] if length > 1e-9 else [0.0, 0.0, -1.0]


def main(path):
    surface = Surface()
    seed = (0, 0, 0)
    while not surface.crosses(seed):
        seed = (0, 0, seed[2] + 1)
    surface.follow(seed)
    cells = sorted(surface.vertices)
    number = {cell: k for k, cell in enumerate(cells)}
    faces = surface.faces(number)
    header = ["ply", "format binary_little_endian 1.0", "comment Sheaf groom; metres per unit 1; up z",
              f"element vertex {len(cells)}", "property float x", "property float y", "property float z",
              "property uchar density", "property char comb_x", "property char comb_y", "property char comb_z",
              f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header", ""]
    data = bytearray("\n".join(header).encode())
    for cell in cells:
        point = surface.vertices[cell]
        way = comb(point, surface.normals[cell])
        data += struct.pack("<3fB3b", *(p / 1000 for p in point), round(255 * density(point)),
                            *(round(127 * w) for w in way))
    for face in faces:
        data += struct.pack("<B3i", 3, *face)
    pathlib.Path(path).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
