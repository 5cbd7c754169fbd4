// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#include "CDemosaicTables.h"

_Alignas(64) const unsigned char duo_table_bayer_00_fast[] = {
#embed "tables/bayer-00.fast"
};
const unsigned long duo_table_bayer_00_fast_size = sizeof(duo_table_bayer_00_fast);

_Alignas(64) const unsigned char duo_table_bayer_04_fast[] = {
#embed "tables/bayer-04.fast"
};
const unsigned long duo_table_bayer_04_fast_size = sizeof(duo_table_bayer_04_fast);

_Alignas(64) const unsigned char duo_table_bayer_08_fast[] = {
#embed "tables/bayer-08.fast"
};
const unsigned long duo_table_bayer_08_fast_size = sizeof(duo_table_bayer_08_fast);

_Alignas(64) const unsigned char duo_table_bayer_15_fast[] = {
#embed "tables/bayer-15.fast"
};
const unsigned long duo_table_bayer_15_fast_size = sizeof(duo_table_bayer_15_fast);

_Alignas(64) const unsigned char duo_table_bayer_26_fast[] = {
#embed "tables/bayer-26.fast"
};
const unsigned long duo_table_bayer_26_fast_size = sizeof(duo_table_bayer_26_fast);

_Alignas(64) const unsigned char duo_table_nona_00_pls[] = {
#embed "tables/nona-00.pls"
};
const unsigned long duo_table_nona_00_pls_size = sizeof(duo_table_nona_00_pls);

_Alignas(64) const unsigned char duo_table_quad_00_class[] = {
#embed "tables/quad-00.class"
};
const unsigned long duo_table_quad_00_class_size = sizeof(duo_table_quad_00_class);

_Alignas(64) const unsigned char duo_table_quad_00_fast[] = {
#embed "tables/quad-00.fast"
};
const unsigned long duo_table_quad_00_fast_size = sizeof(duo_table_quad_00_fast);

_Alignas(64) const unsigned char duo_table_quad_00_net[] = {
#embed "tables/quad-00.net"
};
const unsigned long duo_table_quad_00_net_size = sizeof(duo_table_quad_00_net);

_Alignas(64) const unsigned char duo_table_quad_04_fast[] = {
#embed "tables/quad-04.fast"
};
const unsigned long duo_table_quad_04_fast_size = sizeof(duo_table_quad_04_fast);

_Alignas(64) const unsigned char duo_table_quad_08_fast[] = {
#embed "tables/quad-08.fast"
};
const unsigned long duo_table_quad_08_fast_size = sizeof(duo_table_quad_08_fast);

_Alignas(64) const unsigned char duo_table_quad_15_fast[] = {
#embed "tables/quad-15.fast"
};
const unsigned long duo_table_quad_15_fast_size = sizeof(duo_table_quad_15_fast);

_Alignas(64) const unsigned char duo_table_quad_26_fast[] = {
#embed "tables/quad-26.fast"
};
const unsigned long duo_table_quad_26_fast_size = sizeof(duo_table_quad_26_fast);
