#include "CJXL.h"
#include "library.h"

#include <dlfcn.h>
#include <jxl/version.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cjxl_library cjxl_library;
#define lib cjxl_library
static char missing[240];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define TEXT(x) #x
// Before version 1 every minor version has another binary interface.
#define NAME(major, minor) ((major) > 0 ? "libjxl.so." TEXT(major) : "libjxl.so." TEXT(major) "." TEXT(minor))

static void load(void) {
  const char *name = NAME(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION);
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
}

const char *cjxl_missing(void) {
  pthread_once(&once, load);
  return missing[0] ? missing : NULL;
}

static int fail(char error[CJXL_ERROR], const char *what) {
  snprintf(error, CJXL_ERROR, "%s", what);
  return -1;
}

static JxlPixelFormat format_of(cjxl_sample sample, int channels) {
  static const JxlDataType types[] = {JXL_TYPE_UINT8, JXL_TYPE_UINT16, JXL_TYPE_FLOAT};
  return (JxlPixelFormat){(uint32_t)channels, types[sample], JXL_NATIVE_ENDIAN, 0};
}

typedef struct runner_pair {
  cjxl_runner run;
  void *user;
} runner_pair;

static JxlParallelRetCode run(void *opaque, void *context, JxlParallelRunInit begin, JxlParallelRunFunction body,
                              uint32_t first, uint32_t end) {
  runner_pair *pair = opaque;
  return pair->run(pair->user, context, begin, body, first, end);
}

static const char *reason(JxlEncoder *encoder) {
  switch (lib.JxlEncoderGetError(encoder)) {
    case JXL_ENC_ERR_OOM: return "out of memory";
    case JXL_ENC_ERR_BAD_INPUT: return "libjxl refuses the picture or its profile";
    case JXL_ENC_ERR_NOT_SUPPORTED: return "libjxl cannot encode such a picture";
    default: return "libjxl failed";
  }
}

static int set_up(JxlEncoder *encoder, const cjxl_info *info, cjxl_sample sample, const cjxl_blobs *blobs,
                  const cjxl_options *options) {
  JxlBasicInfo basic;
  lib.JxlEncoderInitBasicInfo(&basic);
  int grey = info->channels < 3, alpha = info->channels % 2 == 0;
  basic.xsize = info->width;
  basic.ysize = info->height;
  basic.bits_per_sample = (uint32_t)info->bits;
  basic.exponent_bits_per_sample = (uint32_t)info->exponent_bits;
  basic.num_color_channels = grey ? 1 : 3;
  basic.orientation = (JxlOrientation)info->orientation;
  // Lossless streams keep the samples as they are; others are held in a space made for the eye, unless there is none.
  basic.uses_original_profile = options->distance == 0 || options->modular;
  if (alpha) {
    basic.num_extra_channels = 1;
    basic.alpha_bits = basic.bits_per_sample;
    basic.alpha_exponent_bits = basic.exponent_bits_per_sample;
  }
  if (lib.JxlEncoderSetBasicInfo(encoder, &basic) != JXL_ENC_SUCCESS) return -1;
  int level = lib.JxlEncoderGetRequiredCodestreamLevel(encoder);
  if (level > 5 && lib.JxlEncoderSetCodestreamLevel(encoder, level) != JXL_ENC_SUCCESS) return -1;
  if (blobs->icc_count)
    return lib.JxlEncoderSetICCProfile(encoder, blobs->icc, blobs->icc_count) == JXL_ENC_SUCCESS ? 0 : -1;
  JxlColorEncoding colour;
  if (options->linear)
    lib.JxlColorEncodingSetToLinearSRGB(&colour, grey);
  else
    lib.JxlColorEncodingSetToSRGB(&colour, grey);
  (void)sample;
  return lib.JxlEncoderSetColorEncoding(encoder, &colour) == JXL_ENC_SUCCESS ? 0 : -1;
}

