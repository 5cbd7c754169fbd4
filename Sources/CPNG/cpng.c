#include "CPNG.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cpng {
  png_structp png;
  png_infop info;
  int fd, writing, io_errno;
  char error[240];
};

static void fail(png_structp png, png_const_charp message) {
  cpng *self = png_get_error_ptr(png);
  if (self->error[0] == 0) snprintf(self->error, sizeof self->error, "%s", message);
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void put(png_structp png, png_bytep bytes, size_t count) {
  cpng *self = png_get_io_ptr(png);
  while (count > 0) {
    ssize_t done = write(self->fd, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      self->io_errno = errno;
      png_error(png, "cannot write");
    }
    bytes += done;
    count -= (size_t)done;
  }
}

static void get(png_structp png, png_bytep bytes, size_t count) {
  cpng *self = png_get_io_ptr(png);
  while (count > 0) {
    ssize_t done = read(self->fd, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      self->io_errno = errno;
      png_error(png, "cannot read");
    }
    if (done == 0) png_error(png, "the file ends too early");
    bytes += done;
    count -= (size_t)done;
  }
}

static void flush(png_structp png) { (void)png; }

cpng *cpng_open(int fd, int writing) {
  cpng *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->fd = fd;
  self->writing = writing;
  self->png = writing ? png_create_write_struct(PNG_LIBPNG_VER_STRING, self, fail, ignore_warning)
                      : png_create_read_struct(PNG_LIBPNG_VER_STRING, self, fail, ignore_warning);
  if (self->png) self->info = png_create_info_struct(self->png);
  if (!self->info) {
    cpng_close(self);
    return NULL;
  }
  if (writing)
    png_set_write_fn(self->png, self, put, flush);
  else
    png_set_read_fn(self->png, self, get);
  return self;
}

void cpng_close(cpng *self) {
  if (!self) return;
  if (self->writing)
    png_destroy_write_struct(&self->png, &self->info);
  else
    png_destroy_read_struct(&self->png, &self->info, NULL);
  free(self);
}

const char *cpng_error(const cpng *self) { return self->error; }
int cpng_errno(const cpng *self) { return self->io_errno; }

static const int colour_types[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA};

int cpng_write_header(cpng *self, cpng_info info, cpng_blobs blobs, int level, int filters) {
  png_structp png = self->png;
  if (setjmp(png_jmpbuf(png))) return -1;
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(png, level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
  png_set_IHDR(png, self->info, info.width, info.height, info.bits, colour_types[info.channels], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (blobs.icc_count)
    png_set_iCCP(png, self->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, blobs.icc, (png_uint_32)blobs.icc_count);
  if (blobs.exif_count)
    png_set_eXIf_1(png, self->info, (png_uint_32)blobs.exif_count, (png_bytep)blobs.exif);
  if (blobs.xmp_count) {
    png_text text = {.compression = PNG_ITXT_COMPRESSION_NONE, .key = "XML:com.adobe.xmp", .text = (char *)blobs.xmp,
                     .itxt_length = blobs.xmp_count, .lang = "", .lang_key = ""};
    png_set_text(png, self->info, &text, 1);
  }
  png_write_info(png, self->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (info.bits == 16) png_set_swap(png);
#endif
  return 0;
}

int cpng_write_rows(cpng *self, const uint8_t *rows, size_t stride, uint32_t count) {
  if (setjmp(png_jmpbuf(self->png))) return -1;
  for (uint32_t y = 0; y < count; y++) png_write_row(self->png, rows + y * stride);
  return 0;
}

int cpng_write_end(cpng *self) {
  if (setjmp(png_jmpbuf(self->png))) return -1;
  png_write_end(self->png, NULL);  // with an info it would write eXIf a second time
  return 0;
}

int cpng_read_header(cpng *self, uint32_t max_side, cpng_info *info, cpng_blobs *blobs) {
  png_structp png = self->png;
  if (setjmp(png_jmpbuf(png))) return -1;
  png_set_user_limits(png, max_side, max_side);
  png_read_info(png, self->info);
  png_set_expand(png);
  if (png_get_bit_depth(png, self->info) < 8) png_set_packing(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (png_get_bit_depth(png, self->info) == 16) png_set_swap(png);
#endif
  info->passes = png_set_interlace_handling(png);
  png_read_update_info(png, self->info);
  info->width = png_get_image_width(png, self->info);
  info->height = png_get_image_height(png, self->info);
  info->channels = png_get_channels(png, self->info);
  info->bits = png_get_bit_depth(png, self->info);
  png_charp name;
  int compression;
  png_bytep icc = NULL, exif = NULL;
  png_uint_32 icc_count = 0, exif_count = 0;
  if (png_get_iCCP(png, self->info, &name, &compression, &icc, &icc_count)) {
    blobs->icc = icc;
    blobs->icc_count = icc_count;
  }
  if (png_get_eXIf_1(png, self->info, &exif_count, &exif)) {
    blobs->exif = exif;
    blobs->exif_count = exif_count;
  }
  return 0;
}

int cpng_read_rows(cpng *self, uint8_t *rows, size_t stride, uint32_t count) {
  if (setjmp(png_jmpbuf(self->png))) return -1;
  for (uint32_t y = 0; y < count; y++) png_read_row(self->png, rows + y * stride, NULL);
  return 0;
}

int cpng_read_end(cpng *self) {
  if (setjmp(png_jmpbuf(self->png))) return -1;
  png_read_end(self->png, NULL);
  return 0;
}
