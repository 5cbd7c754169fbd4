#pragma once
#include <stddef.h>
#include <stdint.h>

// One open PNG. Every function returns 0, or -1 after which only cpng_error, cpng_errno and cpng_close may be called.
typedef struct cpng cpng;

typedef struct cpng_info {
  uint32_t width, height;
  int channels, bits;  // of the rows as they are read or written
  int passes;          // 1, or 7 when interlaced: the whole picture is then read once per pass
} cpng_info;

typedef struct cpng_blobs {
  const uint8_t *icc, *exif;
  const char *xmp;
  size_t icc_count, exif_count, xmp_count;
} cpng_blobs;

cpng *cpng_open(int fd, int writing);
void cpng_close(cpng *png);
const char *cpng_error(const cpng *png);
int cpng_errno(const cpng *png);

int cpng_write_header(cpng *png, cpng_info info, cpng_blobs blobs, int level, int filters);
int cpng_write_rows(cpng *png, const uint8_t *rows, size_t stride, uint32_t count);
int cpng_write_end(cpng *png);

// Pointers in blobs live as long as the reader; xmp is not read.
int cpng_read_header(cpng *png, uint32_t max_side, cpng_info *info, cpng_blobs *blobs);
int cpng_read_rows(cpng *png, uint8_t *rows, size_t stride, uint32_t count);
int cpng_read_end(cpng *png);
