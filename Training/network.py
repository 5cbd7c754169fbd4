"""The demosaicing network in floating point; `quantise.py` turns it into the integer table that the engine runs.

Planes p = 4 * dy + dx of 4x4 blocks, three hidden 3x3 layers, a 3x3 output layer and a linear skip whose taps reach at
most 4 pixels from the predicted pixel. All convolutions are valid: the caller gives mirrored blocks as a halo.
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from encoding import BLOCK

PLANES = BLOCK * BLOCK
HALO = 5  # blocks: one for the mean, one for each of the four layers
HIDDEN_LAYERS = 3
DEVIATION_GAIN = 4  # z = DEVIATION_GAIN * (u - mean)
SKIP_REACH = 4  # pixels


def output_list(pattern, noisy):
    """Indices c * 16 + p of the predicted values: all of them, or those whose colour is not measured at p."""
    measured = pattern.colours(BLOCK, BLOCK).ravel()
    return [c * PLANES + p for c in range(3) for p in range(PLANES) if noisy or measured[p] != c]


def skip_mask(outputs):
    """1 where a tap of the skip lies within SKIP_REACH pixels of its output: array (outputs, 16, 3, 3)."""
    block = np.arange(-1, 2)
    mask = np.zeros((len(outputs), PLANES, 3, 3), np.float32)
    for i, output in enumerate(outputs):
        py, px = divmod(output % PLANES, BLOCK)
        for q in range(PLANES):
            dy = np.abs(block * BLOCK + q // BLOCK - py) <= SKIP_REACH
            dx = np.abs(block * BLOCK + q % BLOCK - px) <= SKIP_REACH
            mask[i, q] = np.outer(dy, dx)
    return mask


class Network(nn.Module):
    """Maps a mosaic (N, 1, H, W) of u to its predicted values (N, outputs, H / 4 - 10, W / 4 - 10)."""

    def __init__(self, pattern, noisy, width):
        super().__init__()
        self.pattern, self.noisy, self.width = pattern, noisy, width
        self.outputs = output_list(pattern, noisy)
        sizes = [PLANES] + [width] * HIDDEN_LAYERS
        self.hidden = nn.ModuleList(nn.Conv2d(a, b, 3) for a, b in zip(sizes, sizes[1:]))
        self.last = nn.Conv2d(width, len(self.outputs), 3)
        self.skip = nn.Parameter(torch.randn(len(self.outputs), PLANES, 3, 3) * 0.005)
        self.register_buffer("mask", torch.from_numpy(skip_mask(self.outputs)), persistent=False)
        nn.init.zeros_(self.last.bias)
        self.last.weight.data *= 0.1
        for layer in [*self.hidden, self.last]:
            layer.weight.data = layer.weight.data.contiguous(memory_format=torch.channels_last)

    def forward(self, mosaic, half_precision=False):
        """`half_precision` computes all but the skip in bfloat16 (the early part of a training)."""
        planes = F.pixel_unshuffle(mosaic, BLOCK)
        mean = F.avg_pool2d(planes.mean(1, keepdim=True), 3, 1)
        z = DEVIATION_GAIN * (planes[:, :, 1:-1, 1:-1] - mean)
        z = z.contiguous(memory_format=torch.channels_last)
        a = z
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half_precision):
            for layer in self.hidden:
                a = F.relu(layer(a))
            r = self.last(a)
        r = r.float() + F.conv2d(z[:, :, 3:-3, 3:-3], self.skip * self.mask)
        return r / DEVIATION_GAIN + mean[:, :, 4:-4, 4:-4]

    def truth(self, picture):
        """The values that `forward` should predict, of a picture (N, 3, H, W) of u."""
        return F.pixel_unshuffle(picture, BLOCK)[:, self.outputs, HALO:-HALO, HALO:-HALO]


def sample(picture, pattern):
    """Mosaic (N, 1, H, W) of pictures (N, 3, H, W)."""
    index = torch.from_numpy(pattern.colours(*picture.shape[2:])[None, None])
    return torch.take_along_dim(picture, index, 1)
