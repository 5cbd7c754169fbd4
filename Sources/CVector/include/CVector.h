// Vector operations that Swift's SIMD types do not compile well by themselves: shuffles, widening and narrowing,
// minimum and maximum, rounding. Every function is always inlined, so a kernel built for another instruction set
// gets its own copy and no symbol is shared. Lane counts are fixed; the compiler splits what the CPU cannot hold.
#pragma once
#include <stdint.h>
#pragma clang fp contract(off)

#define CV_OP static inline __attribute__((always_inline))

typedef uint8_t cv_u8x16 __attribute__((ext_vector_type(16)));
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
// clang-format on
