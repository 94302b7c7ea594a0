/*
 * engine/filter/aarch64/loop_compare.c - compares iterations, two references at a time, with NEON.
 */
#include "engine/filter/loop_compare.h"
#include "engine/filter/stride_run.h"

#include <arm_neon.h>

/* A prefetch more than a page ahead waits for the address translation, and delays all else. */
enum { WORDS_AHEAD = 256 };

/* Two bits: which of the two words are all ones. */
MS_INLINE uint32_t bits_of(uint64x2_t two)
{
	return (uint32_t)((vgetq_lane_u64(two, 0) & 1) | (vgetq_lane_u64(two, 1) & 2));
}

/*
 * The addresses of two references in the iteration before; for the first iteration they are in
 * `before`.
 */
MS_INLINE uint64x2_t two_before(const struct ms_filter_loop *loop, const uint64_t *addresses,
				const uint64_t *before, uint32_t i)
{
	uint64x2_t previous = vld1q_u64(addresses + i - loop->period);

	if (i + 2 <= loop->period)
		return vld1q_u64(before + i);
	return i < loop->period ? vsetq_lane_u64(before[i], previous, 0) : previous;
}

MS_INLINE uint64x2_t odd_of(const struct ms_filter_loop *loop, uint64x2_t now, uint32_t i)
{
	uint64x2_t offset = vsubq_u64(now, vld1q_u64(loop->start + i));
	uint64x2_t in_line = vandq_u64(now, vdupq_n_u64(MS_FILTER_LINE_BYTES - 1));

	return vorrq_u64(vcgeq_u64(offset, vld1q_u64(loop->size + i)),
			 vcgeq_u64(in_line, vld1q_u64(loop->room + i)));
}

/* Which of two addresses are on other lines than two others. */
MS_INLINE uint64x2_t off_lines_of(uint64x2_t two, uint64x2_t others)
{
	return vcgeq_u64(veorq_u64(two, others), vdupq_n_u64(MS_FILTER_LINE_BYTES));
}

/* The word before the first address can be a head word. */
MS_INLINE struct ms_filter_comparison
compare_by_2(const struct ms_filter_loop *loop, const uint64_t *addresses, const uint64_t *before)
{
	struct ms_filter_comparison c = { 0, 0, 0 };
	uint64x2_t odds = vdupq_n_u64(0);

	__builtin_prefetch(addresses + WORDS_AHEAD);
	for (uint32_t i = 0; i < loop->refs; i += 2) {
		uint64x2_t used = vcombine_u64(vdup_n_u64(UINT64_MAX),
					       vdup_n_u64(i + 1 < loop->refs ? UINT64_MAX : 0));
		uint64x2_t now = vld1q_u64(addresses + i);
		uint64x2_t was = two_before(loop, addresses, before, i);
		uint64x2_t other = off_lines_of(now, vld1q_u64(addresses + i - 1));

		odds = vorrq_u64(odds, vandq_u64(odd_of(loop, now, i), used));
		c.changed |= (uint64_t)bits_of(vandq_u64(off_lines_of(now, was), used)) << i;
		c.again |= (uint64_t)bits_of(vbicq_u64(used, other)) << i;
	}
	c.again &= ~UINT64_C(1);
	c.mismatch = bits_of(odds);
	return c;
}

static struct ms_filter_iterations compare_neon(const struct ms_filter_loop *loop,
						const uint64_t *at, const uint64_t *end,
						bool joined)
{
	return ms_filter_compare_loop_by(loop, at, end, joined, compare_by_2);
}

/* --- strides --- */

/* Not 0 where the distance of one of two words from the word before is not the expected one. */
MS_INLINE uint64x2_t differ_of(const uint64_t *now, const uint64_t *before, const uint64_t *by)
{
	return veorq_u64(vsubq_u64(vld1q_u64(now), vld1q_u64(before)), vld1q_u64(by));
}

MS_INLINE uint64x2_t differ_of_8(const uint64_t *now, const uint64_t *before, const uint64_t *by)
{
	uint64x2_t near =
		vorrq_u64(differ_of(now, before, by), differ_of(now + 2, before + 2, by + 2));
	uint64x2_t far = vorrq_u64(differ_of(now + 4, before + 4, by + 4),
				   differ_of(now + 6, before + 6, by + 6));

	return vorrq_u64(near, far);
}

