/*
 * engine/caches/lru_lookup.h - looks up many lines in one level. This is most of the cost of a
 * miss.
 *
 * Each architecture has its own lru_lookup.c, which selects an implementation for the host's
 * processor. Hits and misses execute the same instructions: a branch would often be mispredicted.
 */
#ifndef MS_ENGINE_CACHES_LRU_LOOKUP_H
#define MS_ENGINE_CACHES_LRU_LOOKUP_H

#include <stddef.h>

#include "engine/engine_priv.h"

/*
 * For a level with windows, which returns more lines than those that miss. Of the first level: all
 * lines of sets that are not yet complete in this window. Of the other levels, which are large: all
 * lines, because the check would take longer.
 */
struct ms_caches_window_lookup {
	const struct ms_engine_windows_set *set;
	uint32_t window;
	uint32_t *way; /* by returned line: its way before, or MS_CACHES_LOOKUP_MISS */
};

#define MS_CACHES_LOOKUP_MISS UINT32_MAX

/* One implementation. */
struct ms_caches_lookup_impl {
	const char *name;
	uint32_t max_ways;          /* most ways of a set */
	bool (*is_supported)(void); /* by this processor */
	/*
	 * Looks up the lines in order, fills those that miss, and keeps these in the array, with
	 * their victims. Returns their number. seen: NULL without windows.
	 */
	size_t (*look_up)(const struct ms_caches_lru *cache,
			  const struct ms_caches_window_lookup *seen, struct ms_caches_miss *lines,
			  size_t n);
	/* The same for the first level: pending accesses of one span, up to index `to`. */
	size_t (*first)(const struct ms_caches_lru *cache,
			const struct ms_caches_window_lookup *seen,
			const struct ms_filter_pending_list *pending_list,
			const struct ms_filter_phase_span *span, size_t to,
			struct ms_caches_miss *out);
	/* As look_up(), for a level that has tags; NULL: tags are not supported. */
	size_t (*look_up_tags)(const struct ms_caches_lru *cache,
			       const struct ms_caches_window_lookup *seen,
			       struct ms_caches_miss *lines, size_t n);
};

/* The fastest first; the last one has no name, and is always supported. */
extern const struct ms_caches_lookup_impl ms_caches_lookup_impls[];
const struct ms_caches_lookup_impl *ms_caches_choose_lookup_impl(uint32_t ways);

/* Looks up lines in a level other than the first, by line numbers or tags. */
size_t ms_caches_look_up_level(struct ms_caches_lru *cache,
			       const struct ms_caches_window_lookup *seen,
			       struct ms_caches_miss *lines, size_t n);

/* --- for the architectures --- */

/* Prefetch distance, in lines. */
enum { MS_CACHES_LOOKUP_AHEAD = 16 };

/* Pending accesses may have been written by another processor of the host just before. */
enum { MS_CACHES_PENDING_AHEAD = 32 };

/*
 * Result of making a line the most recent one of its set: the victim if it missed, and the line's
 * way before. The function returns false if the line was present.
 */
struct ms_caches_insertion {
	uint64_t victim;
	uint32_t way;
};

typedef bool (*ms_caches_insert_fn)(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
				    struct ms_caches_insertion *insertion);

/*
 * direct: sets are indexed by the mask. Writes all fields of a kept line except those that later
 * passes set.
 */
MS_INLINE size_t ms_caches_look_up_first_as(const struct ms_caches_lru *shared,
					    const struct ms_caches_window_lookup *seen,
					    const struct ms_filter_pending_list *pending_list,
					    const struct ms_filter_phase_span *span, size_t to,
					    struct ms_caches_miss *lines,
					    ms_caches_insert_fn insert, const bool direct)
{
	const struct ms_caches_lru cache =
		*shared; /* a copy: the compiler can keep it in registers */
	const struct ms_filter_pending *first = pending_list->at;
	const uint32_t phase = span->phase;
	struct ms_caches_miss *out = lines;
	uint32_t reference = 0;

	for (size_t i = span->from; i < to; i++) {
		const struct ms_filter_pending pending = first[i];
		uint64_t line =
			pending.line & ~(MS_FILTER_SAME_REFERENCE | MS_FILTER_SPLIT_REFERENCE);
		uint64_t set = direct ? line & cache.mask : ms_caches_index_lru_set(&cache, line);
		struct ms_caches_insertion insertion;

		__builtin_prefetch(&first[i + MS_CACHES_PENDING_AHEAD]);
		bool missed = insert(&cache, cache.lines + set * cache.stride, line, &insertion);

		if (MS_LIKELY((pending.line & MS_FILTER_SAME_REFERENCE) == 0))
			reference = (uint32_t)i;
		out->line = line;
		out->cell = pending.cell;
		out->victim = insertion.victim;
		out->reference = reference;
		out->phase = phase;
		out->unknown = 0;
		out->split = (pending.line & MS_FILTER_SPLIT_REFERENCE) != 0;
		if (seen != NULL) {
			seen->way[out - lines] = insertion.way;
			missed |= seen->set[set].complete != seen->window;
		}
		out += missed;
	}
	return (size_t)(out - lines);
}

