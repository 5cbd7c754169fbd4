// The one loop of which there is a second flavour for newer CPUs: sums of products of pairs of 16-bit samples, for
// which AVX-512 VNNI has an instruction of 512 bits. Swift cannot compile one function for another CPU than the rest,
// so this flavour is C. Whole numbers: the bits are those of the loop in Swift.
#pragma once
#include <stdint.h>

/// Four outputs of a convolution, for as many blocks as wanted.
typedef struct {
  /// Addresses of inputs; each input is pairs of channels, block by block.
  const int16_t *_Nonnull const *_Nonnull rows;
  /// Which rows are used, in the order of `weights`.
  const int32_t *_Nullable taps;
  int64_t tap_count;
  /// Four pairs a tap, one an output.
  const int16_t *_Nullable weights;
  /// One an output.
  const int32_t *_Nullable bias;
  /// Sums are shifted right by this.
  int32_t shift;
} cv_convolution;

/// Whether this CPU, and the system's saving of its registers, allow the functions below.
int cv_has_wide_convolution(void);

/// Outputs clamped to 0 ... 32767, as pairs: those of outputs 0 and 1 at `to`, of 2 and 3 `2 * stride` samples later.
/// Reads and writes up to 15 blocks more than `blocks`, to whole sixteens.
void cv_convolve_pairs_wide(const cv_convolution *_Nonnull convolution, int64_t blocks, int16_t *_Nonnull to, int64_t stride);

/// Outputs clamped to Int16, output by output, `stride` samples apart. Reads and writes to whole sixteens of blocks.
void cv_convolve_wide(const cv_convolution *_Nonnull convolution, int64_t blocks, int16_t *_Nonnull to, int64_t stride);
