"""The `.class` tables: python train_classes.py --pattern quad --sigma 0 (needs the network table of the same level)."""

import argparse

import numpy as np

import classes
import emulate
import encoding
import tables
from classes import CLASSES, MOSAIC_SIDE, MOSAIC_TAPS, PICTURE_SIDE, PICTURE_TAPS, TABLES, TAPS
from least_squares import SCALE, noisy_pictures
from quantise import FOLDER
from tables import ACCUMULATOR_LIMIT, INPUT_LIMIT, ClassTable

SHRINKAGE = 500  # pixels' worth of the mean normal matrix that pulls a class to the common filter
FLOOR, COMMON_FLOOR = 1e-4, 1e-5
SEED = 5
LARGEST = 640  # pixels: side of the centre crop used of each picture


def canonical_colours(pattern, table):
    """Colour of every mosaic tap around the canonical pixel of a table."""
    origin = {0: (0, 0), 1: (0, pattern.cluster), 2: (pattern.cluster,) * 2}[table]
    y, x = np.mgrid[0:MOSAIC_SIDE, 0:MOSAIC_SIDE] - MOSAIC_SIDE // 2
    return ((y + origin[0]) // pattern.cluster & 1) + ((x + origin[1]) // pattern.cluster & 1)


def deviation_map(pattern, table):
    """Matrix (TAPS, TAPS) from raw features to deviations: flat colour becomes zero.

    Mosaic taps minus the window mean of their colour in the first pass; R, G, B minus their window means; median
    chroma minus the chroma of the first pass.
    """
    result = np.eye(TAPS)
    rgb = [slice(MOSAIC_TAPS + c * PICTURE_TAPS, MOSAIC_TAPS + (c + 1) * PICTURE_TAPS) for c in range(3)]
    for tap, colour in enumerate(canonical_colours(pattern, table).ravel()):
        result[tap, rgb[colour]] -= 1 / PICTURE_TAPS
    for c in range(3):
        result[rgb[c], rgb[c]] -= 1 / PICTURE_TAPS
    for k, c in enumerate((0, 2)):
        for j in range(PICTURE_TAPS):
            row = MOSAIC_TAPS + (3 + k) * PICTURE_TAPS + j
            result[row, MOSAIC_TAPS + c * PICTURE_TAPS + j] -= 1
            result[row, MOSAIC_TAPS + PICTURE_TAPS + j] += 1
    return result


def transposed_taps():
    """Index of the tap that takes each tap's place when the patch is transposed."""
    parts, start = [], 0
    for side in [MOSAIC_SIDE] + [PICTURE_SIDE] * 5:
        parts.append(start + np.arange(side * side).reshape(side, side).T.ravel())
        start += side * side
    return np.concatenate(parts)


def transposed_classes():
    """Class of the transposed patch."""
    index, group = np.arange(CLASSES), CLASSES // classes.ORIENTATIONS
    return (classes.ORIENTATIONS // 2 - index // group) % classes.ORIENTATIONS * group + index % group


def normal_equations(network, pattern, sigma):
    """Sums of outer products, of products with the three targets, and pixel counts per table and class."""
    outer = np.zeros((TABLES, CLASSES, TAPS, TAPS))
    inner = np.zeros((TABLES, CLASSES, TAPS, 3))
    count = np.zeros((TABLES, CLASSES))
    maps = [(deviation_map(pattern, t) / SCALE).astype(np.float32).T for t in range(TABLES)]
    for mosaic, truth in noisy_pictures(pattern, sigma, SEED):
        top, left = (max(0, n - LARGEST) // 8 * 4 for n in mosaic.shape)
        cut = np.s_[top : top + LARGEST, left : left + LARGEST]
        mosaic, truth = mosaic[cut], truth[cut]
        first = emulate.run_network(network, mosaic)
        fields, planes = classes.tensor(first), classes.feature_planes(pattern, mosaic, first)
        for phase in classes.phases(pattern):
            accumulate(phase, fields, planes, (truth - first), maps, (outer, inner, count))
    return outer, inner, count


def accumulate(phase, fields, planes, target, maps, sums):
    """Adds the pixels of one phase to the sums."""
    outer, inner, count = sums
    index, t = phase.classes(fields), phase.table
    order = np.argsort(index, kind="stable")
    raw = phase.features(planes, 2)[order].astype(np.float32)
    raw[:, : MOSAIC_TAPS + 3 * PICTURE_TAPS] -= raw[:, MOSAIC_TAPS + PICTURE_TAPS + PICTURE_TAPS // 2, None]
    features = raw @ maps[t]
    wanted = np.stack([phase.of(target[..., c]) for c in range(3)], 1)[order].astype(np.float32) / np.float32(SCALE)
    index = index[order]
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    for begin, end in zip(starts, np.append(starts[1:], len(index))):
        k, x = index[begin], features[begin:end]
        outer[t, k] += x.T @ x
        inner[t, k] += x.T @ wanted[begin:end]
        count[t, k] += end - begin


def solved(outer, inner, count):
    """Weights (TABLES, CLASSES, TAPS, 3) on deviations: each class is shrunk to the filter common to all classes."""
    taps, other = transposed_taps(), transposed_classes()
    weights = np.zeros(inner.shape)
    for t in range(TABLES):
        a, b, n = outer[t], inner[t], count[t]
        if t != 1:  # the R and B clusters are symmetric about the diagonal
            a = a + a[other][:, taps][:, :, taps]
            b, n = b + b[other][:, taps], n + n[other]
        every, total, unit = a.sum(0), n.sum(), np.eye(TAPS)
        ridge = COMMON_FLOOR * np.trace(every) / TAPS + FLOOR * total
        common = np.linalg.solve(every + ridge * unit, b.sum(0))
        for k in range(CLASSES):
            pull = every * (SHRINKAGE / total) + FLOOR * max(n[k], 1) * unit
            weights[t, k] = np.linalg.solve(a[k] + pull, b[k] + pull @ common)
    return weights


def integer_table(weights, pattern, sigma):
    """Raw-feature weights in Int16 whose response to any flat colour is exactly zero."""
    shift, raw = 14, [weights[t].transpose(0, 2, 1) @ deviation_map(pattern, t) for t in range(TABLES)]
    raw = np.stack([r[:, classes.missing(t, sigma > 0)] for t, r in enumerate(raw)])
    while True:
        scaled = np.round(raw * 2.0**shift).astype(np.int64)
        for t in range(TABLES):
            balance(scaled[t], canonical_colours(pattern, t).ravel())
        bound = np.abs(scaled).sum(-1).max() * INPUT_LIMIT + 2**shift
        if np.abs(scaled).max() <= INPUT_LIMIT and bound < ACCUMULATOR_LIMIT:
            return ClassTable(pattern.period, sigma, scaled.astype(np.int32), shift)
        shift -= 1


def balance(weights, colours):
    """Adjusts the centre taps of R, G and B so that a flat colour gives exactly zero; weights (..., TAPS)."""
    part = lambda k: weights[..., MOSAIC_TAPS + k * PICTURE_TAPS :][..., :PICTURE_TAPS]
    first, second = part(3).sum(-1), part(4).sum(-1)
    for c, chroma in enumerate((first, -first - second, second)):
        excess = weights[..., :MOSAIC_TAPS][..., colours == c].sum(-1) + part(c).sum(-1) + chroma
        part(c)[..., PICTURE_TAPS // 2] -= excess


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pattern", choices=("quad", "bayer"), required=True)
    parser.add_argument("--sigma", type=float, required=True)
    options = parser.parse_args()
    pattern, name = encoding.PATTERNS[options.pattern], f"{options.pattern}-{options.sigma:02.0f}"
    network = tables.read_network(FOLDER / f"{name}.net")
    table = integer_table(solved(*normal_equations(network, pattern, options.sigma)), pattern, options.sigma)
    print(f"{name}.class shift {table.shift}, largest weight {np.abs(table.weights).max() / 2**table.shift:.2f}")
    tables.write_classes(FOLDER / f"{name}.class", table)


if __name__ == "__main__":
    main()
