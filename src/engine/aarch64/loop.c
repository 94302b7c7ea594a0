/* engine/aarch64/loop.c - the references of a turn in four registers of NEON. */
#include "engine/loop.h"

#include <arm_neon.h>

/* A bit for each of eight words that is all ones. */
MS_INLINE uint32_t bits_of(const uint64x2_t *pair)
{
	static const uint16_t bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	uint32x4_t low = vuzp1q_u32(vreinterpretq_u32_u64(pair[0]), vreinterpretq_u32_u64(pair[1]));
	uint32x4_t high =
		vuzp1q_u32(vreinterpretq_u32_u64(pair[2]), vreinterpretq_u32_u64(pair[3]));
	uint16x8_t all = vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));

	return vaddvq_u16(vandq_u16(all, vld1q_u16(bits)));
}

MS_INLINE uint64x2_t lines_at(const uint64_t *addresses)
{
	return vshrq_n_u64(vld1q_u64(addresses), MS_LOOP_SHIFT);
}

/* Those of two references' leaders. */
MS_INLINE uint64x2_t leaders_of(const struct loop *loop, const uint64_t *before, unsigned i)
{
	uint64x2_t two = vdupq_n_u64(before[loop->leader_at[i]]);

	two = vsetq_lane_u64(before[loop->leader_at[i + 1]], two, 1);
	return vshrq_n_u64(two, MS_LOOP_SHIFT);
}

/* A bit for each reference that is not on a line of its own. */
MS_INLINE uint32_t same_of(const struct loop *loop, const uint64_t *turn)
{
	const uint64_t *before = turn - (loop->refs + 1);
	uint64x2_t same[4];

	for (unsigned i = 0; i < 8; i += 2) {
		uint64x2_t lines = lines_at(turn + 1 + i);

		same[i / 2] = vorrq_u64(vceqq_u64(lines, lines_at(before + 1 + i)),
					vceqq_u64(lines, leaders_of(loop, before, i)));
	}
	return bits_of(same);
}

MS_INLINE uint32_t odd_of(const struct loop *loop, const uint64_t *turn)
{
	uint64x2_t odd[4];

	for (unsigned i = 0; i < 8; i += 2) {
		uint64x2_t addresses = vld1q_u64(turn + 1 + i);
		uint64x2_t offset = vsubq_u64(addresses, vld1q_u64(loop->start + i));
		uint64x2_t in_line = vandq_u64(addresses, vdupq_n_u64(MS_LOOP_LINE - 1));

		odd[i / 2] = vorrq_u64(vcgeq_u64(offset, vld1q_u64(loop->size + i)),
				       vcgeq_u64(in_line, vld1q_u64(loop->room + i)));
	}
	return bits_of(odd);
}

MS_INLINE struct turns compare_by_twos(const struct loop *loop, const uint64_t *at,
				       const uint64_t *end)
{
	const uint32_t used = (1u << loop->refs) - 1;
	struct turns turns = { at, 0, 0, false };
	uint32_t odd = 0;

	for (; turns.n < MS_LOOP_TURNS && end - at > MS_LOOP_REFS && *at == loop->head;
	     at += loop->refs + 1) {
		__builtin_prefetch(at + MS_WORDS_AHEAD);
		odd |= odd_of(loop, at);
		turns.changed |= (uint64_t)(~same_of(loop, at) & used) << turns.n++ * MS_LOOP_REFS;
	}
	turns.odd = (odd & used) != 0;
	return turns;
}

MS_INLINE bool is_held(const struct loop *loop, const uint64_t *turn, unsigned but, uint64_t line)
{
	const uint64_t *before = turn - (loop->refs + 1);
	uint64x2_t wanted = vdupq_n_u64(line), held[4];

	for (unsigned i = 0; i < 8; i += 2)
		held[i / 2] = vorrq_u64(vceqq_u64(lines_at(turn + 1 + i), wanted),
					vceqq_u64(lines_at(before + 1 + i), wanted));
	return (bits_of(held) & ~(1u << but) & ((1u << loop->refs) - 1)) != 0;
}

static const uint64_t *run_neon(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	return ms_loop_by(loop, at, end, compare_by_twos, is_held);
}

const struct loop_way ms_loop_ways[] = {
	{ NULL, run_neon },
};
