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

/* A level that is seen in windows: more is kept than what misses it. Of the first level, all lines
 * of sets that are not settled in this one; of the others, which are large, just everything: to ask
 * would take longer. */
struct fall_seen {
	const struct window_set *set;
	uint32_t window;
	uint32_t *way; /* of each that is kept: where it was, or MS_FALL_NOWHERE */
};

#define MS_FALL_NOWHERE UINT32_MAX

/* One way to do it. */
struct fall_way {
	const char *name;
	uint32_t most_ways;  /* of a set */
	bool (*works)(void); /* on this processor */
	/* Brings the lines into the level, in order, and keeps those that missed it, with their
	 * victims; returns their number. seen: NULL where there are no windows. */
	size_t (*through)(const struct cache *cache, const struct fall_seen *seen,
			  struct falling *lines, size_t n);
	/* The same for the first level: doubts of one span, up to a number. */
	size_t (*first)(const struct cache *cache, const struct fall_seen *seen,
			const struct doubts *doubts, const struct span *span, size_t to,
			struct falling *out);
	/* As through(), of a level that has tags; NULL: none should. */
	size_t (*by_tags)(const struct cache *cache, const struct fall_seen *seen,
			  struct falling *lines, size_t n);
};

/* The fastest first; the last one has no name, and always works. */
extern const struct fall_way ms_fall_ways[];
const struct fall_way *ms_fall_choose(uint32_t ways);

/* Lines through a level that is not the first, by whatever it has. */
size_t ms_fall_through(struct cache *cache, const struct fall_seen *seen, struct falling *lines,
		       size_t n);

/* --- for the architectures --- */

/* So many are asked for ahead. */
enum { MS_FALL_GROUP = 16 };

/* Doubts may come from another processor of the host, which has just written them. */
enum { MS_DOUBTS_AHEAD = 32 };

/* Makes the line the most recent of the set; false: it was there. What leaves if it was not, and
 * where it was. */
struct brought {
	uint64_t victim;
	uint32_t way;
};

typedef bool (*ms_bring_fn)(const struct cache *cache, uint64_t *set, uint64_t line,
			    struct brought *brought);

/* direct: a set is found by the mask. All of a line that is kept is written but what later passes
 * find. */
MS_INLINE size_t ms_fall_first_as(const struct cache *shared, const struct fall_seen *seen,
				  const struct doubts *doubts, const struct span *span, size_t to,
				  struct falling *lines, ms_bring_fn bring, const bool direct)
{
	const struct cache cache = *shared; /* the compiler then knows that nobody writes it */
	const struct doubt *first = doubts->at;
	const uint32_t phase = span->phase;
	struct falling *out = lines;
	uint32_t reference = 0;

	for (size_t i = span->from; i < to; i++) {
		const struct doubt doubt = first[i];
		uint64_t line = doubt.line & ~(MS_LINE_GOES_ON | MS_LINE_SPLIT);
		uint64_t set = direct ? line & cache.mask : ms_cache_set(&cache, line);
		struct brought brought;

		__builtin_prefetch(&first[i + MS_DOUBTS_AHEAD]);
		bool missed = bring(&cache, cache.lines + set * cache.stride, line, &brought);

		if (MS_LIKELY((doubt.line & MS_LINE_GOES_ON) == 0))
			reference = (uint32_t)i;
		out->line = line;
		out->cell = doubt.cell;
		out->victim = brought.victim;
		out->reference = reference;
		out->phase = phase;
		out->unknown = 0;
		out->split = (doubt.line & MS_LINE_SPLIT) != 0;
		if (seen != NULL) {
			seen->way[out - lines] = brought.way;
			missed |= seen->set[set].settled != seen->window;
		}
		out += missed;
	}
	return (size_t)(out - lines);
}

MS_INLINE size_t ms_fall_first_all(const struct cache *cache, const struct fall_seen *seen,
				   const struct doubts *doubts, const struct span *span, size_t to,
				   struct falling *lines, ms_bring_fn bring)
{
	return cache->mask != 0
		       ? ms_fall_first_as(cache, seen, doubts, span, to, lines, bring, true)
		       : ms_fall_first_as(cache, seen, doubts, span, to, lines, bring, false);
}

/* Up to 16 ways: what brings up to 8 of them, and what brings all. */
MS_INLINE size_t ms_fall_first_by(const struct cache *cache, const struct fall_seen *seen,
				  const struct doubts *doubts, const struct span *span, size_t to,
				  struct falling *out, ms_bring_fn front, ms_bring_fn all)
{
	if (seen == NULL)
		return cache->ways <= 8
			       ? ms_fall_first_all(cache, NULL, doubts, span, to, out, front)
			       : ms_fall_first_all(cache, NULL, doubts, span, to, out, all);
	return cache->ways <= 8 ? ms_fall_first_all(cache, seen, doubts, span, to, out, front)
				: ms_fall_first_all(cache, seen, doubts, span, to, out, all);
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
			     struct brought *brought, ms_bring_fn front, ms_bring_fn all)
{
	const struct cache ways = { .ways = MS_FALL_FRONT };

