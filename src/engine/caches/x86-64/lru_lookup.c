/*
 * engine/caches/x86-64/lru_lookup.c - line lookup: a set in one or two registers of AVX-512, or in
 * up to four of AVX2.
 */
#include "engine/caches/lru_lookup_next.h"

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,bmi,bmi2")))
#define AVX2   __attribute__((target("avx2,bmi,bmi2")))

/* The ways from 0 up to the one that holds the line, or all of them: these get another line. */
MS_INLINE uint32_t moved(const struct ms_caches_lru *cache, uint32_t same)
{
	return (same ^ (same - 1)) & ((1u << cache->ways) - 1);
}

MS_INLINE uint32_t way_of(uint32_t same)
{
	return same != 0 ? (uint32_t)__builtin_ctz(same) : MS_CACHES_LOOKUP_MISS;
}

/* --- AVX-512 --- */

AVX512 MS_INLINE bool insert_8_wide(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
				    struct ms_caches_insertion *insertion)
{
	__m512i wanted = _mm512_set1_epi64((long long)line);
	__m512i was = _mm512_load_si512(set);
	uint32_t same = _mm512_cmpeq_epi64_mask(was, wanted);

	insertion->victim = set[cache->ways - 1];
	insertion->way = way_of(same);
	_mm512_store_si512(
		set, _mm512_mask_alignr_epi64(was, (__mmask8)moved(cache, same), was, wanted, 7));
	return same == 0;
}

AVX512 MS_INLINE bool insert_16_wide(const struct ms_caches_lru *cache, uint64_t *set,
				     uint64_t line, struct ms_caches_insertion *insertion)
{
	__m512i wanted = _mm512_set1_epi64((long long)line);
	__m512i near = _mm512_load_si512(set), far = _mm512_load_si512(set + 8);
	uint32_t same = _mm512_cmpeq_epi64_mask(near, wanted) |
			(uint32_t)_mm512_cmpeq_epi64_mask(far, wanted) << 8;
	uint32_t move = moved(cache, same);

	insertion->victim = set[cache->ways - 1];
	insertion->way = way_of(same);
	_mm512_store_si512(set, _mm512_mask_alignr_epi64(near, (__mmask8)move, near, wanted, 7));
	_mm512_store_si512(set + 8,
			   _mm512_mask_alignr_epi64(far, (__mmask8)(move >> 8), far, near, 7));
	return same == 0;
}

AVX512 static size_t look_up_avx512(const struct ms_caches_lru *cache,
				    const struct ms_caches_window_lookup *seen,
				    struct ms_caches_miss *lines, size_t n)
{
	return ms_caches_look_up_by(cache, seen, lines, n, insert_8_wide, insert_16_wide);
}

AVX512 static size_t first_avx512(const struct ms_caches_lru *cache,
				  const struct ms_caches_window_lookup *seen,
				  const struct ms_filter_pending_list *pending_list,
				  const struct ms_filter_phase_span *span, size_t to,
				  struct ms_caches_miss *out)
{
	return ms_caches_look_up_first_by(cache, seen, pending_list, span, to, out, insert_8_wide,
					  insert_16_wide);
}

/* --- AVX2 --- */

/* Lane masks, by a mask of four bits. */
static const long long lanes[16][4] MS_ALIGNED(32) = {
	{ 0, 0, 0, 0 },   { -1, 0, 0, 0 },   { 0, -1, 0, 0 },   { -1, -1, 0, 0 },
	{ 0, 0, -1, 0 },  { -1, 0, -1, 0 },  { 0, -1, -1, 0 },  { -1, -1, -1, 0 },
	{ 0, 0, 0, -1 },  { -1, 0, 0, -1 },  { 0, -1, 0, -1 },  { -1, -1, 0, -1 },
	{ 0, 0, -1, -1 }, { -1, 0, -1, -1 }, { 0, -1, -1, -1 }, { -1, -1, -1, -1 },
};

/* Four lines, each moved back by one where `move` has a bit; the last of `before` precedes them. */
AVX2 MS_INLINE __m256i move_back(__m256i was, __m256i before, uint32_t move)
{
	__m256i middle = _mm256_permute2x128_si256(before, was, 0x21);
	__m256i back = _mm256_alignr_epi8(was, middle, 8);

	return _mm256_blendv_epi8(was, back, *(const __m256i *)(const void *)lanes[move & 15]);
}

AVX2 MS_INLINE bool insert_by_fours(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
				    struct ms_caches_insertion *insertion, const unsigned fours)
{
	__m256i *at = (__m256i *)(void *)set;
	__m256i wanted = _mm256_set1_epi64x((long long)line), was[4], before = wanted;
	uint32_t same = 0;

	for (unsigned i = 0; i < fours; i++) {
		was[i] = _mm256_load_si256(at + i);
		same |= (uint32_t)_mm256_movemask_pd(
				_mm256_castsi256_pd(_mm256_cmpeq_epi64(was[i], wanted)))
			<< 4 * i;
	}
	uint32_t move = moved(cache, same);
	insertion->victim = set[cache->ways - 1];
	insertion->way = way_of(same);
	for (unsigned i = 0; i < fours; i++) {
		_mm256_store_si256(at + i, move_back(was[i], before, move >> 4 * i));
		before = was[i];
	}
	return same == 0;
}

AVX2 MS_INLINE bool insert_8(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			     struct ms_caches_insertion *insertion)
{
	return insert_by_fours(cache, set, line, insertion, 2);
}

AVX2 MS_INLINE bool insert_16(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			      struct ms_caches_insertion *insertion)
{
	return insert_by_fours(cache, set, line, insertion, 4);
}

AVX2 static size_t look_up_avx2(const struct ms_caches_lru *cache,
				const struct ms_caches_window_lookup *seen,
				struct ms_caches_miss *lines, size_t n)
{
	return ms_caches_look_up_by(cache, seen, lines, n, insert_8, insert_16);
}

AVX2 static size_t first_avx2(const struct ms_caches_lru *cache,
			      const struct ms_caches_window_lookup *seen,
			      const struct ms_filter_pending_list *pending_list,
			      const struct ms_filter_phase_span *span, size_t to,
			      struct ms_caches_miss *out)
{
	return ms_caches_look_up_first_by(cache, seen, pending_list, span, to, out, insert_8,
					  insert_16);
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

const struct ms_caches_lookup_impl ms_caches_lookup_impls[] = {
	{ "avx512", 16, has_avx512, look_up_avx512, first_avx512, NULL },
	{ "avx2", 16, has_avx2, look_up_avx2, first_avx2, NULL },
	{ NULL, UINT32_MAX, NULL, ms_caches_look_up_scalar, ms_caches_look_up_first_scalar, NULL },
};
