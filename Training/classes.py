"""The class-switched stage on top of the network (`.class` tables) and the gated chroma median, emulated.

All pictures are integers U (H, W, 3). Figures "in codes" are on the scale 255 * u.
"""

from dataclasses import dataclass

import numpy as np
import scipy.ndimage as nd
from numpy.lib.stride_tricks import sliding_window_view

import emulate
import encoding
from encoding import CODE, U_MAX, UNIT

ORIENTATIONS = 8
COHERENCE, STRENGTH, CHROMA = (0.25, 0.55), (2.0, 6.0, 15.0), (0.3, 0.7)  # class borders; strength in codes
CLASSES = ORIENTATIONS * (len(COHERENCE) + 1) * (len(STRENGTH) + 1) * (len(CHROMA) + 1)
MOSAIC_SIDE, PICTURE_SIDE = 5, 3  # windows of the features
MOSAIC_TAPS, PICTURE_TAPS = MOSAIC_SIDE**2, PICTURE_SIDE**2
TAPS = MOSAIC_TAPS + 5 * PICTURE_TAPS  # mosaic, R, G, B, median chroma R - G and B - G
BLUR = np.array([0.04415, 0.11722, 0.21061, 0.25604, 0.21061, 0.11722, 0.04415])
GATE, GATE_SOFTNESS = 0.5, 0.25
REACH = 40  # pixels around a picture on which all stages depend (network 20, class stage 6, median 2), with room to spare
TABLES = 3  # clusters R, G, B; the second G cluster is the transposed first


def median_chroma(picture):
    """5x5 medians of R - G and B - G: (H, W, 2)."""
    difference = picture[..., ::2] - picture[..., 1:2]
    return np.stack([nd.median_filter(difference[..., k], 5) for k in range(2)], 2)


def tensor(picture):
    """Blurred structure tensor a, b, c of luma and chroma gradient energy, in codes squared."""
    p = picture * (CODE / UNIT)
    luma = (p[..., 0] + 2 * p[..., 1] + p[..., 2]) / 4
    slope = lambda v, axis: nd.convolve1d(v, [0.5, 0, -0.5], axis=axis, mode="mirror")
    blur = lambda v: nd.convolve1d(nd.convolve1d(v, BLUR, axis=0, mode="mirror"), BLUR, axis=1, mode="mirror")
    x, y = slope(luma, 1), slope(luma, 0)
    energy = sum(slope(p[..., k] - p[..., 1], axis) ** 2 for k in (0, 2) for axis in (0, 1))
    return blur(x * x), blur(x * y), blur(y * y), blur(energy)


def chroma_ratio(fields):
    a, _, c, energy = fields
    return np.sqrt(energy / (a + c + 1))


class Phase:
    """One pixel position of the mosaic's period with the flips that bring it to the canonical pixel of its cluster."""

    def __init__(self, pattern, y, x):
        self.period, self.y, self.x = pattern.period, y, x
        row, column = y // pattern.cluster, x // pattern.cluster
        self.table = row + column
        self.flip_y, self.flip_x = y % pattern.cluster == 1, x % pattern.cluster == 1
        self.transposed = (row, column) == (1, 0)

    def of(self, plane):
        return plane[self.y :: self.period, self.x :: self.period].ravel()

    def classes(self, fields):
        """Class of every pixel of this phase from the tensor fields."""
        a, b, c, energy = (self.of(f) for f in fields)
        b = -b if self.flip_x != self.flip_y else b
        a, c = (c, a) if self.transposed else (a, c)
        root = np.sqrt((a - c) ** 2 + 4 * b * b)
        strong = np.sqrt((a + c + root) / 2)
        weak = np.sqrt(np.maximum(a + c - root, 0) / 2)
        angle = 0.5 * np.arctan2(2 * b, a - c)
        index = np.round(angle / np.pi * ORIENTATIONS).astype(int) % ORIENTATIONS
        for value, borders in (
            ((strong - weak) / (strong + weak + 1e-3), COHERENCE),
            (strong, STRENGTH),
            (np.sqrt(energy / (a + c + 1)), CHROMA),
        ):
            index = index * (len(borders) + 1) + np.digitize(value, borders)
        return index

    def windows(self, padded, side, reach):
        """Patches (pixels, side * side) around the pixels of this phase, of a plane padded by `reach`."""
        cut = reach - side // 2
        patch = sliding_window_view(padded[cut : len(padded) - cut, cut : padded.shape[1] - cut], (side, side))
        patch = patch[self.y :: self.period, self.x :: self.period]
        patch = patch[:, :, ::-1] if self.flip_y else patch
        patch = patch[:, :, :, ::-1] if self.flip_x else patch
        patch = patch.swapaxes(2, 3) if self.transposed else patch
        return patch.reshape(-1, side * side)

    def features(self, planes, reach):
        """Raw features (pixels, TAPS) of [mosaic, R, G, B, median R - G, median B - G], each padded by `reach`."""
        sides = [MOSAIC_SIDE] + [PICTURE_SIDE] * 5
        return np.concatenate([self.windows(p, s, reach) for p, s in zip(planes, sides)], 1)


