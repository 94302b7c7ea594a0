#include "engine/cache.h"

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
		.ways = ms_alloc(lines * sizeof(*cache->ways)),
		.recent = ms_alloc(sets * sizeof(*cache->recent)),
		.associativity = level->ways,
		.line_shift = log2_of(level->line),
		.up = log2_of(level->line) - log2_of(first->line),
		.sets = sets,
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
	};
	for (size_t i = 0; i < lines; i++)
		cache->ways[i].line = MS_LINE_NONE;
	for (size_t i = 0; i < sets; i++)
		cache->recent[i] = MS_LINE_NONE;
}

void ms_cache_close(struct cache *cache)
{
	ms_free(cache->ways);
	ms_free(cache->recent);
}
