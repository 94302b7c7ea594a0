/* bench/advice/stream.h - stores that do not fetch the line that they overwrite. */
#ifndef BENCH_ADVICE_STREAM_H
#define BENCH_ADVICE_STREAM_H

#include <stdint.h>

#ifdef __x86_64__
#include <emmintrin.h>

static inline void stream_pair(uint64_t *to, uint64_t first, uint64_t second)
{
	_mm_stream_si128((__m128i *)to, _mm_set_epi64x((long long)second, (long long)first));
}
#else
static inline void stream_pair(uint64_t *to, uint64_t first, uint64_t second)
{
	__asm__ volatile("stnp %0, %1, [%2]" : : "r"(first), "r"(second), "r"(to) : "memory");
}
#endif

#endif
