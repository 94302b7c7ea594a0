/*
 * engine/coherence/coherence_variant.h - the functions of struct ms_engine_variant for several
 * processors, and the state of their engine.
 */
#ifndef MS_ENGINE_COHERENCE_COHERENCE_VARIANT_H
#define MS_ENGINE_COHERENCE_COHERENCE_VARIANT_H

#include "engine/address_map/numa_placement.h"
#include "engine/coherence/processor_batch.h"
#include "engine/count/thread_counters.h"
#include "engine/engine.h"

struct ms_engine_cell_table;
struct ms_engine_setup;

/* Of all shards. */
struct ms_coherence_engine_state {
	struct ms_coherence_batch *batches; /* by batch index */
	struct ms_count_threads threads;    /* of references over lines of several shards */
	struct ms_address_map_numa placement;
};

/* processors.c */
void ms_coherence_open_engine(struct ms_engine *engine, const struct ms_engine_setup *setup);
void ms_coherence_close_engine(struct ms_engine *engine);
uint64_t ms_coherence_measure_engine(const struct ms_engine *engine);
void ms_coherence_open_shard(struct ms_engine_shard *shard, const struct ms_engine_setup *setup);
void ms_coherence_close_shard(struct ms_engine_shard *shard);
uint64_t ms_coherence_measure_shard(const struct ms_engine_shard *shard);
void ms_coherence_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);
void ms_coherence_reset_filters(struct ms_engine_shard *shard);
void ms_coherence_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors);
void ms_coherence_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
				enum ms_machine_page_placement placement, uint64_t nodes);
/* The pages of this range are placed anew at the next access. */
void ms_coherence_unmap_pages(struct ms_engine_shard *shard, uint64_t start, uint64_t end);

/* time_slices.c */
size_t ms_coherence_filter_executions(struct ms_engine_shard *shard, const uint64_t *words,
				      size_t n);
void ms_coherence_hand_over_batch(struct ms_engine_shard *shard, unsigned batch_index);
void ms_coherence_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread);
void ms_coherence_register_thread(struct ms_engine_shard *shard, uint32_t name);
void ms_coherence_forget_threads(struct ms_engine_shard *shard);
bool ms_coherence_switch_thread(struct ms_engine_shard *shard, uint64_t record);
uint64_t ms_coherence_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name);

/* processor_simulation.c, batch_merge.c */
void ms_coherence_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);
void ms_coherence_simulate_windows(struct ms_engine_shard *shard, unsigned batch_index);
void ms_coherence_finish_batch(struct ms_engine *engine, unsigned batch_index);

/* processor_counts.c, sharing_totals.c */
void ms_coherence_flush_references(struct ms_engine_shard *shard);
uint64_t ms_coherence_count_references(const struct ms_engine_shard *shard);
uint64_t ms_coherence_estimate_references(const struct ms_engine_shard *shard);
uint64_t ms_coherence_count_exits(const struct ms_engine *engine, uint32_t processor,
				  uint32_t block, uint32_t exit, double *weighted);
bool ms_coherence_next_cell_table(struct ms_engine_shard *shard, uint32_t *at,
				  struct ms_engine_cell_table *table);
uint64_t ms_coherence_count_lines(const struct ms_engine_shard *shard, uint64_t *bytes);
void ms_coherence_list_totals(struct ms_engine *engine, struct ms_engine_totals *totals);

#endif
