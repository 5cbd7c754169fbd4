#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a finished picture says about itself, in place of what its source said.
typedef struct cexiv2_request {
  uint32_t width, height;
  uint16_t orientation;
  uint16_t colour_space;  // EXIF ColorSpace: 1 sRGB, 0xFFFF other
  const char *software;
  size_t exif_limit, xmp_limit;  // bytes
} cexiv2_request;

// Blocks out of a file that was taken apart elsewhere; exif is a TIFF structure, xmp a packet.
typedef struct cexiv2_source {
  const uint8_t *exif, *xmp;
  size_t exif_count, xmp_count;
} cexiv2_source;

typedef struct cexiv2_blob {
  uint8_t *bytes;  // from malloc; NULL when empty
  size_t count;
} cexiv2_blob;

typedef struct cexiv2_result {
  cexiv2_blob exif, xmp, icc;
  char warning[240];  // the first thing that went wrong; empty when nothing did
} cexiv2_result;

// Never throws; what cannot be read is left empty.
void cexiv2_read(const char *path, const cexiv2_request *request, cexiv2_result *result);
// The same for blocks.
void cexiv2_convert(cexiv2_source source, const cexiv2_request *request, cexiv2_result *result);
void cexiv2_free(cexiv2_result *result);

#ifdef __cplusplus
}
#endif
