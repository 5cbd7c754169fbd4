// The filters of FLIP over lines of samples, those that look at the same samples in one pass: what is loaded and added
// once serves all of them. All work in whole groups of sixteen: up to 15 samples beyond `count` are read and written.
// Taps are halves, from the centre outwards; included by CVector.h.
#pragma once

/// Radii in samples: of edges and points, of blue against yellow, and of luminance and red against green, whose taps
/// beyond are below 2e-8.
enum { cv_flip_feature_radius = 9, cv_flip_wide_radius = 10, cv_flip_narrow_radius = 6 };

// clang-format off
/// Luminance from row to row, rows `step` apart: the eye's blur, and the three columns that features start from.
CV_OP void cv_flip_luminance_down(const float *in, long count, long step, const float *eye, const float *smooth, const float *edge, const float *point,
                                  float *to_eye, float *to_smooth, float *to_edge, float *to_point) {
  for (long x = 0; x < count; x += 16) {
    cv_f32x8 c = cv_load_f32x8(in + x), d = cv_load_f32x8(in + x + 8);
    cv_f32x8 e0 = eye[0] * c, e1 = eye[0] * d, s0 = smooth[0] * c, s1 = smooth[0] * d;
    cv_f32x8 p0 = point[0] * c, p1 = point[0] * d, o0 = 0.0f, o1 = 0.0f;
#pragma clang loop unroll(full)
    for (int i = 1; i <= cv_flip_feature_radius; i++) {
      const float *low = in + x + i * step, *high = in + x - i * step;
      cv_f32x8 a0 = cv_load_f32x8(low), b0 = cv_load_f32x8(high), a1 = cv_load_f32x8(low + 8), b1 = cv_load_f32x8(high + 8);
      cv_f32x8 sum0 = a0 + b0, sum1 = a1 + b1;
      s0 += smooth[i] * sum0;
      s1 += smooth[i] * sum1;
      p0 += point[i] * sum0;
      p1 += point[i] * sum1;
      o0 += edge[i] * (a0 - b0);
      o1 += edge[i] * (a1 - b1);
      if (i <= cv_flip_narrow_radius) {
        e0 += eye[i] * sum0;
        e1 += eye[i] * sum1;
      }
    }
    cv_store_f32x8(to_eye + x, e0);
    cv_store_f32x8(to_eye + x + 8, e1);
    cv_store_f32x8(to_smooth + x, s0);
    cv_store_f32x8(to_smooth + x + 8, s1);
    cv_store_f32x8(to_edge + x, o0);
    cv_store_f32x8(to_edge + x + 8, o1);
    cv_store_f32x8(to_point + x, p0);
    cv_store_f32x8(to_point + x + 8, p1);
  }
}
/// How strong edges and points are, from the three columns of `cv_flip_luminance_down`.
CV_OP void cv_flip_features(const float *from_smooth, const float *from_edge, const float *from_point, long count, const float *smooth, const float *edge,
                            const float *point, float *edges, float *points) {
  for (long x = 0; x < count; x += 16) {
    for (long k = x; k < x + 16; k += 8) {
      cv_f32x8 c = cv_load_f32x8(from_smooth + k);
      cv_f32x8 across = 0.0f, bend = point[0] * c;
      cv_f32x8 down = smooth[0] * cv_load_f32x8(from_edge + k), curve = smooth[0] * cv_load_f32x8(from_point + k);
#pragma clang loop unroll(full)
      for (int i = 1; i <= cv_flip_feature_radius; i++) {
        cv_f32x8 a = cv_load_f32x8(from_smooth + k + i), b = cv_load_f32x8(from_smooth + k - i);
        bend += point[i] * (a + b);
        across += edge[i] * (a - b);
        down += smooth[i] * (cv_load_f32x8(from_edge + k + i) + cv_load_f32x8(from_edge + k - i));
        curve += smooth[i] * (cv_load_f32x8(from_point + k + i) + cv_load_f32x8(from_point + k - i));
      }
      cv_store_f32x8(edges + k, cv_sqrt(across * across + down * down));
      cv_store_f32x8(points + k, cv_sqrt(bend * bend + curve * curve));
    }
  }
}
/// Red against green, and the eye's luminance from left to right.
CV_OP void cv_flip_narrow(float *out, const float *in, long count, long step, const float *taps) {
  for (long x = 0; x < count; x += 16) {
    cv_f32x8 sum0 = taps[0] * cv_load_f32x8(in + x), sum1 = taps[0] * cv_load_f32x8(in + x + 8);
#pragma clang loop unroll(full)
    for (int i = 1; i <= cv_flip_narrow_radius; i++) {
      const float *a = in + x + i * step, *b = in + x - i * step;
      sum0 += taps[i] * (cv_load_f32x8(a) + cv_load_f32x8(b));
      sum1 += taps[i] * (cv_load_f32x8(a + 8) + cv_load_f32x8(b + 8));
    }
    cv_store_f32x8(out + x, sum0);
    cv_store_f32x8(out + x + 8, sum1);
  }
}
/// Blue against yellow from row to row: both Gaussians.
CV_OP void cv_flip_blue_down(const float *in, long count, long step, const float *first, const float *second, float *to_first, float *to_second) {
  for (long x = 0; x < count; x += 16) {
    cv_f32x8 c = cv_load_f32x8(in + x), d = cv_load_f32x8(in + x + 8);
    cv_f32x8 p0 = first[0] * c, p1 = first[0] * d, q0 = second[0] * c, q1 = second[0] * d;
#pragma clang loop unroll(full)
    for (int i = 1; i <= cv_flip_wide_radius; i++) {
      const float *a = in + x + i * step, *b = in + x - i * step;
      cv_f32x8 sum0 = cv_load_f32x8(a) + cv_load_f32x8(b), sum1 = cv_load_f32x8(a + 8) + cv_load_f32x8(b + 8);
      p0 += first[i] * sum0;
      p1 += first[i] * sum1;
      q0 += second[i] * sum0;
      q1 += second[i] * sum1;
    }
    cv_store_f32x8(to_first + x, p0);
    cv_store_f32x8(to_first + x + 8, p1);
    cv_store_f32x8(to_second + x, q0);
    cv_store_f32x8(to_second + x + 8, q1);
  }
}
/// Blue against yellow from left to right: the sum of both Gaussians.
CV_OP void cv_flip_blue_across(float *out, const float *from_first, const float *from_second, long count, const float *first, const float *second) {
  for (long x = 0; x < count; x += 16) {
    for (long k = x; k < x + 16; k += 8) {
      cv_f32x8 p = first[0] * cv_load_f32x8(from_first + k), q = second[0] * cv_load_f32x8(from_second + k);
#pragma clang loop unroll(full)
      for (int i = 1; i <= cv_flip_wide_radius; i++) {
        p += first[i] * (cv_load_f32x8(from_first + k + i) + cv_load_f32x8(from_first + k - i));
        q += second[i] * (cv_load_f32x8(from_second + k + i) + cv_load_f32x8(from_second + k - i));
      }
      cv_store_f32x8(out + k, p + q);
    }
  }
}
// clang-format on
