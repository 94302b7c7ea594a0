/* engine/fall.c - lines through one level where the processor offers nothing better. */
#include "engine/fall.h"

#include <string.h>

/* For sets of any size. */
MS_INLINE bool bring_plain(const struct cache *cache, uint64_t *set, uint64_t line,
			   struct brought *brought)
{
	uint32_t last = cache->ways - 1, i = 0;

	brought->victim = set[last];
	while (i < last && set[i] != line)
		i++;
	bool missed = set[i] != line;
	brought->way = missed ? MS_FALL_NOWHERE : i;
	memmove(set + 1, set, i * sizeof(*set));
	set[0] = line;
	return missed;
}

/* Some of the lines tell. */
bool ms_fall_is_shallow(const struct cache *cache, const struct falling *lines, size_t n)
{
	enum { ASKED = 8, FEWEST = 4 * ASKED, MOST_DEEP = 1 };
	unsigned deep = 0;

	for (size_t i = 0; i < ASKED && n >= FEWEST; i++) {
		uint64_t line = lines[i * n / ASKED].line >> cache->up;

		deep += ms_cache_at(cache, line)[MS_FALL_FRONT] != MS_LINE_NONE;
	}
	return n >= FEWEST && deep <= MOST_DEEP;
}

size_t ms_fall_plain(const struct cache *cache, const struct fall_seen *seen, struct falling *lines,
		     size_t n)
{
	return ms_fall_all(cache, seen, lines, n, NULL, bring_plain);
}

size_t ms_fall_first_plain(const struct cache *cache, const struct fall_seen *seen,
			   const struct doubts *doubts, const struct span *span, size_t to,
			   struct falling *out)
{
	return ms_fall_first_all(cache, seen, doubts, span, to, out, bring_plain);
}

const struct fall_way *ms_fall_choose(uint32_t ways)
{
	const struct fall_way *way = ms_fall_ways;

	while (way->name != NULL && (ways > way->most_ways || !way->works()))
		way++;
	return way;
}

static bool have_tags(const struct cache *cache, const struct falling *lines, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all |= lines[i].line >> cache->up;
	return ms_cache_has_tag(cache, all);
}

size_t ms_fall_through(struct cache *cache, const struct fall_seen *seen, struct falling *lines,
		       size_t n)
{
	if (cache->tags != NULL && !have_tags(cache, lines, n))
		ms_cache_widen(cache);
	return cache->tags != NULL ? cache->way->by_tags(cache, seen, lines, n)
				   : cache->way->through(cache, seen, lines, n);
}
