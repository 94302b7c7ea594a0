/* engine/causes/causes_state.h - the state of an engine that divides replacement misses. */
#ifndef MS_ENGINE_CAUSES_CAUSES_STATE_H
#define MS_ENGINE_CAUSES_CAUSES_STATE_H

#include "engine/causes/causes.h"
#include "engine/causes/distance_bounds.h"
#include "engine/causes/division_estimates.h"
#include "engine/causes/lru_list.h"
#include "engine/causes/optimal_replacement.h"
#include "engine/causes/optimal_sums.h"
#include "engine/causes/set_histogram.h"
#include "engine/filter/pending.h"

/* Accesses that are counted by what the fully associative cache would do. */
struct ms_causes_candidate {
	struct ms_count_cell *cell;
	uint32_t last;
	uint32_t count : 31;
	uint32_t missed : 1; /* replacement misses; else hits */
};

/*
 * A miss of a reference whose lines belong to several shards: as struct ms_caches_split_miss.
 */
struct ms_causes_split_miss {
	uint64_t line;
	struct ms_count_cell *cell;
	uint32_t reference;
	uint32_t last;
	bool replaced;
};

/* What one shard has recorded of a batch, for a level. */
struct ms_causes_level_share {
	/* By line used for the first time in the batch: the batch of its last use; 0: never. */
	MS_VEC(uint32_t) last_uses;
	MS_VEC(struct ms_causes_candidate) candidates;
	MS_VEC(struct ms_causes_split_miss) splits;
};

/* Outcome of an access in an observed batch: a bit for each level missed, and the cause. */
#define MS_CAUSES_MISSED(level)   (UINT32_C(1) << (level))
#define MS_CAUSES_REPLACED(level) (UINT32_C(1) << ((level) + MS_CAUSES_MAX_LEVELS))

struct ms_causes_share {
	struct ms_causes_level_share *levels; /* [0] is unused */
	MS_VEC(uint32_t) outcomes;            /* by pending access of the shard */
} MS_ALIGNED(128);                            /* avoids false sharing between shards */

struct ms_causes_batch {
	struct ms_causes_weights weights;
	MS_VEC(struct ms_filter_pending) accesses; /* if observed: in order */
	struct ms_causes_share *shares;            /* by shard */
};

#define MS_CAUSES_NO_LINE UINT64_MAX

struct ms_causes {
	unsigned levels;
	unsigned shards;
	unsigned batch_count;
	enum ms_engine_division division;
	bool was_observed;                     /* the batch before */
	struct ms_causes_batch *batch;         /* by batch index */
	struct ms_causes_distances *distances; /* by level; [0] is unused */
	struct ms_causes_lru_list *lists;      /* by level; only the first unless exact */
	/* By level, as `lists`. With bounds there are none: the first level would not be enough. */
	struct ms_causes_optimal_cache *optimal;
	struct ms_causes_optimal_sums optimal_sums;
	uint64_t *recent_lines; /* by set of the first level; see MS_CAUSES_NO_LINE */
	uint64_t set_count;
	uint32_t *line_shifts; /* by level: from lines of the first level */
	struct ms_causes_histogram histogram;
	struct ms_causes_estimates estimates;
	uint32_t finished; /* batches */
	uint64_t steps;
	uint64_t observed_steps;
};

/* causes.c: counts of one cell. */
struct ms_count_level_misses *ms_causes_find_counters(struct ms_engine *engine,
						      const struct ms_count_cell *cell,
						      unsigned shard, unsigned level);
struct ms_count_level_misses *
ms_causes_find_finished(struct ms_engine *engine, const struct ms_count_cell *cell, unsigned level);
void ms_causes_count_verdict(struct ms_count_level_misses *counts, enum ms_causes_verdict verdict,
			     uint64_t n);
/* observed_batches.c */
void ms_causes_forget_recent_lines(struct ms_causes *causes);
void ms_causes_finish_observed(struct ms_engine *engine, struct ms_causes_batch *batch);

#endif
