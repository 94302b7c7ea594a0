/* engine/count/count_state.h - the counters of a shard's simulation, and their sums. */
#ifndef MS_ENGINE_COUNT_COUNT_STATE_H
#define MS_ENGINE_COUNT_COUNT_STATE_H

#include <stdint.h>

#include "engine/count/cache_occupancy.h"
#include "engine/count/eviction_pairs.h"
#include "engine/count/miss_counters.h"
#include "engine/count/phase_counters.h"
#include "engine/count/set_misses.h"
#include "engine/count/timeline.h"

/* The simulation half of a shard. */
struct ms_count_shard_state {
	struct ms_count_miss_table miss_counters;
	struct ms_count_line_changes line_changes;
	/* Batches simulated of the epoch: see eviction_pairs.h. */
	uint32_t epoch_batches;
	uint64_t batches; /* simulated */
	struct ms_count_sets sets;
	struct ms_count_phases phases; /* misses of each phase, of lines that this shard owns */
};

/* Of all shards, when a batch is finished. */
struct ms_count_engine_state {
	struct ms_count_miss_table finished; /* references over lines of several shards */
	struct ms_count_pair_sums pairs;     /* sums over all epochs that have ended */
	uint32_t epoch;                      /* number of batches in each epoch */
	uint32_t epoch_finished;             /* batches finished of the current epoch */
	struct ms_count_occupancy occupancy;
	struct ms_count_timeline slices;
	struct ms_count_phases finished_phases;
};

struct ms_engine;
struct ms_engine_shard;

/* batch_counts.c. The shard has simulated a batch: hands its pairs over if an epoch ends. */
void ms_count_end_epoch_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* All shards have simulated the batch. */
void ms_count_finish_splits(struct ms_engine *engine, unsigned batch_index);
void ms_count_finish_occupancy(struct ms_engine *engine, unsigned batch_index);
void ms_count_finish_epoch(struct ms_engine *engine, unsigned batch_index);
/* Adds the pairs that were counted since the last epoch ended. */
void ms_count_finish_pairs(struct ms_engine *engine);

/* totals.c: ms_engine_compute_grouped_totals(); groups: NULL for all sites separately. */
/* Index of the cell in the totals, which are sorted; MS_MAP_NONE: it is not there. */
uint32_t ms_count_find_total_cell(const struct ms_engine_totals *totals, uint32_t site,
				  uint32_t data, uint32_t processor);
void ms_count_compute_totals(struct ms_engine *engine, const struct ms_engine_site_groups *groups,
			     struct ms_engine_totals *totals);
void ms_count_free_totals(struct ms_engine_totals *totals);

#endif
