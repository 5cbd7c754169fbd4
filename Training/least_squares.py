"""The `.fast` tables: one linear 9x9 filter per pixel of the block and colour, by least squares.

python least_squares.py --pattern quad --sigma 0
"""

import argparse

import numpy as np
import torch

import encoding
import pictures
import procedural
import tables
from emulate import blocks, deviations
from encoding import BLOCK, CODE, UNIT
from network import PLANES, output_list, skip_mask
from quantise import FOLDER, integer_output
from tables import NetworkTable
from train_net import add_noise

SCALE = 16 * UNIT / CODE  # deviations are divided by 16 codes for the sums
FLOOR = 1e-4  # white part of the regularisation, in units of SCALE squared
RELATIVE_FLOOR = 1e-5  # part of the mean diagonal
GAIN_JITTER = 0.1  # standard deviation of ln(channel gain) of the pictures


def noisy_pictures(pattern, sigma, seed, period=BLOCK):
    """Yields (integer mosaic, integer truth (H, W, 3)) of the training pictures, each flipped at random."""
    rng, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    for light in pictures.training_light() + procedural.pictures(rounds=1):
        light = light[:: rng.choice((1, -1)), :: rng.choice((1, -1))]
        light = light.transpose(1, 0, 2) if rng.random() < 0.5 else light
        light = light[: light.shape[0] // period * period, : light.shape[1] // period * period]
        light = np.clip(light * np.exp(GAIN_JITTER * rng.normal(size=3)), 0, 1)
        truth = encoding.encode_integer(light)
        mosaic = torch.from_numpy(pattern.sample(encoding.encode(light)).astype(np.float32))[None, None]
        mosaic = add_noise(mosaic, pattern, sigma, generator)[0, 0].numpy()
        yield np.floor(UNIT * mosaic + 0.5).clip(0, encoding.U_MAX).astype(np.int32), truth


def taps_of(plane):
    """Taps (q, ky, kx) within the filter of a plane."""
    return np.argwhere(skip_mask([plane])[0] > 0)


def solve(outer, inner, count):
    """Regularised solution of normal equations."""
    size = len(outer)
    ridge = RELATIVE_FLOOR * np.trace(outer) / size + FLOOR * count
    return np.linalg.solve(outer + ridge * np.eye(size), inner)


def filters(pattern, sigma, seed=3):
    """Skip weights (outputs, 16, 3, 3) of the least-squares filters."""
    outputs = output_list(pattern, sigma > 0)
    taps = [taps_of(p) for p in range(PLANES)]
    outer = [np.zeros((len(t), len(t))) for t in taps]
    inner = [np.zeros((len(t), 3)) for t in taps]
    count = 0
    for mosaic, truth in noisy_pictures(pattern, sigma, seed):
        z, means = deviations(blocks(mosaic))
        z = (z / SCALE).astype(np.float32)
        targets = np.stack([blocks(truth[..., c])[:, 2:-2, 2:-2] for c in range(3)])
        targets = ((targets - means[1:-1, 1:-1]) / SCALE).astype(np.float32)
        _, h, w = z.shape
        count += (h - 2) * (w - 2)
        for p in range(PLANES):
            x = np.stack([z[q, y : y + h - 2, x : x + w - 2].ravel() for q, y, x in taps[p]])
            outer[p] += x @ x.T
            inner[p] += x @ targets[:, p].reshape(3, -1).T
    skip = np.zeros((len(outputs), PLANES, 3, 3))
    for p in range(PLANES):
        solution = solve(outer[p], inner[p], count)
        for i, output in enumerate(outputs):
            if output % PLANES == p:
                skip[(i, *taps[p].T)] = solution[:, output // PLANES]
    return skip


def table_of(skip, pattern, sigma):
    """Integer table without hidden layers."""
    none = np.zeros((len(skip), 0, 3, 3))
    last, weights = integer_output(none, np.zeros(len(skip)), skip, 1)
    return NetworkTable(pattern.period, sigma, [], last, weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pattern", choices=("quad", "bayer"), required=True)
    parser.add_argument("--sigma", type=float, required=True)
    options = parser.parse_args()
    pattern = encoding.PATTERNS[options.pattern]
    table = table_of(filters(pattern, options.sigma), pattern, options.sigma)
    tables.write_network(FOLDER / f"{pattern.name}-{options.sigma:02.0f}.fast", table)


if __name__ == "__main__":
    main()
