/*
 * engine/caches/lru_lookup_first.h - the loop over pending accesses of the first level, for the
 * implementations of the architectures.
 */
#ifndef MS_ENGINE_CACHES_LRU_LOOKUP_FIRST_H
#define MS_ENGINE_CACHES_LRU_LOOKUP_FIRST_H

#include "engine/caches/lru_lookup.h"

/* Prefetch distance, in lines. */
enum { MS_CACHES_LOOKUP_AHEAD = 16 };

/* Pending accesses may have been written by another processor of the host just before. */
enum { MS_CACHES_PENDING_AHEAD = 32 };

/*
 * Result of making a line the most recent one of its set: the victim if it missed, and the line's
 * way before. The function returns false if the line was present. Lines are inverted, as stored.
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
		bool missed = insert(&cache, cache.lines + set * cache.stride, ~line, &insertion);

		if (MS_LIKELY((pending.line & MS_FILTER_SAME_REFERENCE) == 0))
			reference = (uint32_t)i;
		out->line = line;
		out->cell = pending.cell;
		out->victim = ~insertion.victim;
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

#endif
