// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#include "CDemosaicTables.h"

_Alignas(64) static const unsigned char quad_00_class[] = {
#embed "tables/quad-00.class"
};
_Alignas(64) static const unsigned char quad_00_fast[] = {
#embed "tables/quad-00.fast"
};
_Alignas(64) static const unsigned char quad_00_net[] = {
#embed "tables/quad-00.net"
};

static const duo_table tables[] = {
    {4, 0, duo_table_classes, quad_00_class, sizeof(quad_00_class)},
    {4, 0, duo_table_least_squares, quad_00_fast, sizeof(quad_00_fast)},
    {4, 0, duo_table_network, quad_00_net, sizeof(quad_00_net)},
};

int duo_table_count(void) { return sizeof(tables) / sizeof(tables[0]); }

duo_table duo_table_at(int index) { return tables[index]; }
