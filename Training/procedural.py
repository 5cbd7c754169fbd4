"""Procedural training pictures from a seed: text, fine fences, lines and zone plates in linear light.

Colours are pairs that differ mostly in brightness, as natural colours do: pictures with independent random colours
teach the filters a wrong colour correlation and cost quality.
"""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIDE = 512  # pixels
OVERSAMPLING = 4  # drawn larger, averaged in linear light
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;?!&%()"


def _colour(rng, low, high):
    """A random colour of luminance low...high with moderate saturation."""
    return np.clip(rng.uniform(low, high) * np.exp(rng.normal(0, 0.25, 3)), 0, 1)


def _blend(mask, rng):
    """Dark on bright or the reverse, by a mask 0...1 with slow shading."""
    dark, bright = _colour(rng, 0.005, 0.15), _colour(rng, 0.25, 0.9)
    if rng.random() < 0.5:
        mask = 1 - mask
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    shade = 1 - rng.uniform(0, 0.5) * (x if rng.random() < 0.5 else y)
    return (dark + mask[..., None] * (bright - dark)) * shade[..., None]


def _reduced(canvas):
    n = OVERSAMPLING
    return np.asarray(canvas, np.float64).reshape(SIDE, n, SIDE, n).mean((1, 3)) / 255


def text(rng):
    """Lines of random words in sizes from 7 to 28 pixels."""
    canvas = Image.new("L", (SIDE * OVERSAMPLING,) * 2)
    draw, y = ImageDraw.Draw(canvas), 0
    while y < canvas.height:
        size = int(rng.integers(7, 29)) * OVERSAMPLING
        words = ["".join(rng.choice(list(LETTERS), rng.integers(2, 9))) for _ in range(60)]
        draw.text((-int(rng.integers(0, 40)), y), " ".join(words), fill=255, font=ImageFont.load_default(size))
        y += int(size * 1.25)
    return _blend(_reduced(canvas), rng)


def fence(rng):
    """Patches of stripes of 2 to 9 pixels period at any angle, hard or soft edged."""
    y, x = np.mgrid[0 : SIDE * OVERSAMPLING, 0 : SIDE * OVERSAMPLING] / OVERSAMPLING
    mask = np.zeros(x.shape)
    patch = 128 * OVERSAMPLING
    for top in range(0, x.shape[0], patch):
        for left in range(0, x.shape[1], patch):
            cut = np.s_[top : top + patch, left : left + patch]
            angle, period = rng.uniform(0, np.pi), rng.uniform(2, 9)
            if rng.random() < 0.5:
                angle = np.round(angle / (np.pi / 2)) * np.pi / 2 + rng.normal(0, 0.05)
            wave = np.cos(2 * np.pi * (np.cos(angle) * x[cut] + np.sin(angle) * y[cut]) / period)
            mask[cut] = np.clip(0.5 + rng.uniform(0.5, 8) * (wave - rng.uniform(-0.6, 0.6)), 0, 1)
    return _blend(_reduced(mask * 255), rng)


def zone_plate(rng):
    """Rings whose frequency rises to Nyquist in the corner."""
    y, x = np.mgrid[0 : SIDE * OVERSAMPLING, 0 : SIDE * OVERSAMPLING] / OVERSAMPLING
    centre = rng.uniform(0, SIDE, 2)
    wave = np.cos(np.pi / (2 * SIDE) * ((y - centre[0]) ** 2 + (x - centre[1]) ** 2) * rng.uniform(0.4, 1.0))
    return _blend(_reduced((0.5 + 0.5 * wave) * 255), rng)


def lines(rng):
    """Thin strokes and polygons of many colours pairs."""
    canvas = Image.new("L", (SIDE * OVERSAMPLING,) * 2)
    draw = ImageDraw.Draw(canvas)
    for _ in range(260):
        ends = [int(v) for v in rng.integers(0, canvas.width, 4)]
        draw.line(ends, fill=int(rng.integers(0, 256)), width=int(rng.integers(2, 6 * OVERSAMPLING)))
    return _blend(_reduced(canvas), rng)


def pictures(seed=20, rounds=2):
    """Linear pictures, `rounds` of each kind."""
    rng = np.random.default_rng(seed)
    return [kind(rng) for _ in range(rounds) for kind in (text, fence, zone_plate, lines)]
