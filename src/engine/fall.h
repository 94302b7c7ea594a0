/*
 * engine/fall.h - lines through one level, many at a time: most of what a miss costs.
 *
 * Each architecture has a fall.c, which picks what this processor can do. A hit and a miss take the
 * same way through the code: a jump would be mispredicted again and again.
 */
#ifndef MS_ENGINE_FALL_H
#define MS_ENGINE_FALL_H

#include <stddef.h>

#include "engine/engine_priv.h"

/* One way to do it. */
struct fall_way {
	const char *name;
	uint32_t most_ways;  /* of a set */
	bool (*works)(void); /* on this processor */
	/* Brings the lines into the level, in order, and keeps those that missed it, with their
	 * victims; returns their number. */
	size_t (*through)(const struct cache *cache, struct falling *lines, size_t n);
	/* The same for the first level: doubts of one span, up to a number. */
	size_t (*first)(const struct cache *cache, const struct doubts *doubts,
			const struct span *span, size_t to, struct falling *out);
};

/* The fastest first; the last one has no name, and always works. */
extern const struct fall_way ms_fall_ways[];
const struct fall_way *ms_fall_choose(uint32_t ways);

/* --- for the architectures --- */

/* So many are asked for ahead. */
enum { MS_FALL_GROUP = 16 };

/* Doubts may come from another processor of the host, which has just written them. */
enum { MS_DOUBTS_AHEAD = 32 };

/* Makes the line the most recent of the set. *victim is what leaves if it was not there. */
typedef bool (*ms_bring_fn)(const struct cache *cache, uint64_t *set, uint64_t line,
			    uint64_t *victim);

MS_INLINE size_t ms_fall_first_by(const struct cache *shared, const struct doubts *doubts,
				  const struct span *span, size_t to, struct falling *lines,
				  ms_bring_fn bring)
{
	const struct cache cache = *shared; /* the compiler then knows that nobody writes it */
	const struct doubt *first = doubts->at;
	struct falling *out = lines;
	uint32_t reference = 0;

	for (size_t i = span->from; i < to; i++) {
		__builtin_prefetch(&first[i + MS_DOUBTS_AHEAD]);
		uint64_t line = first[i].line & ~(MS_LINE_GOES_ON | MS_LINE_SPLIT), victim;
		bool missed = bring(&cache, ms_cache_at(&cache, line), line, &victim);

		if (MS_LIKELY((first[i].line & MS_LINE_GOES_ON) == 0))
			reference = (uint32_t)i;
		*out = (struct falling){ .line = line,
					 .cell = first[i].cell,
					 .victim = victim,
					 .reference = reference,
					 .phase = span->phase,
					 .split = (first[i].line & MS_LINE_SPLIT) != 0 };
		out += missed;
	}
	return (size_t)(out - lines);
}

/*
 * A set of more ways than these takes more than one line of the host. While few sets have so many
 * lines, the rest of them is better left alone.
 */
enum { MS_FALL_FRONT = 8 };

/* fall.c: whether few of the sets that the lines come to have more than a front. */
bool ms_fall_is_shallow(const struct cache *cache, const struct falling *lines, size_t n);

/* front: what brings lines into sets that are not full, if most are so; else NULL. */
MS_INLINE bool ms_fall_bring(const struct cache *cache, uint64_t *set, uint64_t line,
			     uint64_t *victim, ms_bring_fn front, ms_bring_fn all)
{
	const struct cache ways = { .ways = MS_FALL_FRONT };

	if (front != NULL && MS_LIKELY(set[MS_FALL_FRONT - 1] == MS_LINE_NONE))
		return front(&ways, set, line, victim);
	return all(cache, set, line, victim);
}

MS_INLINE size_t ms_fall_all(const struct cache *shared, struct falling *lines, size_t n,
			     ms_bring_fn front, ms_bring_fn all)
{
	const struct cache cache = *shared;
	const uint32_t expected = front != NULL ? MS_FALL_FRONT : cache.ways;
	struct falling *at = lines, *out = lines, *end = lines + n;

	if (cache.far)
		for (size_t i = 0; i < MS_FALL_GROUP && i < n; i++)
			ms_cache_expect_ways(&cache, lines[i].line >> cache.up, expected);
	for (; at < end; at++) {
		uint64_t line = at->line >> cache.up, victim;

		if (cache.far && end - at > MS_FALL_GROUP)
			ms_cache_expect_ways(&cache, at[MS_FALL_GROUP].line >> cache.up, expected);
		bool missed =
			ms_fall_bring(&cache, ms_cache_at(&cache, line), line, &victim, front, all);

		*out = *at;
		out->victim = victim;
		out += missed;
	}
	return (size_t)(out - lines);
}

/* Up to 16 ways: what brings up to MS_FALL_FRONT of them, and what brings all. */
MS_INLINE size_t ms_fall_by(const struct cache *cache, struct falling *lines, size_t n,
			    ms_bring_fn front, ms_bring_fn all)
{
	if (cache->ways <= MS_FALL_FRONT)
		return ms_fall_all(cache, lines, n, NULL, front);
	if (cache->far && ms_fall_is_shallow(cache, lines, n))
		return ms_fall_all(cache, lines, n, front, all);
	return ms_fall_all(cache, lines, n, NULL, all);
}

/* fall.c: for any processor. */
size_t ms_fall_plain(const struct cache *cache, struct falling *lines, size_t n);
size_t ms_fall_first_plain(const struct cache *cache, const struct doubts *doubts,
			   const struct span *span, size_t to, struct falling *out);

#endif
