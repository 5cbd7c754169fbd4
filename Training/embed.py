"""Writes the C header and source that embed every table file: python embed.py"""

from quantise import FOLDER

TARGET = FOLDER.parent
INTRODUCTION = """// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.
"""


def symbol(path):
    return "duo_table_" + path.name.replace("-", "_").replace(".", "_")


def header(paths):
    lines = [INTRODUCTION, "#ifndef CDEMOSAICTABLES_H", "#define CDEMOSAICTABLES_H", ""]
    for path in paths:
        lines += [f"extern const unsigned char {symbol(path)}[];", f"extern const unsigned long {symbol(path)}_size;"]
    return "\n".join([*lines, "", "#endif", ""])


def source(paths):
    lines = [INTRODUCTION, '#include "CDemosaicTables.h"', ""]
    for path in paths:
        lines += [f"_Alignas(64) const unsigned char {symbol(path)}[] = {{", f'#embed "tables/{path.name}"', "};"]
        lines += [f"const unsigned long {symbol(path)}_size = sizeof({symbol(path)});", ""]
    return "\n".join(lines)


def main():
    paths = sorted(p for p in FOLDER.iterdir() if p.suffix in (".net", ".fast", ".class", ".pls"))
    (TARGET / "include" / "CDemosaicTables.h").write_text(header(paths))
    (TARGET / "CDemosaicTables.c").write_text(source(paths))


if __name__ == "__main__":
    main()