MS_INLINE size_t ms_caches_look_up_first_all(const struct ms_caches_lru *cache,
					     const struct ms_caches_window_lookup *seen,
					     const struct ms_filter_pending_list *pending_list,
					     const struct ms_filter_phase_span *span, size_t to,
					     struct ms_caches_miss *lines,
					     ms_caches_insert_fn insert)
{
	return cache->mask != 0 ? ms_caches_look_up_first_as(cache, seen, pending_list, span, to,
							     lines, insert, true)
				: ms_caches_look_up_first_as(cache, seen, pending_list, span, to,
							     lines, insert, false);
}

/* For up to 16 ways. front: for up to 8 ways; all: for any number. */
MS_INLINE size_t ms_caches_look_up_first_by(const struct ms_caches_lru *cache,
					    const struct ms_caches_window_lookup *seen,
					    const struct ms_filter_pending_list *pending_list,
					    const struct ms_filter_phase_span *span, size_t to,
					    struct ms_caches_miss *out, ms_caches_insert_fn front,
					    ms_caches_insert_fn all)
{
	if (seen == NULL)
		return cache->ways <= 8 ? ms_caches_look_up_first_all(cache, NULL, pending_list,
								      span, to, out, front)
					: ms_caches_look_up_first_all(cache, NULL, pending_list,
								      span, to, out, all);
	return cache->ways <= 8
		       ? ms_caches_look_up_first_all(cache, seen, pending_list, span, to, out,
						     front)
		       : ms_caches_look_up_first_all(cache, seen, pending_list, span, to, out, all);
}

/*
 * A set of more ways than this occupies more than one line of the host. While few sets have so many
 * lines, the rest of a set is neither prefetched nor searched.
 */
enum { MS_CACHES_FRONT_WAYS = 8 };

/* lru_lookup.c: whether few of the lines' sets have more lines than MS_CACHES_FRONT_WAYS. */
bool ms_caches_are_sets_shallow(const struct ms_caches_lru *cache,
				const struct ms_caches_miss *lines, size_t n);

/* front: handles sets that are not full, if most are not; else NULL. */
MS_INLINE bool ms_caches_insert_line(const struct ms_caches_lru *cache, uint64_t *set,
				     uint64_t line, struct ms_caches_insertion *insertion,
				     ms_caches_insert_fn front, ms_caches_insert_fn all)
{
	const struct ms_caches_lru ways = { .ways = MS_CACHES_FRONT_WAYS };

	if (front != NULL && MS_LIKELY(set[MS_CACHES_FRONT_WAYS - 1] == MS_CACHES_NO_LINE))
		return front(&ways, set, line, insertion);
	return all(cache, set, line, insertion);
}

MS_INLINE size_t ms_caches_look_up_all(const struct ms_caches_lru *shared,
				       const struct ms_caches_window_lookup *seen,
				       struct ms_caches_miss *lines, size_t n,
				       ms_caches_insert_fn front, ms_caches_insert_fn all)
{
	const struct ms_caches_lru cache = *shared;
	const uint32_t expected = front != NULL ? MS_CACHES_FRONT_WAYS : cache.ways;
	struct ms_caches_miss *at = lines, *out = lines, *end = lines + n;

	if (cache.exceeds_host_cache)
		for (size_t i = 0; i < MS_CACHES_LOOKUP_AHEAD && i < n; i++)
			ms_caches_prefetch_lru_ways(&cache, lines[i].line >> cache.l1_shift,
						    expected);
	for (; at < end; at++) {
		uint64_t line = at->line >> cache.l1_shift;
		struct ms_caches_insertion insertion;

		if (cache.exceeds_host_cache && end - at > MS_CACHES_LOOKUP_AHEAD)
			ms_caches_prefetch_lru_ways(
				&cache, at[MS_CACHES_LOOKUP_AHEAD].line >> cache.l1_shift,
				expected);
		bool missed = ms_caches_insert_line(&cache, ms_caches_get_lru_set(&cache, line),
						    line, &insertion, front, all);

		*out = *at;
		out->victim = insertion.victim;
		if (seen != NULL)
			seen->way[at - lines] = insertion.way;
		out += seen != NULL || missed;
	}
	return (size_t)(out - lines);
}

