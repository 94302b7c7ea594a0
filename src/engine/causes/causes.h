/*
 * engine/causes/causes.h - divides replacement misses into conflict and capacity misses.
 *
 * A replacement miss of a level is a conflict miss if a fully associative LRU cache of the level's
 * size would have hit, and a capacity miss if that cache would have missed as well. Both see the
 * same accesses: those of the program (first level), or the misses of the level before. A hit of
 * the level that the fully associative cache would have missed was saved by the mapping.
 *
 * Levels after the first: each access's stack distance has bounds (distance_bounds.h); what these
 * cannot decide stays ambiguous. Shards record for each batch when
 * its lines were used before; ms_causes_finish_batch() decides for all shards, so that the result
 * does not depend on their number. Misses are classified in some batches only.
 * The first level: some batches are observed. The filter keeps their accesses in the order of the
 * program, and ms_causes_finish_batch() simulates the fully associative cache (lru_list.h) without
 * the accesses to the most recent line of a set, which the filter drops.
 * Counts are weighted: each classified batch stands for others.
 * Estimated (the default): of the first level, few batches are observed; of the others, the
 * distances of selected lines are estimated (spatial/level_distances.c). Estimates have groups, for
 * intervals (division_estimates.h).
 * Exact: all accesses of all batches are kept, and all levels are simulated by lists.
 *
 * Only for one processor with LRU write-back levels.
 */
#ifndef MS_ENGINE_CAUSES_CAUSES_H
#define MS_ENGINE_CAUSES_CAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/engine_totals.h"

struct ms_caches_miss;
struct ms_causes;
struct ms_count_level_misses;
struct ms_engine;
struct ms_engine_shard;
struct ms_machine;

/* How many batches a batch stands for; 0: its misses are not classified. */
struct ms_causes_weights {
	uint32_t first;  /* in the first level: it is observed */
	uint32_t others; /* in the other levels */
	/* It only fills the fully associative cache of the first level: see observed_batches.c. */
	bool is_warmup;
	uint8_t group; /* of the first level's estimates */
};

static inline bool ms_causes_is_observed(const struct ms_causes_weights *weights)
{
	return weights->first > 0 || weights->is_warmup;
}

/* The filter half of a shard: the batch that it filters. */
struct ms_causes_filter {
	struct ms_causes_weights weights;
};

/* An access of a level after the first; scratch of the simulation. */
struct ms_causes_access {
	uint64_t line;
	struct ms_count_cell *cell;
	uint32_t reference;
	uint32_t last; /* batch of the line's last use in this level; 0: none */
};

/* The simulation half. */
struct ms_causes_simulation {
	uint32_t batch; /* the one that is simulated; from 1 */
	bool is_classified;
	MS_VEC(struct ms_causes_access) accesses;
};

/* NULL: the variant does not divide replacement misses. */
struct ms_causes *ms_causes_open(const struct ms_engine *engine, const struct ms_machine *machine,
				 enum ms_engine_division division);
void ms_causes_close(struct ms_causes *causes);
void ms_causes_close_shard(struct ms_engine_shard *shard);
uint64_t ms_causes_measure(const struct ms_engine *engine);
/* Words of a line record, with those for the last use. */
unsigned ms_causes_count_record_words(const struct ms_causes *causes);
/* No more misses are divided: the engine has another variant from here on. */
void ms_causes_stop(struct ms_engine *engine);
/*
 * The division is exact: all batches are observed, and all levels are simulated by lists. Call it
 * when the engine has its causes.
 */
void ms_causes_make_exact(struct ms_engine *engine);
/* Whether the division of levels after the first is estimated from selected lines. */
bool ms_causes_is_estimated(const struct ms_engine *engine);

/* Before a batch is filtered, and when it is distributed. */
void ms_causes_begin_batch(struct ms_engine_shard *shard, uint64_t number);
void ms_causes_hand_over(struct ms_engine_shard *shard, unsigned batch_index);

/* For the simulation: a batch begins; lines access a level; of these, lines have missed it. */
void ms_causes_begin_simulation(struct ms_engine_shard *shard, unsigned batch_index);
void ms_causes_record_accesses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			       const struct ms_caches_miss *lines, size_t n);
void ms_causes_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			     const struct ms_caches_miss *lines, size_t n);
/* All shards have simulated the batch. */
void ms_causes_finish_batch(struct ms_engine *engine, unsigned batch_index);

/* group: by site, the first site of its group; NULL: sites are not grouped. */
void ms_causes_add_totals(const struct ms_engine *engine, const uint32_t *group,
			  struct ms_engine_totals *totals);
/* The counts of a cell and level, extrapolated from observed batches. */
void ms_causes_fill_total(const struct ms_engine *engine,
			  const struct ms_count_level_misses *counts,
			  struct ms_engine_total_miss *total);

#endif
