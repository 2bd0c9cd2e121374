"""pictures: what the tests that look at pictures share. Standard library only."""
import struct
import zlib


def read_png(data):
    """Rows of (red, green, blue) of a PNG with 8 bits per channel."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 2)
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
        at += size + 12
    raw, rows, last = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        how, line = raw[y * (3 * width + 1)], bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for k in range(3 * width if how > 0 else 0):
            left, up, corner = (line[k - 3], last[k], last[k - 3]) if k >= 3 else (0, last[k], 0)
            guess = left if how == 1 else up if how == 2 else (left + up) // 2
            if how == 4:
                guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[k] = (line[k] + guess) % 256
        last = bytes(line)
        rows.append([tuple(last[k:k + 3]) for k in range(0, 3 * width, 3)])
    return rows


def spread(rows):
    """How far apart the darkest and brightest pixel are."""
    values = [sum(pixel) for row in rows for pixel in row]
    return max(values) - min(values)
