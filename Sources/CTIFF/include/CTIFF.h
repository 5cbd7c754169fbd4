#pragma once
#include <stddef.h>
#include <stdint.h>
#include <tiffio.h>

// What one open TIFF reads or writes through, and what the library had to say. The owner keeps it alive and at one
// address until TIFFClose.
typedef struct ctiff_stream {
  int fd;
  int io_errno;       // of the first failed system call, 0 when none failed
  char error[240];    // the first error of the library, empty when there was none
  char warning[240];  // the first warning
} ctiff_stream;

TIFF *ctiff_open(ctiff_stream *stream, const char *mode, int64_t max_allocation);
int ctiff_set_u16(TIFF *tif, uint32_t tag, uint16_t value);
int ctiff_set_u32(TIFF *tif, uint32_t tag, uint32_t value);
int ctiff_set_u64(TIFF *tif, uint32_t tag, uint64_t value);
int ctiff_set_double(TIFF *tif, uint32_t tag, double value);
int ctiff_set_string(TIFF *tif, uint32_t tag, const char *value);
// For tags that take a count and an array: ICC profile, XMP.
int ctiff_set_bytes(TIFF *tif, uint32_t tag, uint32_t count, const void *bytes);
int ctiff_set_extra_sample(TIFF *tif, uint16_t kind);
// Values with the defaults of the specification.
uint16_t ctiff_get_u16(TIFF *tif, uint32_t tag, uint16_t otherwise);
uint32_t ctiff_get_u32(TIFF *tif, uint32_t tag, uint32_t otherwise);
int ctiff_get_bytes(TIFF *tif, uint32_t tag, uint32_t *count, const uint8_t **bytes);
