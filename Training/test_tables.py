"""Laws that every committed table must obey: python -m unittest test_tables (seconds; no training pictures needed)."""

import unittest

import numpy as np

import classes
import emulate
import encoding
import phase_filters
import tables
from quantise import FOLDER

SIDE = 48  # pixels, a multiple of every period


def files(*suffixes):
    return sorted(p for p in FOLDER.iterdir() if p.suffix in suffixes)


class Borders(unittest.TestCase):
    def test_mirror_keeps_colours(self):
        for pattern in encoding.PATTERNS.values():
            n, reach = 2 * pattern.period, pattern.period + 1
            colours = pattern.colours(n, n)
            around = pattern.colours(n + 4 * pattern.period, n + 4 * pattern.period)
            start = 2 * pattern.period - reach
            around = around[start : start + n + 2 * reach, start : start + n + 2 * reach]
            self.assertTrue(np.array_equal(pattern.padded(colours, reach), around), pattern.name)


class Flatness(unittest.TestCase):
    def test_flat_grey_stays_flat(self):
        for path in files(".net", ".fast", ".pls"):
            phase = path.suffix == ".pls"
            table = tables.read_phases(path) if phase else tables.read_network(path)
            run = phase_filters.run if phase else emulate.run_network
            for level in (0, 1, 4000, encoding.UNIT):
                found = run(table, np.full((SIDE, SIDE), level, np.int32))
                self.assertEqual(np.abs(found - level).max(), 0, f"{path.name} at {level}")

    def test_flat_colour_passes_the_classes(self):
        for path in files(".class"):
            table = tables.read_classes(path)
            pattern = encoding.pattern_of(table.pattern)
            colour = np.broadcast_to(np.array([9000, 5000, 700], np.int32), (SIDE, SIDE, 3))
            found, _ = classes.run_classes(table, pattern, pattern.sample(colour), colour)
            self.assertTrue(np.array_equal(found, colour), path.name)


class Files(unittest.TestCase):
    def test_names_tell_the_contents(self):
        periods = {name: pattern.period for name, pattern in encoding.PATTERNS.items()}
        readers = {".net": tables.read_network, ".fast": tables.read_network,
                   ".class": tables.read_classes, ".pls": tables.read_phases}  # fmt: skip
        for path in files(*readers):
            name, sigma = path.stem.split("-")
            table = readers[path.suffix](path)
            self.assertEqual((table.pattern, table.sigma), (periods[name], float(sigma)), path.name)


if __name__ == "__main__":
    unittest.main()
