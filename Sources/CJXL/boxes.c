#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CJXL.h"
#include "library.h"

#define lib cjxl_library

// A packed box may claim any size; EXIF and XMP of more than this are not metadata of a picture.
static const size_t most_bytes = (size_t)1 << 26;
static const size_t first_bytes = (size_t)1 << 16;

typedef struct box {
  uint8_t **bytes;  // where the bytes go; NULL while no box is read
  size_t *count;
  size_t room;
} box;

static int grow(JxlDecoder *decoder, box *current, char error[CJXL_ERROR]) {
  size_t room = current->room ? current->room * 2 : first_bytes;
  uint8_t *memory = room > most_bytes ? NULL : realloc(*current->bytes, room);
  if (!memory) {
    snprintf(error, CJXL_ERROR, "a metadata box is too large");
    return -1;
  }
  *current->bytes = memory;
  current->room = room;
  return lib.JxlDecoderSetBoxBuffer(decoder, memory + *current->count, room - *current->count) == JXL_DEC_SUCCESS ? 0
                                                                                                                   : -1;
}

// Takes back the buffer: what is filled of it counts.
static void take(JxlDecoder *decoder, box *current) {
  if (current->bytes) *current->count = current->room - lib.JxlDecoderReleaseBoxBuffer(decoder);
}

static int start(JxlDecoder *decoder, box *current, cjxl_boxes *boxes, char error[CJXL_ERROR]) {
  JxlBoxType type;
  *current = (box){NULL, NULL, 0};
  if (lib.JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS) return -1;
  if (memcmp(type, "Exif", sizeof type) == 0 && !boxes->exif)
    *current = (box){&boxes->exif, &boxes->exif_count, 0};
  else if (memcmp(type, "xml ", sizeof type) == 0 && !boxes->xmp)
    *current = (box){&boxes->xmp, &boxes->xmp_count, 0};
  return current->bytes ? grow(decoder, current, error) : 0;
}

static void drop(box *current) {
  if (!current->bytes) return;
  free(*current->bytes);
  *current->bytes = NULL;
  *current->count = 0;
}

int cjxl_read_boxes(const uint8_t *bytes, size_t count, cjxl_boxes *boxes, char error[CJXL_ERROR]) {
  error[0] = 0;
  memset(boxes, 0, sizeof *boxes);
  JxlDecoder *decoder = lib.JxlDecoderCreate(NULL);
  box current = {NULL, NULL, 0};
  int status = -1;
  if (!decoder || lib.JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) != JXL_DEC_SUCCESS ||
      lib.JxlDecoderSetInput(decoder, bytes, count) != JXL_DEC_SUCCESS)
    goto done;
  // A library without Brotli hands out packed boxes as they are: their type is then another.
  (void)lib.JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE);
  lib.JxlDecoderCloseInput(decoder);
  for (;;) {
    JxlDecoderStatus step = lib.JxlDecoderProcessInput(decoder);
    if (step == JXL_DEC_BOX) {
      take(decoder, &current);
      if (start(decoder, &current, boxes, error)) break;
    } else if (step == JXL_DEC_BOX_NEED_MORE_OUTPUT) {
      take(decoder, &current);
      if (!current.bytes || grow(decoder, &current, error)) break;
    } else {
      if (step == JXL_DEC_SUCCESS) {
        take(decoder, &current);
        status = 0;
      }
      break;
    }
  }
done:
  if (status) {
    drop(&current);
    if (!error[0]) snprintf(error, CJXL_ERROR, "a metadata box is damaged or cut off");
  }
  if (decoder) lib.JxlDecoderDestroy(decoder);
  return status;
}

void cjxl_free_boxes(cjxl_boxes *boxes) {
  free(boxes->exif);
  free(boxes->xmp);
  memset(boxes, 0, sizeof *boxes);
}
