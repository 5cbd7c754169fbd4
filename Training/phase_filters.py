"""Phase filters (`.pls`) for nona and hexadeca mosaics: one filter per pixel of the period and colour.

python phase_filters.py --pattern nona --sigma 0 --sides 11 13

Trains every side of window from the same sums and keeps the one that scores best on the validation pictures.
The weights of a filter add up to exactly 2^shift, so a result is (sum of weight * U + half) >> shift.
"""

import argparse

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import encoding
import pictures
import tables
from encoding import U_MAX
from evaluation import decibels
from least_squares import SCALE, noisy_pictures, solve
from quantise import FOLDER
from tables import ACCUMULATOR_LIMIT, INPUT_LIMIT, PhaseTable

SEED = 9


def inner_square(side, inner):
    """Flat indices of the middle inner x inner taps of a side x side window."""
    cut = (side - inner) // 2
    return np.arange(side * side).reshape(side, side)[cut : side - cut, cut : side - cut].ravel()


def sums(pattern, sigma, side, inner):
    """Normal equations per phase over a window of `side`, of deviations from the mean of the middle `inner` square."""
    count, taps, middle = pattern.period**2, side * side, inner_square(side, inner)
    outer, products, pixels = np.zeros((count, taps, taps)), np.zeros((count, taps, 3)), 0
    reach = -(-side // 2 // pattern.period) * pattern.period
    for mosaic, truth in noisy_pictures(pattern, sigma, SEED, pattern.period):
        cut = reach - side // 2
        views = sliding_window_view(mosaic[cut:-cut or None, cut:-cut or None], (side, side))
        target = truth[reach:-reach, reach:-reach]
        for phase in range(count):
            step = np.s_[phase // pattern.period :: pattern.period, phase % pattern.period :: pattern.period]
            x = views[step].reshape(-1, taps).astype(np.float32)
            mean = x[:, middle].mean(1, keepdims=True)
            x, y = (x - mean) / np.float32(SCALE), (target[step].reshape(-1, 3) - mean) / np.float32(SCALE)
            outer[phase] += x.T @ x
            products[phase] += x.T @ y
        pixels += target.shape[0] * target.shape[1]
    return outer, products, pixels / count


def table_of(equations, pattern, sigma, side, inner, largest):
    """Integer table for windows of `side`, from sums over windows of `largest`."""
    outer, products, pixels = equations
    kept, middle = inner_square(largest, side), inner_square(side, inner)
    weights = np.zeros((len(outer), 3, side * side))
    for phase in range(len(outer)):
        solution = solve(outer[phase][np.ix_(kept, kept)], products[phase][kept], pixels).T
        solution[:, middle] += (1 - solution.sum(1, keepdims=True)) / len(middle)
        weights[phase] = solution
    centre = side * side // 2
    if sigma == 0:
        measured = pattern.colours(pattern.period, pattern.period).ravel()
        weights[np.arange(len(outer)), measured] = np.eye(side * side)[centre]
    shift = 14
    while True:
        integers = np.round(weights * 2.0**shift).astype(np.int64)
        integers[..., centre] += 2**shift - integers.sum(-1)
        bound = np.abs(integers).sum(-1).max() * INPUT_LIMIT + 2**shift
        if bound < ACCUMULATOR_LIMIT and np.abs(integers).max() <= INPUT_LIMIT:
            return PhaseTable(pattern.period, sigma, integers, shift)
        shift -= 1


def run(table, mosaic):
    """RGB integers (H, W, 3) of a mosaic whose sides are multiples of the period."""
    pattern = encoding.pattern_of(table.pattern)
    side, period = int(np.sqrt(table.weights.shape[2])), table.pattern
    views = sliding_window_view(pattern.padded(mosaic, side // 2), (side, side))
    result = np.zeros((*mosaic.shape, 3), np.int32)
    for phase in range(period * period):
        step = np.s_[phase // period :: period, phase % period :: period]
        window = views[step].reshape(-1, side * side).astype(np.float64)
        total = window @ table.weights[phase].T.astype(np.float64)
        value = np.floor((total + 2.0 ** (table.shift - 1)) / 2.0**table.shift)
        result[step] = np.clip(value, 0, U_MAX).reshape(result[step].shape)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pattern", choices=("nona", "hexadeca"), required=True)
    parser.add_argument("--sigma", type=float, required=True)
    parser.add_argument("--sides", type=int, nargs="+", required=True)
    options = parser.parse_args()
    pattern, inner, largest = encoding.PATTERNS[options.pattern], min(options.sides), max(options.sides)
    equations = sums(pattern, options.sigma, largest, inner)
    best = None
    for side in options.sides:
        table = table_of(equations, pattern, options.sigma, side, inner, largest)
        quality = decibels(table, lambda mosaic: run(table, mosaic), pictures.paths(validation=True))
        print(f"{pattern.name}-{options.sigma:02.0f}.pls side {side} shift {table.shift} validation {quality:.3f} dB")
        best = max(best or (quality, table), (quality, table), key=lambda pair: pair[0])
    tables.write_phases(FOLDER / f"{pattern.name}-{options.sigma:02.0f}.pls", best[1])


if __name__ == "__main__":
    main()
