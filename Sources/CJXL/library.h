#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>

// What is used of libjxl; filled by cjxl_missing.
#define SYMBOLS(X)                                                                                                    \
  X(JxlEncoderCreate) X(JxlEncoderDestroy) X(JxlEncoderSetParallelRunner) X(JxlEncoderInitBasicInfo)                  \
  X(JxlEncoderSetBasicInfo) X(JxlEncoderSetICCProfile) X(JxlEncoderSetColorEncoding) X(JxlColorEncodingSetToSRGB)     \
  X(JxlColorEncodingSetToLinearSRGB) X(JxlEncoderUseBoxes) X(JxlEncoderAddBox) X(JxlEncoderCloseBoxes)                \
  X(JxlEncoderFrameSettingsCreate) X(JxlEncoderSetFrameLossless) X(JxlEncoderSetFrameDistance)                        \
  X(JxlEncoderFrameSettingsSetOption) X(JxlEncoderAddImageFrame) X(JxlEncoderCloseInput) X(JxlEncoderProcessOutput)   \
  X(JxlEncoderGetError) X(JxlEncoderSetCodestreamLevel) X(JxlEncoderInitExtraChannelInfo)                             \
  X(JxlEncoderGetRequiredCodestreamLevel) X(JxlEncoderSetExtraChannelInfo)                                            \
  X(JxlDecoderCreate) X(JxlDecoderDestroy) X(JxlDecoderSetParallelRunner) X(JxlDecoderSubscribeEvents)                \
  X(JxlDecoderSetInput) X(JxlDecoderCloseInput) X(JxlDecoderProcessInput) X(JxlDecoderGetBasicInfo)                   \
  X(JxlDecoderSetKeepOrientation) X(JxlDecoderGetICCProfileSize) X(JxlDecoderGetColorAsICCProfile)                    \
  X(JxlDecoderGetColorAsEncodedProfile) X(JxlDecoderSetPreferredColorProfile) X(JxlDecoderImageOutBufferSize)         \
  X(JxlDecoderSetImageOutBuffer) X(JxlDecoderSetDecompressBoxes) X(JxlDecoderGetBoxType) X(JxlDecoderSetBoxBuffer)    \
  X(JxlDecoderReleaseBoxBuffer)

struct cjxl_library {
#define FIELD(name) __typeof__(name) *name;
  SYMBOLS(FIELD)
};
extern __attribute__((visibility("hidden"))) struct cjxl_library cjxl_library;
