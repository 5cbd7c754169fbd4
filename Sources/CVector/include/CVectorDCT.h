// The two-dimensional DCT of 16 x 16 samples and what shrinks its coefficients: for merging pictures tile by tile.
// Included by CVector.h. Every function is always inlined.
#pragma once

#define CV_TILE 16
#define CV_TILE_AREA 256

/// Orthonormal DCT-II of 16 points, split into even and odd halves: rows 1, 3, 5 ... of the matrix.
static const float cv_dct_odd16[8][8] = {
    {0.351850934f, 0.338329500f, 0.311806253f, 0.273300467f, 0.224291897f, 0.166663915f, 0.102631132f, 0.034654292f},
    {0.338329500f, 0.224291897f, 0.034654292f, -0.166663915f, -0.311806253f, -0.351850934f, -0.273300467f, -0.102631132f},
    {0.311806253f, 0.034654292f, -0.273300467f, -0.338329500f, -0.102631132f, 0.224291897f, 0.351850934f, 0.166663915f},
    {0.273300467f, -0.166663915f, -0.338329500f, 0.034654292f, 0.351850934f, 0.102631132f, -0.311806253f, -0.224291897f},
    {0.224291897f, -0.311806253f, -0.102631132f, 0.351850934f, -0.034654292f, -0.338329500f, 0.166663915f, 0.273300467f},
    {0.166663915f, -0.351850934f, 0.224291897f, 0.102631132f, -0.338329500f, 0.273300467f, 0.034654292f, -0.311806253f},
    {0.102631132f, -0.273300467f, 0.351850934f, -0.311806253f, 0.166663915f, 0.034654292f, -0.224291897f, 0.338329500f},
    {0.034654292f, -0.102631132f, 0.166663915f, -0.224291897f, 0.273300467f, -0.311806253f, 0.338329500f, -0.351850934f}};
/// Rows 2, 6, 10, 14, on sums of mirrored samples.
static const float cv_dct_odd8[4][4] = {{0.346759961f, 0.293968901f, 0.196423740f, 0.068974845f},
                                        {0.293968901f, -0.068974845f, -0.346759961f, -0.196423740f},
                                        {0.196423740f, -0.346759961f, 0.068974845f, 0.293968901f},
                                        {0.068974845f, -0.196423740f, 0.293968901f, -0.346759961f}};
/// Rows 4 and 12; rows 0 and 8 are plus and minus a quarter.
static const float cv_dct_odd4[2][2] = {{0.326640741f, 0.135299025f}, {0.135299025f, -0.326640741f}};


