// Vector operations that Swift's SIMD types do not compile well by themselves: shuffles, widening and narrowing,
// minimum and maximum, rounding. Every function is always inlined, so a kernel built for another instruction set
// gets its own copy and no symbol is shared. Lane counts are fixed; the compiler splits what the CPU cannot hold.
#pragma once
#include <stdint.h>
#pragma clang fp contract(off)
// Vectors wider than the CPU's registers have no settled way to be passed to functions; none here is ever called.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

#define CV_OP static inline __attribute__((always_inline))

typedef uint8_t cv_u8x16 __attribute__((ext_vector_type(16)));
typedef uint8_t cv_u8x32 __attribute__((ext_vector_type(32)));
typedef uint32_t cv_u32x4 __attribute__((ext_vector_type(4)));
typedef uint16_t cv_u16x8 __attribute__((ext_vector_type(8)));
typedef uint16_t cv_u16x16 __attribute__((ext_vector_type(16)));
typedef int16_t cv_i16x8 __attribute__((ext_vector_type(8)));
typedef int16_t cv_i16x16 __attribute__((ext_vector_type(16)));
typedef int32_t cv_i32x8 __attribute__((ext_vector_type(8)));
typedef uint32_t cv_u32x8 __attribute__((ext_vector_type(8)));
typedef float cv_f32x8 __attribute__((ext_vector_type(8)));
typedef float cv_f32x4 __attribute__((ext_vector_type(4)));

/// What the running CPU offers: 0 for baseline, 3 when every x86-64-v3 feature is present.
int cv_cpu_level(void);

