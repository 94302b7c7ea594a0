/* engine/cache.h - one cache level: sets of lines in the order of use, the most recent first. */
#ifndef MS_ENGINE_CACHE_H
#define MS_ENGINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

#define MS_LINE_NONE UINT64_MAX

struct way {
	uint64_t line;    /* its number; MS_LINE_NONE: empty */
	uint32_t *record; /* see lines.h; NULL: empty */
};

struct cache {
	struct way *ways; /* of a set side by side, the most recent one first */
	uint64_t *recent; /* by set: its most recent line again, side by side for the hot loop */
	uint32_t associativity;
	uint32_t line_shift;
	uint32_t up; /* line_shift minus the first level's */
	uint64_t sets;
	uint64_t
		mask; /* sets - 1 where sets is a power of two above 1; else 0, and `sets` counts */
	struct way *here; /* scratch of one access: the set that it met ... */
	uint32_t *victim; /* ... and, after a miss, the record of the line that left; NULL: none */
};

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first);
void ms_cache_close(struct cache *cache);

MS_INLINE size_t ms_cache_set(const struct cache *cache, uint64_t line)
{
	return (size_t)(cache->mask != 0 ? line & cache->mask : line % cache->sets);
}

/* The line will be asked for soon. */
MS_INLINE void ms_cache_expect(const struct cache *cache, uint64_t line)
{
	const struct way *here = cache->ways + ms_cache_set(cache, line) * cache->associativity;

	__builtin_prefetch(here);
	__builtin_prefetch(here + cache->associativity - 1);
}

/* True when the line is the second most recent one of its set; it is then the first. */
MS_INLINE bool ms_cache_swap(struct cache *cache, uint64_t line)
{
	size_t set = ms_cache_set(cache, line);
	struct way *here = cache->ways + set * cache->associativity;

	if (cache->associativity < 2 || here[1].line != line)
		return false;
	struct way second = here[1];
	here[1] = here[0];
	here[0] = second;
	cache->recent[set] = line;
	return true;
}

/*
 * Makes the line the most recent one of its set. True: it was there, and cache->here[0] is it.
 * False: the oldest has left to make room, and the caller gives cache->here[0] its record.
 *
 * One pass does both: each line makes room for the one before it until the wanted one, or the end,
 * is met.
 */
MS_INLINE bool ms_cache_bring(struct cache *cache, uint64_t line)
{
	size_t set = ms_cache_set(cache, line);
	struct way *here = cache->ways + set * cache->associativity;
	struct way *end = here + cache->associativity;
	struct way carried = *here;

	cache->here = here;
	if (carried.line == line)
		return true;
	cache->recent[set] = line;
	here->line = line;
	for (struct way *way = here + 1; way < end; way++) {
		struct way old = *way;

		*way = carried;
		carried = old;
		if (old.line == line) {
			here->record = old.record;
			return true;
		}
	}
	cache->victim = carried.record;
	return false;
}

#endif
