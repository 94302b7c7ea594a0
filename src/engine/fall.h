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

/* What missed, of so many that were brought one behind the other: most do not, so little is written
 * down of each. */
enum { MS_FALL_TOGETHER = 128 };
struct fallen {
	uint32_t at[MS_FALL_TOGETHER + 1];
	uint64_t victim[MS_FALL_TOGETHER + 1];
};

/* masked: sets are found by a mask. */
MS_INLINE uint64_t *ms_fall_set(const struct cache *cache, uint64_t line, const bool masked)
{
	uint64_t set = masked ? line & cache->mask : line % cache->set_count;

	return cache->lines + set * cache->stride;
}

MS_INLINE uint64_t ms_doubt_line(const struct doubt *doubt)
{
	return doubt->line & ~(MS_LINE_GOES_ON | MS_LINE_SPLIT);
}

MS_INLINE uint32_t ms_fall_doubts(const struct cache *cache, const struct doubt *doubts,
				  uint32_t from, uint32_t to, const bool masked, ms_bring_fn bring,
				  struct fallen *fallen)
{
	uint32_t n = 0;

	for (uint32_t i = from; i < to; i++) {
		uint64_t line = ms_doubt_line(&doubts[i]), victim;

		__builtin_prefetch(&doubts[i + MS_DOUBTS_AHEAD]);
		bool missed = bring(cache, ms_fall_set(cache, line, masked), line, &victim);
		fallen->at[n] = i;
		fallen->victim[n] = victim;
		n += missed;
	}
	return n;
}

/* The first line of the doubt's reference. */
MS_INLINE uint32_t ms_doubt_reference(const struct doubt *doubts, uint32_t i)
{
	while (MS_UNLIKELY((doubts[i].line & MS_LINE_GOES_ON) != 0))
		i--;
	return i;
}

MS_INLINE size_t ms_fall_first_by(const struct cache *shared, const struct doubts *doubts,
				  const struct span *span, size_t to, struct falling *lines,
				  ms_bring_fn bring)
{
	const struct cache cache = *shared; /* the compiler then knows that nobody writes it */
	const struct doubt *all = doubts->at;
	const uint32_t end = (uint32_t)to;
	struct falling *out = lines;
	struct fallen fallen;

	for (uint32_t at = (uint32_t)span->from; at < end; at += MS_FALL_TOGETHER) {
		uint32_t until = end - at > MS_FALL_TOGETHER ? at + MS_FALL_TOGETHER : end;
		uint32_t n =
			cache.mask != 0
				? ms_fall_doubts(&cache, all, at, until, true, bring, &fallen)
				: ms_fall_doubts(&cache, all, at, until, false, bring, &fallen);

		for (uint32_t i = 0; i < n; i++) {
			const struct doubt *doubt = &all[fallen.at[i]];

			*out++ = (struct falling){
				.line = ms_doubt_line(doubt),
				.cell = doubt->cell,
				.victim = fallen.victim[i],
				.reference = ms_doubt_reference(all, fallen.at[i]),
				.phase = span->phase,
				.split = (doubt->line & MS_LINE_SPLIT) != 0,
			};
		}
	}
	return (size_t)(out - lines);
}

/* more: lines behind the n that are brought, which are asked for already. */
MS_INLINE uint32_t ms_fall_lines(const struct cache *cache, const struct falling *lines, uint32_t n,
				 size_t more, const bool masked, ms_bring_fn bring,
				 struct fallen *fallen)
{
	uint32_t missed = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t line = lines[i].line >> cache->up, victim;

		if (cache->far && i + MS_FALL_GROUP < n + more)
			ms_cache_expect(cache, lines[i + MS_FALL_GROUP].line >> cache->up);
		bool miss = bring(cache, ms_fall_set(cache, line, masked), line, &victim);
		fallen->at[missed] = i;
		fallen->victim[missed] = victim;
		missed += miss;
	}
	return missed;
}

MS_INLINE size_t ms_fall_by(const struct cache *shared, struct falling *lines, size_t n,
			    ms_bring_fn bring)
{
	const struct cache cache = *shared;
	struct falling *out = lines;
	struct fallen fallen;

	for (size_t i = 0; cache.far && i < MS_FALL_GROUP && i < n; i++)
		ms_cache_expect(&cache, lines[i].line >> cache.up);
	for (size_t at = 0; at < n; at += MS_FALL_TOGETHER) {
		const struct falling *from = lines + at;
		size_t left = n - at;
		uint32_t some = left > MS_FALL_TOGETHER ? MS_FALL_TOGETHER : (uint32_t)left;
		uint32_t missed = cache.mask != 0 ? ms_fall_lines(&cache, from, some, left - some,
								  true, bring, &fallen)
						  : ms_fall_lines(&cache, from, some, left - some,
								  false, bring, &fallen);

		for (uint32_t i = 0; i < missed; i++, out++) {
			*out = from[fallen.at[i]];
			out->victim = fallen.victim[i];
		}
	}
	return (size_t)(out - lines);
}

/* fall.c: for any processor. */
size_t ms_fall_plain(const struct cache *cache, struct falling *lines, size_t n);
size_t ms_fall_first_plain(const struct cache *cache, const struct doubts *doubts,
			   const struct span *span, size_t to, struct falling *out);

#endif
