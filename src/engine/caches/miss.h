/* engine/caches/miss.h - lines that missed a level, on their way through the next ones. */
#ifndef MS_ENGINE_CACHES_MISS_H
#define MS_ENGINE_CACHES_MISS_H

#include <stdint.h>

#include "base/vec.h"

struct ms_count_cell;
struct ms_engine_shard;

/* A line that is looked up level by level, up to the last level that it missed so far. */
struct ms_caches_miss {
	uint64_t line;
	struct ms_count_cell *cell;
	uint32_t *record; /* the line's record; set when the line has missed the first level */
	/* The line that the last missed level evicted, at that level's line size. */
	uint64_t victim;
	uint32_t reference; /* index of its reference's first line in the shard's share */
	/* Phase of the reference; with windows, after window_simulation.c, its part. */
	uint32_t phase : 30;
	uint32_t unknown : 1; /* unknown whether it misses: see window_simulation.c */
	uint32_t split : 1;   /* see MS_FILTER_SPLIT_REFERENCE */
};

/*
 * A miss of a level by a reference whose lines belong to several shards. ms_engine_finish_batch()
 * merges those of all shards for a batch, because a reference misses a level only once.
 */
struct ms_caches_split_miss {
	uint64_t line; /* the first of the reference's lines that missed in this shard */
	uint32_t reference;
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint32_t record; /* the line's record at the time of the miss */
	uint32_t phase;
};

struct ms_caches_split_misses {
	MS_VEC(struct ms_caches_split_miss) at;
};

/* Records a miss that ms_engine_finish_batch() merges with those of other shards. */
void ms_caches_record_split_miss(struct ms_engine_shard *shard, unsigned batch_index,
				 const struct ms_caches_miss *f, unsigned level, uint32_t record);

#endif
