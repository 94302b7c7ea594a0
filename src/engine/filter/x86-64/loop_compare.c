/* engine/filter/x86-64/loop_compare.c - compares iterations, eight or four references at a time. */
#include "engine/filter/loop_compare.h"
#include "engine/filter/stride_run.h"

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,bmi,bmi2")))
#define AVX2   __attribute__((target("avx2,bmi,bmi2")))

/* The host's hardware prefetcher stays within a page, so the software prefetch covers more. */
enum { WORDS_AHEAD = 1024 };

/* --- AVX-512 --- */

/*
 * Compares eight references from index i on, of which some are used; last: the eight before them.
 */
AVX512 MS_INLINE __m512i compare_8(const struct ms_filter_loop *loop, const uint64_t *addresses,
				   uint32_t i, const __mmask8 used, __m512i before, __m512i last,
				   struct ms_filter_comparison *c)
{
	const __m512i line = _mm512_set1_epi64(MS_FILTER_LINE_BYTES);
	__m512i now = _mm512_loadu_si512(addresses + i);
	__m512i offset = _mm512_sub_epi64(now, _mm512_loadu_si512(loop->start + i));
	__m512i in_line = _mm512_and_si512(now, _mm512_set1_epi64(MS_FILTER_LINE_BYTES - 1));
	__m512i next = _mm512_alignr_epi64(now, last, 7);
	__mmask8 known =
		_mm512_mask_cmplt_epu64_mask(used, offset, _mm512_loadu_si512(loop->size + i));

	__builtin_prefetch(addresses + i + WORDS_AHEAD);
	known = _mm512_mask_cmplt_epu64_mask(known, in_line, _mm512_loadu_si512(loop->room + i));
	c->mismatch |= (uint32_t)known ^ used;
	c->changed |=
		(uint64_t)_mm512_mask_cmpge_epu64_mask(used, _mm512_xor_si512(now, before), line)
		<< i;
	c->again |= (uint64_t)_mm512_mask_cmplt_epu64_mask(used, _mm512_xor_si512(now, next), line)
		    << i;
	return now;
}

AVX512 MS_INLINE struct ms_filter_comparison
compare_by_8(const struct ms_filter_loop *loop, const uint64_t *addresses, const uint64_t *before)
{
	const uint64_t *previous = addresses - loop->period;
	const uint32_t refs = loop->refs, whole = refs & ~7u;
	const __mmask8 rest = (__mmask8)((1u << (refs & 7)) - 1);
	__m512i other = _mm512_mask_loadu_epi64(_mm512_loadu_si512(previous), (__mmask8)loop->first,
						before);
	__m512i last = _mm512_setzero_si512();
	struct ms_filter_comparison c = { 0, 0, 0 };

	for (uint32_t i = 0; i < whole; i += 8) {
		last = compare_8(loop, addresses, i, 255, other, last, &c);
		other = _mm512_loadu_si512(previous + i + 8);
	}
	if (rest != 0)
		compare_8(loop, addresses, whole, rest, other, last, &c);
	return c;
}

AVX512 static struct ms_filter_iterations compare_avx512(const struct ms_filter_loop *loop,
							 const uint64_t *at, const uint64_t *end,
							 bool joined)
{
	return ms_filter_compare_loop_by(loop, at, end, joined, compare_by_8);
}

AVX512 MS_INLINE bool differ_by_8(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				  uint32_t n)
{
	uint32_t differ = 0;

	for (uint32_t i = 0; i < n; i += 8) {
		__mmask8 used = n - i >= 8 ? 255 : (__mmask8)((1u << (n - i)) - 1);
		__m512i far = _mm512_sub_epi64(_mm512_loadu_si512(now + i),
					       _mm512_loadu_si512(before + i));

		differ |= _mm512_mask_cmpneq_epi64_mask(used, far, _mm512_loadu_si512(by + i));
	}
	return differ != 0;
}

AVX512 static bool differ_avx512(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				 uint32_t n)
{
	return differ_by_8(now, before, by, n);
}

/* For executions of up to 8 * n words: keeps them in registers. */
AVX512 MS_INLINE uint64_t follow_in(const struct ms_filter_loop *loop, const uint64_t *at,
				    const uint64_t *end, const uint32_t n)
{
	const uint32_t refs = loop->refs, words = refs + 1, last = words - 8 * (n - 1);
	const __mmask8 used = (__mmask8)((1u << last) - 1);
	__m512i was[4], by[4];
	uint64_t count = 1;

	if (differ_by_8(at + 1 + loop->period, at + 1, loop->iteration_strides,
			refs - loop->period))
		return 0;
	MS_UNROLL(4)
	for (uint32_t i = 0; i < n; i++) {
		was[i] = _mm512_loadu_si512(at + 8 * i);
		by[i] = _mm512_loadu_si512(loop->execution_strides + 8 * i);
	}
	for (; end - at > words + refs + MS_FILTER_LOOP_MARGIN; count++) {
		uint32_t differ = 0;

		at += words;
		MS_UNROLL(4)
		for (uint32_t i = 0; i < n; i++) {
			was[i] = _mm512_add_epi64(was[i], by[i]);
			differ |= _mm512_mask_cmpneq_epi64_mask(i + 1 < n ? 255 : used, was[i],
								_mm512_loadu_si512(at + 8 * i));
			__builtin_prefetch(at + 8 * i + WORDS_AHEAD);
		}
		if (differ != 0)
			break;
	}
	return count;
}

