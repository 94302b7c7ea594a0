/* engine/caches/cache_state.h - the part of a shard that the simulated caches own. */
#ifndef MS_ENGINE_CACHES_CACHE_STATE_H
#define MS_ENGINE_CACHES_CACHE_STATE_H

#include <stdint.h>

#include "base/vec.h"
#include "engine/caches/line_records.h"
#include "engine/caches/lru_cache.h"
#include "engine/caches/miss.h"

struct ms_caches_state {
	struct ms_caches_lru first;  /* of configurable machines, only its geometry is used */
	struct ms_caches_lru *level; /* the other levels; by level, [0] is unused */
	struct ms_caches_line_records lines;
	MS_VEC(struct ms_caches_miss) missed_lines; /* scratch of one batch */
	struct ms_caches_split_misses *splits;      /* by batch in flight */
	/* Lines that missed the first level; for progress, other threads read it. */
	uint64_t misses;
};

#endif
