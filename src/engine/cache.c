#include "engine/cache.h"

#include <string.h>

#include "base/mem.h"

/* About what stays in the first-level cache of the processor that simulates. */
enum { NEAR_BYTES = 32 * 1024 };

/* Of the processor that simulates; a set of many ways begins at one. */
enum { HOST_LINE = 64 };

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) & ~(to - 1);
}

static uint32_t log2_of(uint32_t power_of_two)
{
	return (uint32_t)__builtin_ctz(power_of_two);
}

static size_t stride_of(uint32_t ways)
{
	size_t lines = ways * sizeof(uint64_t);

	return ways > MS_CACHE_NARROW ? lines
				      : round_up(sizeof(struct cache_set) + lines, HOST_LINE);
}

size_t ms_cache_bytes(const struct cache *cache)
{
	return cache->set_count * cache->stride;
}

void ms_cache_open(struct cache *cache, const struct ms_machine_level *level,
		   const struct ms_machine_level *first)
{
	uint64_t sets = ms_machine_sets(level);

	*cache = (struct cache){
		.stride = stride_of(level->ways),
		.ways = level->ways,
		.line_shift = log2_of(level->line),
		.up = log2_of(level->line) - log2_of(first->line),
		.set_count = sets,
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
	};
	for (uint32_t way = 0; way < level->ways && way < MS_CACHE_NARROW; way++)
		cache->exists[way / 8] |= UINT64_C(0xff) << way % 8 * 8;
	cache->sets = ms_pages_alloc(sets * cache->stride);
	cache->far = ms_cache_bytes(cache) > NEAR_BYTES;
	ms_cache_empty(cache);
}

void ms_cache_close(struct cache *cache)
{
	ms_pages_free(cache->sets, cache->set_count * cache->stride);
}

static uint64_t *lines_of(const struct cache *cache, uint64_t set)
{
	struct cache_set *at = ms_cache_at(cache, set);

	return cache->ways > MS_CACHE_NARROW ? (uint64_t *)(void *)at : at->line;
}

void ms_cache_empty(struct cache *cache)
{
	for (uint64_t set = 0; set < cache->set_count; set++) {
		uint64_t *lines = lines_of(cache, set);

		for (uint32_t i = 0; i < cache->ways; i++)
			lines[i] = MS_LINE_NONE;
		if (cache->ways <= MS_CACHE_NARROW) /* any order of all the ways */
			ms_cache_at(cache, set)->order = UINT64_C(0xfedcba9876543210);
	}
}

uint32_t ms_cache_lines(const struct cache *cache, uint64_t set, uint64_t *into)
{
	const uint64_t *lines = lines_of(cache, set);
	uint32_t n = 0;

	for (uint32_t i = 0; i < cache->ways; i++) {
		uint32_t way = cache->ways > MS_CACHE_NARROW
				       ? i
				       : ms_cache_at(cache, set)->order >> (4 * i) & 15;

		if (lines[way] != MS_LINE_NONE)
			into[n++] = lines[way];
	}
	return n;
}

uint64_t ms_cache_bring_wide(const struct cache *cache, uint64_t set, uint64_t line)
{
	uint64_t *lines = lines_of(cache, set);
	uint32_t i = 0;

	while (i < cache->ways - 1 && lines[i] != line)
		i++;
	uint64_t was = lines[i];
	memmove(lines + 1, lines, i * sizeof(*lines));
	lines[0] = line;
	return was;
}
