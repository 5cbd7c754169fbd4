#include "CLibRaw.h"

#include <libraw/libraw.h>
#include <stdlib.h>
#include <string.h>

struct clibraw {
  libraw_data_t *data;
  int dataErrors;
};

static void count_data_error(void *context, const char *file, const int offset) {
  (void)file;
  (void)offset;
  ((clibraw *)context)->dataErrors++;
}

clibraw *clibraw_new(unsigned maxMegabytes) {
  clibraw *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->data = libraw_init(0);
  if (!reader->data) {
    free(reader);
    return NULL;
  }
  libraw_set_dataerror_handler(reader->data, count_data_error, reader);
  reader->data->params.max_raw_memory_mb = maxMegabytes;
  return reader;
}

void clibraw_free(clibraw *reader) {
  if (!reader) return;
  libraw_close(reader->data);
  free(reader);
}

int clibraw_open(clibraw *reader, const char *path) { return libraw_open_file(reader->data, path); }

int clibraw_unpack(clibraw *reader) { return libraw_unpack(reader->data); }

const char *clibraw_error_text(int code) { return code > 0 ? strerror(code) : libraw_strerror(code); }

int clibraw_error_is_unsupported(int code) {
  return code == LIBRAW_FILE_UNSUPPORTED || code == LIBRAW_NOT_IMPLEMENTED;
}

static void copy_text(char *to, size_t size, const char *from, size_t available) {
  size_t length = strnlen(from, available);
  if (length > size - 1) length = size - 1;
  memcpy(to, from, length);
  to[length] = 0;
}

void clibraw_get_info(clibraw *reader, clibraw_info *info) {
  const libraw_data_t *d = reader->data;
  memset(info, 0, sizeof *info);
  copy_text(info->make, sizeof info->make, d->idata.make, sizeof d->idata.make);
  copy_text(info->model, sizeof info->model, d->idata.model, sizeof d->idata.model);
  copy_text(info->software, sizeof info->software, d->idata.software, sizeof d->idata.software);
  copy_text(info->lens, sizeof info->lens, d->lens.Lens, sizeof d->lens.Lens);
  libraw_decoder_info_t decoder = {0};
  if (libraw_get_decoder_info(reader->data, &decoder) == 0 && decoder.decoder_name)
    copy_text(info->decoder, sizeof info->decoder, decoder.decoder_name, strlen(decoder.decoder_name));
  memcpy(info->cdesc, d->idata.cdesc, sizeof info->cdesc);
  info->colours = d->idata.colors;
  info->filters = d->idata.filters;
  for (int i = 0; i < 36; i++) info->xtrans[i] = (unsigned char)d->idata.xtrans[i / 6][i % 6];
  info->rawWidth = d->sizes.raw_width;
  info->rawHeight = d->sizes.raw_height;
  info->width = d->sizes.width;
  info->height = d->sizes.height;
  info->topMargin = d->sizes.top_margin;
  info->leftMargin = d->sizes.left_margin;
  info->flip = d->sizes.flip;
  info->fujiWidth = d->rawdata.ioparams.fuji_width;
  info->pixelAspect = d->sizes.pixel_aspect;
  info->black = d->color.black;
  for (int i = 0; i < 4; i++) info->channelBlack[i] = d->color.cblack[i];
  info->blackRows = d->color.cblack[4];
  info->blackColumns = d->color.cblack[5];
  info->maximum = d->color.maximum;
  memcpy(info->camMul, d->color.cam_mul, sizeof info->camMul);
  memcpy(info->camXYZ, d->color.cam_xyz, sizeof info->camXYZ);
  memcpy(info->rgbCam, d->color.rgb_cam, sizeof info->rgbCam);
  info->iso = d->other.iso_speed;
  info->shutter = d->other.shutter;
  info->aperture = d->other.aperture;
  info->focalLength = d->other.focal_len;
  info->timestamp = d->other.timestamp;
}

unsigned clibraw_black_cell(clibraw *reader, unsigned row, unsigned column) {
  const unsigned *black = reader->data->color.cblack;
  if (black[4] == 0 || black[5] == 0) return 0;
  unsigned long index = 6ul + (unsigned long)(row % black[4]) * black[5] + column % black[5];
  return index < LIBRAW_CBLACK_SIZE ? black[index] : 0;
}

void clibraw_get_plane(clibraw *reader, clibraw_plane *plane) {
  const libraw_rawdata_t *raw = &reader->data->rawdata;
  memset(plane, 0, sizeof *plane);
  unsigned width = raw->sizes.raw_width;
  if (raw->raw_image) {
    plane->samples = raw->raw_image;
    plane->channels = 1;
  } else if (raw->color4_image) {
    plane->samples = &raw->color4_image[0][0];
    plane->channels = 4;
  } else if (raw->color3_image) {
    plane->samples = &raw->color3_image[0][0];
    plane->channels = 3;
  } else {
    return;
  }
  unsigned least = width * (unsigned)plane->channels * 2;
  plane->rowBytes = raw->sizes.raw_pitch >= least ? raw->sizes.raw_pitch : least;
}

int clibraw_data_errors(clibraw *reader) { return reader->dataErrors; }
