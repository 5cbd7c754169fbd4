"""Protocol P2 with the integer emulator: python score.py FOLDER-OF-PICTURES PATTERN-GLOB [table files]

Prints the mean dB over the pictures for every table. Noisy tables are scored on noise of their own level.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import emulate
import encoding
import pictures
import tables
from encoding import UNIT
from quantise import FOLDER


def rgb_light(table, mosaic):
    return encoding.decode(emulate.run_network(table, mosaic) / UNIT)


def score(path, files):
    """Mean and per-picture dB of one table."""
    table, result = tables.read_network(path), []
    pattern = next(p for p in encoding.PATTERNS.values() if p.period == table.pattern)
    for k, file in enumerate(files):
        codes = pictures.read_codes(file)
        mosaic = encoding.noisy_mosaic(encoding.linear_of_srgb(codes), pattern, table.sigma, seed=7 + k)
        result.append(encoding.cpsnr(codes, rgb_light(table, mosaic)))
    return float(np.mean(result)), result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("glob")
    parser.add_argument("tables", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--every", type=int, default=1, help="use every n-th picture")
    options = parser.parse_args()
    files = sorted(options.folder.glob(options.glob))[:: options.every]
    scores = {}
    for path in options.tables or sorted([*FOLDER.glob("*.net"), *FOLDER.glob("*.fast")]):
        mean, each = score(path, files)
        scores[path.name] = round(mean, 3)
        print(f"{path.name} {mean:.3f} dB over {len(each)} pictures", flush=True)
    if options.json:
        options.json.write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__":
    main()
