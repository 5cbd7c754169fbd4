// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

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
