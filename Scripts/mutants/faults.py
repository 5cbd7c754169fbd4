"""The faults and the harmless variations of mutation-check.

Each is a name, a case of Fixtures/golden/suite.json, and a change: of the command line (the pipeline really runs with a
wrong or another setting) or of the file that it wrote.
"""
import os, struct, zlib
from picture import Picture, Tags, _chunk


def options(*words):
    """More options on the command line."""
    return {"words": lambda given: given[:1] + list(words) + given[1:]}


def swapped(old, new):
    """One word in place of another."""
    def change(given):
        assert old in given, f"{old} is not among {given}"
        return [new if word == old else word for word in given]
    return {"words": change}


def without(option, values=1):
    def change(given):
        at = given.index(option)
        return given[:at] + given[at + 1 + values:]
    return {"words": change}


def pixels(change):
    """Pixels of the PNG, by `change(picture)`."""
    def edit(path):
        picture = Picture(path)
        change(picture)
        picture.write(path)
    return {"file": edit}


def tags(tag, change):
    def edit(path):
        file = Tags(path)
        file.set(tag, change)
        file.write(path)
    return {"file": edit}


def moved(dx, dy):
    """The picture shifted by parts of a pixel, bilinear; the border is repeated."""
    def change(picture):
        x0, y0 = int(dx // 1), int(dy // 1)
        fx, fy = dx - x0, dy - y0
        def pixel(_, x, y):
            corners = [picture.at(x + x0 + i, y + y0 + j) for j in (0, 1) for i in (0, 1)]
            shares = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
            return [sum(s * c[k] for s, c in zip(shares, corners)) for k in range(3)]
        picture.rows, rows = [[pixel(None, x, y) for x in range(picture.width)] for y in range(picture.height)], picture.rows
        picture.map(lambda p, x, y: p)
    return pixels(change)


def rows_repeated(picture):
    picture.rows[picture.height // 2] = picture.rows[picture.height // 2 - 1]


def seam(picture):
    """A tile of 16 pixels two codes too bright, as a wrong tile border makes it."""
    picture.map(lambda p, x, y: [v + 2 for v in p] if 32 <= x < 48 and 32 <= y < 48 else p)


def stuck(picture):
    picture.rows[10][10] = [picture.top] * 3
    picture.rows[10][11] = [picture.top] * 3
    picture.rows[11][10] = [picture.top] * 3


BAYER, TURNED, WIDE, BIN, MERGE = "bayer-balanced", "orientation-6", "aspect-16x9", "bin-mean", "merge-dng"

FAULTS = [
    ("crop off by one column", WIDE, moved(1, 0)),
    ("crop at the wrong gravity", WIDE, options("--gravity", "north")),
    ("red and blue exchanged", BAYER, pixels(lambda p: p.map(lambda c, x, y: [c[2], c[1], c[0]]))),
    ("1 % gain of light", BAYER, options("--exposure", "0.0144")),
    ("1 % gain of stored values", BAYER, pixels(lambda p: p.map(lambda c, x, y: [v * 1.01 for v in c]))),
    ("rotation left out", "orientation-3", options("--rotation", "0")),
    ("mirroring left out", "orientation-2", options("--rotation", "0")),
    ("half a pixel to the right", BAYER, moved(0.5, 0)),
    ("a tenth of a pixel down", BAYER, moved(0, 0.1)),
    ("black level 16 counts too low", BAYER, options("--black", "512")),
    ("white level 1 % too low", BAYER, options("--white", "4054")),
    ("Bayer phase off by a column", BAYER, options("--cfa", "grbg")),
    ("red multiplier 2 % too high", "bayer-settings", options("--wb", "2.04,1,1.6")),
    ("ICC profile dropped", BAYER, pixels(lambda p: p.drop(b"iCCP"))),
    ("profile of another space", BAYER, options("--profile", "display-p3")),
    ("EXIF dropped", BAYER, options("--strip")),
    ("orientation tag not reset", "mosaic-turned-90", tags(274, lambda old, kind: struct.pack("<H", 6))),
    ("a row twice", BAYER, pixels(rows_repeated)),
    ("a tile two codes too bright", BAYER, pixels(seam)),
    ("three hot pixels", BAYER, pixels(stuck)),
    ("cheaper demosaicing", "bayer-best", swapped("best", "balanced")),
    ("8 bits in a 16-bit file", "bayer-settings",
     pixels(lambda p: p.map(lambda c, x, y: [v // 256 * 257 for v in c]))),
    ("sums in place of means", BIN, options("--bin-mode", "sum")),
    ("white level tag off by one", BIN, tags(50717, lambda old, kind: (int.from_bytes(old, "little") - 1).to_bytes(len(old), "little"))),
    ("alignment left out", MERGE, options("--align", "none")),
    ("ghosts left in", MERGE, options("--deghost", "none")),
    ("another frame is the reference", MERGE, options("--reference", "1")),
    ("no local tone curve", "merge-picture", options("--tone", "linear")),
    ("twice the compression loss", "bayer-jpeg", swapped("90", "70")),
    ("output halved", "quad-balanced", options("--size", "96x64")),
]


def recompressed(path):
    """Other bytes, the same pixels."""
    Picture(path).write(path, level=1)


def redated(path):
    """The creation date in the header of the ICC profile."""
    picture = Picture(path)
    for index, (kind, body) in enumerate(picture.chunks):
        if kind == b"iCCP":
            name, packed = body.split(b"\0", 1)
            profile = bytearray(zlib.decompress(packed[1:]))
            profile[24:36] = struct.pack(">6H", 2031, 2, 3, 4, 5, 6)
            picture.chunks[index] = (kind, name + b"\0\0" + zlib.compress(bytes(profile)))
    picture.write(path)


def text_added(path):
    """A chunk that says nothing about the picture."""
    picture = Picture(path)
    picture.chunks.insert(1, (b"tIME", struct.pack(">HBBBBB", 2031, 2, 3, 4, 5, 6)))
    picture.write(path)


def rounded(path):
    """One code in two samples of some 25000 pixels: another order of rounding."""
    picture = Picture(path)
    for x, y in ((40, 40), (90, 70)):
        picture.rows[y][x][1] += 1 if picture.rows[y][x][1] < picture.top else -1
    picture.write(path)


def output_of(given):
    return given[given.index("--output") + 1]


def environment(**variables):
    return {"environment": variables}


HARMLESS = [
    ("--jobs 2", BAYER, swapped("1", "2")),
    ("--jobs 3", "quad-best", swapped("1", "3")),
    ("--jobs 7", MERGE, swapped("1", "7")),
    ("--jobs 64", BIN, swapped("1", "64")),
    ("--jobs 5, picture with local tone", "merge-picture", swapped("1", "5")),
    ("--jobs 2, scaled", "quad-24MP-like", swapped("1", "2")),
    ("little memory", BAYER, options("--max-memory", "1M")),
    ("one CPU", "quad-balanced", {"prefix": ["taskset", "1"]}),
    ("another language", BAYER, environment(LANG="de_DE.UTF-8", LC_ALL="de_DE.UTF-8", LC_NUMERIC="de_DE.UTF-8")),
    ("another time zone", MERGE, environment(TZ="Pacific/Kiritimati")),
    ("memory filled with rubbish", "quad-best", environment(MALLOC_PERTURB_="165")),
    ("no home, no terminal", BAYER, environment(HOME="/nonexistent", TERM="dumb")),
    ("defaults said aloud", BAYER, options("--rendering", "picture", "--tone", "standard", "--profile", "srgb")),
    ("another order of options", BAYER, {"words": lambda given: given[:1] + ["--output", output_of(given)] + without("--output")["words"](given)[1:]}),
    ("progress and chatter", BAYER, options("--verbose", "--progress", "plain")),
    ("a DNG packed in another way", "mosaic-turned-90", options("--compression", "none")),
    ("a TIFF packed in another way", "bayer-16-bits", options("--deflate")),
    ("a PNG packed in another way", BAYER, {"file": recompressed}),
    ("another date in the profile", BAYER, {"file": redated}),
    ("a time stamp in the file", BAYER, {"file": text_added}),
    ("another order of rounding", BAYER, {"file": rounded}),
    ("twice over, the second result kept", "remosaic-balanced", {"twice": True}),
]
