/* engine/x86-64/loop.c - the references of a turn in one register of AVX-512, or in two of AVX2. */
#include "engine/loop.h"

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,bmi,bmi2")))
#define AVX2   __attribute__((target("avx2,bmi,bmi2")))

/* --- AVX-512 --- */

AVX512 MS_INLINE __m512i lines_of(__m512i addresses)
{
	return _mm512_srli_epi64(addresses, MS_LOOP_SHIFT);
}

/* Addresses hardly ever begin with a line of the host: they are to be loaded once. */
AVX512 MS_INLINE __m512i load_once(const uint64_t *words)
{
	__m512i loaded = _mm512_loadu_si512(words);

	__asm__("" : "+v"(loaded));
	return loaded;
}

AVX512 MS_INLINE struct turns compare_8(const struct loop *loop, const uint64_t *at,
					const uint64_t *end)
{
	const __m512i start = _mm512_load_si512(loop->start), size = _mm512_load_si512(loop->size);
	const __m512i room = _mm512_load_si512(loop->room);
	const __m512i leader = _mm512_load_si512(loop->leader);
	const __m512i in_line = _mm512_set1_epi64(MS_LOOP_LINE - 1);
	const uint64_t head = loop->head;
	const uint32_t step = loop->refs + 1;
	__m512i before = lines_of(_mm512_loadu_si512(at + 1 - step));
	__mmask8 used = (__mmask8)((1u << loop->refs) - 1), odd = 0;
	struct turns turns = { at, 0, 0, false };

	for (; turns.n < MS_LOOP_TURNS && end - at > MS_LOOP_REFS && *at == head; at += step) {
		__m512i addresses = load_once(at + 1), lines = lines_of(addresses);
		__m512i offset = _mm512_sub_epi64(addresses, start);

		__builtin_prefetch(at + MS_WORDS_AHEAD);
		odd |= _mm512_cmpge_epu64_mask(offset, size);
		odd |= _mm512_cmpge_epu64_mask(_mm512_and_si512(addresses, in_line), room);
		__mmask8 other = _mm512_mask_cmpneq_epi64_mask(used, lines, before);
		other = _mm512_mask_cmpneq_epi64_mask(
			other, lines, _mm512_permutex2var_epi64(lines, leader, before));
		turns.changed |= (uint64_t)other << turns.n++ * MS_LOOP_REFS;
		before = lines;
	}
	turns.odd = (odd & used) != 0;
	return turns;
}

AVX512 MS_INLINE bool is_held_8(const struct loop *loop, const uint64_t *turn, unsigned but,
				uint64_t line)
{
	const uint64_t *before = turn - (loop->refs + 1);
	__m512i wanted = _mm512_set1_epi64((long long)line);
	uint32_t now = _mm512_cmpeq_epi64_mask(lines_of(_mm512_loadu_si512(turn + 1)), wanted);
	uint32_t then = _mm512_cmpeq_epi64_mask(lines_of(_mm512_loadu_si512(before + 1)), wanted);

	return ((now | then) & ~(1u << but) & ((1u << loop->refs) - 1)) != 0;
}

AVX512 static const uint64_t *run_avx512(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_loop_by(loop, at, end, compare_8, is_held_8);
}

/* --- AVX2 --- */

AVX2 MS_INLINE __m256i four_at(const uint64_t *words)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

AVX2 MS_INLINE __m256i lines_of_four(__m256i addresses)
{
	return _mm256_srli_epi64(addresses, MS_LOOP_SHIFT);
}

AVX2 MS_INLINE uint32_t signs_of(__m256i four)
{
	return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(four));
}

/* A bit for each reference of the four that is on a line of its own. */
AVX2 MS_INLINE uint32_t changed_of_four(const struct loop *loop, const uint64_t *turn,
					const unsigned from)
{
	const uint64_t *before = turn - (loop->refs + 1);
	__m256i lines = lines_of_four(four_at(turn + 1 + from));
	__m256i was = lines_of_four(four_at(before + 1 + from));
	__m256i leaders = lines_of_four(_mm256_i64gather_epi64((const long long *)before,
							       four_at(loop->leader_at + from), 8));

	return signs_of(_mm256_or_si256(_mm256_cmpeq_epi64(lines, was),
					_mm256_cmpeq_epi64(lines, leaders))) ^
	       15;
}

/* An address below the start is odd as it is: as a signed number, its offset is negative. */
AVX2 MS_INLINE uint32_t odd_of_four(const struct loop *loop, const uint64_t *turn,
				    const unsigned from)
{
	__m256i addresses = four_at(turn + 1 + from);
	__m256i offset = _mm256_sub_epi64(addresses, four_at(loop->start + from));
	__m256i in_line = _mm256_and_si256(addresses, _mm256_set1_epi64x(MS_LOOP_LINE - 1));
	__m256i inside = _mm256_cmpgt_epi64(four_at(loop->size + from), offset);
	__m256i whole = _mm256_cmpgt_epi64(four_at(loop->room + from), in_line);

	return signs_of(offset) | (signs_of(_mm256_and_si256(inside, whole)) ^ 15);
}

AVX2 MS_INLINE struct turns compare_4_4(const struct loop *loop, const uint64_t *at,
					const uint64_t *end)
{
	const uint32_t used = (1u << loop->refs) - 1;
	struct turns turns = { at, 0, 0, false };
	uint32_t odd = 0;

	for (; turns.n < MS_LOOP_TURNS && end - at > MS_LOOP_REFS && *at == loop->head;
	     at += loop->refs + 1) {
		uint32_t changed = changed_of_four(loop, at, 0) | changed_of_four(loop, at, 4) << 4;

		__builtin_prefetch(at + MS_WORDS_AHEAD);
		odd |= odd_of_four(loop, at, 0) | odd_of_four(loop, at, 4) << 4;
		turns.changed |= (uint64_t)(changed & used) << turns.n++ * MS_LOOP_REFS;
	}
	turns.odd = (odd & used) != 0;
	return turns;
}

AVX2 MS_INLINE uint32_t on_line(const uint64_t *addresses, __m256i wanted)
{
	__m256i low = lines_of_four(four_at(addresses));
	__m256i high = lines_of_four(four_at(addresses + 4));

	return signs_of(_mm256_cmpeq_epi64(low, wanted)) |
	       signs_of(_mm256_cmpeq_epi64(high, wanted)) << 4;
}

AVX2 MS_INLINE bool is_held_4_4(const struct loop *loop, const uint64_t *turn, unsigned but,
				uint64_t line)
{
	__m256i wanted = _mm256_set1_epi64x((long long)line);
	uint32_t holders = on_line(turn + 1, wanted) | on_line(turn - loop->refs, wanted);

	return (holders & ~(1u << but) & ((1u << loop->refs) - 1)) != 0;
}

AVX2 static const uint64_t *run_avx2(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_loop_by(loop, at, end, compare_4_4, is_held_4_4);
}

/* --- what this processor can do --- */

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

const struct loop_way ms_loop_ways[] = {
	{ has_avx512, run_avx512 },
	{ has_avx2, run_avx2 },
	{ NULL, ms_loop_take_none },
};
