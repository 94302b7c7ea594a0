/*
 * engine/cache.h - one level: sets of lines in the order of use, true LRU.
 *
 * A set is an array of line numbers, the most recent first. Bringing a line moves those before it
 * back by one. fall.h does that with the widest registers that there are.
 *
 * Of a large level the numbers without the bits that tell the set are enough: tags, of half the
 * size. A line that is too far for that, which only a trace can have, makes it lines again.
 */
#ifndef MS_ENGINE_CACHE_H
#define MS_ENGINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

#define MS_LINE_NONE UINT64_MAX

enum { MS_CACHE_TAGS = 16 };
#define MS_TAG_NONE UINT32_MAX

struct fall_way;

struct cache {
	uint64_t *lines; /* set after set, aligned; MS_LINE_NONE: empty, or no way at all ... */
	uint32_t *tags;  /* ... or, likewise, these, MS_CACHE_TAGS a set; one of both is NULL */
	uint32_t tag_shift;
	uint32_t stride; /* lines of a set, with those that are no ways */
	uint32_t ways;
	uint32_t line_shift;
	uint32_t up; /* line_shift minus the first level's */
	bool far;    /* larger than what stays near the processor that simulates */
	uint64_t set_count;
	const struct fall_way *way; /* how lines go through: fall.h */
	uint64_t mask;              /* set_count - 1 where that is a power of two above 1; else 0 */
};

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first);
void ms_cache_close(struct cache *cache);
/* Tags become lines. */
void ms_cache_widen(struct cache *cache);
size_t ms_cache_bytes(const struct cache *cache);

MS_INLINE uint64_t ms_cache_set(const struct cache *cache, uint64_t line)
{
	return cache->mask != 0 ? line & cache->mask : line % cache->set_count;
}

MS_INLINE uint64_t *ms_cache_at(const struct cache *cache, uint64_t line)
{
	return cache->lines + ms_cache_set(cache, line) * cache->stride;
}

MS_INLINE uint32_t *ms_cache_tags_at(const struct cache *cache, uint64_t line)
{
	return cache->tags + (line & cache->mask) * MS_CACHE_TAGS;
}

MS_INLINE bool ms_cache_has_tag(const struct cache *cache, uint64_t line)
{
	return line >> cache->tag_shift < MS_TAG_NONE;
}

/* The line will be asked for soon, and of its set so many ways, from the most recent one on. On
 * Neoverse V1, asking for an address with a scaled index in it takes longer than what is asked for.
 */
MS_INLINE void ms_cache_expect_ways(const struct cache *cache, uint64_t line, uint32_t ways)
{
	const uint64_t *set = ms_cache_at(cache, line);

	MS_IN_REGISTER(set);
	for (uint32_t i = 0; i < ways; i += 8)
		__builtin_prefetch(set + i);
}

MS_INLINE void ms_cache_expect(const struct cache *cache, uint64_t line)
{
	ms_cache_expect_ways(cache, line, cache->ways);
}

#endif
