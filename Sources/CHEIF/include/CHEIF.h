#pragma once
#include <stddef.h>
#include <stdint.h>

// One HEIF picture. Functions return 0, or -1 (1: sound, but of a kind that is not read) with the reason in cheif_error.
// The library is loaded when it is first needed, so that it costs nothing to who does not need it.
typedef struct cheif cheif;

typedef struct cheif_info {
  uint32_t width, height;  // as decoded: the file's own rotation and cropping are done
  int channels;            // 1 grey, 3 RGB, 4 RGBA; grey is read as RGB
  int bits;                // 8, or 9...16 in 16-bit samples
  int primaries, transfer;  // ITU-T H.273 codes; 2 when the file does not say
} cheif_info;

typedef struct cheif_options {
  int quality;      // 1...100
  int full_chroma;  // 1: 4:4:4, 0: 4:2:0
  int orientation;  // EXIF's 1...8, told to readers as rotation and mirroring
  int threads;
} cheif_options;

typedef struct cheif_blobs {
  const uint8_t *icc, *exif, *xmp;  // exif without signature
  size_t icc_count, exif_count, xmp_count;
} cheif_blobs;

// Takes bytes of the result, in order; returns 0 to go on.
typedef int (*cheif_put)(void *user, const uint8_t *bytes, size_t count);

// NULL when the library can encode (or decode) HEVC, else why not.
const char *cheif_missing(int encoding);

cheif *cheif_open(void);
void cheif_close(cheif *heif);
const char *cheif_error(const cheif *heif);

// Interleaved rows to be filled: bytes, or 16-bit little-endian words that use the low info.bits bits.
int cheif_write_begin(cheif *heif, cheif_info info, uint8_t **rows, size_t *stride);
int cheif_write_end(cheif *heif, cheif_options options, cheif_blobs blobs, cheif_put put, void *put_user);

// The bytes must stay until the picture is closed. The profile belongs to the picture; NULL when there is none.
int cheif_read_header(cheif *heif, const uint8_t *bytes, size_t count, int threads, cheif_info *info,
                      const uint8_t **icc, size_t *icc_count);
int cheif_read_rows(cheif *heif, const uint8_t **rows, size_t *stride);

// Metadata of the primary picture, without its pixels; heif is fresh from cheif_open. The blocks belong to heif; exif is
// the whole item, four bytes in front of the TIFF structure included. When blocks had to be left out, the result is 0 and
// cheif_error says why.
int cheif_read_metadata(cheif *heif, const char *path, cheif_blobs *blobs);
