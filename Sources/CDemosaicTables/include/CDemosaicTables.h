// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#ifndef CDEMOSAICTABLES_H
#define CDEMOSAICTABLES_H

extern const unsigned char duo_table_bayer_00_fast[];
extern const unsigned long duo_table_bayer_00_fast_size;
extern const unsigned char duo_table_bayer_04_fast[];
extern const unsigned long duo_table_bayer_04_fast_size;
extern const unsigned char duo_table_bayer_08_fast[];
extern const unsigned long duo_table_bayer_08_fast_size;
extern const unsigned char duo_table_bayer_15_fast[];
extern const unsigned long duo_table_bayer_15_fast_size;
extern const unsigned char duo_table_bayer_26_fast[];
extern const unsigned long duo_table_bayer_26_fast_size;
extern const unsigned char duo_table_nona_00_pls[];
extern const unsigned long duo_table_nona_00_pls_size;
extern const unsigned char duo_table_quad_00_class[];
extern const unsigned long duo_table_quad_00_class_size;
extern const unsigned char duo_table_quad_00_fast[];
extern const unsigned long duo_table_quad_00_fast_size;
extern const unsigned char duo_table_quad_00_net[];
extern const unsigned long duo_table_quad_00_net_size;
extern const unsigned char duo_table_quad_04_fast[];
extern const unsigned long duo_table_quad_04_fast_size;
extern const unsigned char duo_table_quad_08_fast[];
extern const unsigned long duo_table_quad_08_fast_size;
extern const unsigned char duo_table_quad_15_fast[];
extern const unsigned long duo_table_quad_15_fast_size;
extern const unsigned char duo_table_quad_26_fast[];
extern const unsigned long duo_table_quad_26_fast_size;

#endif
