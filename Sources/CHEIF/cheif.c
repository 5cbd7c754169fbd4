#include "CHEIF.h"

#include <dlfcn.h>
#include <libheif/heif.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOLS(X)                                                                                                    \
  X(heif_init) X(heif_have_encoder_for_format) X(heif_have_decoder_for_format) X(heif_context_alloc)                  \
  X(heif_context_free) X(heif_image_create) X(heif_image_add_plane) X(heif_image_get_plane)                           \
  X(heif_image_get_plane_readonly) X(heif_image_release) X(heif_image_set_raw_color_profile)                          \
  X(heif_image_set_nclx_color_profile) X(heif_context_get_encoder_for_format) X(heif_encoder_release)                 \
  X(heif_encoder_set_lossy_quality) X(heif_encoder_set_parameter) X(heif_encoding_options_alloc)                      \
  X(heif_encoding_options_free) X(heif_context_encode_image) X(heif_context_add_exif_metadata)                        \
  X(heif_context_add_XMP_metadata) X(heif_context_write) X(heif_image_handle_release)                                 \
  X(heif_context_read_from_memory_without_copy) X(heif_context_set_max_decoding_threads)                              \
  X(heif_context_get_primary_image_handle) X(heif_image_handle_get_width) X(heif_image_handle_get_height)             \
  X(heif_image_handle_has_alpha_channel) X(heif_image_handle_get_luma_bits_per_pixel)                                 \
  X(heif_image_handle_get_raw_color_profile_size) X(heif_image_handle_get_raw_color_profile)                          \
  X(heif_image_handle_get_nclx_color_profile) X(heif_nclx_color_profile_alloc) X(heif_nclx_color_profile_free)        \
  X(heif_decode_image) X(heif_decoding_options_alloc) X(heif_decoding_options_free) X(heif_image_get_width)           \
  X(heif_image_get_height) X(heif_image_get_bits_per_pixel_range) X(heif_context_read_from_file)                      \
  X(heif_image_handle_get_number_of_metadata_blocks) X(heif_image_handle_get_list_of_metadata_block_IDs)              \
  X(heif_image_handle_get_metadata_type) X(heif_image_handle_get_metadata_content_type)                               \
  X(heif_image_handle_get_metadata_size) X(heif_image_handle_get_metadata)

static struct {
#define FIELD(name) __typeof__(name) *name;
  SYMBOLS(FIELD)
} lib;
static char missing[240];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const char *name = "libheif.so.1";
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(missing, sizeof missing, "%s", dlerror());
    return;
  }
