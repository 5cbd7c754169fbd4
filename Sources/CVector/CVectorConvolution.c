#include "CVectorConvolution.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define WIDE_INLINE static inline __attribute__((always_inline, target("avx512f,avx512bw,avx512vl,avx512vnni")))
enum { outputs = 4, lanes = 16, most = 2 };

int cv_has_wide_convolution(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

/// Shifted sums of `vectors` times sixteen blocks from `block` on.
WIDE_INLINE void sums(const cv_convolution *c, int64_t block, int vectors, __m512i (*sum)[most]) {
  for (int o = 0; o < outputs; o++)
    for (int v = 0; v < vectors; v++) sum[o][v] = _mm512_set1_epi32(c->bias[o]);
  const int16_t *weight = c->weights;
  for (int64_t i = 0; i < c->tap_count; i++, weight += 2 * outputs) {
    const int16_t *from = c->rows[c->taps[i]] + 2 * block;
    __m512i in[most];
    for (int v = 0; v < vectors; v++) in[v] = _mm512_loadu_si512(from + 2 * lanes * v);
    for (int o = 0; o < outputs; o++) {
      int32_t pair;
      __builtin_memcpy(&pair, weight + 2 * o, sizeof pair);
      __m512i w = _mm512_set1_epi32(pair);
      for (int v = 0; v < vectors; v++) sum[o][v] = _mm512_dpwssd_epi32(sum[o][v], in[v], w);
    }
  }
  __m128i shift = _mm_cvtsi32_si128(c->shift);
  for (int o = 0; o < outputs; o++)
    for (int v = 0; v < vectors; v++) sum[o][v] = _mm512_sra_epi32(sum[o][v], shift);
}

WIDE_INLINE __m512i activated(__m512i a) {
  return _mm512_min_epi32(_mm512_max_epi32(a, _mm512_setzero_si512()), _mm512_set1_epi32(INT16_MAX));
}

WIDE_INLINE void pairs(const cv_convolution *c, int64_t block, int vectors, int16_t *to, int64_t stride) {
  __m512i sum[outputs][most];
  sums(c, block, vectors, sum);
  for (int o = 0; o < outputs; o += 2)
    for (int v = 0; v < vectors; v++) {
      __m512i both = _mm512_or_si512(activated(sum[o][v]), _mm512_slli_epi32(activated(sum[o + 1][v]), 16));
      _mm512_storeu_si512(to + o * stride + 2 * (block + lanes * v), both);
    }
}

WIDE_INLINE void plain(const cv_convolution *c, int64_t block, int vectors, int16_t *to, int64_t stride) {
  __m512i sum[outputs][most];
  sums(c, block, vectors, sum);
  for (int o = 0; o < outputs; o++)
    for (int v = 0; v < vectors; v++)
      _mm256_storeu_si256((__m256i *)(to + o * stride + block + lanes * v), _mm512_cvtsepi32_epi16(sum[o][v]));
}

WIDE void cv_convolve_pairs_wide(const cv_convolution *c, int64_t blocks, int16_t *to, int64_t stride) {
  int64_t block = 0;
  for (; blocks - block > lanes; block += most * lanes) pairs(c, block, most, to, stride);
  if (block < blocks) pairs(c, block, 1, to, stride);
}

WIDE void cv_convolve_wide(const cv_convolution *c, int64_t blocks, int16_t *to, int64_t stride) {
  int64_t block = 0;
  for (; blocks - block > lanes; block += most * lanes) plain(c, block, most, to, stride);
  if (block < blocks) plain(c, block, 1, to, stride);
}

#else

int cv_has_wide_convolution(void) { return 0; }
void cv_convolve_pairs_wide(const cv_convolution *c, int64_t blocks, int16_t *to, int64_t stride) {
  (void)c, (void)blocks, (void)to, (void)stride;
  __builtin_trap();
}
void cv_convolve_wide(const cv_convolution *c, int64_t blocks, int16_t *to, int64_t stride) {
  (void)c, (void)blocks, (void)to, (void)stride;
  __builtin_trap();
}

#endif
