"""Protocol P2 with the integer emulator: python score.py FOLDER GLOB [table files] [--json FILE] [--every N]

Prints the mean dB over the pictures for every table; noisy tables are scored on noise of their own level. `.class` tables
are scored with everything that `best` computes. Pictures that were looked at while training belong to no score.
"""

import argparse
import json
from pathlib import Path

import classes
import emulate
import phase_filters
import tables
from evaluation import decibels
from quantise import FOLDER

SUFFIXES = (".fast", ".net", ".class", ".pls")


def runner(path):
    """(table, function from an integer mosaic to an integer picture) of a table file."""
    if path.suffix == ".pls":
        table = tables.read_phases(path)
        return table, lambda mosaic: phase_filters.run(table, mosaic)
    if path.suffix == ".class":
        table, network = tables.read_classes(path), tables.read_network(path.with_suffix(".net"))
        return table, lambda mosaic: classes.run_best(network, table, mosaic).final
    table = tables.read_network(path)
    return table, lambda mosaic: emulate.run_network(table, mosaic)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("glob")
    parser.add_argument("tables", nargs="*", type=Path)
    parser.add_argument("--json", type=Path, help="scores are merged into this file")
    parser.add_argument("--every", type=int, default=1, help="use every n-th picture")
    options = parser.parse_args()
    files = sorted(options.folder.glob(options.glob))[:: options.every]
    scores = json.loads(options.json.read_text()) if options.json and options.json.exists() else {}
    for path in options.tables or sorted(p for p in FOLDER.iterdir() if p.suffix in SUFFIXES):
        table, run = runner(path)
        scores[path.name] = round(decibels(table, run, files), 2)
        print(f"{path.name} {scores[path.name]:.2f} dB over {len(files)} pictures", flush=True)
        if options.json:
            options.json.write_text(json.dumps(scores, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
