// Vector operations that Swift's SIMD types do not compile well by themselves: shuffles, widening and narrowing,
// minimum and maximum, rounding. Every function is always inlined, so a kernel built for another instruction set
// gets its own copy and no symbol is shared. Lane counts are fixed; the compiler splits what the CPU cannot hold.
#pragma once
#include <stdint.h>
#pragma clang fp contract(off)

#define CV_OP static inline __attribute__((always_inline))

typedef uint8_t cv_u8x16 __attribute__((ext_vector_type(16)));
typedef uint8_t cv_u8x32 __attribute__((ext_vector_type(32)));
typedef uint32_t cv_u32x4 __attribute__((ext_vector_type(4)));
typedef uint16_t cv_u16x8 __attribute__((ext_vector_type(8)));
typedef uint16_t cv_u16x16 __attribute__((ext_vector_type(16)));
typedef int32_t cv_i32x8 __attribute__((ext_vector_type(8)));
typedef uint32_t cv_u32x8 __attribute__((ext_vector_type(8)));
typedef float cv_f32x8 __attribute__((ext_vector_type(8)));

/// What the running CPU offers: 0 for baseline, 3 when every x86-64-v3 feature is present.
int cv_cpu_level(void);

// clang-format off
CV_OP cv_f32x8 cv_min(cv_f32x8 a, cv_f32x8 b) { return a < b ? a : b; }
CV_OP cv_f32x8 cv_max(cv_f32x8 a, cv_f32x8 b) { return a > b ? a : b; }
CV_OP cv_f32x8 cv_abs(cv_f32x8 a) { return __builtin_elementwise_abs(a); }
CV_OP cv_f32x8 cv_sqrt(cv_f32x8 a) { return __builtin_elementwise_sqrt(a); }
CV_OP cv_f32x8 cv_floor(cv_f32x8 a) { return __builtin_elementwise_floor(a); }
/// Nearest integer, ties to even. Exact for 0 <= a < 2^22.
CV_OP cv_f32x8 cv_round_even(cv_f32x8 a) { return (a + 8388608.0f) - 8388608.0f; }
CV_OP cv_i32x8 cv_i32_from_f32(cv_f32x8 a) { return __builtin_convertvector(a, cv_i32x8); }
CV_OP cv_f32x8 cv_f32_from_i32(cv_i32x8 a) { return __builtin_convertvector(a, cv_f32x8); }
CV_OP cv_f32x8 cv_f32_from_u16(cv_u16x8 a) { return __builtin_convertvector(__builtin_convertvector(a, cv_i32x8), cv_f32x8); }
/// Truncating: the caller has clamped to 0...65535.
CV_OP cv_u16x8 cv_u16_from_i32(cv_i32x8 a) { return __builtin_convertvector(a, cv_u16x8); }
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
/// Transposes 4 x 4 pixels of 3 bytes. Reads 16 bytes from each of four rows and writes 16 bytes to each of four rows,
/// 12 of which count. Strides are in bytes and may be negative.
CV_OP void cv_transpose4_3byte(const char *from, long from_stride, char *to, long to_stride) {
  cv_u32x4 r[4];
  for (int i = 0; i < 4; i++) {
    cv_u8x16 v;
    __builtin_memcpy(&v, from + i * from_stride, 16);
    r[i] = (cv_u32x4)__builtin_shufflevector(v, v, 0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15);
  }
  cv_u32x4 a0 = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), a1 = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  cv_u32x4 a2 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5), a3 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  cv_u32x4 c[4] = {__builtin_shufflevector(a0, a2, 0, 1, 4, 5), __builtin_shufflevector(a0, a2, 2, 3, 6, 7),
                   __builtin_shufflevector(a1, a3, 0, 1, 4, 5), __builtin_shufflevector(a1, a3, 2, 3, 6, 7)};
  for (int i = 0; i < 4; i++) {
    cv_u8x16 v = (cv_u8x16)c[i];
    v = __builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
    __builtin_memcpy(to + i * to_stride, &v, 16);
  }
}
// clang-format on
