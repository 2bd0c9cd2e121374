"""caterpillar: writes the meshes of caterpillar.yaml into the folder given: a long body that arches its back, bends to a
side and breathes, in a second and back to where it began. In centimetres, z up, head along x."""
import math
import pathlib
import sys

FRAMES, RINGS, AROUND = 13, 17, 14
LENGTH, RADIUS = 16.0, 2.2


def spine(phase):
    """Places and axes (along, to the left, up) at RINGS places of equal distance, around the middle of the body."""
    strength = math.sin(math.pi * phase) ** 2
    parts = 16 * (RINGS - 1)
    places, axes, at = [], [], [0.0, 0.0, 0.0]
    for k in range(parts + 1):
        u = k / parts
        pitch = strength * 0.95 * math.sin(2 * math.pi * u) * math.sin(math.pi * u)
        yaw = strength * 0.6 * math.sin(math.pi * (u - 0.5))
        along = (math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch))
        left = (-math.sin(yaw), math.cos(yaw), 0.0)
        up = (-math.sin(pitch) * math.cos(yaw), -math.sin(pitch) * math.sin(yaw), math.cos(pitch))
        if k % 16 == 0:
            places.append(tuple(at))
            axes.append((along, left, up))
        at = [at[c] + LENGTH / parts * along[c] for c in range(3)]
    middle = [(places[0][c] + places[-1][c]) / 2 if c < 2 else 0 for c in range(3)]
    return [tuple(p[c] - middle[c] for c in range(3)) for p in places], axes


def vertices(phase):
    """Two poles, then the rings between them from tail to head."""
    places, axes = spine(phase)
    breath = 1 + 0.08 * math.sin(2 * math.pi * phase)
    found = [places[0], places[-1]]
    for k in range(1, RINGS - 1):
        u = 2 * k / (RINGS - 1) - 1
        radius = RADIUS * (1 - abs(u) ** 3.5) ** 0.5
        radius *= 1 + (breath - 1) * (1 - u * u)
        for s in range(AROUND):
            angle = 2 * math.pi * (s + k % 2 / 2) / AROUND
            side, high = radius * math.cos(angle), radius * math.sin(angle)
            found.append(tuple(places[k][c] + side * axes[k][1][c] + high * axes[k][2][c] for c in range(3)))
    return found


def faces():
    """Vertices are counted from 1; rings are turned by half a step one after the other."""
    found = []
    last = RINGS - 3
    for s in range(AROUND):
        after = (s + 1) % AROUND
        found.append((1, 3 + after, 3 + s))
        found.append((2, 3 + last * AROUND + s, 3 + last * AROUND + after))
        for k in range(last):
            here, there = 3 + k * AROUND, 3 + (k + 1) * AROUND
            if k % 2 == 0:  # this ring is the turned one
                found += [(here + s, here + after, there + after), (here + s, there + after, there + s)]
            else:
                found += [(here + s, here + after, there + s), (here + after, there + after, there + s)]
    return found


def main(folder):
    for frame in range(FRAMES):
        lines = ["v %.3f %.3f %.3f" % point for point in vertices(frame / (FRAMES - 1))]
        lines += ["f %d %d %d" % face for face in faces()]
        text = "# A caterpillar in centimetres, z up, made by caterpillar.py\n" + "\n".join(lines) + "\n"
        (pathlib.Path(folder) / ("caterpillar.%04d.obj" % (frame + 1))).write_text(text.replace(" -0.000", " 0.000"))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