AVX512 static uint64_t follow_avx512(const struct ms_filter_loop *loop, const uint64_t *at,
				     const uint64_t *end)
{
	switch (loop->refs / 8) {
	case 0:
		return follow_in(loop, at, end, 1);
	case 1:
		return follow_in(loop, at, end, 2);
	case 2:
		return follow_in(loop, at, end, 3);
	case 3:
		return follow_in(loop, at, end, 4);
	default:
		return ms_filter_find_stride_run_by(loop, at, end, differ_by_8, WORDS_AHEAD);
	}
}

/* --- AVX2 --- */

AVX2 MS_INLINE __m256i four_at(const uint64_t *words)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

AVX2 MS_INLINE uint32_t signs_of(__m256i four)
{
	return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(four));
}

/* An address below the start has a negative offset as a signed number, and so does not match. */
AVX2 MS_INLINE uint32_t odd_of_four(const struct ms_filter_loop *loop, __m256i now, uint32_t i)
{
	__m256i offset = _mm256_sub_epi64(now, four_at(loop->start + i));
	__m256i in_line = _mm256_and_si256(now, _mm256_set1_epi64x(MS_FILTER_LINE_BYTES - 1));
	__m256i inside = _mm256_cmpgt_epi64(four_at(loop->size + i), offset);
	__m256i whole = _mm256_cmpgt_epi64(four_at(loop->room + i), in_line);

	return signs_of(offset) | (signs_of(_mm256_and_si256(inside, whole)) ^ 15);
}

/*
 * The addresses of four references in the iteration before; for the first iteration they are in
 * `before`.
 */
AVX2 MS_INLINE __m256i four_before(const struct ms_filter_loop *loop, const uint64_t *addresses,
				   const uint64_t *before, uint32_t i)
{
	__m256i previous = four_at(addresses + i - loop->period);

	if (i >= loop->period)
		return previous;
	__m256i number = _mm256_add_epi64(_mm256_set1_epi64x(i), _mm256_setr_epi64x(0, 1, 2, 3));
	__m256i first = _mm256_cmpgt_epi64(_mm256_set1_epi64x(loop->period), number);
	return _mm256_blendv_epi8(previous, four_at(before + i), first);
}

/* Which of four addresses are on the lines of four others. */
AVX2 MS_INLINE uint32_t on_lines_of(__m256i four, __m256i others)
{
	__m256i differs = _mm256_srli_epi64(_mm256_xor_si256(four, others), MS_FILTER_LINE_SHIFT);

	return signs_of(_mm256_cmpeq_epi64(differs, _mm256_setzero_si256()));
}

/* The word before the first address can be a head word. */
AVX2 MS_INLINE struct ms_filter_comparison
compare_by_4(const struct ms_filter_loop *loop, const uint64_t *addresses, const uint64_t *before)
{
	struct ms_filter_comparison c = { 0, 0, 0 };

	__builtin_prefetch(addresses + WORDS_AHEAD);
	for (uint32_t i = 0; i < loop->refs; i += 4) {
		uint32_t used = loop->refs - i >= 4 ? 15 : (1u << (loop->refs - i)) - 1;
		__m256i now = four_at(addresses + i);
		uint32_t same = on_lines_of(now, four_before(loop, addresses, before, i));

		c.mismatch |= odd_of_four(loop, now, i) & used;
		c.changed |= (uint64_t)(~same & used) << i;
		c.again |= (uint64_t)(on_lines_of(now, four_at(addresses + i - 1)) & used) << i;
	}
	c.again &= ~UINT64_C(1);
	return c;
}

AVX2 static struct ms_filter_iterations compare_avx2(const struct ms_filter_loop *loop,
						     const uint64_t *at, const uint64_t *end,
						     bool joined)
{
	return ms_filter_compare_loop_by(loop, at, end, joined, compare_by_4);
}

AVX2 MS_INLINE bool differ_by_4(const uint64_t *now, const uint64_t *before, const uint64_t *by,
				uint32_t n)
{
	__m256i differ = _mm256_setzero_si256();
	uint64_t rest = 0;
	uint32_t i = 0;

	for (; i + 4 <= n; i += 4) {
		__m256i far = _mm256_sub_epi64(four_at(now + i), four_at(before + i));

		differ = _mm256_or_si256(differ, _mm256_xor_si256(far, four_at(by + i)));
	}
	for (; i < n; i++)
		rest |= (now[i] - before[i]) ^ by[i];
	return rest != 0 || !_mm256_testz_si256(differ, differ);
}

AVX2 static bool differ_avx2(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			     uint32_t n)
{
	return differ_by_4(now, before, by, n);
}

AVX2 static uint64_t follow_avx2(const struct ms_filter_loop *loop, const uint64_t *at,
				 const uint64_t *end)
{
	return ms_filter_find_stride_run_by(loop, at, end, differ_by_4, WORDS_AHEAD);
}

/* --- processor features --- */

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

const struct ms_filter_loop_impl ms_filter_loop_impls[] = {
	{ has_avx512, compare_avx512, follow_avx512, differ_avx512, WORDS_AHEAD },
	{ has_avx2, compare_avx2, follow_avx2, differ_avx2, WORDS_AHEAD },
	{ NULL, ms_filter_compare_loop_scalar, ms_filter_find_stride_run_scalar,
	  ms_filter_differ_scalar, MS_FILTER_SCALAR_WORDS_AHEAD },
};
