#include "CJPEG.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// jpeglib.h needs stdio.h before it.
#include <jerror.h>
#include <jpeglib.h>
#include <setjmp.h>

enum { buffer_size = 1 << 16 };

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  int io_errno;
  char text[JMSG_LENGTH_MAX];
} errors;

static void fail(j_common_ptr info) {
  errors *self = (errors *)info->err;
  if (self->text[0] == 0) self->base.format_message(info, self->text);
  longjmp(self->jump, 1);
}

// Level -1 is damage that the library would paper over. Bytes between segments do no harm; all else is an error.
static void judge(j_common_ptr info, int level) {
  int code = info->err->msg_code;
  if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_BOGUS_ICC) fail(info);
}

// First in every function that calls the library: its errors come back here. A macro, since setjmp needs the frame.
#define RETURN_ON_ERROR(self, value) \
  do { \
    if (setjmp((self)->errors.jump)) return value; \
  } while (0)

static void silence(j_common_ptr info) { (void)info; }

static struct jpeg_error_mgr *prepare(errors *self) {
  jpeg_std_error(&self->base);
  self->base.error_exit = fail;
  self->base.emit_message = judge;
  self->base.output_message = silence;
  return &self->base;
}

struct cjpeg_writer {
  struct jpeg_compress_struct info;
  errors errors;
  struct jpeg_destination_mgr destination;
  int fd;
  JOCTET buffer[buffer_size];
};

static void put(cjpeg_writer *self, size_t count) {
  const JOCTET *bytes = self->buffer;
  while (count > 0) {
    ssize_t done = write(self->fd, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      self->errors.io_errno = errno;
      ERREXIT(&self->info, JERR_FILE_WRITE);
    }
    bytes += done;
    count -= (size_t)done;
  }
  self->destination.next_output_byte = self->buffer;
  self->destination.free_in_buffer = buffer_size;
}

static void start_output(j_compress_ptr info) {
  cjpeg_writer *self = (cjpeg_writer *)info;
  self->destination.next_output_byte = self->buffer;
  self->destination.free_in_buffer = buffer_size;
}

static boolean flush_full(j_compress_ptr info) {
  put((cjpeg_writer *)info, buffer_size);
  return TRUE;
}

static void flush_rest(j_compress_ptr info) {
  cjpeg_writer *self = (cjpeg_writer *)info;
  put(self, buffer_size - self->destination.free_in_buffer);
}

cjpeg_writer *cjpeg_writer_open(int fd) {
  cjpeg_writer *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->fd = fd;
  self->info.err = prepare(&self->errors);
  if (setjmp(self->errors.jump)) {
    free(self);
    return NULL;
  }
  jpeg_create_compress(&self->info);
  self->destination.init_destination = start_output;
  self->destination.empty_output_buffer = flush_full;
  self->destination.term_destination = flush_rest;
  self->info.dest = &self->destination;
  return self;
}

void cjpeg_writer_close(cjpeg_writer *self) {
  if (!self) return;
  jpeg_destroy_compress(&self->info);
  free(self);
}

const char *cjpeg_writer_error(const cjpeg_writer *self) { return self->errors.text; }
int cjpeg_writer_errno(const cjpeg_writer *self) { return self->errors.io_errno; }

int cjpeg_write_header(cjpeg_writer *self, cjpeg_info size, int quality, int halve_chroma, cjpeg_blobs blobs) {
  j_compress_ptr info = &self->info;
  RETURN_ON_ERROR(self, -1);
  info->image_width = size.width;
  info->image_height = size.height;
  info->input_components = size.components;
  info->in_color_space = size.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  info->dct_method = JDCT_ISLOW;
  info->optimize_coding = FALSE;
  info->write_JFIF_header = blobs.exif_count == 0;
  info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = halve_chroma && size.components == 3 ? 2 : 1;
  jpeg_start_compress(info, TRUE);
  if (blobs.exif_count) jpeg_write_marker(info, JPEG_APP0 + 1, blobs.exif, (unsigned)blobs.exif_count);
  if (blobs.xmp_count) jpeg_write_marker(info, JPEG_APP0 + 1, blobs.xmp, (unsigned)blobs.xmp_count);
  if (blobs.icc_count) jpeg_write_icc_profile(info, blobs.icc, (unsigned)blobs.icc_count);
  return 0;
}