static int add_boxes(JxlEncoder *encoder, const cjxl_blobs *blobs) {
  if (blobs->exif_count) {
    // ISO/IEC 18181-2, clause 9.3: four bytes that say where the TIFF header starts.
    uint8_t *box = calloc(1, blobs->exif_count + 4);
    if (!box) return -1;
    memcpy(box + 4, blobs->exif, blobs->exif_count);
    JxlEncoderStatus status = lib.JxlEncoderAddBox(encoder, "Exif", box, blobs->exif_count + 4, JXL_FALSE);
    free(box);
    if (status != JXL_ENC_SUCCESS) return -1;
  }
  if (blobs->xmp_count &&
      lib.JxlEncoderAddBox(encoder, "xml ", blobs->xmp, blobs->xmp_count, JXL_FALSE) != JXL_ENC_SUCCESS)
    return -1;
  return 0;
}

int cjxl_encode(cjxl_info info, cjxl_sample sample, const void *pixels, size_t byte_count, cjxl_blobs blobs,
                cjxl_options options, cjxl_runner runner, void *runner_user, cjxl_put put, void *put_user,
                char error[CJXL_ERROR]) {
  error[0] = 0;
  JxlEncoder *encoder = lib.JxlEncoderCreate(NULL);
  if (!encoder) return fail(error, "out of memory");
  runner_pair pair = {runner, runner_user};
  JxlPixelFormat format = format_of(sample, info.channels);
  int boxes = blobs.exif_count || blobs.xmp_count, status = -1;
  uint8_t *chunk = NULL;
  if (runner && lib.JxlEncoderSetParallelRunner(encoder, run, &pair) != JXL_ENC_SUCCESS) goto done;
  if (boxes && lib.JxlEncoderUseBoxes(encoder) != JXL_ENC_SUCCESS) goto done;
  if (set_up(encoder, &info, sample, &blobs, &options)) goto done;
  if (add_boxes(encoder, &blobs)) goto done;
  if (boxes) lib.JxlEncoderCloseBoxes(encoder);
  JxlEncoderFrameSettings *frame = lib.JxlEncoderFrameSettingsCreate(encoder, NULL);
  if (!frame || lib.JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, options.effort) !=
                    JXL_ENC_SUCCESS)
    goto done;
  if (options.modular) lib.JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_MODULAR, 1);
  if (options.distance == 0 ? lib.JxlEncoderSetFrameLossless(frame, JXL_TRUE) != JXL_ENC_SUCCESS
                            : lib.JxlEncoderSetFrameDistance(frame, options.distance) != JXL_ENC_SUCCESS)
    goto done;
  if (lib.JxlEncoderAddImageFrame(frame, &format, pixels, byte_count) != JXL_ENC_SUCCESS) goto done;
  lib.JxlEncoderCloseInput(encoder);
  const size_t room = 1 << 18;
  if (!(chunk = malloc(room))) goto done;
  for (;;) {
    uint8_t *next = chunk;
    size_t left = room;
    JxlEncoderStatus step = lib.JxlEncoderProcessOutput(encoder, &next, &left);
    if (step != JXL_ENC_SUCCESS && step != JXL_ENC_NEED_MORE_OUTPUT) goto done;
    if (next > chunk && put(put_user, chunk, (size_t)(next - chunk))) goto done;
    if (step == JXL_ENC_SUCCESS) break;
  }
  status = 0;
done:
  if (status) fail(error, reason(encoder));
  free(chunk);
  lib.JxlEncoderDestroy(encoder);
  return status;
}

static JxlDecoder *open_decoder(const uint8_t *bytes, size_t count, int events, runner_pair *pair) {
  JxlDecoder *decoder = lib.JxlDecoderCreate(NULL);
  if (!decoder) return NULL;
  if ((pair->run && lib.JxlDecoderSetParallelRunner(decoder, run, pair) != JXL_DEC_SUCCESS) ||
      lib.JxlDecoderSubscribeEvents(decoder, events) != JXL_DEC_SUCCESS ||
      lib.JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
      lib.JxlDecoderSetInput(decoder, bytes, count) != JXL_DEC_SUCCESS) {
    lib.JxlDecoderDestroy(decoder);
    return NULL;
  }
  lib.JxlDecoderCloseInput(decoder);
  return decoder;
}

