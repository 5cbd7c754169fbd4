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
// clang-format on