#define LOAD(symbol)                                                  \
  if (!(lib.symbol = (__typeof__(symbol) *)dlsym(handle, #symbol))) { \
    snprintf(missing, sizeof missing, "%s has no %s", name, #symbol); \
    return;                                                           \
  }
  SYMBOLS(LOAD)
  lib.heif_init(NULL);
}

const char *cheif_missing(int encoding) {
  pthread_once(&once, load);
  if (missing[0]) return missing;
  if (encoding && !lib.heif_have_encoder_for_format(heif_compression_HEVC)) return "libheif has no HEVC encoder (x265)";
  if (!encoding && !lib.heif_have_decoder_for_format(heif_compression_HEVC))
    return "libheif has no HEVC decoder (libde265)";
  return NULL;
}

struct cheif {
  struct heif_context *context;
  struct heif_image *image;
  struct heif_image_handle *handle;
  cheif_info info;
  uint8_t *icc, *exif, *xmp;
  char error[240];
};

static int fail(cheif *self, const char *what) {
  if (self->error[0] == 0) snprintf(self->error, sizeof self->error, "%s", what);
  return -1;
}

static int check(cheif *self, struct heif_error error) {
  if (error.code == heif_error_Ok) return 0;
  fail(self, error.message);
  int sound = error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype ||
              error.code == heif_error_Color_profile_does_not_exist;
  return sound ? 1 : -1;
}

cheif *cheif_open(void) {
  cheif *self = calloc(1, sizeof *self);
  if (self && !(self->context = lib.heif_context_alloc())) {
    free(self);
    return NULL;
  }
  return self;
}

void cheif_close(cheif *self) {
  if (!self) return;
  if (self->image) lib.heif_image_release(self->image);
  if (self->handle) lib.heif_image_handle_release(self->handle);
  lib.heif_context_free(self->context);
  free(self->icc);
  free(self->exif);
  free(self->xmp);
  free(self);
}

const char *cheif_error(const cheif *self) { return self->error; }

int cheif_write_begin(cheif *self, cheif_info info, uint8_t **rows, size_t *stride) {
  int grey = info.channels == 1, alpha = info.channels == 4, wide = info.bits > 8;
  enum heif_chroma chroma = grey   ? heif_chroma_monochrome
                            : wide ? (alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
                                   : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  enum heif_channel channel = grey ? heif_channel_Y : heif_channel_interleaved;
  int width = (int)info.width, height = (int)info.height, bytes_per_row;
  self->info = info;
  if (check(self, lib.heif_image_create(width, height, grey ? heif_colorspace_monochrome : heif_colorspace_RGB, chroma,
                                        &self->image)))
    return -1;
  if (check(self, lib.heif_image_add_plane(self->image, channel, width, height, info.bits))) return -1;
  *rows = lib.heif_image_get_plane(self->image, channel, &bytes_per_row);
  if (!*rows) return fail(self, "out of memory");
  *stride = (size_t)bytes_per_row;
  return 0;
}

static int set_colour(cheif *self, const cheif_blobs *blobs) {
  struct heif_color_profile_nclx *nclx = lib.heif_nclx_color_profile_alloc();
  if (!nclx) return fail(self, "out of memory");
  nclx->color_primaries = (enum heif_color_primaries)self->info.primaries;
  nclx->transfer_characteristics = (enum heif_transfer_characteristics)self->info.transfer;
  // What readers take when they look no further.
  nclx->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
  nclx->full_range_flag = 1;
  int status = check(self, lib.heif_image_set_nclx_color_profile(self->image, nclx));
  lib.heif_nclx_color_profile_free(nclx);
  if (status || !blobs->icc_count) return status;
  return check(self, lib.heif_image_set_raw_color_profile(self->image, "prof", blobs->icc, blobs->icc_count));
}

static int configure(cheif *self, struct heif_encoder *encoder, const cheif_options *options) {
  char threads[16];
  snprintf(threads, sizeof threads, "%d", options->threads);
  // Rows of blocks are always coded so that threads can share them (wavefront) and one picture at a time: the stream is
  // then the same for any number of threads.
  const char *const settings[][2] = {{"chroma", self->info.channels == 1 ? "420" : options->full_chroma ? "444" : "420"},
                                     {"preset", "fast"},
                                     {"tune", "ssim"},
                                     {"x265:pools", threads},
                                     {"x265:wpp", "1"},
                                     {"x265:frame-threads", "1"}};
  if (check(self, lib.heif_encoder_set_lossy_quality(encoder, options->quality))) return -1;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (check(self, lib.heif_encoder_set_parameter(encoder, settings[i][0], settings[i][1]))) return -1;
  return 0;
}

typedef struct sink {
  cheif_put put;
  void *user;
} sink;

static struct heif_error write_bytes(struct heif_context *context, const void *bytes, size_t count, void *user) {
  (void)context;
  sink *target = user;
  if (target->put(target->user, bytes, count) == 0)
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "done"};
  return (struct heif_error){heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "cannot write"};
}

int cheif_write_end(cheif *self, cheif_options options, cheif_blobs blobs, cheif_put put, void *put_user) {
  struct heif_encoder *encoder = NULL;
  struct heif_encoding_options *encoding = lib.heif_encoding_options_alloc();
  int status = -1;
  if (!encoding) return fail(self, "out of memory");
  encoding->image_orientation = (enum heif_orientation)options.orientation;
  encoding->save_alpha_channel = self->info.channels == 4;
  sink target = {put, put_user};
  struct heif_writer writer = {1, write_bytes};
  if (set_colour(self, &blobs)) goto done;
  if (check(self, lib.heif_context_get_encoder_for_format(self->context, heif_compression_HEVC, &encoder))) goto done;
  if (configure(self, encoder, &options)) goto done;
  if (check(self, lib.heif_context_encode_image(self->context, self->image, encoder, encoding, &self->handle))) goto done;
  if (blobs.exif_count &&
      check(self, lib.heif_context_add_exif_metadata(self->context, self->handle, blobs.exif, (int)blobs.exif_count)))
    goto done;
  if (blobs.xmp_count &&
      check(self, lib.heif_context_add_XMP_metadata(self->context, self->handle, blobs.xmp, (int)blobs.xmp_count)))
    goto done;
  if (check(self, lib.heif_context_write(self->context, &writer, &target))) goto done;
  status = 0;
done:
  if (encoder) lib.heif_encoder_release(encoder);
  lib.heif_encoding_options_free(encoding);
  return status;
}

static void read_profile(cheif *self, const uint8_t **icc, size_t *icc_count) {
  struct heif_color_profile_nclx *nclx = NULL;
  const int unspecified = 2;
  self->info.primaries = self->info.transfer = unspecified;
  if (lib.heif_image_handle_get_nclx_color_profile(self->handle, &nclx).code == heif_error_Ok && nclx) {
    self->info.primaries = (int)nclx->color_primaries;
    self->info.transfer = (int)nclx->transfer_characteristics;
    lib.heif_nclx_color_profile_free(nclx);
  }
  size_t count = lib.heif_image_handle_get_raw_color_profile_size(self->handle);
  if (count == 0 || !(self->icc = malloc(count))) return;
  if (lib.heif_image_handle_get_raw_color_profile(self->handle, self->icc).code != heif_error_Ok) return;
  *icc = self->icc;
  *icc_count = count;
}

int cheif_read_header(cheif *self, const uint8_t *bytes, size_t count, int threads, cheif_info *info,
                      const uint8_t **icc, size_t *icc_count) {
  *icc = NULL;
  *icc_count = 0;
  int status = check(self, lib.heif_context_read_from_memory_without_copy(self->context, bytes, count, NULL));
  if (status) return status;
  lib.heif_context_set_max_decoding_threads(self->context, threads > 1 ? threads : 0);
  status = check(self, lib.heif_context_get_primary_image_handle(self->context, &self->handle));
  if (status) return status;
  int width = lib.heif_image_handle_get_width(self->handle), height = lib.heif_image_handle_get_height(self->handle);
  int bits = lib.heif_image_handle_get_luma_bits_per_pixel(self->handle);
  if (width <= 0 || height <= 0) return fail(self, "the picture has no size");
  if (bits < 8 || bits > 16) return fail(self, "the picture has no depth");
  self->info.width = (uint32_t)width;
  self->info.height = (uint32_t)height;
  self->info.bits = bits;
  self->info.channels = lib.heif_image_handle_has_alpha_channel(self->handle) ? 4 : 3;
  read_profile(self, icc, icc_count);
  self->error[0] = 0;
  *info = self->info;
  return 0;
}

int cheif_read_rows(cheif *self, const uint8_t **rows, size_t *stride) {
  int alpha = self->info.channels == 4, bytes_per_row, status;
  enum heif_chroma chroma = self->info.bits > 8
                                ? (alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
                                : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  struct heif_decoding_options *options = lib.heif_decoding_options_alloc();
  if (!options) return fail(self, "out of memory");
  options->strict_decoding = 1;
  status = check(self, lib.heif_decode_image(self->handle, &self->image, heif_colorspace_RGB, chroma, options));
  lib.heif_decoding_options_free(options);
  if (status) return status;
  if (lib.heif_image_get_width(self->image, heif_channel_interleaved) != (int)self->info.width ||
      lib.heif_image_get_height(self->image, heif_channel_interleaved) != (int)self->info.height ||
      lib.heif_image_get_bits_per_pixel_range(self->image, heif_channel_interleaved) != self->info.bits)
    return fail(self, "it has another size or depth than it declares");
  *rows = lib.heif_image_get_plane_readonly(self->image, heif_channel_interleaved, &bytes_per_row);
  *stride = (size_t)bytes_per_row;
  return *rows ? 0 : fail(self, "it has no pixels");
}

// The first block of a kind counts. One that cannot be had is left out, with the reason in the error.
static void read_block(cheif *self, heif_item_id id, uint8_t **memory, const uint8_t **bytes, size_t *count) {
  size_t size = lib.heif_image_handle_get_metadata_size(self->handle, id);
  if (*memory) return;
  if (size == 0) {
    fail(self, "a block is empty");
    return;
  }
  if (!(*memory = malloc(size))) {
    fail(self, "out of memory");
    return;
  }
  if (check(self, lib.heif_image_handle_get_metadata(self->handle, id, *memory))) return;
  *bytes = *memory;
  *count = size;
}

int cheif_read_metadata(cheif *self, const char *path, cheif_blobs *blobs) {
  memset(blobs, 0, sizeof *blobs);
  int status = check(self, lib.heif_context_read_from_file(self->context, path, NULL));
  if (status) return status;
  status = check(self, lib.heif_context_get_primary_image_handle(self->context, &self->handle));
  if (status) return status;
  read_profile(self, &blobs->icc, &blobs->icc_count);
  int count = lib.heif_image_handle_get_number_of_metadata_blocks(self->handle, NULL);
  if (count <= 0) return 0;
  heif_item_id *ids = calloc((size_t)count, sizeof *ids);
  if (!ids) return fail(self, "out of memory");
  count = lib.heif_image_handle_get_list_of_metadata_block_IDs(self->handle, NULL, ids, count);
  for (int i = 0; i < count; i++) {
    const char *type = lib.heif_image_handle_get_metadata_type(self->handle, ids[i]);
    const char *content = lib.heif_image_handle_get_metadata_content_type(self->handle, ids[i]);
    if (type && strcmp(type, "Exif") == 0)
      read_block(self, ids[i], &self->exif, &blobs->exif, &blobs->exif_count);
    else if (type && content && strcmp(type, "mime") == 0 && strcmp(content, "application/rdf+xml") == 0)
      read_block(self, ids[i], &self->xmp, &blobs->xmp, &blobs->xmp_count);
  }
  free(ids);
  return 0;
}
