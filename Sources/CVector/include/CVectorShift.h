// Sums over pixels of two pictures for finding how one lies on the other. Included by CVector.h. Every function is always
// inlined. Rows need at least eight pixels: the last lanes overlap those before them, and what was counted is masked.
#pragma once

CV_OP cv_f32x8 cv_iota_f32(void) { return (cv_f32x8){0, 1, 2, 3, 4, 5, 6, 7}; }
CV_OP cv_f32x8 cv_select_f32(cv_i32x8 mask, cv_f32x8 a, cv_f32x8 b) {
  return (cv_f32x8)((mask & (cv_i32x8)a) | (~mask & (cv_i32x8)b));
}
/// The lanes of the eight pixels from `at` on that are not counted yet, when `done` are.
CV_OP cv_i32x8 cv_uncounted(long at, long done) {
  cv_i32x8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  return lane >= (cv_i32x8)(int32_t)(done - at);
}
/// The smallest and largest of `count` >= 8 values, taken into `least` and `most`.
CV_OP void cv_extent_f32(const float *from, long count, float *least, float *most) {
  cv_f32x8 low = *least, high = *most;
  for (long done = 0; done < count; done += 8) {
    cv_f32x8 v = cv_load_f32x8(from + (done < count - 8 ? done : count - 8));
    low = cv_min(v, low);
    high = cv_max(v, high);
  }
  for (int i = 0; i < 8; i++) {
    *least = low[i] < *least ? low[i] : *least;
    *most = high[i] > *most ? high[i] : *most;
  }
}
/// Sixteen samples between the rows `p` and `q`: `u` across and `v` down for the first, `du` and `dv` more for each
/// further one.
CV_OP void cv_mix16_f32(const float *p, const float *q, float u, float du, float v, float dv, float *to) {
  for (int x = 0; x < 16; x += 8) {
    cv_f32x8 step = cv_iota_f32() + (float)x;
    cv_f32x8 across = step * du + u, down = step * dv + v;
    cv_f32x8 a = cv_load_f32x8(p + x), b = cv_load_f32x8(q + x);
    cv_f32x8 upper = a + (cv_load_f32x8(p + x + 1) - a) * across, lower = b + (cv_load_f32x8(q + x + 1) - b) * across;
    cv_store_f32x8(to + x, upper + (lower - upper) * down);
  }
}
/// Adds products of the gradients of two pictures (each a row, that above and that below): of one with the other, of the
/// first and of the second with itself, eight lanes each. `count` >= 8.
CV_OP void cv_add_gradient_products(const float *a, const float *a_up, const float *a_down, const float *b,
                                    const float *b_up, const float *b_down, long count, float *sums) {
  cv_f32x8 both = cv_load_f32x8(sums), first = cv_load_f32x8(sums + 8), second = cv_load_f32x8(sums + 16);
  for (long done = 0; done < count; done += 8) {
    long x = done < count - 8 ? done : count - 8;
    cv_f32x8 ax = cv_load_f32x8(a + x + 1) - cv_load_f32x8(a + x - 1);
    cv_f32x8 ay = cv_load_f32x8(a_down + x) - cv_load_f32x8(a_up + x);
    cv_f32x8 bx = cv_load_f32x8(b + x + 1) - cv_load_f32x8(b + x - 1);
    cv_f32x8 by = cv_load_f32x8(b_down + x) - cv_load_f32x8(b_up + x);
    cv_i32x8 mask = cv_uncounted(x, done);
    both += (cv_f32x8)((cv_i32x8)(ax * bx + ay * by) & mask);
    first += (cv_f32x8)((cv_i32x8)(ax * ax + ay * ay) & mask);
    second += (cv_f32x8)((cv_i32x8)(bx * bx + by * by) & mask);
  }
  cv_store_f32x8(sums, both), cv_store_f32x8(sums + 8, first), cv_store_f32x8(sums + 16, second);
}
/// Sums that ``cv_add_similarity_sums`` keeps.
#define CV_SIMILARITY_SUMS 28
/// Adds a row of the normal equations of a similarity: 21 products of the Jacobian (gx, gy, gx dx + gy dy, gy dx - gx dy,
/// -light, -1) row by row of the upper triangle, its six products with the residual, the residual squared, all weighted
/// by 1 / (1 + residual² `inverse`); eight lanes each. `here`, `up` and `down` are of the reference, `value` is the other
/// picture's light at its places, `gain` and `offset` make the one the other. `count` >= 8.
CV_OP void cv_add_similarity_sums(const float *here, const float *up, const float *down, const float *value, float dx,
                                  float dy, float gain, float offset, float inverse, long count, float *sums) {
  cv_f32x8 s[CV_SIMILARITY_SUMS];
  for (int i = 0; i < CV_SIMILARITY_SUMS; i++) s[i] = cv_load_f32x8(sums + 8 * i);
  for (long done = 0; done < count; done += 8) {
    long x = done < count - 8 ? done : count - 8;
    cv_f32x8 light = cv_load_f32x8(here + x);
    cv_f32x8 gx = (cv_load_f32x8(here + x + 1) - cv_load_f32x8(here + x - 1)) * 0.5f;
    cv_f32x8 gy = (cv_load_f32x8(down + x) - cv_load_f32x8(up + x)) * 0.5f;
    cv_f32x8 r = cv_load_f32x8(value + x) - (light * gain + offset);
    cv_f32x8 weight = (cv_f32x8)((cv_i32x8)(1.0f / (1.0f + r * r * inverse)) & cv_uncounted(x, done));
    cv_f32x8 across = cv_iota_f32() + (dx + (float)x);
    cv_f32x8 j2 = gx * across + gy * dy, j3 = gy * across - gx * dy;
    cv_f32x8 w0 = gx * weight, w1 = gy * weight, w2 = j2 * weight, w3 = j3 * weight, w4 = light * weight;
    s[0] += w0 * gx, s[1] += w0 * gy, s[2] += w0 * j2, s[3] += w0 * j3, s[4] -= w0 * light, s[5] -= w0;
    s[6] += w1 * gy, s[7] += w1 * j2, s[8] += w1 * j3, s[9] -= w1 * light, s[10] -= w1;
    s[11] += w2 * j2, s[12] += w2 * j3, s[13] -= w2 * light, s[14] -= w2;
    s[15] += w3 * j3, s[16] -= w3 * light, s[17] -= w3;
    s[18] += w4 * light, s[19] += w4;
    s[20] += weight;
    s[21] += w0 * r, s[22] += w1 * r, s[23] += w2 * r, s[24] += w3 * r, s[25] -= w4 * r, s[26] -= weight * r;
    s[27] += weight * r * r;
  }
  for (int i = 0; i < CV_SIMILARITY_SUMS; i++) cv_store_f32x8(sums + 8 * i, s[i]);
}
/// The slopes of eight pixels of a window, taken into five sums.
CV_OP void cv_add_slopes(const float *at, long stride, cv_i32x8 mask, cv_f32x8 *s) {
  cv_f32x8 gx = (cv_load_f32x8(at + 1) - cv_load_f32x8(at - 1)) * 0.5f;
  cv_f32x8 gy = (cv_load_f32x8(at + stride) - cv_load_f32x8(at - stride)) * 0.5f;
  gx = (cv_f32x8)((cv_i32x8)gx & mask);
  gy = (cv_f32x8)((cv_i32x8)gy & mask);
  s[0] += gx * gx, s[1] += gx * gy, s[2] += gy * gy, s[3] += gx, s[4] += gy;
}
/// Sums over a window of what one picture's slopes tell: gx gx, gx gy, gy gy, gx, gy. Every `step`-th of `rows` rows;
/// strides in pixels; `width` >= 8.
CV_OP void cv_window_structure(const float *here, long stride, long width, long rows, long step, float *sums) {
  cv_f32x8 s[5] = {0, 0, 0, 0, 0};
  long whole = width & ~7L;
  cv_i32x8 rest = cv_uncounted(width - 8, whole);
  for (long y = 0; y < rows; y += step) {
    const float *row = here + y * stride;
    for (long x = 0; x < whole; x += 8) cv_add_slopes(row + x, stride, ~(cv_i32x8)0, s);
    if (whole < width) cv_add_slopes(row + width - 8, stride, rest, s);
  }
  for (int i = 0; i < 5; i++) sums[i] = (float)cv_fold_f32(s[i]);
}
/// What a window's eight pixels tell of another picture's difference, taken into four sums; slopes count twice.
CV_OP void cv_add_residuals(const float *at, long stride, const float *a, const float *b, float u, float v,
                            cv_i32x8 mask, cv_f32x8 *s) {
  cv_f32x8 m = cv_load_f32x8(a), n = cv_load_f32x8(b);
  cv_f32x8 upper = m + (cv_load_f32x8(a + 1) - m) * u, lower = n + (cv_load_f32x8(b + 1) - n) * u;
  cv_f32x8 r = upper + (lower - upper) * v - cv_load_f32x8(at);
  r = (cv_f32x8)((cv_i32x8)r & mask);
  s[0] += (cv_load_f32x8(at + 1) - cv_load_f32x8(at - 1)) * r;
  s[1] += (cv_load_f32x8(at + stride) - cv_load_f32x8(at - stride)) * r;
  s[2] += r * r, s[3] += r;
}
/// Sums over the same window of how another picture differs: gx r, gy r, r r, r, where r is its light between the rows
/// from `p` on, `u` across and `v` down, less the first one's.
CV_OP void cv_window_residuals(const float *here, long stride, const float *p, long other_stride, float u, float v,
                               long width, long rows, long step, float *sums) {
  cv_f32x8 s[4] = {0, 0, 0, 0};
  long whole = width & ~7L;
  cv_i32x8 rest = cv_uncounted(width - 8, whole);
  for (long y = 0; y < rows; y += step) {
    const float *row = here + y * stride, *a = p + y * other_stride, *b = a + other_stride;
    for (long x = 0; x < whole; x += 8) cv_add_residuals(row + x, stride, a + x, b + x, u, v, ~(cv_i32x8)0, s);
    long x = width - 8;
    if (whole < width) cv_add_residuals(row + x, stride, a + x, b + x, u, v, rest, s);
  }
  for (int i = 0; i < 4; i++) sums[i] = (float)cv_fold_f32(s[i]);
  sums[0] *= 0.5f, sums[1] *= 0.5f;
}
