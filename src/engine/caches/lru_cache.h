/*
 * engine/caches/lru_cache.h - one level with true LRU: sets of lines in the order of use.
 *
 * A set is an array of line numbers, the most recent first. An access to a line moves the lines
 * before it back by one. lru_lookup.h does that with the widest vector registers that the host has.
 *
 * Line numbers are stored inverted, so that an empty entry is 0: a large level is memory that the
 * kernel has cleared, and costs nothing where the program does not use it.
 *
 * A large level stores tags, the line numbers without the bits of the set index, which take half
 * the memory. A line number that is too large for a tag, which only a trace can contain, converts
 * the level to line numbers.
 */
#ifndef MS_ENGINE_CACHES_LRU_CACHE_H
#define MS_ENGINE_CACHES_LRU_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

#define MS_CACHES_NO_LINE UINT64_MAX

enum { MS_CACHES_LRU_TAGS = 16 };
#define MS_CACHES_NO_TAG UINT32_MAX
/* As it is stored. */
#define MS_CACHES_EMPTY 0

struct ms_caches_lookup_impl;

struct ms_caches_lru {
	uint64_t *lines; /* inverted, set after set, aligned; padding is empty, too ... */
	uint32_t *tags; /* ... or tags, likewise, MS_CACHES_LRU_TAGS per set; one of both is NULL */
	uint32_t tag_shift;
	uint32_t stride; /* entries of a set, padding included */
	uint32_t ways;
	uint32_t line_shift;
	uint32_t l1_shift;       /* line_shift minus the first level's */
	bool exceeds_host_cache; /* larger than the host's first-level cache */
	uint64_t set_count;
	uint64_t sparse_lookups;                  /* until the table is moved into large pages */
	const struct ms_caches_lookup_impl *impl; /* see lru_lookup.h */
	uint64_t mask; /* set_count - 1 where that is a power of two above 1; else 0 */
};

void ms_caches_open_lru(struct ms_caches_lru *cache, const struct ms_machine_level *level,
			const struct ms_machine_level *first);
void ms_caches_close_lru(struct ms_caches_lru *cache);
/* Converts tags to line numbers. */
void ms_caches_widen_lru(struct ms_caches_lru *cache);
/* Before lookups: moves the table of a cache that is much used into large pages. */
void ms_caches_count_lru_lookups(struct ms_caches_lru *cache, size_t n);
size_t ms_caches_measure_lru(const struct ms_caches_lru *cache);

MS_INLINE uint64_t ms_caches_index_lru_set(const struct ms_caches_lru *cache, uint64_t line)
{
	return cache->mask != 0 ? line & cache->mask : line % cache->set_count;
}

MS_INLINE uint64_t *ms_caches_get_lru_set(const struct ms_caches_lru *cache, uint64_t line)
{
	return cache->lines + ms_caches_index_lru_set(cache, line) * cache->stride;
}

MS_INLINE uint32_t *ms_caches_get_lru_tags(const struct ms_caches_lru *cache, uint64_t line)
{
	return cache->tags + (line & cache->mask) * MS_CACHES_LRU_TAGS;
}

MS_INLINE bool ms_caches_fits_lru_tag(const struct ms_caches_lru *cache, uint64_t line)
{
	return line >> cache->tag_shift < MS_CACHES_NO_TAG;
}

/*
 * Prefetches this many ways of the line's set, from the most recent one on. On Neoverse V1,
 * computing a prefetch address with a scaled index takes longer than the prefetch, so the address
 * is computed before.
 */
MS_INLINE void ms_caches_prefetch_lru_ways(const struct ms_caches_lru *cache, uint64_t line,
					   uint32_t ways)
{
	const uint64_t *set = ms_caches_get_lru_set(cache, line);

	MS_IN_REGISTER(set);
	for (uint32_t i = 0; i < ways; i += 8)
		__builtin_prefetch(set + i);
}

MS_INLINE void ms_caches_prefetch_lru_set(const struct ms_caches_lru *cache, uint64_t line)
{
	ms_caches_prefetch_lru_ways(cache, line, cache->ways);
}

#endif
