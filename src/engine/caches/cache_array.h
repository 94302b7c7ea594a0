/*
 * engine/caches/cache_array.h - one cache of a configurable machine, or of a machine with several
 * processors.
 *
 * Ways have fixed numbers. What a hit needs is adjacent in memory: the order of use, a byte of each
 * line's hash, the lines. For LRU replacement and at most 16 ways, the order is one word; in all
 * other cases a policy decides (replacement_policies.h). A cache whose memory is all zeros is
 * empty, so the host allocates only those sets of a large cache that are used.
 */
#ifndef MS_ENGINE_CACHES_CACHE_ARRAY_H
#define MS_ENGINE_CACHES_CACHE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/caches/lru_cache.h"
#include "engine/caches/recency_order.h"
#include "engine/caches/replacement_policies.h"
#include "engine/caches/stream_prefetcher.h"
#include "machine/machine.h"

struct ms_caches_group;
struct ms_engine_windows_array;

struct ms_caches_array_set {
	/* 4 bits per way, the most recent lowest, empty ones last; xor MS_CACHES_INITIAL_ORDER. */
	uint64_t order;
	uint64_t writable;      /* a bit per way, for the first 64: see coherence.c ... */
	uint64_t owned_in_pass; /* ... and time_slice_simulation.c */
	uint64_t at[];          /* hashes, eight per word; then the lines, each plus 1; 0: empty */
};

/* A way of a set. */
struct ms_caches_position {
	uint64_t set;
	uint32_t way; /* MS_CACHES_NO_WAY: not found */
};

#define MS_CACHES_NO_WAY UINT32_MAX

struct ms_caches_array {
	unsigned char *sets; /* struct ms_caches_array_set */
	size_t stride;       /* bytes of a set */
	uint64_t set_count;
	uint64_t mask; /* set_count - 1 where that is a power of two; else 0 */
	uint32_t ways;
	uint32_t ordered_ways; /* ways in the order word: all of them; 0: the policy decides */
	uint32_t hash_words;
	uint64_t last_hash_mask; /* of the last word of hashes: the bytes that belong to a way */
	uint32_t l1_shift;       /* see lru_cache.h */
	bool write_through;
	bool write_around;
	bool inclusive;
	bool exclusive;
	bool prefetches;
	struct ms_caches_group *group; /* the group that has the records of its lines ... */
	unsigned word;                 /* ... and the index of this cache's word in them */
	uint64_t *states;              /* by set, state_words each: state of the policy */
	size_t state_words;
	const struct ms_caches_policy *policy;
	struct ms_caches_streams streams;
	/* window_processors.c; NULL: everything is simulated. */
	struct ms_engine_windows_array *windows;
};

/* number: the level, from 0; instance: which of the level's caches. */
void ms_caches_open_array(struct ms_caches_array *array, const struct ms_machine *machine,
			  unsigned number, uint64_t instance);
void ms_caches_close_array(struct ms_caches_array *array);
size_t ms_caches_measure_array(const struct ms_caches_array *array);

void ms_caches_touch_by_policy(const struct ms_caches_array *array,
			       struct ms_caches_position position);
void ms_caches_fill_by_policy(const struct ms_caches_array *array,
			      struct ms_caches_position position);
/* The way that a policy selects: the first empty one, or, when all are full, the victim's. */
uint32_t ms_caches_choose_way_by_policy(const struct ms_caches_array *array, uint64_t set);

MS_INLINE uint64_t ms_caches_index_set(const struct ms_caches_array *array, uint64_t line)
{
	return array->mask != 0 ? line & array->mask : line % array->set_count;
}

MS_INLINE struct ms_caches_array_set *ms_caches_get_set(const struct ms_caches_array *array,
							uint64_t set)
{
	return (struct ms_caches_array_set *)(void *)(array->sets + set * array->stride);
}

MS_INLINE uint64_t ms_caches_get_line(const struct ms_caches_array *array,
				      struct ms_caches_position position)
{
	return ms_caches_get_set(array, position.set)->at[array->hash_words + position.way] - 1;
}

MS_INLINE uint64_t ms_caches_hash_line(uint64_t line)
{
	return (line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 56;
}

/* The line will be looked up soon. */
MS_INLINE void ms_caches_prefetch_set(const struct ms_caches_array *array, uint64_t line)
{
	uint64_t set = ms_caches_index_set(array, line);
	const unsigned char *at = array->sets + set * array->stride;

	for (size_t i = 0; i < array->stride; i += 64)
		__builtin_prefetch(at + i);
}

/* The first way of the set that holds the line; MS_CACHES_NO_LINE: the first empty way. */
MS_INLINE uint32_t ms_caches_find_way(const struct ms_caches_array *array,
				      const struct ms_caches_array_set *at, uint64_t line)
{
	uint64_t hashes = ms_caches_hash_line(line) * MS_CACHES_EACH_BYTE;

	for (uint32_t i = 0; i < array->hash_words; i++) {
		uint64_t same = ms_caches_mark_zeros(at->at[i] ^ hashes, MS_CACHES_EACH_BYTE, 8);

		if (i + 1 == array->hash_words)
			same &= array->last_hash_mask;
		for (; same != 0; same &= same - 1) {
			uint32_t way = i * 8 + ((uint32_t)__builtin_ctzll(same) >> 3);

			if (MS_LIKELY(at->at[array->hash_words + way] == line + 1))
				return way;
		}
	}
	return MS_CACHES_NO_WAY;
}

MS_INLINE struct ms_caches_position ms_caches_find_line(const struct ms_caches_array *array,
							uint64_t line)
{
	uint64_t set = ms_caches_index_set(array, line);

	return (struct ms_caches_position){
		set, ms_caches_find_way(array, ms_caches_get_set(array, set), line)
	};
}

/*
 * The same for a line that is likely to be the most recent one of its set. With a policy, the order
 * word never changes, and way 0 is searched first.
 */
MS_INLINE struct ms_caches_position ms_caches_find_recent_line(const struct ms_caches_array *array,
							       uint64_t line)
{
	uint64_t set = ms_caches_index_set(array, line);
	const struct ms_caches_array_set *at = ms_caches_get_set(array, set);
	uint32_t way = (uint32_t)((at->order ^ MS_CACHES_INITIAL_ORDER) & 15);

	if (MS_LIKELY(at->at[array->hash_words + way] == line + 1))
		return (struct ms_caches_position){ set, way };
	return (struct ms_caches_position){ set, ms_caches_find_way(array, at, line) };
}

#endif
