#include "CEXR.h"

#include <OpenEXR/OpenEXRConfig.h>
#include <OpenEXR/openexr.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYMBOLS(X)                                                                                                \
  X(exr_get_default_error_message) X(exr_start_write) X(exr_start_read) X(exr_finish) X(exr_get_user_data)        \
  X(exr_add_part) X(exr_initialize_required_attr_simple) X(exr_add_channel) X(exr_attr_set_chromaticities)        \
  X(exr_attr_set_string) X(exr_attr_set_float) X(exr_write_header) X(exr_get_scanlines_per_chunk)                 \
  X(exr_write_scanline_chunk_info) X(exr_encoding_initialize) X(exr_encoding_update)                              \
  X(exr_encoding_choose_default_routines) X(exr_encoding_run) X(exr_encoding_destroy) X(exr_get_storage)          \
  X(exr_get_data_window) X(exr_get_channels) X(exr_attr_get_chromaticities) X(exr_get_tile_sizes)                 \
  X(exr_read_scanline_chunk_info) X(exr_read_tile_chunk_info) X(exr_decoding_initialize) X(exr_decoding_update)   \
  X(exr_decoding_choose_default_routines) X(exr_decoding_run) X(exr_decoding_destroy)

static struct {
#define FIELD(name) __typeof__(name) *name;
  SYMBOLS(FIELD)
} lib;
static char missing[240];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define TEXT(x) #x
#define NAME(major, minor) "libOpenEXRCore-" TEXT(major) "_" TEXT(minor) ".so."

static void load(void) {
  char name[64];
  int digits = (int)strcspn(OPENEXR_LIB_VERSION_STRING, ".");
  snprintf(name, sizeof name, "%s%.*s", NAME(OPENEXR_VERSION_MAJOR, OPENEXR_VERSION_MINOR), digits,
           OPENEXR_LIB_VERSION_STRING);
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(missing, sizeof missing, "%s", dlerror());
    return;
  }
