/* engine/aarch64/fall.c - a set in four or eight registers of NEON. */
#include "engine/fall.h"

#include <arm_neon.h>

/* By two bits: the same two lanes. */
static const uint64_t lanes[4][2] = { { 0, 0 }, { ~0ULL, 0 }, { 0, ~0ULL }, { ~0ULL, ~0ULL } };

/* A bit for each of eight lines that is the one wanted. */
MS_INLINE uint32_t same_of(const uint64x2_t *was, uint64x2_t wanted)
{
	uint32x4_t low = vuzp1q_u32(vreinterpretq_u32_u64(vceqq_u64(was[0], wanted)),
				    vreinterpretq_u32_u64(vceqq_u64(was[1], wanted)));
	uint32x4_t high = vuzp1q_u32(vreinterpretq_u32_u64(vceqq_u64(was[2], wanted)),
				     vreinterpretq_u32_u64(vceqq_u64(was[3], wanted)));
	static const uint16_t bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	uint16x8_t all = vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));

	return vaddvq_u16(vandq_u16(all, vld1q_u16(bits)));
}

/* moved: the ways up to the one that holds the line, or all of them, get another line. */
MS_INLINE bool bring_by_twos(const struct cache *cache, uint64_t *set, uint64_t line,
			     uint64_t *victim, const unsigned twos)
{
	uint64x2_t wanted = vdupq_n_u64(line), was[8], before = wanted;
	uint32_t same = 0;

	for (unsigned i = 0; i < twos; i++)
		was[i] = vld1q_u64(set + 2 * i);
	for (unsigned i = 0; i < twos; i += 4)
		same |= same_of(was + i, wanted) << 2 * i;
	uint32_t moved = (same ^ (same - 1)) & ((1u << cache->ways) - 1);
	*victim = set[cache->ways - 1];
	for (unsigned i = 0; i < twos; i++) {
		uint64x2_t mask = vld1q_u64(lanes[moved >> 2 * i & 3]);

		vst1q_u64(set + 2 * i, vbslq_u64(mask, vextq_u64(before, was[i], 1), was[i]));
		before = was[i];
	}
	return same == 0;
}

MS_INLINE bool bring_8(const struct cache *cache, uint64_t *set, uint64_t line, uint64_t *victim)
{
	return bring_by_twos(cache, set, line, victim, 4);
}

MS_INLINE bool bring_16(const struct cache *cache, uint64_t *set, uint64_t line, uint64_t *victim)
{
	return bring_by_twos(cache, set, line, victim, 8);
}

static size_t fall_neon(const struct cache *cache, struct falling *lines, size_t n)
{
	return cache->ways <= 8 ? ms_fall_by(cache, lines, n, bring_8)
				: ms_fall_by(cache, lines, n, bring_16);
}

static size_t first_neon(const struct cache *cache, const struct doubts *doubts,
			 const struct span *span, size_t to, struct falling *out)
{
	return cache->ways <= 8 ? ms_fall_first_by(cache, doubts, span, to, out, bring_8)
				: ms_fall_first_by(cache, doubts, span, to, out, bring_16);
}

static bool always(void)
{
	return true;
}

const struct fall_way ms_fall_ways[] = {
	{ "neon", 16, always, fall_neon, first_neon },
	{ NULL, UINT32_MAX, NULL, ms_fall_plain, ms_fall_first_plain },
};
