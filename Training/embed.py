"""Writes the C source that embeds every table file and its header: python embed.py"""

from quantise import FOLDER

TARGET = FOLDER.parent
INTRODUCTION = """// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.
"""
KINDS = {".net": "duo_table_network", ".fast": "duo_table_least_squares", ".class": "duo_table_classes", ".pls": "duo_table_phases"}
PERIODS = {"bayer": 2, "quad": 4, "nona": 6, "hexadeca": 8}
HEADER = """
#ifndef CDEMOSAICTABLES_H
#define CDEMOSAICTABLES_H

typedef enum { duo_table_network, duo_table_least_squares, duo_table_classes, duo_table_phases } duo_table_kind;

typedef struct {
  /// Photosites after which the pattern repeats: 2 Bayer, 4 quad, 6 nona, 8 hexadeca.
  int period;
  /// Standard deviation of the noise that the table was made for, on the scale 255 sqrt(light); 0 for clean data.
  int sigma;
  duo_table_kind kind;
  const unsigned char *bytes;
  unsigned long size;
} duo_table;

/// The number of tables.
int duo_table_count(void);
/// A table, 0 <= index < duo_table_count().
duo_table duo_table_at(int index);

#endif
"""
LOOKUP = """
int duo_table_count(void) { return sizeof(tables) / sizeof(tables[0]); }

duo_table duo_table_at(int index) { return tables[index]; }
"""


def symbol(path):
    return path.name.replace("-", "_").replace(".", "_")


def entry(path):
    pattern, sigma = path.stem.split("-")
    return f"    {{{PERIODS[pattern]}, {int(sigma)}, {KINDS[path.suffix]}, {symbol(path)}, sizeof({symbol(path)})}},"


def source(paths):
    lines = [INTRODUCTION, '#include "CDemosaicTables.h"', ""]
    for path in paths:
        lines += [f"_Alignas(64) static const unsigned char {symbol(path)}[] = {{", f'#embed "tables/{path.name}"', "};"]
    return "\n".join([*lines, "", "static const duo_table tables[] = {", *map(entry, paths), "};"]) + "\n" + LOOKUP


def main():
    paths = sorted(p for p in FOLDER.iterdir() if p.suffix in KINDS)
    (TARGET / "include" / "CDemosaicTables.h").write_text(INTRODUCTION + HEADER)
    (TARGET / "CDemosaicTables.c").write_text(source(paths))


if __name__ == "__main__":
    main()