CV_OP void cv_dct16(cv_f32x8 *x) {
  cv_f32x8 s[8], d[8];
  for (int n = 0; n < 8; n++) s[n] = x[n] + x[15 - n], d[n] = x[n] - x[15 - n];
  for (int k = 0; k < 8; k++) {
    cv_f32x8 sum = d[0] * cv_dct_odd16[k][0];
    for (int n = 1; n < 8; n++) sum += d[n] * cv_dct_odd16[k][n];
    x[2 * k + 1] = sum;
  }
  cv_f32x8 t[4], e[4];
  for (int n = 0; n < 4; n++) t[n] = s[n] + s[7 - n], e[n] = s[n] - s[7 - n];
  for (int k = 0; k < 4; k++) {
    cv_f32x8 sum = e[0] * cv_dct_odd8[k][0];
    for (int n = 1; n < 4; n++) sum += e[n] * cv_dct_odd8[k][n];
    x[4 * k + 2] = sum;
  }
  cv_f32x8 a = t[0] + t[3], b = t[1] + t[2], p = t[0] - t[3], q = t[1] - t[2];
  x[0] = (a + b) * 0.25f;
  x[8] = (a - b) * 0.25f;
  x[4] = p * cv_dct_odd4[0][0] + q * cv_dct_odd4[0][1];
  x[12] = p * cv_dct_odd4[1][0] + q * cv_dct_odd4[1][1];
}
CV_OP void cv_inverse_dct16(cv_f32x8 *x) {
  cv_f32x8 a = (x[0] + x[8]) * 0.25f, b = (x[0] - x[8]) * 0.25f;
  cv_f32x8 p = x[4] * cv_dct_odd4[0][0] + x[12] * cv_dct_odd4[1][0];
  cv_f32x8 q = x[4] * cv_dct_odd4[0][1] + x[12] * cv_dct_odd4[1][1];
  cv_f32x8 t[4] = {a + p, b + q, b - q, a - p}, s[8], o[8];
  for (int n = 0; n < 4; n++) {
    cv_f32x8 sum = x[2] * cv_dct_odd8[0][n];
    for (int k = 1; k < 4; k++) sum += x[4 * k + 2] * cv_dct_odd8[k][n];
    s[n] = t[n] + sum;
    s[7 - n] = t[n] - sum;
  }
  for (int n = 0; n < 8; n++) {
    cv_f32x8 sum = x[1] * cv_dct_odd16[0][n];
    for (int k = 1; k < 8; k++) sum += x[2 * k + 1] * cv_dct_odd16[k][n];
    o[n] = sum;
  }
  for (int n = 0; n < 8; n++) x[n] = s[n] + o[n], x[15 - n] = s[n] - o[n];
}
CV_OP void cv_transpose8_f32(cv_f32x8 *r) {
  cv_f32x8 a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[2 * i + 1] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; j++) {
      b[i + j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + j + 2] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    r[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
CV_OP void cv_transpose16_f32(cv_f32x8 low[16], cv_f32x8 high[16]) {
  cv_transpose8_f32(low);
  cv_transpose8_f32(low + 8);
  cv_transpose8_f32(high);
  cv_transpose8_f32(high + 8);
  for (int i = 0; i < 8; i++) {
    cv_f32x8 keep = low[8 + i];
    low[8 + i] = high[i];
    high[i] = keep;
  }
}
/// Coefficients of the windowed tile at `from`, transposed: 16 rows of horizontal frequencies, vertical ones across.
/// `window` has 16 values and applies in both directions.
CV_OP void cv_dct16x16(const float *from, long stride, const float *window, float *to) {
  cv_f32x8 low[16], high[16], left = cv_load_f32x8(window), right = cv_load_f32x8(window + 8);
  for (int y = 0; y < 16; y++) {
    low[y] = cv_load_f32x8(from + y * stride) * left * window[y];
    high[y] = cv_load_f32x8(from + y * stride + 8) * right * window[y];
  }
  cv_dct16(low);
  cv_dct16(high);
  cv_transpose16_f32(low, high);
  cv_dct16(low);
  cv_dct16(high);
  for (int y = 0; y < 16; y++) cv_store_f32x8(to + 16 * y, low[y]), cv_store_f32x8(to + 16 * y + 8, high[y]);
}
/// Adds the windowed inverse of such coefficients to the tile at `to`.
CV_OP void cv_add_inverse_dct16x16(const float *from, const float *window, float *to, long stride) {
  cv_f32x8 low[16], high[16], left = cv_load_f32x8(window), right = cv_load_f32x8(window + 8);
  for (int y = 0; y < 16; y++) low[y] = cv_load_f32x8(from + 16 * y), high[y] = cv_load_f32x8(from + 16 * y + 8);
  cv_inverse_dct16(low);
  cv_inverse_dct16(high);
  cv_transpose16_f32(low, high);
  cv_inverse_dct16(low);
  cv_inverse_dct16(high);
  for (int y = 0; y < 16; y++) {
    float *row = to + y * stride;
    cv_store_f32x8(row, cv_load_f32x8(row) + low[y] * left * window[y]);
    cv_store_f32x8(row + 8, cv_load_f32x8(row + 8) + high[y] * right * window[y]);
  }
}
/// Squares of coefficients, and their means over 3 x 3 neighbouring frequencies (the border counts twice).
/// `scratch` holds 18 rows of 24.
CV_OP void cv_energy16x16(const float *from, float *mean, float *scratch) {
  for (int y = 0; y < 16; y++) {
    float *row = scratch + 24 * (y + 1) + 1;
    cv_f32x8 a = cv_load_f32x8(from + 16 * y), b = cv_load_f32x8(from + 16 * y + 8);
    cv_store_f32x8(row, a * a);
    cv_store_f32x8(row + 8, b * b);
    row[-1] = row[0];
    row[16] = row[15];
  }
  for (int x = 0; x < 24; x++) scratch[x] = scratch[24 + x], scratch[24 * 17 + x] = scratch[24 * 16 + x];
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x += 8) {
      const float *p = scratch + 24 * y + x;
      cv_f32x8 sum = 0;
      for (int i = 0; i < 3; i++)
        sum += cv_load_f32x8(p + 24 * i) + cv_load_f32x8(p + 24 * i + 1) + cv_load_f32x8(p + 24 * i + 2);
      cv_store_f32x8(mean + 16 * y + x, sum * (1.0f / 9));
    }
}
/// Multiplies coefficients by `max(0, 1 - noise / energy)`, where energy is the mean of the coefficient's square and of
/// `near`, the mean over its neighbours. Returns the sum of the factors.
CV_OP float cv_shrink16x16(float *coefficients, const float *near, const float *noise) {
  cv_f32x8 total = 0;
  for (int i = 0; i < CV_TILE_AREA; i += 8) {
    cv_f32x8 f = cv_load_f32x8(coefficients + i);
    cv_f32x8 energy = (f * f + cv_load_f32x8(near + i)) * 0.5f + 1e-20f;
    cv_f32x8 weight = cv_max(1.0f - cv_load_f32x8(noise + i) / energy, (cv_f32x8)0.0f);
    total += weight;
    cv_store_f32x8(coefficients + i, f * weight);
  }
  return __builtin_reduce_add((cv_i32x8)__builtin_convertvector(total * 4096.0f, cv_i32x8)) * (1.0f / 4096);
}
/// The sum of six pixels of three interleaved samples at `from`. Reads one sample beyond.
CV_OP cv_f32x4 cv_sum6_rgb(const float *from, const float *weights) {
  cv_f32x4 sum = 0;
  for (int x = 0; x < 6; x++) {
    cv_f32x4 pixel;
    __builtin_memcpy(&pixel, from + 3 * x, 16);
    sum += pixel * weights[x];
  }
  return sum;
}
/// Weighted sums of six rows into `count` samples, and up to seven beyond.
CV_OP void cv_sum6_rows(const float *from, long stride, const float *weights, float *to, long count) {
  for (long x = 0; x < count; x += 8) {
    cv_f32x8 sum = cv_load_f32x8(from + x) * weights[0];
    for (int y = 1; y < 6; y++) sum += cv_load_f32x8(from + y * stride + x) * weights[y];
    cv_store_f32x8(to + x, sum);
  }
}
/// The sum of 6 x 6 pixels of three interleaved samples at `from` with separable weights. Reads one sample beyond.
CV_OP cv_f32x4 cv_sum6x6_rgb(const float *from, long stride, const float *across, const float *down) {
  cv_f32x8 a = 0, b = 0;
  cv_f32x4 f = 0;
  for (int y = 0; y < 6; y++) {
    const float *row = from + y * stride;
    cv_f32x4 last;
    __builtin_memcpy(&last, row + 15, 16);
    a += cv_load_f32x8(row) * down[y];
    b += cv_load_f32x8(row + 8) * down[y];
    f += last * down[y];
  }
  cv_f32x4 sum = __builtin_shufflevector(a, a, 0, 1, 2, 3) * across[0];
  sum += __builtin_shufflevector(a, a, 3, 4, 5, 6) * across[1];
  sum += __builtin_shufflevector(a, b, 6, 7, 8, 9) * across[2];
  sum += __builtin_shufflevector(b, b, 1, 2, 3, 4) * across[3];
  sum += __builtin_shufflevector(b, b, 4, 5, 6, 7) * across[4];
  return sum + f * across[5];
}
/// The sum of `taps` pixels of three interleaved samples. Reads one sample beyond.
CV_OP cv_f32x4 cv_sum_rgb(const float *from, const float *weights, long taps) {
  cv_f32x4 sum = 0;
  for (long x = 0; x < taps; x++) {
    cv_f32x4 pixel;
    __builtin_memcpy(&pixel, from + 3 * x, 16);
    sum += pixel * weights[x];
  }
  return sum;
}
