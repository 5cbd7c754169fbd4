"""Pixels and chunks of PNG files, with the standard library alone: what the faults of mutation-check need."""
import struct, zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Picture:
    """A PNG: rows of samples (8 or 16 bits, RGB), and every other chunk as it was."""

    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:8] == SIGNATURE, f"{path} is no PNG"
        self.chunks, packed, at = [], b"", 8
        while at < len(data):
            size, = struct.unpack(">I", data[at:at + 4])
            kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
            at += 12 + size
            if kind == b"IDAT":
                packed += body
            else:
                self.chunks.append((kind, body))
        self.width, self.height, self.bits, colour = struct.unpack(">IIBB", self.chunks[0][1][:10])
        assert colour == 2 and self.bits in (8, 16), "only RGB of 8 or 16 bits"
        self.rows = self._unpacked(zlib.decompress(packed))

    def _unpacked(self, raw):
        step = 3 * self.bits // 8
        length = self.width * step
        rows, above = [], bytes(length)
        for y in range(self.height):
            kind, line = raw[y * (length + 1)], bytearray(raw[y * (length + 1) + 1:(y + 1) * (length + 1)])
            for i in range(length):
                left = line[i - step] if i >= step else 0
                up = above[i]
                corner = above[i - step] if i >= step else 0
                guess = left + up - corner
                paeth = min((left, up, corner), key=lambda value: abs(guess - value))
                line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
            above = bytes(line)
            samples = struct.unpack(f">{self.width * 3}{'H' if self.bits == 16 else 'B'}", above)
            rows.append([list(samples[x * 3:x * 3 + 3]) for x in range(self.width)])
        return rows

    def write(self, path, level=6):
        kind = "H" if self.bits == 16 else "B"
        raw = b"".join(
            b"\0" + struct.pack(f">{self.width * 3}{kind}", *[v for pixel in row for v in pixel]) for row in self.rows)
        head = struct.pack(">IIBB", self.width, self.height, self.bits, 2) + b"\0\0\0"
        out, done = SIGNATURE, False
        for kind, body in [(b"IHDR", head)] + self.chunks[1:]:
            if kind == b"IEND" and not done:
                out, done = out + _chunk(b"IDAT", zlib.compress(raw, level)), True
            out += _chunk(kind, body)
        open(path, "wb").write(out)

    @property
    def top(self):
        return (1 << self.bits) - 1

    def map(self, change):
        """Replaces each pixel by `change(pixel, x, y)`, rounded and clipped."""
        self.rows = [
            [[min(self.top, max(0, int(v + 0.5))) for v in change(pixel, x, y)] for x, pixel in enumerate(row)]
            for y, row in enumerate(self.rows)]

    def at(self, x, y):
        return self.rows[min(self.height - 1, max(0, y))][min(self.width - 1, max(0, x))]

    def drop(self, kind):
        self.chunks = [chunk for chunk in self.chunks if chunk[0] != kind]


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


class Tags:
    """Values of a little-endian TIFF or DNG, changed in place."""

    def __init__(self, path):
        self.data = bytearray(open(path, "rb").read())
        assert self.data[:4] == b"II*\0", f"{path} is no little-endian TIFF"

    def directories(self):
        waiting, seen = [struct.unpack("<I", self.data[4:8])[0]], set()
        while waiting:
            at = waiting.pop(0)
            if at == 0 or at in seen:
                continue
            seen.add(at)
            count, = struct.unpack("<H", self.data[at:at + 2])
            yield at, count
            for entry in range(at + 2, at + 2 + 12 * count, 12):
                tag, kind, number = struct.unpack("<HHI", self.data[entry:entry + 8])
                if tag == 330:
                    place = entry + 8 if number == 1 else struct.unpack("<I", self.data[entry + 8:entry + 12])[0]
                    waiting += struct.unpack(f"<{number}I", self.data[place:place + 4 * number])
            waiting.append(struct.unpack("<I", self.data[at + 2 + 12 * count:at + 6 + 12 * count])[0])

    def set(self, wanted, change):
        """Changes the bytes of a tag wherever it stands; at least one must be there."""
        sizes, found = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 11: 4, 12: 8}, 0
        for at, count in self.directories():
            for entry in range(at + 2, at + 2 + 12 * count, 12):
                tag, kind, number = struct.unpack("<HHI", self.data[entry:entry + 8])
                if tag != wanted:
                    continue
                size = sizes[kind] * number
                place = entry + 8 if size <= 4 else struct.unpack("<I", self.data[entry + 8:entry + 12])[0]
                self.data[place:place + size] = change(bytes(self.data[place:place + size]), kind)
                found += 1
        assert found, f"there is no tag {wanted}"

    def write(self, path):
        open(path, "wb").write(self.data)
