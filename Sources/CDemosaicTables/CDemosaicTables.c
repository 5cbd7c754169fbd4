// Trained tables of the demosaicers, embedded as they lie in the files of `tables`.
// Written by Training/embed.py; Training/README.md describes the layout and how the tables were trained.

#include "CDemosaicTables.h"

_Alignas(64) static const unsigned char bayer_00_class[] = {
#embed "tables/bayer-00.class"
};
_Alignas(64) static const unsigned char bayer_00_fast[] = {
#embed "tables/bayer-00.fast"
};
_Alignas(64) static const unsigned char bayer_00_net[] = {
#embed "tables/bayer-00.net"
};
_Alignas(64) static const unsigned char bayer_04_class[] = {
#embed "tables/bayer-04.class"
};
_Alignas(64) static const unsigned char bayer_04_fast[] = {
#embed "tables/bayer-04.fast"
};
_Alignas(64) static const unsigned char bayer_04_net[] = {
#embed "tables/bayer-04.net"
};
_Alignas(64) static const unsigned char bayer_08_class[] = {
#embed "tables/bayer-08.class"
};
_Alignas(64) static const unsigned char bayer_08_fast[] = {
#embed "tables/bayer-08.fast"
};
_Alignas(64) static const unsigned char bayer_08_net[] = {
#embed "tables/bayer-08.net"
};
_Alignas(64) static const unsigned char bayer_15_class[] = {
#embed "tables/bayer-15.class"
};
_Alignas(64) static const unsigned char bayer_15_fast[] = {
#embed "tables/bayer-15.fast"
};
_Alignas(64) static const unsigned char bayer_15_net[] = {
#embed "tables/bayer-15.net"
};
_Alignas(64) static const unsigned char bayer_26_class[] = {
#embed "tables/bayer-26.class"
};
_Alignas(64) static const unsigned char bayer_26_fast[] = {
#embed "tables/bayer-26.fast"
};
_Alignas(64) static const unsigned char bayer_26_net[] = {
#embed "tables/bayer-26.net"
};
_Alignas(64) static const unsigned char hexadeca_00_pls[] = {
#embed "tables/hexadeca-00.pls"
};
_Alignas(64) static const unsigned char hexadeca_08_pls[] = {
#embed "tables/hexadeca-08.pls"
};
_Alignas(64) static const unsigned char hexadeca_20_pls[] = {
#embed "tables/hexadeca-20.pls"
};
_Alignas(64) static const unsigned char nona_00_pls[] = {
#embed "tables/nona-00.pls"
};
_Alignas(64) static const unsigned char nona_08_pls[] = {
#embed "tables/nona-08.pls"
};
_Alignas(64) static const unsigned char nona_20_pls[] = {
#embed "tables/nona-20.pls"
};
_Alignas(64) static const unsigned char quad_00_class[] = {
#embed "tables/quad-00.class"
};
_Alignas(64) static const unsigned char quad_00_fast[] = {
#embed "tables/quad-00.fast"
};
_Alignas(64) static const unsigned char quad_00_net[] = {
#embed "tables/quad-00.net"
};
_Alignas(64) static const unsigned char quad_04_class[] = {
#embed "tables/quad-04.class"
};
_Alignas(64) static const unsigned char quad_04_fast[] = {
#embed "tables/quad-04.fast"
};
_Alignas(64) static const unsigned char quad_04_net[] = {
#embed "tables/quad-04.net"
};
_Alignas(64) static const unsigned char quad_08_class[] = {
#embed "tables/quad-08.class"
};
_Alignas(64) static const unsigned char quad_08_fast[] = {
#embed "tables/quad-08.fast"
};
_Alignas(64) static const unsigned char quad_08_net[] = {
#embed "tables/quad-08.net"
};
_Alignas(64) static const unsigned char quad_15_class[] = {
#embed "tables/quad-15.class"
};
_Alignas(64) static const unsigned char quad_15_fast[] = {
#embed "tables/quad-15.fast"
};
_Alignas(64) static const unsigned char quad_15_net[] = {
#embed "tables/quad-15.net"
};
_Alignas(64) static const unsigned char quad_26_class[] = {
#embed "tables/quad-26.class"
};
_Alignas(64) static const unsigned char quad_26_fast[] = {
#embed "tables/quad-26.fast"
};
_Alignas(64) static const unsigned char quad_26_net[] = {
#embed "tables/quad-26.net"
};

