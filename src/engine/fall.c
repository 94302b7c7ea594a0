/* engine/fall.c - lines through one level where the processor offers nothing better. */
#include "engine/fall.h"

#include <string.h>

/* For sets of any size. */
MS_INLINE bool bring_plain(const struct cache *cache, uint64_t *set, uint64_t line,
			   uint64_t *victim)
{
	uint32_t last = cache->ways - 1, i = 0;

	*victim = set[last];
	while (i < last && set[i] != line)
		i++;
	bool missed = set[i] != line;
	memmove(set + 1, set, i * sizeof(*set));
	set[0] = line;
	return missed;
}

size_t ms_fall_plain(const struct cache *cache, struct falling *lines, size_t n)
{
	return ms_fall_by(cache, lines, n, bring_plain);
}

size_t ms_fall_first_plain(const struct cache *cache, const struct doubts *doubts,
			   const struct span *span, size_t to, struct falling *out)
{
	return ms_fall_first_by(cache, doubts, span, to, out, bring_plain);
}

const struct fall_way *ms_fall_choose(uint32_t ways)
{
	const struct fall_way *way = ms_fall_ways;

	while (way->name != NULL && (ways > way->most_ways || !way->works()))
		way++;
	return way;
}
