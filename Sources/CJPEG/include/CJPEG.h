#pragma once
#include <stddef.h>
#include <stdint.h>

// One open JPEG. Every function returns 0, or -1 after which only the cjpeg_..._error, _errno and _close functions may
// be called.
typedef struct cjpeg_writer cjpeg_writer;
typedef struct cjpeg_reader cjpeg_reader;

typedef struct cjpeg_blobs {
  const uint8_t *icc, *exif, *xmp;  // exif and xmp with the signature that starts their APP1 segment
  size_t icc_count, exif_count, xmp_count;
} cjpeg_blobs;

typedef struct cjpeg_info {
  uint32_t width, height;
  int components;     // of the rows: 1 or 3
  int unsupported;    // 1 when the file is CMYK or has a depth other than 8
} cjpeg_info;

cjpeg_writer *cjpeg_writer_open(int fd);
void cjpeg_writer_close(cjpeg_writer *writer);
const char *cjpeg_writer_error(const cjpeg_writer *writer);
int cjpeg_writer_errno(const cjpeg_writer *writer);
int cjpeg_write_header(cjpeg_writer *writer, cjpeg_info info, int quality, int halve_chroma, cjpeg_blobs blobs);
int cjpeg_write_rows(cjpeg_writer *writer, const uint8_t *rows, size_t stride, uint32_t count);
int cjpeg_write_end(cjpeg_writer *writer);

cjpeg_reader *cjpeg_reader_open(int fd);
void cjpeg_reader_close(cjpeg_reader *reader);
const char *cjpeg_reader_error(const cjpeg_reader *reader);
int cjpeg_reader_errno(const cjpeg_reader *reader);
// Reads up to the picture's size and makes the blobs available; they live as long as the reader.
int cjpeg_read_header(cjpeg_reader *reader, cjpeg_info *info, cjpeg_blobs *blobs);
int cjpeg_read_start(cjpeg_reader *reader);
int cjpeg_read_rows(cjpeg_reader *reader, uint8_t *rows, size_t stride, uint32_t count);
int cjpeg_read_end(cjpeg_reader *reader);