MS_INLINE size_t ms_caches_look_up_by_ways(const struct ms_caches_lru *cache,
					   const struct ms_caches_window_lookup *seen,
					   struct ms_caches_miss *lines, size_t n,
					   ms_caches_insert_fn front, ms_caches_insert_fn all)
{
	if (cache->ways <= MS_CACHES_FRONT_WAYS)
		return ms_caches_look_up_all(cache, seen, lines, n, NULL, front);
	if (cache->exceeds_host_cache && ms_caches_are_sets_shallow(cache, lines, n))
		return ms_caches_look_up_all(cache, seen, lines, n, front, all);
	return ms_caches_look_up_all(cache, seen, lines, n, NULL, all);
}

/* For up to 16 ways. front: for up to MS_CACHES_FRONT_WAYS; all: for any number. */
MS_INLINE size_t ms_caches_look_up_by(const struct ms_caches_lru *cache,
				      const struct ms_caches_window_lookup *seen,
				      struct ms_caches_miss *lines, size_t n,
				      ms_caches_insert_fn front, ms_caches_insert_fn all)
{
	return seen == NULL ? ms_caches_look_up_by_ways(cache, NULL, lines, n, front, all)
			    : ms_caches_look_up_by_ways(cache, seen, lines, n, front, all);
}

/* As ms_caches_insert_fn; the victim is a tag as well. */
typedef bool (*ms_caches_insert_tag_fn)(const struct ms_caches_lru *cache, uint32_t *set,
					uint32_t tag, struct ms_caches_insertion *insertion);

MS_INLINE void ms_caches_prefetch_tags(const struct ms_caches_lru *cache,
				       const struct ms_caches_miss *f)
{
	const uint32_t *set = ms_caches_get_lru_tags(cache, f->line >> cache->l1_shift);

	MS_IN_REGISTER(set); /* see ms_caches_prefetch_lru_ways() */
	__builtin_prefetch(set);
}

MS_INLINE size_t ms_caches_look_up_all_tags(const struct ms_caches_lru *shared,
					    const struct ms_caches_window_lookup *seen,
					    struct ms_caches_miss *lines, size_t n,
					    ms_caches_insert_tag_fn insert)
{
	const struct ms_caches_lru cache = *shared;
	struct ms_caches_miss *at = lines, *out = lines, *end = lines + n;

	for (size_t i = 0; i < MS_CACHES_LOOKUP_AHEAD && i < n; i++)
		ms_caches_prefetch_tags(&cache, &lines[i]);
	for (; at < end; at++) {
		uint64_t line = at->line >> cache.l1_shift;
		struct ms_caches_insertion insertion;

		if (end - at > MS_CACHES_LOOKUP_AHEAD)
			ms_caches_prefetch_tags(&cache, &at[MS_CACHES_LOOKUP_AHEAD]);
		bool missed = insert(&cache, ms_caches_get_lru_tags(&cache, line),
				     (uint32_t)(line >> cache.tag_shift), &insertion);

		*out = *at;
		out->victim = insertion.victim == MS_CACHES_NO_TAG
				      ? MS_CACHES_NO_LINE
				      : insertion.victim << cache.tag_shift | (line & cache.mask);
		if (seen != NULL)
			seen->way[at - lines] = insertion.way;
		out += seen != NULL || missed;
	}
	return (size_t)(out - lines);
}

/* lru_lookup.c: for any processor. */
size_t ms_caches_look_up_scalar(const struct ms_caches_lru *cache,
				const struct ms_caches_window_lookup *seen,
				struct ms_caches_miss *lines, size_t n);
size_t ms_caches_look_up_first_scalar(const struct ms_caches_lru *cache,
				      const struct ms_caches_window_lookup *seen,
				      const struct ms_filter_pending_list *pending_list,
				      const struct ms_filter_phase_span *span, size_t to,
				      struct ms_caches_miss *out);

#endif
