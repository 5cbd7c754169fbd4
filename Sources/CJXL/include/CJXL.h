#pragma once
#include <stddef.h>
#include <stdint.h>

// JPEG XL pictures in memory. Functions return 0, or -1 with the reason in `error`.
// The library is loaded when it is first needed, so that it costs nothing to who does not need it.

#define CJXL_ERROR 160

typedef struct cjxl_info {
  uint32_t width, height;  // as stored, before orientation
  int channels;            // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA
  int bits;                // of a sample, as the stream declares it
  int exponent_bits;       // 0 for integers
  int orientation;         // EXIF's 1...8
} cjxl_info;

typedef enum cjxl_sample { CJXL_UINT8, CJXL_UINT16, CJXL_FLOAT } cjxl_sample;

// Runs body(context, index, thread) for first <= index < end; thread is below the number that begin was told.
// Returns what begin returned.
typedef int (*cjxl_begin)(void *context, size_t threads);
typedef void (*cjxl_body)(void *context, uint32_t index, size_t thread);
typedef int (*cjxl_runner)(void *runner, void *context, cjxl_begin begin, cjxl_body body, uint32_t first,
                           uint32_t end);

// Takes bytes of the result, in order; returns 0 to go on.
typedef int (*cjxl_put)(void *user, const uint8_t *bytes, size_t count);

typedef struct cjxl_blobs {
  const uint8_t *icc, *exif, *xmp;  // exif without signature
  size_t icc_count, exif_count, xmp_count;
} cjxl_blobs;

typedef struct cjxl_options {
  float distance;  // butteraugli distance; 0 loses nothing
  int effort;      // 1...9
  int linear;      // without a profile: the samples are linear light
  int modular;     // 1: no transform to frequencies, also when something is lost
} cjxl_options;

// NULL when the library is there, else why not.
const char *cjxl_missing(void);

// Samples are interleaved, in native byte order, without gaps. A NULL runner is the caller's thread alone.
int cjxl_encode(cjxl_info info, cjxl_sample sample, const void *pixels, size_t byte_count, cjxl_blobs blobs,
                cjxl_options options, cjxl_runner runner, void *runner_user, cjxl_put put, void *put_user,
                char error[CJXL_ERROR]);

// The profile of the decoded samples is allocated with malloc; NULL for icc and icc_count when it is not wanted.
int cjxl_header(const uint8_t *bytes, size_t count, cjxl_sample sample, cjxl_info *info, uint8_t **icc,
                size_t *icc_count, char error[CJXL_ERROR]);
// Integers are scaled so that the largest value of info.bits becomes that of the sample.
int cjxl_decode(const uint8_t *bytes, size_t count, cjxl_sample sample, int channels, void *pixels, size_t byte_count,
                cjxl_runner runner, void *runner_user, char error[CJXL_ERROR]);

typedef struct cjxl_boxes {
  uint8_t *exif, *xmp;  // exif is the whole box, four bytes in front of the TIFF structure included
  size_t exif_count, xmp_count;
} cjxl_boxes;

// The first EXIF and XMP box, unpacked when they are packed (brob). Boxes that were whole are there also after a failure.
int cjxl_read_boxes(const uint8_t *bytes, size_t count, cjxl_boxes *boxes, char error[CJXL_ERROR]);
void cjxl_free_boxes(cjxl_boxes *boxes);