#define LOAD(symbol)                                                          \
  if (!(lib.symbol = (__typeof__(symbol) *)dlsym(handle, #symbol))) {         \
    snprintf(missing, sizeof missing, "%s has no %s", name, #symbol);         \
    return;                                                                   \
  }
  SYMBOLS(LOAD)
}

const char *cexr_missing(void) {
  pthread_once(&once, load);
  return missing[0] ? missing : NULL;
}

struct cexr {
  exr_context_t context;
  int fd, io_errno;
  char error[240];
  cexr_info info;
  uint64_t byte_count;
  // The chunk in hand: written when it is full, or the band that was read last.
  float *rows;
  size_t row_floats;
  // What is read comes plane by plane and is interleaved here: the library (3.1.5 at least) swaps channels when it
  // interleaves four that are stored as half floats.
  float *planes;
  size_t plane_floats;
  uint32_t rows_filled, next_row;
  int tiled, tile_width, tiles, first_row;
  exr_encode_pipeline_t encoder;
  exr_decode_pipeline_t decoder;
  int encoding, decoding;
};

static cexr *of(exr_const_context_t context) {
  void *self = NULL;
  lib.exr_get_user_data(context, &self);
  return self;
}

static void note(exr_const_context_t context, exr_result_t code, const char *message) {
  cexr *self = of(context);
  (void)code;
  if (self && self->error[0] == 0) snprintf(self->error, sizeof self->error, "%s", message);
}

static int fail(cexr *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(cexr *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(self->error, sizeof self->error, format, arguments);
  va_end(arguments);
  return -1;
}

static int check(cexr *self, exr_result_t result) {
  if (result == EXR_ERR_SUCCESS) return 0;
  if (self->error[0] == 0) snprintf(self->error, sizeof self->error, "%s", lib.exr_get_default_error_message(result));
  return -1;
}
#define TRY(call)                            \
  do {                                       \
    if (check(self, lib.call)) return -1;    \
  } while (0)

static int64_t put(exr_const_context_t context, void *user, const void *bytes, uint64_t count, uint64_t offset,
                   exr_stream_error_func_ptr_t report) {
  cexr *self = user;
  (void)context, (void)report;
  for (uint64_t done = 0; done < count;) {
    ssize_t step = pwrite(self->fd, (const char *)bytes + done, count - done, (off_t)(offset + done));
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) {
      self->io_errno = step < 0 ? errno : ENOSPC;
      return -1;
    }
    done += (uint64_t)step;
  }
  return (int64_t)count;
}

static int64_t get(exr_const_context_t context, void *user, void *bytes, uint64_t count, uint64_t offset,
                   exr_stream_error_func_ptr_t report) {
  cexr *self = user;
  (void)context, (void)report;
  uint64_t done = 0;
  while (done < count) {
    ssize_t step = pread(self->fd, (char *)bytes + done, count - done, (off_t)(offset + done));
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) {
      self->io_errno = errno;
      return -1;
    }
    if (step == 0) break;
    done += (uint64_t)step;
  }
  return (int64_t)done;
}

static int64_t byte_count(exr_const_context_t context, void *user) {
  (void)context;
  return (int64_t)((cexr *)user)->byte_count;
}

cexr *cexr_open(int fd) {
  cexr *self = calloc(1, sizeof *self);
  if (self) self->fd = fd;
  return self;
}

void cexr_close(cexr *self) {
  if (!self) return;
  if (self->encoding) lib.exr_encoding_destroy(self->context, &self->encoder);
  if (self->decoding) lib.exr_decoding_destroy(self->context, &self->decoder);
  if (self->context) lib.exr_finish(&self->context);
  free(self->rows);
  free(self->planes);
  free(self);
}

const char *cexr_error(const cexr *self) { return self->error; }
int cexr_errno(const cexr *self) { return self->io_errno; }

// In the order in which pixels are interleaved.
static const char *names(int channels, int index) {
  static const char *const colours[4] = {"R", "G", "B", "A"};
  return channels < 3 ? (index == 0 ? "Y" : "A") : colours[index];
}

static int index_of(int channels, const char *name) {
  for (int index = 0; index < channels; index++)
    if (strcmp(names(channels, index), name) == 0) return index;
  return -1;
}

int cexr_write_begin(cexr *self, cexr_info info) {
  exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
  setup.error_handler_fn = note;
  setup.user_data = self;
  setup.write_fn = put;
  setup.zip_level = 4;  // the library's own choice: higher levels cost much time and gain a percent
  self->info = info;
  TRY(exr_start_write(&self->context, "picture.exr", EXR_WRITE_FILE_DIRECTLY, &setup));
  int part;
  TRY(exr_add_part(self->context, NULL, EXR_STORAGE_SCANLINE, &part));
  TRY(exr_initialize_required_attr_simple(self->context, 0, (int32_t)info.width, (int32_t)info.height,
                                          EXR_COMPRESSION_ZIP));
  // The file lists channels by name.
  for (int c = 0; c < info.channels; c++)
    TRY(exr_add_channel(self->context, 0, names(info.channels, c), info.half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                        EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
  if (info.has_chromaticities) {
    exr_attr_chromaticities_t chroma;
    memcpy(&chroma, info.chromaticities, sizeof chroma);
    TRY(exr_attr_set_chromaticities(self->context, 0, "chromaticities", &chroma));
  }
  return 0;
}

int cexr_write_text(cexr *self, const char *name, const char *value) {
  TRY(exr_attr_set_string(self->context, 0, name, value));
  return 0;
}

int cexr_write_number(cexr *self, const char *name, float value) {
  TRY(exr_attr_set_float(self->context, 0, name, value));
  return 0;
}

int cexr_write_header(cexr *self) {
  int32_t lines;
  TRY(exr_write_header(self->context));
  TRY(exr_get_scanlines_per_chunk(self->context, 0, &lines));
  self->info.band_rows = (uint32_t)lines;
  self->row_floats = (size_t)self->info.width * (size_t)self->info.channels;
  self->rows = malloc(self->row_floats * sizeof(float) * (size_t)lines);
  return self->rows ? 0 : fail(self, "out of memory");
}

static int write_chunk(cexr *self) {
  exr_chunk_info_t chunk;
  TRY(exr_write_scanline_chunk_info(self->context, 0, (int)self->next_row, &chunk));
  int first = !self->encoding;
  if (first)
    TRY(exr_encoding_initialize(self->context, 0, &chunk, &self->encoder));
  else
    TRY(exr_encoding_update(self->context, 0, &chunk, &self->encoder));
  self->encoding = 1;
  for (int c = 0; c < self->encoder.channel_count; c++) {
    exr_coding_channel_info_t *channel = &self->encoder.channels[c];
    int index = index_of(self->info.channels, channel->channel_name);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_bytes_per_element = sizeof(float);
    channel->user_pixel_stride = (int32_t)sizeof(float) * self->info.channels;
    channel->user_line_stride = (int32_t)(sizeof(float) * self->row_floats);
    channel->encode_from_ptr = (const uint8_t *)(self->rows + index);
  }
  if (first) TRY(exr_encoding_choose_default_routines(self->context, 0, &self->encoder));
  TRY(exr_encoding_run(self->context, 0, &self->encoder));
  self->next_row += self->rows_filled;
  self->rows_filled = 0;
  return 0;
}

int cexr_write_rows(cexr *self, const uint8_t *rows, size_t stride, uint32_t count) {
  const float half_limit = 65504;  // IEEE 754 binary16; more would become infinite
  for (uint32_t y = 0; y < count; y++) {
    float *target = self->rows + self->rows_filled * self->row_floats;
    memcpy(target, rows + y * stride, self->row_floats * sizeof(float));
    if (self->info.half)
      for (size_t x = 0; x < self->row_floats; x++) {
        target[x] = target[x] > half_limit ? half_limit : target[x];
        target[x] = target[x] < -half_limit ? -half_limit : target[x];
      }
    self->rows_filled++;
    if ((self->rows_filled == self->info.band_rows || self->next_row + self->rows_filled == self->info.height) &&
        write_chunk(self))
      return -1;
  }
  return 0;
}

int cexr_write_end(cexr *self) {
  if (self->encoding) lib.exr_encoding_destroy(self->context, &self->encoder);
  self->encoding = 0;
  // Writes the table of chunks.
  exr_result_t result = lib.exr_finish(&self->context);
  self->context = NULL;
  if (self->io_errno) return -1;
  return result == EXR_ERR_SUCCESS ? 0 : fail(self, "%s", lib.exr_get_default_error_message(result));
}

// Which of grey, RGB and RGBA the channels are; 0 when none.
static int layout(const exr_attr_chlist_t *list, int *half, char *found, size_t room) {
  int seen[4] = {0, 0, 0, 0}, grey = 0, other = 0;
  size_t used = 0;
  *half = 1;
  for (int c = 0; c < list->num_channels; c++) {
    const exr_attr_chlist_entry_t *channel = &list->entries[c];
    int index = index_of(4, channel->name.str);
    if (used < room) used += (size_t)snprintf(found + used, room - used, "%s%s", c ? "," : "", channel->name.str);
    if (channel->x_sampling != 1 || channel->y_sampling != 1 || channel->pixel_type == EXR_PIXEL_UINT) continue;
    if (index >= 0) seen[index] = 1;
    if (strcmp(channel->name.str, "Y") == 0) grey = 1;
    if (strcmp(channel->name.str, "RY") == 0 || strcmp(channel->name.str, "BY") == 0) other = 1;
    if (channel->pixel_type != EXR_PIXEL_HALF) *half = 0;
  }
  if (seen[0] && seen[1] && seen[2]) return seen[3] ? 4 : 3;
  if (grey && !other) return seen[3] ? 2 : 1;
  return 0;
}

int cexr_read_header(cexr *self, uint64_t bytes, cexr_info *info) {
  exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
  setup.error_handler_fn = note;
  setup.user_data = self;
  setup.read_fn = get;
  setup.size_fn = byte_count;
  setup.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  self->byte_count = bytes;
  TRY(exr_start_read(&self->context, "picture.exr", &setup));
  exr_storage_t storage;
  TRY(exr_get_storage(self->context, 0, &storage));
  if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED) {
    fail(self, "deep pixels");
    return 1;
  }
  exr_attr_box2i_t window;
  TRY(exr_get_data_window(self->context, 0, &window));
  int64_t width = (int64_t)window.max.x - window.min.x + 1, height = (int64_t)window.max.y - window.min.y + 1;
  if (width <= 0 || height <= 0 || width > INT32_MAX || height > INT32_MAX) return fail(self, "the picture has no size");
  const exr_attr_chlist_t *list;
  TRY(exr_get_channels(self->context, 0, &list));
  char found[160] = "";
  self->info.channels = layout(list, &self->info.half, found, sizeof found);
  if (self->info.channels == 0) {
    fail(self, "channels %s", found);
    return 1;
  }
  self->info.width = (uint32_t)width;
  self->info.height = (uint32_t)height;
  self->first_row = window.min.y;
  self->tiled = storage == EXR_STORAGE_TILED;
  int32_t lines;
  if (self->tiled) {
    TRY(exr_get_tile_sizes(self->context, 0, 0, 0, &self->tile_width, &lines));
    if (self->tile_width <= 0) return fail(self, "tiles have no size");
  } else {
    TRY(exr_get_scanlines_per_chunk(self->context, 0, &lines));
    self->tile_width = (int)self->info.width;
  }
  if (lines <= 0) return fail(self, "chunks have no rows");
  self->info.band_rows = (uint32_t)lines;
  self->tiles = (int)((width + self->tile_width - 1) / self->tile_width);
  // No compression packs a chunk this tightly.
  const uint64_t best_ratio = 4096;
  uint64_t chunk = (uint64_t)self->tiles * (uint64_t)self->tile_width * self->info.band_rows * sizeof(float);
  if (chunk / best_ratio * (uint64_t)self->info.channels > bytes)
    return fail(self, "chunks of %llu pixels in a file of %llu bytes", (unsigned long long)(chunk / sizeof(float)),
                (unsigned long long)bytes);
  exr_attr_chromaticities_t chroma;
  if (lib.exr_attr_get_chromaticities(self->context, 0, "chromaticities", &chroma) == EXR_ERR_SUCCESS) {
    self->info.has_chromaticities = 1;
    memcpy(self->info.chromaticities, &chroma, sizeof chroma);
  }
  self->error[0] = 0;  // a missing attribute is no error
  *info = self->info;
  return 0;
}

static int read_chunk(cexr *self, const exr_chunk_info_t *chunk, float *target) {
  int first = !self->decoding;
  if (first)
    TRY(exr_decoding_initialize(self->context, 0, chunk, &self->decoder));
  else
    TRY(exr_decoding_update(self->context, 0, chunk, &self->decoder));
  self->decoding = 1;
  if (chunk->width > self->tile_width || (uint32_t)chunk->height > self->info.band_rows)
    return fail(self, "a chunk of %dx%d pixels", chunk->width, chunk->height);
  for (int c = 0; c < self->decoder.channel_count; c++) {
    exr_coding_channel_info_t *channel = &self->decoder.channels[c];
    int index = index_of(self->info.channels, channel->channel_name);
    channel->decode_to_ptr = NULL;
    if (index < 0) continue;
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_bytes_per_element = sizeof(float);
    channel->user_pixel_stride = (int32_t)sizeof(float);
    channel->user_line_stride = (int32_t)(sizeof(float) * self->row_floats / (size_t)self->info.channels);
    channel->decode_to_ptr = (uint8_t *)(target + (size_t)index * self->plane_floats);
  }
  if (first) TRY(exr_decoding_choose_default_routines(self->context, 0, &self->decoder));
  TRY(exr_decoding_run(self->context, 0, &self->decoder));
  return 0;
}

int cexr_read_band(cexr *self, uint32_t band, const float **rows, size_t *stride) {
  if (!self->rows) {
    // Whole tiles, also those that reach over the edge.
    self->row_floats = (size_t)self->tiles * (size_t)self->tile_width * (size_t)self->info.channels;
    self->rows = calloc(self->row_floats * self->info.band_rows, sizeof(float));
    self->plane_floats = self->row_floats / (size_t)self->info.channels * self->info.band_rows;
    self->planes = calloc(self->plane_floats * (size_t)self->info.channels, sizeof(float));
    if (!self->rows || !self->planes) return fail(self, "out of memory");
  }
  exr_chunk_info_t chunk;
  if (self->tiled) {
    for (int tile = 0; tile < self->tiles; tile++) {
      TRY(exr_read_tile_chunk_info(self->context, 0, tile, (int)band, 0, 0, &chunk));
      if (read_chunk(self, &chunk, self->planes + (size_t)tile * (size_t)self->tile_width)) return -1;
    }
  } else {
    TRY(exr_read_scanline_chunk_info(self->context, 0, self->first_row + (int)(band * self->info.band_rows), &chunk));
    if (read_chunk(self, &chunk, self->planes)) return -1;
  }
  for (int c = 0; c < self->info.channels; c++) {
    const float *plane = self->planes + (size_t)c * self->plane_floats;
    for (size_t x = 0; x < self->plane_floats; x++) self->rows[x * (size_t)self->info.channels + (size_t)c] = plane[x];
  }
  *rows = self->rows;
  *stride = self->row_floats;
  return 0;
}
