/* engine/cache.h - one cache level: sets of lines in the order of use, the most recent first. */
#ifndef MS_ENGINE_CACHE_H
#define MS_ENGINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

#define MS_TAG_EMPTY UINT64_MAX

struct cache {
	uint64_t *tags;      /* line numbers, ways of a set side by side */
	uint32_t **records;  /* beside each tag: the line's record */
	uint64_t *recent;    /* by set: its most recent line again, side by side for the hot loop */
	uint32_t ways;
	uint32_t line_shift;
	uint32_t up;         /* line_shift minus the first level's */
	uint64_t sets;
	uint64_t mask;       /* sets - 1 where sets is a power of two; else 0 and `sets` counts */
	uint32_t *record_here; /* scratch of one access: the line's record at this level ... */
	size_t set_here;       /* ... and its set */
};

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first);
void ms_cache_close(struct cache *cache);

MS_INLINE size_t ms_cache_set(const struct cache *cache, uint64_t line)
{
	return (size_t)(MS_LIKELY(cache->mask != 0) ? line & cache->mask : line % cache->sets);
}

/* True when the line is in the set; it is then the most recent one. */
MS_INLINE bool ms_cache_touch(struct cache *cache, size_t set, uint64_t line)
{
	uint64_t *tags = cache->tags + set * cache->ways;
	uint32_t way = 0;

	while (way < cache->ways && tags[way] != line)
		way++;
	if (way == cache->ways)
		return false;

	uint32_t **records = cache->records + set * cache->ways;
	uint32_t *record = records[way];
	for (; way > 0; way--) {
		tags[way] = tags[way - 1];
		records[way] = records[way - 1];
	}
	tags[0] = line;
	records[0] = record;
	cache->recent[set] = line;
	return true;
}

/* The record of the most recent line of a set. */
MS_INLINE uint32_t *ms_cache_record(const struct cache *cache, size_t set)
{
	return cache->records[set * cache->ways];
}

/* Puts a line that is not there into its set; returns the record of the one that left, or NULL. */
MS_INLINE uint32_t *ms_cache_fill(struct cache *cache, size_t set, uint64_t line, uint32_t *record)
{
	uint64_t *tags = cache->tags + set * cache->ways;
	uint32_t **records = cache->records + set * cache->ways;
	uint32_t way = cache->ways - 1;
	uint32_t *victim = records[way];

	for (; way > 0; way--) {
		tags[way] = tags[way - 1];
		records[way] = records[way - 1];
	}
	tags[0] = line;
	records[0] = record;
	cache->recent[set] = line;
	return victim;
}

#endif