// clang-format off
CV_OP cv_f32x8 cv_min(cv_f32x8 a, cv_f32x8 b) { return a < b ? a : b; }
CV_OP cv_f32x8 cv_max(cv_f32x8 a, cv_f32x8 b) { return a > b ? a : b; }
CV_OP cv_f32x8 cv_abs(cv_f32x8 a) { return __builtin_elementwise_abs(a); }
CV_OP cv_f32x8 cv_sqrt(cv_f32x8 a) { return __builtin_elementwise_sqrt(a); }
/// The root of one number as an operation of the CPU: the C library's also sets errno, which keeps loops scalar.
CV_OP float cv_root_f32(float a) { return __builtin_elementwise_sqrt(a); }
CV_OP cv_f32x8 cv_floor(cv_f32x8 a) { return __builtin_elementwise_floor(a); }
/// Nearest integer, ties to even. Exact for 0 <= a < 2^22.
CV_OP cv_f32x8 cv_round_even(cv_f32x8 a) { return (a + 8388608.0f) - 8388608.0f; }
CV_OP cv_i32x8 cv_i32_from_f32(cv_f32x8 a) { return __builtin_convertvector(a, cv_i32x8); }
CV_OP cv_f32x8 cv_f32_from_i32(cv_i32x8 a) { return __builtin_convertvector(a, cv_f32x8); }
CV_OP cv_f32x8 cv_f32_from_u16(cv_u16x8 a) { return __builtin_convertvector(__builtin_convertvector(a, cv_i32x8), cv_f32x8); }
/// Truncating: the caller has clamped to 0...65535.
CV_OP cv_u16x8 cv_u16_from_i32(cv_i32x8 a) { return __builtin_convertvector(a, cv_u16x8); }
CV_OP cv_i16x16 cv_load_i16x16(const int16_t *from) {
  cv_i16x16 v;
  __builtin_memcpy(&v, from, 32);
  return v;
}
CV_OP cv_i16x8 cv_load_i16x8(const int16_t *from) {
  cv_i16x8 v;
  __builtin_memcpy(&v, from, 16);
  return v;
}
/// Two neighbouring samples, repeated in every pair of lanes.
CV_OP cv_i16x16 cv_broadcast_pair(const int16_t *from) {
  int32_t pair;
  __builtin_memcpy(&pair, from, 4);
  cv_i32x8 v = pair;
  return (cv_i16x16)v;
}
/// sum + a[2i] * b[2i] + a[2i + 1] * b[2i + 1], wrapping: one instruction and an addition where the CPU has it.
CV_OP cv_i32x8 cv_multiply_add_pairs(cv_i32x8 sum, cv_i16x16 a, cv_i16x16 b) {
#if defined(__AVX2__)
  typedef short native __attribute__((vector_size(32)));
  return sum + (cv_i32x8)__builtin_ia32_pmaddwd256((native)a, (native)b);
#else
  cv_i32x8 low = __builtin_convertvector(__builtin_shufflevector(a, a, 0, 2, 4, 6, 8, 10, 12, 14), cv_i32x8) *
                 __builtin_convertvector(__builtin_shufflevector(b, b, 0, 2, 4, 6, 8, 10, 12, 14), cv_i32x8);
  cv_i32x8 high = __builtin_convertvector(__builtin_shufflevector(a, a, 1, 3, 5, 7, 9, 11, 13, 15), cv_i32x8) *
                  __builtin_convertvector(__builtin_shufflevector(b, b, 1, 3, 5, 7, 9, 11, 13, 15), cv_i32x8);
  return sum + low + high;
#endif
}
/// Two times eight samples.
CV_OP cv_i16x16 cv_load_two_i16x8(const int16_t *low, const int16_t *high) {
  return __builtin_shufflevector(cv_load_i16x8(low), cv_load_i16x8(high), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
CV_OP void cv_store_i16x16(int16_t *to, cv_i16x16 v) { __builtin_memcpy(to, &v, 32); }
CV_OP cv_i16x16 cv_min_i16(cv_i16x16 a, cv_i16x16 b) { return __builtin_elementwise_min(a, b); }
CV_OP cv_i16x16 cv_max_i16(cv_i16x16 a, cv_i16x16 b) { return __builtin_elementwise_max(a, b); }
CV_OP cv_i16x16 cv_subtract_i16(cv_i16x16 a, cv_i16x16 b) { return a - b; }
CV_OP int32_t cv_sum_i32(cv_i32x8 a) { return __builtin_reduce_add(a); }
CV_OP cv_i32x8 cv_splat_i32(int32_t a) { return (cv_i32x8)a; }
CV_OP cv_i32x8 cv_add_i32(cv_i32x8 a, cv_i32x8 b) { return a + b; }
/// Arithmetic shift, 0 <= count < 32.
CV_OP cv_i32x8 cv_shift_right_i32(cv_i32x8 a, int32_t count) { return a >> (cv_i32x8)count; }
CV_OP cv_i32x8 cv_clamp_i32(cv_i32x8 a, int32_t low, int32_t high) {
  return __builtin_elementwise_min(__builtin_elementwise_max(a, (cv_i32x8)low), (cv_i32x8)high);
}
/// Stores the low halves of a and b as pairs (a[i], b[i]).
CV_OP void cv_store_pairs(int16_t *to, cv_i32x8 a, cv_i32x8 b) {
  cv_i32x8 v = (a & 0xffff) | (cv_i32x8)((cv_u32x8)b << 16);
  __builtin_memcpy(to, &v, 32);
}
/// Stores the low halves.
CV_OP void cv_store_halves(int16_t *to, cv_i32x8 a) {
  cv_i16x8 v = __builtin_convertvector(a, cv_i16x8);
  __builtin_memcpy(to, &v, 16);
}
CV_OP cv_f32x8 cv_reverse(cv_f32x8 a) { return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0); }
CV_OP cv_u8x16 cv_reverse_u8(cv_u8x16 a) { return __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0); }
CV_OP cv_u16x16 cv_reverse_u16(cv_u16x16 a) { return __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0); }
CV_OP cv_u32x8 cv_reverse_u32(cv_u32x8 a) { return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0); }
/// The five 3-byte pixels of bytes 1...15 in reverse order, as bytes 0...14 of the result; byte 15 is byte 0.
CV_OP cv_u8x16 cv_reverse_3byte(cv_u8x16 a) { return __builtin_shufflevector(a, a, 13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0); }
/// The two 6-byte pixels of bytes 4...15 in reverse order, as bytes 0...11 of the result.
CV_OP cv_u8x16 cv_reverse_6byte(cv_u8x16 a) { return __builtin_shufflevector(a, a, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3); }
CV_OP cv_u16x8 cv_zip_low(cv_u16x8 a, cv_u16x8 b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
CV_OP cv_u16x8 cv_zip_high(cv_u16x8 a, cv_u16x8 b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
/// Adds clusters of 2x2 samples: 32 samples of each of two rows become 16 sums, `(sum + round) >> shift`. A cluster with
/// a sample of `saturated` or more becomes `full`. Nothing need be aligned.
CV_OP cv_u16x16 cv_bin2x2_u16(const uint16_t *upper, const uint16_t *lower, uint16_t saturated, uint32_t round, uint32_t shift, uint32_t full) {
  cv_u16x8 out[2];
  for (int i = 0; i < 2; i++) {
    cv_u16x16 a, b;
    __builtin_memcpy(&a, upper + 16 * i, 32);
    __builtin_memcpy(&b, lower + 16 * i, 32);
    cv_u16x16 most = __builtin_elementwise_max(a, b);
    cv_u32x8 clipped = (cv_u32x8)(most >= (cv_u16x16)saturated);
    cv_u32x8 p = (cv_u32x8)a, q = (cv_u32x8)b;
    cv_u32x8 sum = (p & 0xffffu) + (p >> 16) + (q & 0xffffu) + (q >> 16);
    cv_u32x8 value = clipped != 0u ? (cv_u32x8)full : (sum + round) >> shift;
    out[i] = __builtin_convertvector(value, cv_u16x8);
  }
  return __builtin_shufflevector(out[0], out[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
/// Copies 32 bytes past the cache: `to` is 32-byte aligned, `from` need not be.
CV_OP void cv_stream32(void *to, const void *from) {
  cv_u8x32 v;
  __builtin_memcpy(&v, from, 32);
  __builtin_nontemporal_store(v, (cv_u8x32 *)to);
}
/// Asks for the cache line at an address that will be read soon; the address need not be valid.
CV_OP void cv_prefetch(const void *address) { __builtin_prefetch(address, 0, 2); }
/// The same for all cache lines of `count` bytes.
CV_OP void cv_prefetch_line(const void *address, long count) {
  for (long i = 0; i < count; i += 64) __builtin_prefetch((const char *)address + i, 0, 2);
}
/// Makes streamed bytes visible to other threads, as ordinary stores are.
CV_OP void cv_stream_fence(void) {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
/// Transposes 8 x 8 samples. Strides are in bytes and may be negative; nothing need be aligned.
CV_OP void cv_transpose8_u16(const char *from, long from_stride, char *to, long to_stride) {
  cv_u16x8 r[8];
  for (int i = 0; i < 8; i++) __builtin_memcpy(&r[i], from + i * from_stride, 16);
  cv_u16x8 a0 = cv_zip_low(r[0], r[4]), a1 = cv_zip_high(r[0], r[4]);
  cv_u16x8 a2 = cv_zip_low(r[1], r[5]), a3 = cv_zip_high(r[1], r[5]);
  cv_u16x8 a4 = cv_zip_low(r[2], r[6]), a5 = cv_zip_high(r[2], r[6]);
  cv_u16x8 a6 = cv_zip_low(r[3], r[7]), a7 = cv_zip_high(r[3], r[7]);
  cv_u16x8 b0 = cv_zip_low(a0, a4), b1 = cv_zip_high(a0, a4), b2 = cv_zip_low(a2, a6), b3 = cv_zip_high(a2, a6);
  cv_u16x8 b4 = cv_zip_low(a1, a5), b5 = cv_zip_high(a1, a5), b6 = cv_zip_low(a3, a7), b7 = cv_zip_high(a3, a7);
  cv_u16x8 c[8] = {cv_zip_low(b0, b2), cv_zip_high(b0, b2), cv_zip_low(b1, b3), cv_zip_high(b1, b3),
                   cv_zip_low(b4, b6), cv_zip_high(b4, b6), cv_zip_low(b5, b7), cv_zip_high(b5, b7)};
  for (int i = 0; i < 8; i++) __builtin_memcpy(to + i * to_stride, &c[i], 16);
}
/// Transposes 4 rows x 8 columns of the result from 8 stored rows of 4 pixels of 3 bytes. Reads 16 bytes from each of
/// eight rows and writes 32 bytes to each of four rows, 24 of which count. Strides are in bytes and may be negative.
///
/// Each stored row is widened to 4-byte pixels and turned by its number in one shuffle; blends then pick one pixel of
/// every row, and the shuffle that packs them to 3 bytes turns them back.
CV_OP void cv_transpose8x4_3byte(const char *from, long from_stride, char *to, long to_stride) {
  cv_u8x16 l[8];
  for (int i = 0; i < 8; i++) __builtin_memcpy(&l[i], from + i * from_stride, 16);
  cv_u8x32 w[4];
  for (int i = 0; i < 4; i++) w[i] = __builtin_shufflevector(l[i], l[i + 4], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  cv_u32x8 r0 = (cv_u32x8)__builtin_shufflevector(w[0], w[0], 0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15, 16, 17, 18, 31, 19, 20, 21, 31, 22, 23, 24, 31, 25, 26, 27, 31);
  cv_u32x8 r1 = (cv_u32x8)__builtin_shufflevector(w[1], w[1], 9, 10, 11, 15, 0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 25, 26, 27, 31, 16, 17, 18, 31, 19, 20, 21, 31, 22, 23, 24, 31);
  cv_u32x8 r2 = (cv_u32x8)__builtin_shufflevector(w[2], w[2], 6, 7, 8, 15, 9, 10, 11, 15, 0, 1, 2, 15, 3, 4, 5, 15, 22, 23, 24, 31, 25, 26, 27, 31, 16, 17, 18, 31, 19, 20, 21, 31);
  cv_u32x8 r3 = (cv_u32x8)__builtin_shufflevector(w[3], w[3], 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15, 0, 1, 2, 15, 19, 20, 21, 31, 22, 23, 24, 31, 25, 26, 27, 31, 16, 17, 18, 31);
  // Pixel j of row i sits in lane (i + j) mod 4.
  cv_u32x8 e01 = __builtin_shufflevector(r0, r1, 0, 9, 2, 11, 4, 13, 6, 15), o01 = __builtin_shufflevector(r0, r1, 8, 1, 10, 3, 12, 5, 14, 7);
  cv_u32x8 e23 = __builtin_shufflevector(r2, r3, 0, 9, 2, 11, 4, 13, 6, 15), o23 = __builtin_shufflevector(r2, r3, 8, 1, 10, 3, 12, 5, 14, 7);
  // e01 lanes: r0p0 r1p0 r0p2 r1p2; o01: r1p3 r0p1 r1p1 r0p3; e23: r2p2 r3p2 r2p0 r3p0; o23: r3p1 r2p3 r3p3 r2p1.
  cv_u8x32 c0 = (cv_u8x32)__builtin_shufflevector(e01, e23, 0, 1, 10, 11, 4, 5, 14, 15);
  cv_u8x32 c2 = (cv_u8x32)__builtin_shufflevector(e01, e23, 8, 9, 2, 3, 12, 13, 6, 7);
  cv_u8x32 c1 = (cv_u8x32)__builtin_shufflevector(o01, o23, 8, 1, 2, 11, 12, 5, 6, 15);
  cv_u8x32 c3 = (cv_u8x32)__builtin_shufflevector(o01, o23, 0, 9, 10, 3, 4, 13, 14, 7);
  cv_u8x32 p[4] = {
      __builtin_shufflevector(c0, c0, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30, 31, 31, 31, 31),
      __builtin_shufflevector(c1, c1, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 1, 2, 3, 3, 3, 3, 20, 21, 22, 24, 25, 26, 28, 29, 30, 16, 17, 18, 19, 19, 19, 19),
      __builtin_shufflevector(c2, c2, 8, 9, 10, 12, 13, 14, 0, 1, 2, 4, 5, 6, 7, 7, 7, 7, 24, 25, 26, 28, 29, 30, 16, 17, 18, 20, 21, 22, 23, 23, 23, 23),
      __builtin_shufflevector(c3, c3, 12, 13, 14, 0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 11, 11, 11, 28, 29, 30, 16, 17, 18, 20, 21, 22, 24, 25, 26, 27, 27, 27, 27)};
  for (int i = 0; i < 4; i++) {
    cv_u32x8 q = (cv_u32x8)p[i];
    q = __builtin_shufflevector(q, q, 0, 1, 2, 4, 5, 6, 7, 7);
    __builtin_memcpy(to + i * to_stride, &q, 32);
  }
}
/// Transposes 2 rows x 8 columns of the result from 8 stored rows of 2 pixels of 6 bytes. Reads 16 bytes from each of
/// eight rows and writes 52 bytes to each of two rows, 48 of which count.
CV_OP void cv_transpose8x2_6byte(const char *from, long from_stride, char *to, long to_stride) {
  for (int i = 0; i < 8; i += 2) {
    cv_u16x8 a, b;
    __builtin_memcpy(&a, from + i * from_stride, 16);
    __builtin_memcpy(&b, from + (i + 1) * from_stride, 16);
    cv_u16x8 first = __builtin_shufflevector(a, b, 0, 1, 2, 8, 9, 10, 11, 12);
    cv_u16x8 second = __builtin_shufflevector(a, b, 3, 4, 5, 11, 12, 13, 14, 15);
    __builtin_memcpy(to + i * 6, &first, 16);
    __builtin_memcpy(to + to_stride + i * 6, &second, 16);
  }
}
/// The next two write 48 bytes, `to` 16-byte aligned, past the cache: the pixels of 48 stored bytes in reverse order.
CV_OP void cv_stream_reversed_3byte(char *to, const char *from) {
  cv_u8x16 a, b, c;
  __builtin_memcpy(&a, from, 16);
  __builtin_memcpy(&b, from + 16, 16);
  __builtin_memcpy(&c, from + 32, 16);
  cv_u8x16 first = __builtin_shufflevector(b, c, 29, 30, 31, 26, 27, 28, 23, 24, 25, 20, 21, 22, 17, 18, 19, 14);
  cv_u8x16 inner = __builtin_shufflevector(b, c, 15, 16, 11, 12, 13, 8, 9, 10, 5, 6, 7, 2, 3, 4, 0, 1);
  cv_u8x16 middle = __builtin_shufflevector(inner, a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 31, 14);
  cv_u8x16 last = __builtin_shufflevector(a, b, 17, 12, 13, 14, 9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2);
  __builtin_nontemporal_store(first, (cv_u8x16 *)to);
  __builtin_nontemporal_store(middle, (cv_u8x16 *)(to + 16));
  __builtin_nontemporal_store(last, (cv_u8x16 *)(to + 32));
}
CV_OP void cv_stream_reversed_6byte(char *to, const char *from) {
  cv_u16x8 a, b, c;
  __builtin_memcpy(&a, from, 16);
  __builtin_memcpy(&b, from + 16, 16);
  __builtin_memcpy(&c, from + 32, 16);
  // 24 samples: pixel k is samples 3k ... 3k + 2; a holds 0 ... 7, b 8 ... 15, c 16 ... 23.
  cv_u16x8 first = __builtin_shufflevector(b, c, 13, 14, 15, 10, 11, 12, 7, 8);
  cv_u16x8 inner = __builtin_shufflevector(b, c, 9, 4, 5, 6, 1, 2, 3, 0);
  cv_u16x8 middle = __builtin_shufflevector(inner, a, 0, 1, 2, 3, 4, 5, 6, 14);
  cv_u16x8 last = __builtin_shufflevector(a, b, 7, 8, 3, 4, 5, 0, 1, 2);
  __builtin_nontemporal_store(first, (cv_u16x8 *)to);
  __builtin_nontemporal_store(middle, (cv_u16x8 *)(to + 16));
  __builtin_nontemporal_store(last, (cv_u16x8 *)(to + 32));
}
/// Weighted sums along a line of samples `step` apart: out[x] = taps[0] c + sum of taps[i] (c[+i step] + c[-i step]) for
/// i = 1 ... radius. Works in whole groups of sixteen: up to 15 samples beyond `count` are read and written.
CV_OP void cv_filter_even(float *out, const float *in, long count, long step, const float *taps, int radius) {
  for (long x = 0; x < count; x += 16) {
    cv_f32x8 c, d, sum, next;
    __builtin_memcpy(&c, in + x, 32);
    __builtin_memcpy(&d, in + x + 8, 32);
    sum = taps[0] * c;
    next = taps[0] * d;
    for (int i = 1; i <= radius; i++) {
      cv_f32x8 a, b, e, f;
      __builtin_memcpy(&a, in + x + i * step, 32);
      __builtin_memcpy(&b, in + x - i * step, 32);
      __builtin_memcpy(&e, in + x + 8 + i * step, 32);
      __builtin_memcpy(&f, in + x + 8 - i * step, 32);
      sum += taps[i] * (a + b);
      next += taps[i] * (e + f);
    }
    __builtin_memcpy(out + x, &sum, 32);
    __builtin_memcpy(out + x + 8, &next, 32);
  }
}
/// Sum of eight lanes in pairs, always in the same order.
CV_OP double cv_fold_f32(cv_f32x8 a) {
  return (((double)a[0] + a[4]) + ((double)a[2] + a[6])) + (((double)a[1] + a[5]) + ((double)a[3] + a[7]));
}
/// Sum and largest of a line; lanes are summed apart and folded at the end.
CV_OP double cv_sum_f32(const float *values, long count) {
  cv_f32x8 sum = 0.0f;
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_f32x8 v;
    __builtin_memcpy(&v, values + x, 32);
    sum += v;
  }
  double total = cv_fold_f32(sum);
  for (; x < count; x++) total += values[x];
  return total;
}
CV_OP float cv_largest_f32(const float *values, long count, float least) {
  cv_f32x8 most = least;
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_f32x8 v;
    __builtin_memcpy(&v, values + x, 32);
    most = v > most ? v : most;
  }
  for (int i = 0; i < 8; i++) least = most[i] > least ? most[i] : least;
  for (; x < count; x++) least = values[x] > least ? values[x] : least;
  return least;
}
/// Adds b - a and its square over a line to `sum` and `squares`; largest[x] becomes max(largest[x], |b - a|).
CV_OP void cv_difference_f32(const float *a, const float *b, float *largest, long count, double *sum, double *squares) {
  cv_f32x8 s = 0.0f, q = 0.0f;
  double st = 0, qt = 0;
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_f32x8 p, d, m;
    __builtin_memcpy(&p, a + x, 32);
    __builtin_memcpy(&d, b + x, 32);
    __builtin_memcpy(&m, largest + x, 32);
    d -= p;
    s += d;
    q += d * d;
    cv_f32x8 w = __builtin_elementwise_abs(d);
    m = w > m ? w : m;
    __builtin_memcpy(largest + x, &m, 32);
  }
  for (; x < count; x++) {
    float d = b[x] - a[x], w = d < 0 ? -d : d;
    st += d;
    qt += (double)d * d;
    largest[x] = w > largest[x] ? w : largest[x];
  }
  *sum += cv_fold_f32(s) + st;
  *squares += cv_fold_f32(q) + qt;
}
/// Cosine transform (DCT-II, orthonormal) of eight values, `stride` floats apart, in each of eight neighbouring lanes;
/// in place, nothing need be aligned. By its halves: sums of mirrored values make the even coefficients.
CV_OP void cv_dct8_f32(float *at, long stride) {
  const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.09754516f;
  cv_f32x8 x[8];
  for (int i = 0; i < 8; i++) __builtin_memcpy(&x[i], at + i * stride, 32);
  cv_f32x8 s0 = x[0] + x[7], s1 = x[1] + x[6], s2 = x[2] + x[5], s3 = x[3] + x[4];
  cv_f32x8 d0 = x[0] - x[7], d1 = x[1] - x[6], d2 = x[2] - x[5], d3 = x[3] - x[4];
  cv_f32x8 a0 = s0 + s3, a1 = s1 + s2, a2 = s1 - s2, a3 = s0 - s3;
  x[0] = c4 * (a0 + a1);
  x[4] = c4 * (a0 - a1);
  x[2] = c2 * a3 + c6 * a2;
  x[6] = c6 * a3 - c2 * a2;
  x[1] = (c1 * d0 + c3 * d1) + (c5 * d2 + c7 * d3);
  x[3] = (c3 * d0 - c7 * d1) - (c1 * d2 + c5 * d3);
  x[5] = (c5 * d0 - c1 * d1) + (c7 * d2 + c3 * d3);
  x[7] = (c7 * d0 - c5 * d1) + (c3 * d2 - c1 * d3);
  for (int i = 0; i < 8; i++) __builtin_memcpy(at + i * stride, &x[i], 32);
}
/// The inverse of cv_dct8_f32.
CV_OP void cv_idct8_f32(float *at, long stride) {
  const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f, c6 = 0.19134172f, c7 = 0.09754516f;
  cv_f32x8 x[8];
  for (int i = 0; i < 8; i++) __builtin_memcpy(&x[i], at + i * stride, 32);
  cv_f32x8 p = c4 * (x[0] + x[4]), q = c4 * (x[0] - x[4]);
  cv_f32x8 a3 = c2 * x[2] + c6 * x[6], a2 = c6 * x[2] - c2 * x[6];
  cv_f32x8 s0 = p + a3, s3 = p - a3, s1 = q + a2, s2 = q - a2;
  cv_f32x8 d0 = (c1 * x[1] + c3 * x[3]) + (c5 * x[5] + c7 * x[7]);
  cv_f32x8 d1 = (c3 * x[1] - c7 * x[3]) - (c1 * x[5] + c5 * x[7]);
  cv_f32x8 d2 = (c5 * x[1] - c1 * x[3]) + (c7 * x[5] + c3 * x[7]);
  cv_f32x8 d3 = (c7 * x[1] - c5 * x[3]) + (c3 * x[5] - c1 * x[7]);
  cv_f32x8 y[8] = {s0 + d0, s1 + d1, s2 + d2, s3 + d3, s3 - d3, s2 - d2, s1 - d1, s0 - d0};
  for (int i = 0; i < 8; i++) __builtin_memcpy(at + i * stride, &y[i], 32);
}
/// Pixels of three 16-bit samples → one line a channel, times `scale`.
CV_OP void cv_spread3_u16(const uint16_t *from, long count, float scale, float *r, float *g, float *b) {
  long x = 0;
  for (; x + 8 <= count; x += 8) {
    cv_u16x8 l, m, h;
    __builtin_memcpy(&l, from + 3 * x, 16);
    __builtin_memcpy(&m, from + 3 * x + 8, 16);
    __builtin_memcpy(&h, from + 3 * x + 16, 16);
    // Samples 0 ... 7 are in l, 8 ... 15 in m, 16 ... 23 in h; lanes of the last shuffle from 8 on are those of h.
    cv_u16x8 rl = __builtin_shufflevector(l, m, 0, 3, 6, 9, 12, 15, -1, -1);
    cv_u16x8 gl = __builtin_shufflevector(l, m, 1, 4, 7, 10, 13, -1, -1, -1);
    cv_u16x8 bl = __builtin_shufflevector(l, m, 2, 5, 8, 11, 14, -1, -1, -1);
    cv_f32x8 rf = cv_f32_from_u16(__builtin_shufflevector(rl, h, 0, 1, 2, 3, 4, 5, 10, 13)) * scale;
    cv_f32x8 gf = cv_f32_from_u16(__builtin_shufflevector(gl, h, 0, 1, 2, 3, 4, 8, 11, 14)) * scale;
    cv_f32x8 bf = cv_f32_from_u16(__builtin_shufflevector(bl, h, 0, 1, 2, 3, 4, 9, 12, 15)) * scale;
    __builtin_memcpy(r + x, &rf, 32);
    __builtin_memcpy(g + x, &gf, 32);
    __builtin_memcpy(b + x, &bf, 32);
  }
  for (; x < count; x++) {
    r[x] = (float)from[3 * x] * scale;
    g[x] = (float)from[3 * x + 1] * scale;
    b[x] = (float)from[3 * x + 2] * scale;
  }
}
/// Eight floats from and to any address.
CV_OP cv_f32x8 cv_load_f32x8(const float *from) {
  cv_f32x8 v;
  __builtin_memcpy(&v, from, 32);
  return v;
}
CV_OP void cv_store_f32x8(float *to, cv_f32x8 v) { __builtin_memcpy(to, &v, 32); }
// clang-format on
#include "CVectorConvolution.h"
#include "CVectorDCT.h"
#include "CVectorBurst.h"
#include "CVectorFlip.h"
#include "CVectorRows.h"
#include "CVectorShift.h"
#pragma clang diagnostic pop
