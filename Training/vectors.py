"""Writes test vectors for the engine: python vectors.py [table files]; all tables when none are named.

A vector file holds "DUOVECT1", Int32 pattern period, height, width, Int16 mosaic (height, width) and the exact Int16
result (3, height, width), little endian; README.md tells what follows for class tables.
"""

import sys
from pathlib import Path

import numpy as np

import classes
import emulate
import tables
from encoding import U_MAX
from quantise import FOLDER

VECTORS = Path(__file__).parent.parent / "Tests" / "DevelopTests" / "Vectors"
HEIGHT, WIDTH, SEED = 36, 40, 11


def mosaic():
    """Waves, an edge, noise and a corner of extreme values."""
    rng = np.random.default_rng(SEED)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    wave = 5000 + 150 * x + 2500 * np.sin(x * 0.9 + y * 0.4) + 4000 * (x + 2 * y > 50) + rng.integers(-900, 900, x.shape)
    wave[:8, -8:] = rng.choice((0, U_MAX), (8, 8))
    return np.clip(np.floor(wave), 0, U_MAX).astype(np.int32)


def planes(picture):
    return picture.transpose(2, 0, 1).astype("<i2").tobytes()


def write(path):
    """Vector file of one table; class tables also get the class map and the later stages."""
    picture, rest = mosaic(), b""
    if path.suffix == ".class":
        table = tables.read_classes(path)
        stages = classes.run_best(tables.read_network(path.with_suffix(".net")), table, picture)
        first = stages.network
        rest = stages.class_map.astype("<i2").tobytes() + planes(stages.classes) + planes(stages.final)
    else:
        table = tables.read_network(path)
        first = emulate.run_network(table, picture)
    head = b"DUOVECT1" + np.array([table.pattern, HEIGHT, WIDTH], "<i4").tobytes()
    (VECTORS / (path.name + ".bin")).write_bytes(head + picture.astype("<i2").tobytes() + planes(first) + rest)


def main():
    VECTORS.mkdir(parents=True, exist_ok=True)
    named = [Path(name) for name in sys.argv[1:]]
    for path in named or sorted(p for p in FOLDER.iterdir() if p.suffix in (".net", ".fast", ".class")):
        write(path)


if __name__ == "__main__":
    main()
