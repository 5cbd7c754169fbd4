#pragma once
#include <stddef.h>
#include <stdint.h>

// One open OpenEXR file. Functions return 0, or -1 after which only cexr_error, cexr_errno and cexr_close may be called.
// The library is loaded when it is first needed, so that it costs nothing to who does not need it.
typedef struct cexr cexr;

typedef struct cexr_info {
  uint32_t width, height;
  int channels;        // 1 Y, 3 RGB, 4 RGBA; rows are interleaved floats
  int half;            // how they are stored: 1 half, 0 float
  uint32_t band_rows;  // rows that are decoded together
  int has_chromaticities;
  float chromaticities[8];  // x and y of red, green, blue, white
} cexr_info;

// NULL when the library is there, else why not.
const char *cexr_missing(void);

cexr *cexr_open(int fd);
void cexr_close(cexr *exr);
const char *cexr_error(const cexr *exr);
int cexr_errno(const cexr *exr);

int cexr_write_begin(cexr *exr, cexr_info info);
int cexr_write_text(cexr *exr, const char *name, const char *value);
int cexr_write_number(cexr *exr, const char *name, float value);
int cexr_write_header(cexr *exr);
int cexr_write_rows(cexr *exr, const uint8_t *rows, size_t stride, uint32_t count);
int cexr_write_end(cexr *exr);

// 1 when the file is sound but of a kind that is not read; cexr_error says which.
int cexr_read_header(cexr *exr, uint64_t byte_count, cexr_info *info);
// The rows of a band, info.width * info.channels floats each; *rows belongs to the reader until the next call.
int cexr_read_band(cexr *exr, uint32_t band, const float **rows, size_t *stride);
