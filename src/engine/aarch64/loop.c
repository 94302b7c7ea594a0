/* engine/aarch64/loop.c - references of turns, two at once, in registers of NEON. */
#include "engine/march.h"

#include <arm_neon.h>

/* Two bits: which of the two words are all ones. */
MS_INLINE uint32_t bits_of(uint64x2_t two)
{
	return (uint32_t)((vgetq_lane_u64(two, 0) & 1) | (vgetq_lane_u64(two, 1) & 2));
}

/* What stands before two references: those of the first turn have it elsewhere. */
MS_INLINE uint64x2_t two_before(const struct loop *loop, const uint64_t *addresses,
				const uint64_t *before, uint32_t i)
{
	uint64x2_t behind = vld1q_u64(addresses + i - loop->period);

	if (i + 2 <= loop->period)
		return vld1q_u64(before + i);
	return i < loop->period ? vsetq_lane_u64(before[i], behind, 0) : behind;
}

MS_INLINE uint64x2_t odd_of(const struct loop *loop, uint64x2_t now, uint32_t i)
{
	uint64x2_t offset = vsubq_u64(now, vld1q_u64(loop->start + i));
	uint64x2_t in_line = vandq_u64(now, vdupq_n_u64(MS_LOOP_LINE - 1));

	return vorrq_u64(vcgeq_u64(offset, vld1q_u64(loop->size + i)),
			 vcgeq_u64(in_line, vld1q_u64(loop->room + i)));
}

/* Which of two are on other lines than two others. */
MS_INLINE uint64x2_t off_lines_of(uint64x2_t two, uint64x2_t others)
{
	return vcgeq_u64(veorq_u64(two, others), vdupq_n_u64(MS_LOOP_LINE));
}

/* What stands before the first address may be a head. */
MS_INLINE struct compared compare_by_2(const struct loop *loop, const uint64_t *addresses,
				       const uint64_t *before)
{
	struct compared c = { 0, 0, 0 };
	uint64x2_t odds = vdupq_n_u64(0);

	__builtin_prefetch(addresses + MS_WORDS_AHEAD);
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
	c.odd = bits_of(odds);
	return c;
}

static struct turns compare_neon(const struct loop *loop, const uint64_t *at, const uint64_t *end,
				 bool joined)
{
	return ms_loop_compare_by(loop, at, end, joined, compare_by_2);
}

MS_INLINE bool differ_by_2(const uint64_t *now, const uint64_t *before, const uint64_t *by,
			   uint32_t n)
{
	uint64x2_t differ = vdupq_n_u64(0);
	uint64_t rest = 0;
	uint32_t i = 0;

	__builtin_prefetch(now + MS_WORDS_AHEAD);
	for (; i + 2 <= n; i += 2) {
		uint64x2_t far = vsubq_u64(vld1q_u64(now + i), vld1q_u64(before + i));

		differ = vorrq_u64(differ, veorq_u64(far, vld1q_u64(by + i)));
	}
	if (i < n)
		rest = (now[i] - before[i]) ^ by[i];
	return (rest | vgetq_lane_u64(differ, 0) | vgetq_lane_u64(differ, 1)) != 0;
}

static uint64_t follow_neon(const struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_march_follow_by(loop, at, end, differ_by_2);
}

const struct loop_way ms_loop_ways[] = {
	{ NULL, compare_neon, follow_neon },
};
