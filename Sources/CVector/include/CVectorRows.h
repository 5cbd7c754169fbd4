// Whole rows that compilers leave scalar: neighbours joined or parted, and a clamp before a root. Included by CVector.h.
#pragma once

// clang-format off
/// Means of two by two samples of rows a and b: 2x and 2x + 1 become x. Sums are (a + a) + (b + b).
CV_OP void cv_halve_f32(const float *a, const float *b, long count, float *out) {
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_f32x8 a0 = cv_load_f32x8(a + 2 * x), a1 = cv_load_f32x8(a + 2 * x + 8);
    cv_f32x8 b0 = cv_load_f32x8(b + 2 * x), b1 = cv_load_f32x8(b + 2 * x + 8);
    cv_f32x8 upper = __builtin_shufflevector(a0, a1, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(a0, a1, 1, 3, 5, 7, 9, 11, 13, 15);
    cv_f32x8 lower = __builtin_shufflevector(b0, b1, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(b0, b1, 1, 3, 5, 7, 9, 11, 13, 15);
    cv_store_f32x8(out + x, (upper + lower) * 0.25f);
  }
  for (; x < count; x++) out[x] = ((a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1])) * 0.25f;
}
/// Samples with their neighbour by weights 3/4 and 1/4: x becomes 2x (with the left one) and 2x + 1 (with the right).
CV_OP void cv_double_f32(const float *half, long count, float *out) {
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_f32x8 middle = cv_load_f32x8(half + x) * 0.75f;
    cv_f32x8 even = middle + cv_load_f32x8(half + x - 1) * 0.25f;
    cv_f32x8 odd = middle + cv_load_f32x8(half + x + 1) * 0.25f;
    cv_store_f32x8(out + 2 * x, __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
    cv_store_f32x8(out + 2 * x + 8, __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15));
  }
  for (; x < count; x++) {
    float middle = 0.75f * half[x];
    out[2 * x] = middle + 0.25f * half[x - 1];
    out[2 * x + 1] = middle + 0.25f * half[x + 1];
  }
}
/// Counts → roots of light, clamped to 0 ... ceiling: the root of (count - (black + delta)) * gain + offset.
CV_OP void cv_light_roots_u16(const uint16_t *counts, const float *black, const float *gain, float delta, float offset, float ceiling, long count, float *out) {
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_u16x8 raw;
    __builtin_memcpy(&raw, counts + x, 16);
    cv_f32x8 light = (cv_f32_from_u16(raw) - (cv_load_f32x8(black + x) + delta)) * cv_load_f32x8(gain + x) + offset;
    cv_store_f32x8(out + x, cv_sqrt(cv_min(cv_max(light, (cv_f32x8)0.0f), (cv_f32x8)ceiling)));
  }
  for (; x < count; x++) {
    float light = ((float)counts[x] - (black[x] + delta)) * gain[x] + offset;
    light = light > 0.0f ? light : 0.0f;
    out[x] = cv_root_f32(light < ceiling ? light : ceiling);
  }
}
/// Light near and beyond saturation → neutral, in place on rows of three colours; inverse is 1 over each colour's saturation.
CV_OP void cv_whiten_f32(float *a, float *b, float *c, long count, const float *inverse, float onset, float slope, float neutrality, float rise) {
  long x = 0;
  for (; x < count; x += 8) {
    // The last lanes of a row that is no multiple of eight are worked on in a copy.
    float rest[3][8] = {{0}};
    long lanes = count - x < 8 ? count - x : 8;
    float *at[3] = {a + x, b + x, c + x};
    if (lanes < 8) {
      for (int i = 0; i < 3; i++) {
        for (long k = 0; k < lanes; k++) rest[i][k] = at[i][k];
        at[i] = rest[i];
      }
    }
    cv_f32x8 one = (cv_f32x8)1.0f, none = (cv_f32x8)0.0f;
    cv_f32x8 u = cv_load_f32x8(at[0]), v = cv_load_f32x8(at[1]), w = cv_load_f32x8(at[2]);
    cv_f32x8 sensor = cv_max(u * inverse[0], cv_max(v * inverse[1], w * inverse[2]));
    cv_f32x8 p = cv_min(u, one), q = cv_min(v, one), r = cv_min(w, one);
    cv_f32x8 high = cv_max(p, cv_max(q, r)), low = cv_min(p, cv_min(q, r));
    cv_f32x8 near = cv_min(cv_max((sensor - onset) * slope, none), one);
    cv_f32x8 grey = cv_max((low - high * neutrality) * rise, none);
    cv_f32x8 share = near * grey * grey;
    cv_store_f32x8(at[0], p + share * (high - p));
    cv_store_f32x8(at[1], q + share * (high - q));
    cv_store_f32x8(at[2], r + share * (high - r));
    if (lanes < 8) {
      for (long k = 0; k < lanes; k++) {
        a[x + k] = rest[0][k];
        b[x + k] = rest[1][k];
        c[x + k] = rest[2][k];
      }
    }
  }
}
/// Three rows of values 0 ... 1, clamped to that → the entries of a table of codes, of which the last is entry `top`, as interleaved
/// pixels `step` pixels apart. The rows are overwritten.
CV_OP void cv_look_up3_u8(float *r, float *g, float *b, long count, const uint8_t *table, float top, uint8_t *out, long step) {
  float *rows[3] = {r, g, b};
  for (int i = 0; i < 3; i++) {
    // Adding 2^23 rounds to a whole number and leaves it in the low bits.
    for (long x = 0; x < count; x++) {
      float value = rows[i][x] > 0.0f ? rows[i][x] : 0.0f;
      rows[i][x] = (value < 1.0f ? value : 1.0f) * top + 8388608.0f;
    }
  }
  const uint32_t mask = 0x1FFFF;
  uint32_t i, j, k;
  for (long x = 0; x < count; x++) {
    __builtin_memcpy(&i, r + x, 4);
    __builtin_memcpy(&j, g + x, 4);
    __builtin_memcpy(&k, b + x, 4);
    uint8_t *pixel = out + 3 * x * step;
    pixel[0] = table[i & mask];
    pixel[1] = table[j & mask];
    pixel[2] = table[k & mask];
  }
}
/// Two rows of positions → the nearest entries of a table. Positions are 0 ... 2^14 - 1.
CV_OP void cv_look_up_f32(float *a, float *b, long count, const float *table) {
  for (long x = 0; x < count; x++) {
    a[x] += 8388608.0f;
    b[x] += 8388608.0f;
  }
  const uint32_t mask = 0x3FFF;
  uint32_t i, j;
  for (long x = 0; x < count; x++) {
    __builtin_memcpy(&i, a + x, 4);
    __builtin_memcpy(&j, b + x, 4);
    a[x] = table[i & mask];
    b[x] = table[j & mask];
  }
}
// clang-format on
