// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#ifndef CDEMOSAICTABLES_H
#define CDEMOSAICTABLES_H

extern const unsigned char duo_table_quad_00_class[];
extern const unsigned long duo_table_quad_00_class_size;
extern const unsigned char duo_table_quad_00_fast[];
extern const unsigned long duo_table_quad_00_fast_size;
extern const unsigned char duo_table_quad_00_net[];
extern const unsigned long duo_table_quad_00_net_size;

#endif
