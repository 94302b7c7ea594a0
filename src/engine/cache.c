#include "engine/cache.h"

#include <string.h>

#include "base/mem.h"

static uint32_t log2_of(uint32_t power_of_two)
{
	return (uint32_t)__builtin_ctz(power_of_two);
}

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first)
{
	uint64_t sets = ms_machine_sets(level);
	size_t lines = (size_t)sets * level->ways;

	*cache = (struct cache){
		.tags = ms_alloc(lines * sizeof(*cache->tags)),
		.records = ms_alloc(lines * sizeof(*cache->records)),
		.recent = ms_alloc(sets * sizeof(*cache->recent)),
		.ways = level->ways,
		.line_shift = log2_of(level->line),
		.up = log2_of(level->line) - log2_of(first->line),
		.sets = sets,
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
	};
	memset(cache->tags, 0xff, lines * sizeof(*cache->tags));
	memset(cache->recent, 0xff, sets * sizeof(*cache->recent));
}

void ms_cache_close(struct cache *cache)
{
	ms_free(cache->tags);
	ms_free(cache->records);
	ms_free(cache->recent);
}
