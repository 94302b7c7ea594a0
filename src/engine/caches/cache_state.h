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
	struct ms_caches_lru *level; /* the other LRU levels; by level, [0] is unused */
	struct ms_caches_line_records lines;
	MS_VEC(struct ms_caches_miss) missed_lines; /* scratch of one batch */
	struct ms_caches_split_misses *splits;      /* by batch in flight */
	/* Lines that missed the first level; for progress, other threads read it. */
	uint64_t misses;
};

struct ms_engine_setup;
struct ms_engine_shard;

/* Functions of struct ms_engine_variant. lru_simulation.c: */
void ms_caches_open_levels(struct ms_engine_shard *shard, const struct ms_engine_setup *setup);
void ms_caches_close_levels(struct ms_engine_shard *shard);
uint64_t ms_caches_measure_levels(const struct ms_engine_shard *shard);
uint64_t ms_caches_count_lines(const struct ms_engine_shard *shard, uint64_t *bytes);
void ms_caches_simulate_lru(struct ms_engine_shard *shard, unsigned batch_index);
/* configurable_caches.c: */
void ms_caches_open_configurable_shard(struct ms_engine_shard *shard,
				       const struct ms_engine_setup *setup);
void ms_caches_close_configurable_shard(struct ms_engine_shard *shard);
uint64_t ms_caches_measure_configurable_shard(const struct ms_engine_shard *shard);
void ms_caches_simulate_configurable(struct ms_engine_shard *shard, unsigned batch_index);

#endif
