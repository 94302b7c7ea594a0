/* engine/caches/lru_lookup.c - line lookup for processors without a faster implementation. */
#include "engine/caches/lru_lookup_next.h"

#include <string.h>

/* For sets of any size. */
MS_INLINE bool insert_scalar(const struct ms_caches_lru *cache, uint64_t *set, uint64_t line,
			     struct ms_caches_insertion *insertion)
{
	uint32_t last = cache->ways - 1, i = 0;

	insertion->victim = set[last];
	while (i < last && set[i] != line)
		i++;
	bool missed = set[i] != line;
	insertion->way = missed ? MS_CACHES_LOOKUP_MISS : i;
	memmove(set + 1, set, i * sizeof(*set));
	set[0] = line;
	return missed;
}

/* Checks a sample of the lines. */
bool ms_caches_are_sets_shallow(const struct ms_caches_lru *cache,
				const struct ms_caches_miss *lines, size_t n)
{
	enum { ASKED = 8, FEWEST = 4 * ASKED, MOST_DEEP = 1 };
	unsigned deep = 0;

	for (size_t i = 0; i < ASKED && n >= FEWEST; i++) {
		uint64_t line = lines[i * n / ASKED].line >> cache->l1_shift;

		deep += ms_caches_get_lru_set(cache, line)[MS_CACHES_FRONT_WAYS] != MS_CACHES_EMPTY;
	}
	return n >= FEWEST && deep <= MOST_DEEP;
}

size_t ms_caches_look_up_scalar(const struct ms_caches_lru *cache,
				const struct ms_caches_window_lookup *seen,
				struct ms_caches_miss *lines, size_t n)
{
	return ms_caches_look_up_all(cache, seen, lines, n, NULL, insert_scalar);
}

size_t ms_caches_look_up_first_scalar(const struct ms_caches_lru *cache,
				      const struct ms_caches_window_lookup *seen,
				      const struct ms_filter_pending_list *pending_list,
				      const struct ms_filter_phase_span *span, size_t to,
				      struct ms_caches_miss *out)
{
	return ms_caches_look_up_first_all(cache, seen, pending_list, span, to, out, insert_scalar);
}

const struct ms_caches_lookup_impl *ms_caches_choose_lookup_impl(uint32_t ways)
{
	const struct ms_caches_lookup_impl *impl = ms_caches_lookup_impls;

	while (impl->name != NULL && (ways > impl->max_ways || !impl->is_supported()))
		impl++;
	return impl;
}

static bool fit_tags(const struct ms_caches_lru *cache, const struct ms_caches_miss *lines,
		     size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= lines[i].line >> cache->l1_shift;
	return ms_caches_fits_lru_tag(cache, all);
}

size_t ms_caches_look_up_level(struct ms_caches_lru *cache,
			       const struct ms_caches_window_lookup *seen,
			       struct ms_caches_miss *lines, size_t n)
{
	if (cache->tags != NULL && !fit_tags(cache, lines, n))
		ms_caches_widen_lru(cache);
	if (cache->sparse_lookups > 0)
		ms_caches_count_lru_lookups(cache, n);
	return cache->tags != NULL ? cache->impl->look_up_tags(cache, seen, lines, n)
				   : cache->impl->look_up(cache, seen, lines, n);
}
