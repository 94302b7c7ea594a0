/*
 * engine/caches/replacement_policies.h - replacement policies: which line of a full set is evicted.
 * A table has one row per policy.
 *
 * Ways have fixed numbers here, and a policy has some words of state per set. The LRU levels of
 * lru_cache.h do not use this: they keep ways in the order of use.
 */
#ifndef MS_ENGINE_CACHES_REPLACEMENT_POLICIES_H
#define MS_ENGINE_CACHES_REPLACEMENT_POLICIES_H

#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

struct ms_caches_policy {
	/*
	 * Number of state words of a set with this many ways; they are zero until start() is
	 * called.
	 */
	size_t (*words)(uint32_t ways);
	/* seed is different for each set of the machine. NULL: zeros are the initial state. */
	void (*start)(uint64_t *set, uint64_t seed);
	/* The line in the way was referenced: a hit. */
	void (*use)(uint64_t *set, uint32_t ways, uint32_t way);
	/* A line was inserted into the way. */
	void (*fill)(uint64_t *set, uint32_t ways, uint32_t way);
	/* Called when all ways are full; returns the way to evict. */
	uint32_t (*victim)(uint64_t *set, uint32_t ways);
};

extern const struct ms_caches_policy ms_caches_policies[MS_REPLACEMENTS];

#endif
