"""Exact integer emulation of what the engine computes from a network table (`.net`, `.fast`).

Sums are made in Float64, where integers below 2^53 are exact, by matrix products.
"""

import numpy as np

import encoding
from encoding import BLOCK, U_MAX
from network import PLANES, output_list

RADIUS = 5  # blocks of halo that a table with three hidden layers needs


def blocks(mosaic):
    """Planes (16, H / 4, W / 4) of a mosaic."""
    h, w = mosaic.shape
    return mosaic.reshape(h // BLOCK, BLOCK, w // BLOCK, BLOCK).transpose(1, 3, 0, 2).reshape(PLANES, h // BLOCK, -1)


def unblocked(planes):
    """Picture (H, W) of 16 planes."""
    _, h, w = planes.shape
    return planes.reshape(BLOCK, BLOCK, h, w).transpose(2, 0, 3, 1).reshape(h * BLOCK, w * BLOCK)


def block_means(planes):
    """floor((sum of the 3x3 neighbouring blocks' 144 values + 72) / 144), valid region."""
    sums = planes.sum(0, dtype=np.int64)
    rows = sums[:-2] + sums[1:-1] + sums[2:]
    return (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] + 72) // 144


def deviations(planes):
    """z = U - mean of its own block, clamped to Int16, and the means; valid region, one block less on every side."""
    means = block_means(planes)
    return np.clip(planes[:, 1:-1, 1:-1].astype(np.int64) - means, -U_MAX, U_MAX), means


def convolution(weights, planes):
    """Valid 3x3 cross-correlation of (inputs, H, W) with (outputs, 3, 3, inputs): exact integers in Float64."""
    _, h, w = planes.shape
    total = np.zeros((len(weights), (h - 2) * (w - 2)))
    for ky in range(3):
        for kx in range(3):
            window = planes[:, ky : ky + h - 2, kx : kx + w - 2].reshape(len(planes), -1)
            total += weights[:, ky, kx].astype(np.float64) @ window.astype(np.float64)
    return total.reshape(-1, h - 2, w - 2)


def shifted(total, layer):
    return np.floor((total + layer.bias[:, None, None]) / 2**layer.shift)


def run_network(table, mosaic, observe=None):
    """RGB integers (H, W, 3) of an integer mosaic whose sides are multiples of 4.

    `observe(layer index, activations before the upper clamp)` is called for every hidden layer.
    """
    pattern = encoding.pattern_of(table.pattern)
    layers = len(table.hidden)
    padded = pattern.padded(mosaic, (layers + 2) * BLOCK)
    z, means = deviations(blocks(padded))
    total, activations = 0, z
    for index, layer in enumerate(table.hidden):
        values = shifted(convolution(layer.weights, activations), layer)
        if observe:
            observe(index, values)
        activations = np.clip(values, 0, U_MAX)
    if layers:
        total = convolution(table.last.weights, activations)
    inner = z[:, layers : z.shape[1] - layers, layers : z.shape[2] - layers]
    residual = shifted(total + convolution(table.skip, inner), table.last)
    cut = layers + 1
    values = np.clip(residual + means[cut:-cut, cut:-cut], 0, U_MAX).astype(np.int32)
    return assembled(values, mosaic, pattern, table.sigma > 0)


def assembled(values, mosaic, pattern, noisy):
    """RGB of the predicted values; colours that are not predicted are the measured ones."""
    every = np.repeat(blocks(mosaic)[None], 3, 0).reshape(3 * PLANES, *values.shape[1:]).astype(np.int32)
    every[output_list(pattern, noisy)] = values
    return np.stack([unblocked(every[c * PLANES : (c + 1) * PLANES]) for c in range(3)], 2)
