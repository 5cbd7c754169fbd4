#pragma once
#include <stdint.h>

// A thin, flat view of LibRaw: open, look, unpack, copy out. No processing.

typedef struct clibraw clibraw;

typedef struct {
  char make[64], model[64], software[64], lens[128], decoder[64];
  char cdesc[5];
  int colours;              // LibRaw's number of colours
  unsigned filters;         // 2x8 mask; 9 = xtrans; 0 = no mosaic
  unsigned char xtrans[36]; // phased to the visible area
  int rawWidth, rawHeight, width, height, topMargin, leftMargin, flip;
  int fujiWidth; // not 0: a sensor rotated by 45 degrees
  double pixelAspect;
  unsigned black, channelBlack[4], maximum;
  unsigned blackRows, blackColumns; // the repeating part; read with clibraw_black_cell
  float camMul[4], camXYZ[4][3];
  float rgbCam[3][4]; // camera → linear sRGB, where no XYZ table is known
  float iso, shutter, aperture, focalLength;
  int64_t timestamp; // local time as seconds; 0 when unknown
} clibraw_info;

typedef struct {
  const uint16_t *samples; // NULL when nothing was unpacked, or only floating point
  int channels;            // 1, 3 or 4 samples a pixel
  unsigned rowBytes;
} clibraw_plane;

// NULL when memory is short.
clibraw *clibraw_new(unsigned maxMegabytes);
void clibraw_free(clibraw *reader);
// These return 0, or a LibRaw or errno code for clibraw_error_text.
int clibraw_open(clibraw *reader, const char *path);
int clibraw_unpack(clibraw *reader);
const char *clibraw_error_text(int code);
// 1 when the code says the format or its codec is not known.
int clibraw_error_is_unsupported(int code);
void clibraw_get_info(clibraw *reader, clibraw_info *info);
unsigned clibraw_black_cell(clibraw *reader, unsigned row, unsigned column);
void clibraw_get_plane(clibraw *reader, clibraw_plane *plane);
// How often LibRaw found the data damaged while unpacking.
int clibraw_data_errors(clibraw *reader);