// Samples come in the space that the stream names, when it names one.
static void prefer_own_space(JxlDecoder *decoder, const JxlPixelFormat *format) {
  JxlColorEncoding colour;
  if (lib.JxlDecoderGetColorAsEncodedProfile(decoder, format, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &colour) ==
      JXL_DEC_SUCCESS)
    lib.JxlDecoderSetPreferredColorProfile(decoder, &colour);
}

static int describe(const JxlBasicInfo *basic, cjxl_info *info, char error[CJXL_ERROR]) {
  if (basic->have_animation) return fail(error, "it is an animation");
  int alpha = basic->alpha_bits > 0;
  *info = (cjxl_info){.width = basic->xsize,
                      .height = basic->ysize,
                      .channels = (int)basic->num_color_channels + alpha,
                      .bits = (int)basic->bits_per_sample,
                      .exponent_bits = (int)basic->exponent_bits_per_sample,
                      .orientation = (int)basic->orientation};
  return 0;
}

int cjxl_header(const uint8_t *bytes, size_t count, cjxl_sample sample, cjxl_info *info, uint8_t **icc,
                size_t *icc_count, char error[CJXL_ERROR]) {
  error[0] = 0;
  runner_pair pair = {NULL, NULL};
  JxlDecoder *decoder = open_decoder(bytes, count, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING, &pair);
  if (!decoder) return fail(error, "out of memory");
  int status = -1;
  JxlBasicInfo basic;
  if (icc) *icc = NULL;
  if (icc_count) *icc_count = 0;
  if (lib.JxlDecoderProcessInput(decoder) != JXL_DEC_BASIC_INFO ||
      lib.JxlDecoderGetBasicInfo(decoder, &basic) != JXL_DEC_SUCCESS) {
    fail(error, "its header is damaged or cut off");
    goto done;
  }
  if (describe(&basic, info, error)) goto done;
  if (!icc) {
    status = 0;
    goto done;
  }
  JxlPixelFormat format = format_of(sample, info->channels);
  if (lib.JxlDecoderProcessInput(decoder) != JXL_DEC_COLOR_ENCODING) {
    fail(error, "its colour profile is damaged or cut off");
    goto done;
  }
  prefer_own_space(decoder, &format);
  size_t size = 0;
  if (lib.JxlDecoderGetICCProfileSize(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &size) == JXL_DEC_SUCCESS &&
      size > 0 && (*icc = malloc(size))) {
    if (lib.JxlDecoderGetColorAsICCProfile(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, *icc, size) ==
        JXL_DEC_SUCCESS)
      *icc_count = size;
  }
  status = 0;
done:
  lib.JxlDecoderDestroy(decoder);
  return status;
}

int cjxl_decode(const uint8_t *bytes, size_t count, cjxl_sample sample, int channels, void *pixels, size_t byte_count,
                cjxl_runner runner, void *runner_user, char error[CJXL_ERROR]) {
  error[0] = 0;
  runner_pair pair = {runner, runner_user};
  JxlPixelFormat format = format_of(sample, channels);
  JxlDecoder *decoder =
      open_decoder(bytes, count, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE, &pair);
  if (!decoder) return fail(error, "out of memory");
  int status = -1, whole = 0;
  for (;;) {
    JxlDecoderStatus step = lib.JxlDecoderProcessInput(decoder);
    if (step == JXL_DEC_BASIC_INFO) continue;
    if (step == JXL_DEC_COLOR_ENCODING) {
      prefer_own_space(decoder, &format);
      continue;
    }
    if (step == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
      size_t needed;
      if (lib.JxlDecoderImageOutBufferSize(decoder, &format, &needed) != JXL_DEC_SUCCESS || needed != byte_count ||
          lib.JxlDecoderSetImageOutBuffer(decoder, &format, pixels, byte_count) != JXL_DEC_SUCCESS) {
        fail(error, "it has another size than it declares");
        break;
      }
      continue;
    }
    if (step == JXL_DEC_FULL_IMAGE) {
      whole = 1;
      continue;
    }
    if (step == JXL_DEC_SUCCESS && whole) {
      status = 0;
      break;
    }
    fail(error, step == JXL_DEC_NEED_MORE_INPUT ? "its data end early" : "its data are damaged");
    break;
  }
  lib.JxlDecoderDestroy(decoder);
  return status;
}