int cjpeg_write_rows(cjpeg_writer *self, const uint8_t *rows, size_t stride, uint32_t count) {
  RETURN_ON_ERROR(self, -1);
  for (uint32_t y = 0; y < count; y++) {
    JSAMPROW row = (JSAMPROW)(rows + y * stride);
    jpeg_write_scanlines(&self->info, &row, 1);
  }
  return 0;
}

int cjpeg_write_end(cjpeg_writer *self) {
  RETURN_ON_ERROR(self, -1);
  jpeg_finish_compress(&self->info);
  return 0;
}

struct cjpeg_reader {
  struct jpeg_decompress_struct info;
  errors errors;
  struct jpeg_source_mgr source;
  int fd;
  JOCTET *icc;
  JOCTET buffer[buffer_size];
};

static void start_input(j_decompress_ptr info) { (void)info; }

static boolean fill(j_decompress_ptr info) {
  cjpeg_reader *self = (cjpeg_reader *)info;
  ssize_t got;
  do got = read(self->fd, self->buffer, buffer_size);
  while (got < 0 && errno == EINTR);
  if (got < 0) {
    self->errors.io_errno = errno;
    ERREXIT(info, JERR_FILE_READ);
  }
  if (got == 0) ERREXIT(info, JERR_INPUT_EOF);
  self->source.next_input_byte = self->buffer;
  self->source.bytes_in_buffer = (size_t)got;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  struct jpeg_source_mgr *source = info->src;
  while (count > (long)source->bytes_in_buffer) {
    count -= (long)source->bytes_in_buffer;
    fill(info);
  }
  if (count > 0) {
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
  }
}

static void end_input(j_decompress_ptr info) { (void)info; }

cjpeg_reader *cjpeg_reader_open(int fd) {
  cjpeg_reader *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->fd = fd;
  self->info.err = prepare(&self->errors);
  if (setjmp(self->errors.jump)) {
    free(self);
    return NULL;
  }
  jpeg_create_decompress(&self->info);
  self->source.init_source = start_input;
  self->source.fill_input_buffer = fill;
  self->source.skip_input_data = skip;
  self->source.resync_to_restart = jpeg_resync_to_restart;
  self->source.term_source = end_input;
  self->info.src = &self->source;
  return self;
}

void cjpeg_reader_close(cjpeg_reader *self) {
  if (!self) return;
  jpeg_destroy_decompress(&self->info);
  free(self->icc);
  free(self);
}

const char *cjpeg_reader_error(const cjpeg_reader *self) { return self->errors.text; }
int cjpeg_reader_errno(const cjpeg_reader *self) { return self->errors.io_errno; }

int cjpeg_read_header(cjpeg_reader *self, cjpeg_info *size, cjpeg_blobs *blobs) {
  j_decompress_ptr info = &self->info;
  RETURN_ON_ERROR(self, -1);
  jpeg_save_markers(info, JPEG_APP0 + 1, 0xFFFF);
  jpeg_save_markers(info, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(info, TRUE);
  size->width = info->image_width;
  size->height = info->image_height;
  size->components = info->num_components;
  size->unsupported = (info->num_components != 1 && info->num_components != 3) || info->data_precision != 8;
  for (jpeg_saved_marker_ptr marker = info->marker_list; marker; marker = marker->next) {
    if (marker->marker == JPEG_APP0 + 1 && marker->data_length > 6 && memcmp(marker->data, "Exif\0\0", 6) == 0) {
      blobs->exif = marker->data;
      blobs->exif_count = marker->data_length;
      break;
    }
  }
  unsigned icc_count = 0;
  if (jpeg_read_icc_profile(info, &self->icc, &icc_count)) {
    blobs->icc = self->icc;
    blobs->icc_count = icc_count;
  }
  info->out_color_space = info->num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  info->dct_method = JDCT_ISLOW;
  return 0;
}

int cjpeg_read_start(cjpeg_reader *self) {
  RETURN_ON_ERROR(self, -1);
  jpeg_start_decompress(&self->info);
  return 0;
}

int cjpeg_read_rows(cjpeg_reader *self, uint8_t *rows, size_t stride, uint32_t count) {
  RETURN_ON_ERROR(self, -1);
  for (uint32_t y = 0; y < count; y++) {
    JSAMPROW row = rows + y * stride;
    jpeg_read_scanlines(&self->info, &row, 1);
  }
  return 0;
}

int cjpeg_read_end(cjpeg_reader *self) {
  RETURN_ON_ERROR(self, -1);
  jpeg_finish_decompress(&self->info);
  return 0;
}