	if (front != NULL && MS_LIKELY(set[MS_FALL_FRONT - 1] == MS_LINE_NONE))
		return front(&ways, set, line, brought);
	return all(cache, set, line, brought);
}

MS_INLINE size_t ms_fall_all(const struct cache *shared, const struct fall_seen *seen,
			     struct falling *lines, size_t n, ms_bring_fn front, ms_bring_fn all)
{
	const struct cache cache = *shared;
	const uint32_t expected = front != NULL ? MS_FALL_FRONT : cache.ways;
	struct falling *at = lines, *out = lines, *end = lines + n;

	if (cache.far)
		for (size_t i = 0; i < MS_FALL_GROUP && i < n; i++)
			ms_cache_expect_ways(&cache, lines[i].line >> cache.up, expected);
	for (; at < end; at++) {
		uint64_t line = at->line >> cache.up;
		struct brought brought;

		if (cache.far && end - at > MS_FALL_GROUP)
			ms_cache_expect_ways(&cache, at[MS_FALL_GROUP].line >> cache.up, expected);
		bool missed = ms_fall_bring(&cache, ms_cache_at(&cache, line), line, &brought,
					    front, all);

		*out = *at;
		out->victim = brought.victim;
		if (seen != NULL)
			seen->way[at - lines] = brought.way;
		out += seen != NULL || missed;
	}
	return (size_t)(out - lines);
}

MS_INLINE size_t ms_fall_by_ways(const struct cache *cache, const struct fall_seen *seen,
				 struct falling *lines, size_t n, ms_bring_fn front,
				 ms_bring_fn all)
{
	if (cache->ways <= MS_FALL_FRONT)
		return ms_fall_all(cache, seen, lines, n, NULL, front);
	if (cache->far && ms_fall_is_shallow(cache, lines, n))
		return ms_fall_all(cache, seen, lines, n, front, all);
	return ms_fall_all(cache, seen, lines, n, NULL, all);
}

/* Up to 16 ways: what brings up to MS_FALL_FRONT of them, and what brings all. */
MS_INLINE size_t ms_fall_by(const struct cache *cache, const struct fall_seen *seen,
			    struct falling *lines, size_t n, ms_bring_fn front, ms_bring_fn all)
{
	return seen == NULL ? ms_fall_by_ways(cache, NULL, lines, n, front, all)
			    : ms_fall_by_ways(cache, seen, lines, n, front, all);
}

/* As ms_bring_fn; the victim is a tag, too. */
typedef bool (*ms_bring_tag_fn)(const struct cache *cache, uint32_t *set, uint32_t tag,
				struct brought *brought);

MS_INLINE void ms_fall_expect_tags(const struct cache *cache, const struct falling *f)
{
	const uint32_t *set = ms_cache_tags_at(cache, f->line >> cache->up);

	MS_IN_REGISTER(set); /* see ms_cache_expect_ways() */
	__builtin_prefetch(set);
}

MS_INLINE size_t ms_fall_all_tags(const struct cache *shared, const struct fall_seen *seen,
				  struct falling *lines, size_t n, ms_bring_tag_fn bring)
{
	const struct cache cache = *shared;
	struct falling *at = lines, *out = lines, *end = lines + n;

	for (size_t i = 0; i < MS_FALL_GROUP && i < n; i++)
		ms_fall_expect_tags(&cache, &lines[i]);
	for (; at < end; at++) {
		uint64_t line = at->line >> cache.up;
		struct brought brought;

		if (end - at > MS_FALL_GROUP)
			ms_fall_expect_tags(&cache, &at[MS_FALL_GROUP]);
		bool missed = bring(&cache, ms_cache_tags_at(&cache, line),
				    (uint32_t)(line >> cache.tag_shift), &brought);

		*out = *at;
		out->victim = brought.victim == MS_TAG_NONE
				      ? MS_LINE_NONE
				      : brought.victim << cache.tag_shift | (line & cache.mask);
		if (seen != NULL)
			seen->way[at - lines] = brought.way;
		out += seen != NULL || missed;
	}
	return (size_t)(out - lines);
}

/* fall.c: for any processor. */
size_t ms_fall_plain(const struct cache *cache, const struct fall_seen *seen, struct falling *lines,
		     size_t n);
size_t ms_fall_first_plain(const struct cache *cache, const struct fall_seen *seen,
			   const struct doubts *doubts, const struct span *span, size_t to,
			   struct falling *out);

#endif
