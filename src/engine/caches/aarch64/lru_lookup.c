/*
 * engine/caches/aarch64/lru_lookup.c - line lookup with NEON: a set in four or eight registers, or
 * its tags in four.
 *
 * All loops are unrolled, so that the compiler keeps the arrays of a set in registers.
 */
#include "engine/caches/lru_lookup_next.h"

#include <arm_neon.h>

/* Narrows four registers of all ones or zeros, two ways each, to one register. */
MS_INLINE uint16x8_t narrow(const uint64x2_t *four)
{
	uint32x4_t low = vuzp1q_u32(vreinterpretq_u32_u64(four[0]), vreinterpretq_u32_u64(four[1]));
	uint32x4_t high =
		vuzp1q_u32(vreinterpretq_u32_u64(four[2]), vreinterpretq_u32_u64(four[3]));

	return vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

/*
 * The ways that hold the line, as ones in their field of 64 bits: 8 bits per way, or 4 for 16 ways.
 */
MS_INLINE uint64_t same_of(const uint64x2_t *equal, const unsigned twos)
{
	uint16x8_t near = narrow(equal);

	if (twos == 4)
		return vget_lane_u64(vreinterpret_u64_u8(vmovn_u16(near)), 0);
	uint8x16_t all =
		vuzp1q_u8(vreinterpretq_u8_u16(near), vreinterpretq_u8_u16(narrow(equal + 4)));
	return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(all), 4)), 0);
}

/* The lowest bits of the fields of two ways. */
MS_INLINE uint64x2_t bits_of(unsigned two, const unsigned share)
{
	return vcombine_u64(vcreate_u64(UINT64_C(1) << 2 * two * share),
			    vcreate_u64(UINT64_C(1) << (2 * two + 1) * share));
}

/* moved: the ways up to the one that holds the line, or all of them; these get another line. */
MS_INLINE bool insert_by_twos(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			      struct ms_caches_insertion *insertion, const unsigned twos)
{
	const unsigned share = 32 / twos;
	uint64x2_t wanted = vdupq_n_u64(line), was[8], equal[8], before = wanted;

	MS_UNROLL(8)
	for (unsigned i = 0; i < twos; i++) {
		was[i] = vld1q_u64(set + 2 * i);
		equal[i] = vceqq_u64(was[i], wanted);
	}
	uint64_t same = same_of(equal, twos);
	uint64_t moved = (same ^ (same - 1)) & UINT64_MAX >> (64 - share * cache->ways);
	insertion->victim = set[cache->ways - 1];
	insertion->way =
		same != 0 ? (uint32_t)__builtin_ctzll(same) / share : MS_CACHES_LOOKUP_MISS;
	MS_UNROLL(8)
	for (unsigned i = 0; i < twos; i++) {
		uint64x2_t mask = vtstq_u64(vdupq_n_u64(moved), bits_of(i, share));

		vst1q_u64(set + 2 * i, vbslq_u64(mask, vextq_u64(before, was[i], 1), was[i]));
		before = was[i];
	}
	return same == 0;
}

MS_INLINE bool insert_8(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			struct ms_caches_insertion *insertion)
{
	return insert_by_twos(cache, set, line, insertion, 4);
}

MS_INLINE bool insert_16(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			 struct ms_caches_insertion *insertion)
{
	return insert_by_twos(cache, set, line, insertion, 8);
}

static size_t look_up_neon(const struct ms_caches_lru *cache,
			   const struct ms_caches_window_lookup *seen, struct ms_caches_miss *lines,
			   size_t n)
{
	return ms_caches_look_up_by(cache, seen, lines, n, insert_8, insert_16);
}

static size_t first_neon(const struct ms_caches_lru *cache,
			 const struct ms_caches_window_lookup *seen,
			 const struct ms_filter_pending_list *pending_list,
			 const struct ms_filter_phase_span *span, size_t to,
			 struct ms_caches_miss *out)
{
	return ms_caches_look_up_first_by(cache, seen, pending_list, span, to, out, insert_8,
					  insert_16);
}

/* The ways that hold the tag, four bits each. */
MS_INLINE uint64_t same_tags(const uint32x4_t *was, uint32x4_t wanted)
{
	uint16x8_t near = vuzp1q_u16(vreinterpretq_u16_u32(vceqq_u32(was[0], wanted)),
				     vreinterpretq_u16_u32(vceqq_u32(was[1], wanted)));
	uint16x8_t far = vuzp1q_u16(vreinterpretq_u16_u32(vceqq_u32(was[2], wanted)),
				    vreinterpretq_u16_u32(vceqq_u32(was[3], wanted)));
	uint8x16_t all = vuzp1q_u8(vreinterpretq_u8_u16(near), vreinterpretq_u8_u16(far));

	return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(all), 4)), 0);
}

MS_INLINE bool insert_tag(const struct ms_caches_lru *cache, uint32_t *set, uint32_t tag,
			  struct ms_caches_insertion *insertion)
{
	static const uint32_t numbers[MS_CACHES_LRU_TAGS] = { 0, 1, 2,  3,  4,  5,  6,  7,
							      8, 9, 10, 11, 12, 13, 14, 15 };
	uint32x4_t wanted = vdupq_n_u32(tag), was[4], before = wanted;

	MS_UNROLL(4)
	for (unsigned i = 0; i < 4; i++)
		was[i] = vld1q_u32(set + 4 * i);
	uint64_t same = same_tags(was, wanted);
	uint32_t way = same != 0 ? (uint32_t)__builtin_ctzll(same) / 4 : cache->ways - 1;
	insertion->victim = set[cache->ways - 1];
	insertion->way = same != 0 ? way : MS_CACHES_LOOKUP_MISS;
	MS_UNROLL(4)
	for (unsigned i = 0; i < 4; i++) {
		uint32x4_t moved = vcleq_u32(vld1q_u32(numbers + 4 * i), vdupq_n_u32(way));

		vst1q_u32(set + 4 * i, vbslq_u32(moved, vextq_u32(before, was[i], 3), was[i]));
		before = was[i];
	}
	return same == 0;
}

static size_t tags_neon(const struct ms_caches_lru *cache,
			const struct ms_caches_window_lookup *seen, struct ms_caches_miss *lines,
			size_t n)
{
	return seen == NULL ? ms_caches_look_up_all_tags(cache, NULL, lines, n, insert_tag)
			    : ms_caches_look_up_all_tags(cache, seen, lines, n, insert_tag);
}

static bool always(void)
{
	return true;
}

const struct ms_caches_lookup_impl ms_caches_lookup_impls[] = {
	{ "neon", 16, always, look_up_neon, first_neon, tags_neon },
	{ NULL, UINT32_MAX, NULL, ms_caches_look_up_scalar, ms_caches_look_up_first_scalar, NULL },
};
