// Interpolating displaced Bayer frames and averaging bursts in the cosine domain. Included by CVector.h after its DCT and
// shift parts. Every function is always inlined. A burst's block has 64 coefficients; eight blocks lie side by side, one a
// lane: coefficient k of a plane is the eight floats from 8 k on.
#pragma once
#include "CVectorDCT.h"
#include "CVectorShift.h"

#define CV_BLOCK 64

CV_OP cv_f32x8 cv_even_f32(cv_f32x8 a, cv_f32x8 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14); }
CV_OP cv_f32x8 cv_odd_f32(cv_f32x8 a, cv_f32x8 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15); }
/// Stores a[0], b[0], a[1], b[1] and so on.
CV_OP void cv_store_zipped_f32(float *to, cv_f32x8 a, cv_f32x8 b) {
  cv_store_f32x8(to, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
  cv_store_f32x8(to + 8, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
}
typedef struct {
  cv_f32x8 a, b, c, d;
} cv_cubic;
/// Weights of four neighbours for a place between the middle two: Catmull & Rom 1974.
CV_OP cv_cubic cv_cubic_weights(cv_f32x8 t) {
  cv_f32x8 t2 = t * t, t3 = t2 * t;
  cv_cubic w = {0.5f * (2.0f * t2 - t - t3), 0.5f * (2.0f - 5.0f * t2 + 3.0f * t3), 0.5f * (t + 4.0f * t2 - 3.0f * t3),
                0.5f * (t3 - t2)};
  return w;
}
CV_OP cv_f32x8 cv_cubic_sum(cv_cubic w, cv_f32x8 p, cv_f32x8 q, cv_f32x8 r, cv_f32x8 s) {
  return (w.a * p + w.b * q) + (w.c * r + w.d * s);
}
/// Red or blue less green of eight cells, between the four nearest sites; the first is at `from`.
CV_OP cv_f32x8 cv_mix_sites(const float *from, long stride, cv_f32x8 u, cv_f32x8 v) {
  cv_f32x8 a = cv_load_f32x8(from), b = cv_load_f32x8(from + 8), c = cv_load_f32x8(from + 16);
  const float *next = from + 2 * stride;
  cv_f32x8 d = cv_load_f32x8(next), e = cv_load_f32x8(next + 8), f = cv_load_f32x8(next + 16);
  cv_f32x8 p0 = cv_even_f32(a, b), q0 = cv_even_f32(d, e);
  cv_f32x8 p1 = __builtin_shufflevector(p0, c, 1, 2, 3, 4, 5, 6, 7, 8), q1 = __builtin_shufflevector(q0, f, 1, 2, 3, 4, 5, 6, 7, 8);
  cv_f32x8 upper = p0 + u * (p1 - p0), lower = q0 + u * (q1 - q0);
  return upper + v * (lower - upper);
}
/// Samples of eight Bayer cells side by side, each displaced on its own: two rows of sixteen.
///
/// `green` is green everywhere and `difference` the own colour less green; cell i of the eight starts at
/// `left + dx[i] + 2 i`, `top + dy[i]` of both. `green_first` tells whether the cell's first site is green. `inverse` undoes the white balance of the
/// four sites.
CV_OP void cv_warp_bayer(const float *green, const float *difference, long stride, float left, float top, const float *dx,
                         const float *dy, int green_first, const float *inverse, float *upper, float *lower) {
  cv_f32x8 x = cv_load_f32x8(dx) + left, y = cv_load_f32x8(dy) + top;
  cv_f32x8 floor_x = cv_floor(x), floor_y = cv_floor(y);
  cv_i32x8 whole_x = cv_i32_from_f32(floor_x), whole_y = cv_i32_from_f32(floor_y);
  cv_cubic across = cv_cubic_weights(x - floor_x), down = cv_cubic_weights(y - floor_y);
  cv_f32x8 half_x = x * 0.5f, half_y = y * 0.5f;
  cv_f32x8 u = half_x - cv_floor(half_x), v = half_y - cv_floor(half_y);
  cv_f32x8 out[4] = {0, 0, 0, 0};
  cv_i32x8 waiting = ~(cv_i32x8)0;
  // Neighbours mostly share their whole pixel; those that do not wait for their turn.
  do {
    int lane = 0;
    while (!waiting[lane]) lane++;
    int at_x = whole_x[lane], at_y = whole_y[lane];
    cv_i32x8 same = (whole_x == at_x) & (whole_y == at_y) & waiting;
    const float *row = green + (at_y - 1) * stride + at_x;
    cv_f32x8 top[5], bottom[5];
    for (int column = 0; column < 5; column += 2) {
      cv_f32x8 even[5], odd[5];
      for (int i = 0; i < 5; i++) {
        const float *from = row + i * stride + column - 1;
        cv_f32x8 a = cv_load_f32x8(from), b = cv_load_f32x8(from + 8);
        even[i] = cv_even_f32(a, b);
        odd[i] = cv_odd_f32(a, b);
      }
      top[column] = cv_cubic_sum(down, even[0], even[1], even[2], even[3]);
      bottom[column] = cv_cubic_sum(down, even[1], even[2], even[3], even[4]);
      if (column < 4) {
        top[column + 1] = cv_cubic_sum(down, odd[0], odd[1], odd[2], odd[3]);
        bottom[column + 1] = cv_cubic_sum(down, odd[1], odd[2], odd[3], odd[4]);
      }
    }
    cv_f32x8 found[4] = {cv_cubic_sum(across, top[0], top[1], top[2], top[3]),
                         cv_cubic_sum(across, top[1], top[2], top[3], top[4]),
                         cv_cubic_sum(across, bottom[0], bottom[1], bottom[2], bottom[3]),
                         cv_cubic_sum(across, bottom[1], bottom[2], bottom[3], bottom[4])};
    // A site's own place less its phase is the cell's first place.
    const float *cell = difference + (long)(at_y >> 1) * 2 * stride + (long)(at_x >> 1) * 2;
    if (green_first) {
      found[1] += cv_mix_sites(cell + 1, stride, u, v);
      found[2] += cv_mix_sites(cell + stride, stride, u, v);
    } else {
      found[0] += cv_mix_sites(cell, stride, u, v);
      found[3] += cv_mix_sites(cell + stride + 1, stride, u, v);
    }
    for (int i = 0; i < 4; i++) out[i] = cv_select_f32(same, found[i], out[i]);
    waiting &= ~same;
  } while (__builtin_reduce_or(waiting));
  cv_store_zipped_f32(upper, out[0] * inverse[0], out[1] * inverse[1]);
  cv_store_zipped_f32(lower, out[2] * inverse[2], out[3] * inverse[3]);
}
/// Adds eight floats times `factor` to eight others.
CV_OP void cv_add_scaled_f32x8(float *to, const float *from, float factor) {
  cv_store_f32x8(to, cv_load_f32x8(to) + cv_load_f32x8(from) * factor);
}
/// Differences of eight runs of eight samples each, sorted: sample i of run b goes to `to + i * line + b`.
CV_OP void cv_sort8_differences(const float *a, const float *b, float *to, long line) {
  cv_f32x8 r[8];
  for (int i = 0; i < 8; i++) r[i] = cv_load_f32x8(a + 8 * i) - cv_load_f32x8(b + 8 * i);
  cv_transpose8_f32(r);
  for (int i = 0; i < 8; i++) cv_store_f32x8(to + i * line, r[i]);
}
/// What noise makes of the squared differences of eight blocks: `share` is their mean over `phases` by coefficient,
/// `whole` its sum and `low` that of the `low_side`² lowest frequencies. The mean has an expectation of its own.
CV_OP void cv_measure_blocks(const float *difference, long phases, const float *inverse, const float *inverse_of_mean,
                             int low_side, float *share, float *whole, float *low) {
  cv_f32x8 sum = 0, lowest = 0;
  for (int k = 0; k < CV_BLOCK; k++) {
    const float *expected = k == 0 ? inverse_of_mean : inverse;
    cv_f32x8 own = 0;
    for (long phase = 0; phase < phases; phase++) {
      cv_f32x8 d = cv_load_f32x8(difference + 8 * (CV_BLOCK * phase + k));
      own += d * d * cv_load_f32x8(expected + 8 * phase);
    }
    cv_store_f32x8(share + 8 * k, own);
    sum += own;
    if (k / 8 < low_side && k % 8 < low_side) lowest += own;
  }
  cv_store_f32x8(whole, sum), cv_store_f32x8(low, lowest);
}
/// Turns what ``cv_measure_blocks`` found into the part of each coefficient that is taken over: what it, or its mean with
/// its neighbours, exceeds counts twice as error beside noise. `still` and `moving` are what a coefficient may have where
/// nothing and where something moves (`motion`, 0...1), `suspected` by how much more a mean of 4, 6 and 9 may have where
/// nothing does.
CV_OP void cv_decide_blocks(float *share, const float *motion, float still, float moving, const float *suspected) {
  cv_f32x8 lines[CV_BLOCK], moves = cv_load_f32x8(motion), limit = still + moves * (moving - still), quiet = 1.0f - moves;
  for (int k = 0; k < CV_BLOCK; k++) {
    cv_f32x8 sum = cv_load_f32x8(share + 8 * k);
    if (k % 8 > 0) sum += cv_load_f32x8(share + 8 * (k - 1));
    if (k % 8 < 7) sum += cv_load_f32x8(share + 8 * (k + 1));
    lines[k] = sum;
  }
  cv_f32x8 limits[3];
  for (int i = 0; i < 3; i++) limits[i] = 1.0f + quiet * suspected[i];
  const float parts[3] = {1.0f / 4, 1.0f / 6, 1.0f / 9};
  for (int k = 0; k < CV_BLOCK; k++) {
    cv_f32x8 sum = lines[k];
    if (k >= 8) sum += lines[k - 8];
    if (k < CV_BLOCK - 8) sum += lines[k + 8];
    int kind = (k >= 8 && k < CV_BLOCK - 8) + (k % 8 > 0 && k % 8 < 7);
    cv_f32x8 own = cv_load_f32x8(share + 8 * k) - limit, near = sum * parts[kind] - limits[kind];
    cv_f32x8 excess = cv_max(cv_max(own, near), (cv_f32x8)0.0f);
    // The difference has the noise of two frames.
    cv_store_f32x8(share + 8 * k, 1.0f / (1.0f + 2.0f * excess));
  }
}
/// Adds what one member brings: shares, their squares, and shares of differences.
CV_OP void cv_add_shares(const float *share, const float *difference, long phases, float *sum, float *squares, float *correction) {
  for (int k = 0; k < CV_BLOCK; k++) {
    cv_f32x8 part = cv_load_f32x8(share + 8 * k);
    cv_store_f32x8(sum + 8 * k, cv_load_f32x8(sum + 8 * k) + part);
    cv_store_f32x8(squares + 8 * k, cv_load_f32x8(squares + 8 * k) + part * part);
    for (long phase = 0; phase < phases; phase++) {
      long at = 8 * (CV_BLOCK * phase + k);
      cv_store_f32x8(correction + at, cv_load_f32x8(correction + at) + part * cv_load_f32x8(difference + at));
    }
  }
}
/// The part of one frame's variance that is left, from sums over members of shares and their squares: `part` is one
/// over the number of frames.
CV_OP void cv_left_variance(const float *sum, const float *squares, float part, float *to) {
  cv_f32x8 total = 0;
  for (int k = 0; k < CV_BLOCK; k++) {
    cv_f32x8 own = 1.0f - part * cv_load_f32x8(sum + 8 * k);
    total += own * own + part * part * cv_load_f32x8(squares + 8 * k);
  }
  cv_store_f32x8(to, total * (1.0f / CV_BLOCK));
}