def phases(pattern):
    return [Phase(pattern, y, x) for y in range(pattern.period) for x in range(pattern.period)]


def missing(table, noisy):
    """Colours that a table predicts, ascending."""
    return [c for c in range(3) if noisy or c != table]


def feature_planes(pattern, mosaic, first, reach=2):
    """The six planes of `Phase.features`, padded."""
    chroma = median_chroma(first)
    stack = [mosaic, *np.moveaxis(first, 2, 0), *np.moveaxis(chroma, 2, 0)]
    return [pattern.padded(p, reach) for p in stack]


def run_classes(table, pattern, mosaic, first):
    """(picture, class map) of the class stage: o + (dot product + half) >> shift for every predicted colour."""
    result, fields = first.copy(), tensor(first)
    planes, noisy = feature_planes(pattern, mosaic, first), table.sigma > 0
    class_map = np.zeros(mosaic.shape, np.int32)
    for phase in phases(pattern):
        classes = phase.classes(fields)
        class_map[phase.y :: phase.period, phase.x :: phase.period].flat = classes
        raw = phase.features(planes, 2).astype(np.float64)
        colours = missing(phase.table, noisy)
        total = np.zeros((len(raw), len(colours)))
        order = np.argsort(classes, kind="stable")
        starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
        for rows in np.split(order, starts[1:]):
            total[rows] = raw[rows] @ table.weights[phase.table, classes[rows[0]]].T.astype(np.float64)
        shifted = np.floor((total + 2.0 ** (table.shift - 1)) / 2.0**table.shift).astype(np.int32)
        for k, c in enumerate(colours):
            view = result[phase.y :: phase.period, phase.x :: phase.period, c]
            view[...] = np.clip(view + shifted[:, k].reshape(view.shape), 0, U_MAX)
    return result, class_map


def gated_median(pattern, mosaic, first, picture):
    """The chroma median of `picture` where the luma gradients of the first pass outweigh its chroma gradients.

    Keeps the mosaic's samples.
    """
    chroma, colours = median_chroma(picture), pattern.colours(*mosaic.shape)
    green = np.where(colours == 0, mosaic - chroma[..., 0], np.where(colours == 2, mosaic - chroma[..., 1], mosaic))
    smooth = np.stack([green + chroma[..., 0], green, green + chroma[..., 1]], 2)
    weight = np.clip((GATE - chroma_ratio(tensor(first))) / GATE_SOFTNESS, 0, 1)[..., None]
    result = np.floor(picture + weight * (smooth - picture) + 0.5)
    return np.clip(result, 0, U_MAX).astype(np.int32)


@dataclass
class Stages:
    """What `best` computes, in order: network, class stage with its class map, gated median."""

    network: np.ndarray
    classes: np.ndarray
    class_map: np.ndarray
    final: np.ndarray


def run_best(network, table, mosaic):
    """All stages on an integer mosaic; level 00 ends with the gated median, the others with the class stage."""
    pattern = encoding.pattern_of(table.pattern)
    padded = pattern.padded(mosaic, REACH)
    first = emulate.run_network(network, padded)
    second, class_map = run_classes(table, pattern, padded, first)
    final = second if table.sigma > 0 else gated_median(pattern, padded, first, second)
    cut = np.s_[REACH:-REACH, REACH:-REACH]
    return Stages(first[cut], second[cut], class_map[cut], final[cut])
