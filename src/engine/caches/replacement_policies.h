/*
 * engine/caches/replacement_policies.h - which line of a full set leaves: replacement policies as
 * rows of a table.
 *
 * Ways have fixed numbers here, and a policy keeps some words of its own a set. The plain machine's
 * LRU is not among its users: lru_cache.h keeps ways in the order of use instead.
 */
#ifndef MS_ENGINE_CACHES_REPLACEMENT_POLICIES_H
#define MS_ENGINE_CACHES_REPLACEMENT_POLICIES_H

#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

struct ms_caches_policy {
	/* How many words a set of so many ways needs; they are zero until start() is called. */
	size_t (*words)(uint32_t ways);
	/* seed is a number that no other set of the machine has. NULL: zeros will do. */
	void (*start)(uint64_t *set, uint64_t seed);
	/* The way was referenced, or filled. */
	void (*use)(uint64_t *set, uint32_t ways, uint32_t way);
	/* Called when all ways are full. */
	uint32_t (*victim)(uint64_t *set, uint32_t ways);
};

extern const struct ms_caches_policy ms_caches_policies[MS_REPLACEMENTS];

#endif
