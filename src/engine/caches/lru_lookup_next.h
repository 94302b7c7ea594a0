/*
 * engine/caches/lru_lookup_next.h - the loops over the misses of a level in the next one, by line
 * numbers or by tags, for the implementations of the architectures.
 */
#ifndef MS_ENGINE_CACHES_LRU_LOOKUP_NEXT_H
#define MS_ENGINE_CACHES_LRU_LOOKUP_NEXT_H

#include "engine/caches/lru_lookup_first.h"

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

	if (front != NULL && MS_LIKELY(set[MS_CACHES_FRONT_WAYS - 1] == MS_CACHES_EMPTY))
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
						    ~line, &insertion, front, all);

		*out = *at;
		out->victim = ~insertion.victim;
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
				     ~(uint32_t)(line >> cache.tag_shift), &insertion);
		uint64_t victim = ~(uint32_t)insertion.victim;

		*out = *at;
		out->victim = insertion.victim == MS_CACHES_EMPTY
				      ? MS_CACHES_NO_LINE
				      : victim << cache.tag_shift | (line & cache.mask);
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
