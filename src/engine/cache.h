/*
 * engine/cache.h - one level: sets of lines in the order of use, true LRU.
 *
 * A set of at most 16 ways keeps its lines where they are, a byte of each line's hash side by side,
 * and the order of use as a word of 4-bit way numbers, the most recent lowest: all bytes are
 * compared at once, and only those lines are looked at whose byte is equal. So neither a hit nor a
 * miss moves lines, and both take few branches. A set of more ways keeps its lines in their order.
 */
#ifndef MS_ENGINE_CACHE_H
#define MS_ENGINE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "machine/machine.h"

#define MS_LINE_NONE UINT64_MAX

enum { MS_CACHE_NARROW = 16 }; /* ways */

struct cache_set {
	uint64_t hashes[2]; /* a byte a way */
	uint64_t order;     /* 4 bits a way */
	uint64_t pad;
	uint64_t line[]; /* MS_LINE_NONE: empty */
};

struct cache {
	unsigned char *sets; /* struct cache_set; of more than 16 ways, only the lines */
	size_t stride;       /* bytes of a set */
	uint32_t ways;
	uint32_t line_shift;
	uint32_t up; /* line_shift minus the first level's */
	bool far;    /* larger than what stays near the processor that simulates */
	uint64_t set_count;
	uint64_t mask;      /* set_count - 1 where that is a power of two above 1; else 0 */
	uint64_t exists[2]; /* all bits of the bytes in `hashes` that have a way */
};

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first);
void ms_cache_close(struct cache *cache);
void ms_cache_empty(struct cache *cache);
/* The lines of a set, the most recent first; returns how many. into has room for all ways. */
uint32_t ms_cache_lines(const struct cache *cache, uint64_t set, uint64_t *into);
size_t ms_cache_bytes(const struct cache *cache);
/* For sets of many ways. */
uint64_t ms_cache_bring_wide(const struct cache *cache, uint64_t set, uint64_t line);

MS_INLINE uint64_t ms_cache_set(const struct cache *cache, uint64_t line)
{
	return cache->mask != 0 ? line & cache->mask : line % cache->set_count;
}

MS_INLINE struct cache_set *ms_cache_at(const struct cache *cache, uint64_t set)
{
	return (struct cache_set *)(void *)(cache->sets + set * cache->stride);
}

/* The line will be asked for soon. */
MS_INLINE void ms_cache_expect(const struct cache *cache, uint64_t line)
{
	const unsigned char *set = cache->sets + ms_cache_set(cache, line) * cache->stride;

	for (size_t i = 0; i < cache->stride; i += 64)
		__builtin_prefetch(set + i);
}

#define MS_EACH_BYTE   UINT64_C(0x0101010101010101)
#define MS_EACH_NIBBLE UINT64_C(0x1111111111111111)

/* A bit for each part of the word (`ones`: its lowest bits) that is zero, and seldom for others. */
MS_INLINE uint64_t ms_zeros_of(uint64_t word, uint64_t ones, unsigned bits)
{
	return (word - ones) & ~word & ones << (bits - 1);
}

/* The way that holds the line; MS_CACHE_NARROW: none. */
MS_INLINE uint32_t ms_cache_find(const struct cache *cache, const struct cache_set *at,
				 uint64_t line, uint64_t hash)
{
	for (uint32_t from = 0; from < cache->ways; from += 8) {
		uint64_t other = at->hashes[from / 8] ^ hash * MS_EACH_BYTE;
		uint64_t same = ms_zeros_of(other, MS_EACH_BYTE, 8) & cache->exists[from / 8];

		for (; same != 0; same &= same - 1) {
			uint32_t way = from + ((uint32_t)__builtin_ctzll(same) >> 3);

			if (MS_LIKELY(at->line[way] == line))
				return way;
		}
	}
	return MS_CACHE_NARROW;
}

/* A way becomes the most recent one. */
MS_INLINE uint64_t ms_order_to_front(uint64_t order, uint64_t way)
{
	uint64_t here = ms_zeros_of(order ^ way * MS_EACH_NIBBLE, MS_EACH_NIBBLE, 4);
	/* The lowest mark is true; marks stand at the highest bit of their four. */
	uint64_t upto = here ^ (here - 1);

	return (order & ~upto) | ((order << 4) & upto & ~UINT64_C(15)) | way;
}

/*
 * Makes the line the most recent one of its set. Returns the line itself where it was there, else
 * the one that left to make room, or MS_LINE_NONE.
 */
MS_INLINE uint64_t ms_cache_bring(const struct cache *cache, uint64_t line)
{
	uint64_t set = ms_cache_set(cache, line);

	if (MS_UNLIKELY(cache->ways > MS_CACHE_NARROW))
		return ms_cache_bring_wide(cache, set, line);

	struct cache_set *at = ms_cache_at(cache, set);
	uint64_t hash = line * UINT64_C(0x9e3779b97f4a7c15) >> 56;
	uint32_t way = ms_cache_find(cache, at, line, hash);
	if (way != MS_CACHE_NARROW) {
		at->order = ms_order_to_front(at->order, way);
		return line;
	}
	uint32_t last = (cache->ways - 1) * 4;
	way = at->order >> last & 15;
	at->order = at->order << 4 | way;
	((uint8_t *)at->hashes)[way] = (uint8_t)hash;
	uint64_t was = at->line[way];
	at->line[way] = line;
	return was;
}

#endif
