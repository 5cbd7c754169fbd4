#include "CTIFF.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_errno(ctiff_stream *stream) {
  if (stream->io_errno == 0) stream->io_errno = errno;
}

static tmsize_t stream_read(thandle_t handle, void *bytes, tmsize_t count) {
  ctiff_stream *stream = handle;
  tmsize_t done = 0;
  while (done < count) {
    ssize_t got = read(stream->fd, (char *)bytes + done, (size_t)(count - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) note_errno(stream);
    if (got <= 0) break;
    done += got;
  }
  return done;
}

static tmsize_t stream_write(thandle_t handle, void *bytes, tmsize_t count) {
  ctiff_stream *stream = handle;
  tmsize_t done = 0;
  while (done < count) {
    ssize_t put = write(stream->fd, (const char *)bytes + done, (size_t)(count - done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      note_errno(stream);
      break;
    }
    done += put;
  }
  return done;
}

static toff_t stream_seek(thandle_t handle, toff_t offset, int whence) {
  ctiff_stream *stream = handle;
  return (toff_t)lseek(stream->fd, (off_t)offset, whence);
}

static int stream_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t stream_size(thandle_t handle) {
  ctiff_stream *stream = handle;
  struct stat info;
  return fstat(stream->fd, &info) == 0 ? (toff_t)info.st_size : 0;
}

static int keep_error(TIFF *tif, void *user, const char *module, const char *format, va_list arguments) {
  ctiff_stream *stream = user;
  (void)tif, (void)module;
  if (stream->error[0] == 0) vsnprintf(stream->error, sizeof stream->error, format, arguments);
  return 1;
}

static int keep_warning(TIFF *tif, void *user, const char *module, const char *format, va_list arguments) {
  ctiff_stream *stream = user;
  (void)tif, (void)module;
  if (stream->warning[0] == 0) vsnprintf(stream->warning, sizeof stream->warning, format, arguments);
  return 1;
}

TIFF *ctiff_open(ctiff_stream *stream, const char *mode, int64_t max_allocation) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, stream);
  TIFFOpenOptionsSetWarningHandlerExtR(options, keep_warning, stream);
  if (max_allocation > 0) TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)max_allocation);
  TIFF *tif = TIFFClientOpenExt(
      "", mode, stream, stream_read, stream_write, stream_seek, stream_close, stream_size, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  return tif;
}

int ctiff_set_u16(TIFF *tif, uint32_t tag, uint16_t value) { return TIFFSetField(tif, tag, (int)value); }
int ctiff_set_u32(TIFF *tif, uint32_t tag, uint32_t value) { return TIFFSetField(tif, tag, value); }
int ctiff_set_u64(TIFF *tif, uint32_t tag, uint64_t value) { return TIFFSetField(tif, tag, value); }
int ctiff_set_double(TIFF *tif, uint32_t tag, double value) { return TIFFSetField(tif, tag, value); }
int ctiff_set_string(TIFF *tif, uint32_t tag, const char *value) { return TIFFSetField(tif, tag, value); }

int ctiff_set_bytes(TIFF *tif, uint32_t tag, uint32_t count, const void *bytes) {
  return TIFFSetField(tif, tag, count, bytes);
}

int ctiff_set_extra_sample(TIFF *tif, uint16_t kind) {
  return TIFFSetField(tif, TIFFTAG_EXTRASAMPLES, 1, &kind);
}

uint16_t ctiff_get_u16(TIFF *tif, uint32_t tag, uint16_t otherwise) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tif, tag, &value) ? value : otherwise;
}

uint32_t ctiff_get_u32(TIFF *tif, uint32_t tag, uint32_t otherwise) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(tif, tag, &value) ? value : otherwise;
}

int ctiff_get_bytes(TIFF *tif, uint32_t tag, uint32_t *count, const uint8_t **bytes) {
  void *data = NULL;
  if (!TIFFGetField(tif, tag, count, &data) || !data) return 0;
  *bytes = data;
  return 1;
}
