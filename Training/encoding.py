"""Light encodings, colour filter patterns and borders shared by every script of this folder.

The pixel encoding is the one of the demosaicers: white-balanced linear light v (black 0, white 1) becomes
u = sqrt(max(v + OFFSET, 0)) and U = round(UNIT * u) in an Int16.
"""

from dataclasses import dataclass

import numpy as np

OFFSET = 1 / 1024  # keeps the slope of the square root finite at black
UNIT = 16384  # U of u = 1
U_MAX = 32767  # largest Int16
CODE = 255.0  # figures are given on the scale 255 * u
# Sensor gains (R, G, B) before white balance of protocol P2: raw = truth * gain.
SENSOR_GAINS = np.array([0.5, 1.0, 0.65])


@dataclass(frozen=True)
class Pattern:
    """A mosaic of square clusters of one colour, R G / G B with the R cluster at (0, 0)."""

    name: str
    period: int  # pixels after which the mosaic repeats; also the code in the table files
    cluster: int  # side of a cluster of one colour, in pixels

    def colours(self, height, width):
        """Colour index (0 R, 1 G, 2 B) of every pixel."""
        y, x = np.mgrid[0:height, 0:width]
        return (y // self.cluster & 1) + (x // self.cluster & 1)

    def sample(self, picture):
        """The mosaic of an (H, W, 3) picture."""
        index = self.colours(*picture.shape[:2])[..., None]
        return np.take_along_axis(picture, index, 2)[..., 0]

    def mirrored(self, length, reach):
        """Indices -reach ..< length + reach mirrored about the centres of the edge clusters, so colours are kept."""
        index, edge = np.arange(-reach, length + reach), self.cluster - 1
        index = np.where(index < 0, edge - index, index)
        return np.where(index >= length, 2 * (length - 1) - edge - index, index)

    def padded(self, plane, reach):
        """The plane with `reach` mirrored pixels on every side."""
        rows, columns = (self.mirrored(n, reach) for n in plane.shape[:2])
        return plane[rows][:, columns]


QUAD = Pattern("quad", 4, 2)
BAYER = Pattern("bayer", 2, 1)
NONA = Pattern("nona", 6, 3)
HEXADECA = Pattern("hexadeca", 8, 4)
PATTERNS = {p.name: p for p in (QUAD, BAYER, NONA, HEXADECA)}
BLOCK = 4  # side of the blocks whose 16 pixels are the planes of the networks


def pattern_of(period):
    """The pattern of a table file's code."""
    return next(p for p in PATTERNS.values() if p.period == period)


def linear_of_srgb(codes):
    """Linear light 0...1 of sRGB codes 0...255 (IEC 61966-2-1)."""
    s = np.asarray(codes, np.float64) / 255
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def srgb_of_linear(light):
    """sRGB codes 0...255, not rounded."""
    v = np.clip(light, 0, 1)
    return 255 * np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def encode(light):
    """u of linear light."""
    return np.sqrt(np.maximum(light + OFFSET, 0))


def encode_integer(light):
    """U of linear light, Int32 holding 0...32767."""
    return np.clip(np.floor(UNIT * encode(light) + 0.5), 0, U_MAX).astype(np.int32)


def decode(u):
    """Linear light of u."""
    return np.square(u) - OFFSET


def noisy_mosaic(light, pattern, sigma, seed):
    """Integer mosaic of a linear picture under the noise protocol.

    Gaussian noise of `sigma` codes on 255 * sqrt(raw), before white balance with SENSOR_GAINS.
    """
    mosaic = pattern.sample(light)
    if sigma > 0:
        gain = SENSOR_GAINS[pattern.colours(*mosaic.shape)]
        root = np.sqrt(mosaic * gain) + np.random.default_rng(seed).normal(0, sigma / CODE, mosaic.shape)
        mosaic = root * np.abs(root) / gain
    return encode_integer(mosaic)


def cpsnr(truth_codes, light, crop=10):
    """Protocol P2: dB over three channels of rounded sRGB codes without `crop` edge pixels."""
    difference = np.round(srgb_of_linear(light)) - truth_codes
    return 10 * np.log10(255**2 / np.mean(np.square(difference[crop:-crop, crop:-crop].astype(np.float64))))
