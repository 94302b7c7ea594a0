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

#endif
