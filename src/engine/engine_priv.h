/*
 * engine/engine_priv.h - the state of an engine and of its shards. Each sub-folder declares the
 * part that it owns.
 */
#ifndef MS_ENGINE_ENGINE_PRIV_H
#define MS_ENGINE_ENGINE_PRIV_H

#include "engine/address_map/address_map.h"
#include "engine/caches/cache_state.h"
#include "engine/caches/configurable_caches.h"
#include "engine/call_paths/call_paths.h"
#include "engine/causes/causes.h"
#include "engine/coherence/coherence_variant.h"
#include "engine/coherence/processors.h"
#include "engine/count/cell_counters.h"
#include "engine/count/count_state.h"
#include "engine/engine.h"
#include "engine/event_consumer_priv.h"
#include "engine/filter/filter_state.h"
#include "engine/simulated_pmu/pmu_state.h"
#include "engine/spatial/spatial.h"
#include "engine/timing/timing.h"
#include "engine/windows/window_state.h"

struct ms_engine_variant;

/* A batch in flight. */
struct ms_engine_batch {
	struct ms_filter_pending_list *shares; /* by shard */
	uint64_t steps;                        /* see cache_occupancy.h */
	uint32_t phase;                        /* at its end */
	struct ms_count_pair_list
		*pairs; /* by shard: pairs of the epoch that ends with this batch */
	struct ms_count_slice_list
		*slices; /* by shard: misses of the slice that ends with this batch */
};

struct ms_engine_shard {
	struct ms_engine *engine;
	unsigned number;
	unsigned levels;
	uint32_t first_shift; /* of the first level's lines */

	struct ms_caches_configurable *configurable; /* NULL: all levels are LRU and write back */
	struct ms_coherence_processors *processors;  /* of variants with several processors */

	/* The filter half: batches that this shard filters. */
	struct ms_filter_state filter;
	struct ms_address_map address_map;
	struct ms_count_cells cells;
	struct ms_count_phase_references phase_references;
	struct ms_engine_windows_filter windows; /* see window_filter.c */
	struct ms_pmu_shard_state pmu;
	struct ms_timing_filter timing;
	struct ms_call_paths_filter call_paths;
	struct ms_spatial_filter spatial;
	struct ms_causes_filter causes_filter;

	/*
	 * The simulation half: the lines that this shard owns. Another thread can simulate than the
	 * one that filters.
	 */
	struct ms_caches_state caches MS_ALIGNED(128);
	struct ms_count_shard_state counts;
	struct ms_causes_simulation causes;
} MS_ALIGNED(128); /* avoids false sharing between shards */

struct ms_engine {
	const struct ms_engine_variant *variant;
	unsigned shards;           /* as requested; those beyond the number of groups own nothing */
	unsigned filtering_shards; /* shards that can filter, from the first */
	unsigned batch_count;
	/* Address bits below: one line of the largest size, or more where groups are bounded. */
	uint32_t group_shift;
	uint64_t group_mask; /* groups - 1; groups is a power of two */
	uint8_t *owner;      /* by group: its shard; there are at most 255 */
	struct ms_engine_shard *shard;
	struct ms_engine_batch *batch; /* by batch index */
	struct ms_count_engine_state counts;
	struct ms_timing *timing;         /* NULL: in-order processors, or several */
	struct ms_call_paths *call_paths; /* NULL: calls are not followed */
	struct ms_spatial *spatial;       /* NULL: no lines are observed */
	struct ms_causes *causes;         /* NULL: replacement misses are not divided */
	/* Of some variants: see variant_priv.h. */
	struct ms_engine_monitoring monitoring;
	struct ms_pmu_monitor *monitor;
	struct ms_engine_windows_state *windows;
	struct ms_coherence_engine_state coherence;
};

/* engine.c: allocates the miss counters of a cell. */
struct ms_count_misses *ms_engine_add_miss_counters(struct ms_engine_shard *shard,
						    const struct ms_count_cell *cell);

MS_INLINE struct ms_count_misses *ms_engine_get_miss_counters(struct ms_engine_shard *shard,
							      struct ms_count_cell *cell)
{
	struct ms_count_misses **counters = &cell->counters[shard->number];

	if (MS_UNLIKELY(*counters == NULL))
		*counters = ms_engine_add_miss_counters(shard, cell);
	return *counters;
}

/* A reference missed this level; f is its first line that did. */
MS_INLINE void ms_engine_count_miss(struct ms_engine_shard *shard, unsigned batch_index,
				    const struct ms_caches_miss *f, unsigned level, uint32_t record)
{
	if (MS_UNLIKELY(f->split)) {
		ms_caches_record_split_miss(shard, batch_index, f, level, record);
		return;
	}
	ms_count_add_miss(&shard->counts.miss_counters, ms_engine_get_miss_counters(shard, f->cell),
			  level, record);
	ms_count_add_phase_miss(&shard->counts.phases, f->phase, level, shard->levels);
}

/* The pending accesses that the shard has to simulate. */
MS_INLINE struct ms_filter_pending_list *ms_engine_get_share(const struct ms_engine_shard *shard,
							     unsigned batch_index)
{
	return &shard->engine->batch[batch_index].shares[shard->number];
}

/* The data of a reference of the block to an address that has this data. */
MS_INLINE uint32_t ms_engine_choose_data(const struct ms_engine_shard *shard,
					 const struct ms_engine_block *block, size_t ref,
					 uint32_t data)
{
	if (MS_LIKELY(data != shard->address_map.fallback.stack || block->on_stack == NULL))
		return data;
	return data != 0 ? block->on_stack[ref] : data;
}

MS_INLINE unsigned ms_engine_find_owner(const struct ms_engine *engine, uint64_t address)
{
	return engine->owner[(address >> engine->group_shift) & engine->group_mask];
}

#endif
