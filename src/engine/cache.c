#include "engine/cache.h"

#include "base/mem.h"
#include "engine/fall.h"

/* About what stays in the first-level cache of the processor that simulates. */
enum { NEAR_BYTES = 32 * 1024 };

/* Lines of a set that are loaded at once. */
enum { ALIGNED_LINES = 8 };

static uint32_t log2_of(uint32_t power_of_two)
{
	return (uint32_t)__builtin_ctz(power_of_two);
}

size_t ms_cache_bytes(const struct cache *cache)
{
	return cache->set_count * cache->stride * sizeof(*cache->lines);
}

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first)
{
	uint64_t sets = ms_machine_sets(level);

	*cache = (struct cache){
		.stride = (level->ways + ALIGNED_LINES - 1) & -ALIGNED_LINES,
		.ways = level->ways,
		.line_shift = log2_of(level->line),
		.up = log2_of(level->line) - log2_of(first->line),
		.set_count = sets,
		.way = ms_fall_choose(level->ways),
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
	};
	cache->lines = ms_pages_alloc_dense(ms_cache_bytes(cache));
	cache->far = ms_cache_bytes(cache) > NEAR_BYTES;
	for (uint64_t i = 0; i < sets * cache->stride; i++)
		cache->lines[i] = MS_LINE_NONE;
}

void ms_cache_close(struct cache *cache)
{
	ms_pages_free(cache->lines, ms_cache_bytes(cache));
}