static const duo_table tables[] = {
    {2, 0, duo_table_classes, bayer_00_class, sizeof(bayer_00_class)},
    {2, 0, duo_table_least_squares, bayer_00_fast, sizeof(bayer_00_fast)},
    {2, 0, duo_table_network, bayer_00_net, sizeof(bayer_00_net)},
    {2, 4, duo_table_classes, bayer_04_class, sizeof(bayer_04_class)},
    {2, 4, duo_table_least_squares, bayer_04_fast, sizeof(bayer_04_fast)},
    {2, 4, duo_table_network, bayer_04_net, sizeof(bayer_04_net)},
    {2, 8, duo_table_classes, bayer_08_class, sizeof(bayer_08_class)},
    {2, 8, duo_table_least_squares, bayer_08_fast, sizeof(bayer_08_fast)},
    {2, 8, duo_table_network, bayer_08_net, sizeof(bayer_08_net)},
    {2, 15, duo_table_classes, bayer_15_class, sizeof(bayer_15_class)},
    {2, 15, duo_table_least_squares, bayer_15_fast, sizeof(bayer_15_fast)},
    {2, 15, duo_table_network, bayer_15_net, sizeof(bayer_15_net)},
    {2, 26, duo_table_classes, bayer_26_class, sizeof(bayer_26_class)},
    {2, 26, duo_table_least_squares, bayer_26_fast, sizeof(bayer_26_fast)},
    {2, 26, duo_table_network, bayer_26_net, sizeof(bayer_26_net)},
    {8, 0, duo_table_phases, hexadeca_00_pls, sizeof(hexadeca_00_pls)},
    {8, 8, duo_table_phases, hexadeca_08_pls, sizeof(hexadeca_08_pls)},
    {8, 20, duo_table_phases, hexadeca_20_pls, sizeof(hexadeca_20_pls)},
    {6, 0, duo_table_phases, nona_00_pls, sizeof(nona_00_pls)},
    {6, 8, duo_table_phases, nona_08_pls, sizeof(nona_08_pls)},
    {6, 20, duo_table_phases, nona_20_pls, sizeof(nona_20_pls)},
    {4, 0, duo_table_classes, quad_00_class, sizeof(quad_00_class)},
    {4, 0, duo_table_least_squares, quad_00_fast, sizeof(quad_00_fast)},
    {4, 0, duo_table_network, quad_00_net, sizeof(quad_00_net)},
    {4, 4, duo_table_classes, quad_04_class, sizeof(quad_04_class)},
    {4, 4, duo_table_least_squares, quad_04_fast, sizeof(quad_04_fast)},
    {4, 4, duo_table_network, quad_04_net, sizeof(quad_04_net)},
    {4, 8, duo_table_classes, quad_08_class, sizeof(quad_08_class)},
    {4, 8, duo_table_least_squares, quad_08_fast, sizeof(quad_08_fast)},
    {4, 8, duo_table_network, quad_08_net, sizeof(quad_08_net)},
    {4, 15, duo_table_classes, quad_15_class, sizeof(quad_15_class)},
    {4, 15, duo_table_least_squares, quad_15_fast, sizeof(quad_15_fast)},
    {4, 15, duo_table_network, quad_15_net, sizeof(quad_15_net)},
    {4, 26, duo_table_classes, quad_26_class, sizeof(quad_26_class)},
    {4, 26, duo_table_least_squares, quad_26_fast, sizeof(quad_26_fast)},
    {4, 26, duo_table_network, quad_26_net, sizeof(quad_26_net)},
};

int duo_table_count(void) { return sizeof(tables) / sizeof(tables[0]); }

duo_table duo_table_at(int index) { return tables[index]; }