MS_INLINE bool is_any(uint64x2_t bits)
{
	uint32x4_t words = vreinterpretq_u32_u64(bits);

	return vgetq_lane_u64(vreinterpretq_u64_u32(vpmaxq_u32(words, words)), 0) != 0;
}

/* Compares eight at a time; the last eight can overlap the ones before. */
MS_INLINE bool differ_by_8(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			   uint32_t n)
{
	uint64x2_t differ = vdupq_n_u64(0);
	uint64_t rest = 0;
	uint32_t i = 0, last = n - 8;

	for (; i + 8 <= n; i += 8)
		differ = vorrq_u64(differ, differ_of_8(now + i, before + i, by + i));
	if (i < n && n >= 8)
		differ = vorrq_u64(differ, differ_of_8(now + last, before + last, by + last));
	for (; i < n && n < 8; i++)
		rest |= (now[i] - before[i]) ^ by[i];
	return rest != 0 || is_any(differ);
}

static bool differ_neon(const uint64_t *now, const uint64_t *before, const uint64_t *by, uint32_t n)
{
	return differ_by_8(now, before, by, n);
}

/* For executions of up to 4 * fours references: keeps the expected next addresses in registers. */
MS_INLINE uint64_t follow_in(const struct ms_filter_loop *loop, const uint64_t *at,
			     const uint64_t *end, const uint32_t fours)
{
	static const uint64_t ones[8] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };
	const uint32_t refs = loop->refs, words = refs + 1, twos = 2 * fours;
	const uint64_t *used = ones + (4 * fours - refs), *last = end - words - refs;
	const uint64_t head = *at;
	uint64x2_t expected[12], by[12];
	uint64_t n = 1;

	if (differ_by_8(at + 1 + loop->period, at + 1, loop->iteration_strides,
			refs - loop->period))
		return 0;
	MS_UNROLL(12)
	for (uint32_t i = 0; i < twos; i++) {
		expected[i] = vld1q_u64(at + 1 + 2 * i);
		by[i] = vld1q_u64(loop->execution_strides + 1 + 2 * i);
	}
	for (; last - at > MS_FILTER_LOOP_MARGIN && at[words] == head; n++) {
		uint64x2_t differ[4] = { vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0),
					 vdupq_n_u64(0) };

		at += words;
		MS_UNROLL(3)
		for (uint32_t i = 0; i < 4 * fours; i += 8)
			__builtin_prefetch(at + i + WORDS_AHEAD);
		MS_UNROLL(12)
		for (uint32_t i = 0; i < twos; i++) {
			expected[i] = vaddq_u64(expected[i], by[i]);
			uint64x2_t far = veorq_u64(vld1q_u64(at + 1 + 2 * i), expected[i]);

			if (i + 2 >= twos)
				far = vandq_u64(far, vld1q_u64(used + 2 * (i + 2 - twos)));
			differ[i % 4] = vorrq_u64(differ[i % 4], far);
		}
		if (is_any(vorrq_u64(vorrq_u64(differ[0], differ[1]),
				     vorrq_u64(differ[2], differ[3]))))
			break;
	}
	return n;
}

/* More than six groups of four, or their strides, do not fit into registers. */
static uint64_t follow_neon(const struct ms_filter_loop *loop, const uint64_t *at,
			    const uint64_t *end)
{
	switch ((loop->refs + 3) / 4) {
	case 1:
		return follow_in(loop, at, end, 1);
	case 2:
		return follow_in(loop, at, end, 2);
	case 3:
		return follow_in(loop, at, end, 3);
	case 4:
		return follow_in(loop, at, end, 4);
	case 5:
		return follow_in(loop, at, end, 5);
	case 6:
		return follow_in(loop, at, end, 6);
	default:
		return ms_filter_find_stride_run_by(loop, at, end, differ_by_8, WORDS_AHEAD);
	}
}

const struct ms_filter_loop_impl ms_filter_loop_impls[] = {
	{ NULL, compare_neon, follow_neon, differ_neon, WORDS_AHEAD },
};
