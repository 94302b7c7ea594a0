/*
 * engine/windows/window_variant.h - the functions of struct ms_engine_variant for windows of one
 * processor, and those of several processors that differ with windows.
 */
#ifndef MS_ENGINE_WINDOWS_WINDOW_VARIANT_H
#define MS_ENGINE_WINDOWS_WINDOW_VARIANT_H

#include "engine/engine.h"

struct ms_engine_setup;

/* window_opening.c */
void ms_engine_windows_open(struct ms_engine *engine, const struct ms_engine_setup *setup);
void ms_engine_windows_close(struct ms_engine *engine);
void ms_engine_windows_open_shard(struct ms_engine_shard *shard,
				  const struct ms_engine_setup *setup);
void ms_engine_windows_close_shard(struct ms_engine_shard *shard);
uint64_t ms_engine_windows_measure(const struct ms_engine *engine);
void ms_engine_windows_open_processors(struct ms_engine *engine,
				       const struct ms_engine_setup *setup);
void ms_engine_windows_close_processors(struct ms_engine *engine);
void ms_engine_windows_open_processor_shard(struct ms_engine_shard *shard,
					    const struct ms_engine_setup *setup);
void ms_engine_windows_close_processor_shard(struct ms_engine_shard *shard);

/* window_filter.c */
size_t ms_engine_windows_filter_executions(struct ms_engine_shard *shard, const uint64_t *words,
					   size_t n);
size_t ms_engine_windows_filter_processors(struct ms_engine_shard *shard, const uint64_t *words,
					   size_t n);
void ms_engine_windows_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* Skips blocks that were not executed since the last call. */
void ms_engine_windows_flush_references(struct ms_engine_shard *shard);
/* After all batches are filtered and simulated: adds the counts of the last step to their part. */
void ms_engine_windows_finish_steps(struct ms_engine *engine);

/* window_simulation.c */
void ms_engine_windows_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);

#endif
