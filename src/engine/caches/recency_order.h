/* engine/caches/recency_order.h - the order of use of up to 16 ways, in one word. */
#ifndef MS_ENGINE_CACHES_RECENCY_ORDER_H
#define MS_ENGINE_CACHES_RECENCY_ORDER_H

#include <stdint.h>

#include "base/compiler.h"

#define MS_CACHES_INITIAL_ORDER UINT64_C(0xfedcba9876543210)

enum { MS_CACHES_MAX_ORDERED_WAYS = 16 }; /* ways whose order fits into a word */

#define MS_CACHES_EACH_BYTE   UINT64_C(0x0101010101010101)
#define MS_CACHES_EACH_NIBBLE UINT64_C(0x1111111111111111)

/*
 * Sets a bit for each field of the word (`ones`: the fields' lowest bits) that is zero. A bit above
 * the lowest one can be set wrongly, which is rare.
 */
MS_INLINE uint64_t ms_caches_mark_zeros(uint64_t word, uint64_t ones, unsigned bits)
{
	return (word - ones) & ~word & ones << (bits - 1);
}

/* Makes a way the most recent one, in a word of 4-bit way numbers with the most recent lowest. */
MS_INLINE uint64_t ms_caches_move_to_front(uint64_t order, uint64_t way)
{
	uint64_t here =
		ms_caches_mark_zeros(order ^ way * MS_CACHES_EACH_NIBBLE, MS_CACHES_EACH_NIBBLE, 4);
	/* The lowest mark is correct; marks are at the highest bit of their four. */
	uint64_t upto = here ^ (here - 1);

	return (order & ~upto) | ((order << 4) & upto & ~UINT64_C(15)) | way;
}

/* Makes a way the least recent one of `ways`. */
MS_INLINE uint64_t ms_caches_move_to_back(uint64_t order, uint64_t way, uint32_t ways)
{
	uint64_t here =
		ms_caches_mark_zeros(order ^ way * MS_CACHES_EACH_NIBBLE, MS_CACHES_EACH_NIBBLE, 4);
	uint64_t before = (here ^ (here - 1)) >> 4, used = UINT64_MAX >> (64 - 4 * ways);

	return (order & (before | ~used)) | ((order & used) >> 4 & ~before) | way << 4 * (ways - 1);
}

#endif
