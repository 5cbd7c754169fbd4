"""The training pictures: which files, how they are split, and their reduced copies."""

import csv
import hashlib
import os
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import encoding

FOLDER = Path(os.environ.get("DUO_TRAINING_PICTURES", "train"))
# Left out: rendered low-resolution panoramas, scans of paintings, and two pictures that test sets also contain.
EXCLUDED = ("polyhaven-", "met-", "wesaturate-")
VALIDATION = ("gb82-city.png", "gb82-flowers.png", "budgie-roman-colosseum.png", "budgie-kitten-on-lawn.png")
SMALLEST_HALVED = 500  # pictures with a shorter side are not used at half size too


def read_codes(path):
    """sRGB codes of an 8-bit picture, sides cut to multiples of 4."""
    return whole_periods(np.asarray(Image.open(path).convert("RGB")).astype(np.float32), 4)


def whole_periods(picture, period):
    """The picture with its sides cut to multiples of a mosaic's period."""
    return picture[: picture.shape[0] // period * period, : picture.shape[1] // period * period]


def paths(validation=False):
    """Sorted files of the training set, or of the validation set."""
    every = [p for p in sorted(FOLDER.glob("*.png")) if not p.name.startswith(EXCLUDED)]
    if not every:
        raise SystemExit(f"{FOLDER}: no training pictures; set DUO_TRAINING_PICTURES to their folder")
    return [p for p in every if (p.name in VALIDATION) == validation]


def halved(light):
    """Average of 2x2 pixels in linear light, sides cut to multiples of 4."""
    h, w = light.shape[0] // 8 * 8, light.shape[1] // 8 * 8
    return light[:h, :w].reshape(h // 2, 2, w // 2, 2, 3).mean((1, 3))


def training_light(with_halves=True):
    """Linear pictures of the training set, each followed by its half-size copy when it is large enough."""
    result = []
    for path in paths():
        light = encoding.linear_of_srgb(read_codes(path))
        result.append(light)
        if with_halves and min(light.shape[:2]) >= SMALLEST_HALVED:
            result.append(halved(light))
    return result


def listing():
    """Rows (file, role, SHA-256, licence, source) of every picture used; licence and source from PROVENANCE.tsv."""
    with open(FOLDER / "PROVENANCE.tsv", newline="") as file:
        provenance = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    for role, validation in (("training", False), ("validation", True)):
        for path in paths(validation):
            row = provenance[path.name]
            yield path.name, role, hashlib.sha256(path.read_bytes()).hexdigest(), row["licence"], row["source"]


if __name__ == "__main__":
    # python pictures.py > inputs.tsv
    csv.writer(sys.stdout, delimiter="\t", lineterminator="\n").writerows(listing())
