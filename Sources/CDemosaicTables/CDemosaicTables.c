// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#include "CDemosaicTables.h"

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
