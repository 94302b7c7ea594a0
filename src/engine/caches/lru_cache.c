#include "engine/caches/lru_cache.h"

#include <string.h>

#include "base/mem.h"
#include "engine/caches/lru_lookup_next.h"

/* Roughly what stays in the first-level cache of the host. */
enum { NEAR_BYTES = 32 * 1024 };

/* Lines of a set that are loaded by one instruction. */
enum { ALIGNED_LINES = 8 };

static uint32_t log2_of(uint32_t power_of_two)
{
	return (uint32_t)__builtin_ctz(power_of_two);
}

static size_t lines_bytes(const struct ms_caches_lru *cache)
{
	return cache->set_count * cache->stride * sizeof(*cache->lines);
}

static size_t tags_bytes(const struct ms_caches_lru *cache)
{
	return cache->set_count * MS_CACHES_LRU_TAGS * sizeof(*cache->tags);
}

size_t ms_caches_measure_lru(const struct ms_caches_lru *cache)
{
	return cache->tags != NULL ? tags_bytes(cache) : lines_bytes(cache);
}

/*
 * A set of fewer ways occupies one line of the host already. Addresses of a program have at most 48
 * bits.
 */
static bool suits_tags(const struct ms_caches_lru *cache)
{
	return cache->impl->look_up_tags != NULL && cache->mask != 0 &&
	       cache->ways > MS_CACHES_FRONT_WAYS && cache->ways <= MS_CACHES_LRU_TAGS &&
	       48 - cache->line_shift - cache->tag_shift < 32;
}

/* A short program uses few sets, and the kernel clears a large page at its first access. So there
 * are small pages until there have been as many lookups as there are pages. */
enum { SMALL_PAGE = 4096, LARGE_PAGE = 2 << 20 };

static void *copy_densely(void *old, size_t bytes)
{
	void *table = ms_pages_alloc_dense(bytes);

	memcpy(table, old, bytes);
	ms_pages_free(old, bytes);
	return table;
}

void ms_caches_count_lru_lookups(struct ms_caches_lru *cache, size_t n)
{
	cache->sparse_lookups -= n < cache->sparse_lookups ? n : cache->sparse_lookups;
	if (cache->sparse_lookups > 0)
		return;
	if (cache->tags != NULL)
		cache->tags = copy_densely(cache->tags, tags_bytes(cache));
	else
		cache->lines = copy_densely(cache->lines, lines_bytes(cache));
}

static void make_lines(struct ms_caches_lru *cache)
{
	cache->lines = ms_pages_alloc_dense(lines_bytes(cache));
	cache->sparse_lookups = 0;
}

void ms_caches_open_lru(struct ms_caches_lru *cache, const struct ms_machine_level *level,
			const struct ms_machine_level *first)
{
	uint64_t sets = ms_machine_sets(level);

	*cache = (struct ms_caches_lru){
		.stride = (level->ways + ALIGNED_LINES - 1) & -ALIGNED_LINES,
		.ways = level->ways,
		.line_shift = log2_of(level->line),
		.l1_shift = log2_of(level->line) - log2_of(first->line),
		.set_count = sets,
		.impl = ms_caches_choose_lookup_impl(level->ways),
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
		.tag_shift = (uint32_t)__builtin_ctzll(sets),
	};
	if (level != first && suits_tags(cache))
		cache->tags = ms_pages_alloc(tags_bytes(cache));
	else
		cache->lines = ms_pages_alloc(lines_bytes(cache));
	size_t bytes = ms_caches_measure_lru(cache);
	cache->sparse_lookups = bytes >= LARGE_PAGE ? bytes / SMALL_PAGE : 0;
	cache->exceeds_host_cache = bytes > NEAR_BYTES;
}

void ms_caches_widen_lru(struct ms_caches_lru *cache)
{
	make_lines(cache);
	for (uint64_t set = 0; set < cache->set_count; set++)
		for (uint32_t i = 0; i < cache->ways; i++) {
			uint32_t stored = cache->tags[set * MS_CACHES_LRU_TAGS + i];
			uint64_t tag = ~stored;

			if (stored != MS_CACHES_EMPTY)
				cache->lines[set * cache->stride + i] =
					~(tag << cache->tag_shift | set);
		}
	ms_pages_free(cache->tags, tags_bytes(cache));
	cache->tags = NULL;
}

void ms_caches_close_lru(struct ms_caches_lru *cache)
{
	if (cache->tags != NULL)
		ms_pages_free(cache->tags, tags_bytes(cache));
	if (cache->lines != NULL)
		ms_pages_free(cache->lines, lines_bytes(cache));
}
