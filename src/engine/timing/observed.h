/* engine/timing/observed.h - how observed batches are kept: see keep_executions.c. */
#ifndef MS_ENGINE_TIMING_OBSERVED_H
#define MS_ENGINE_TIMING_OBSERVED_H

#include "engine/engine.h"
#include "engine/timing/timing.h"

enum { MS_TIMING_EXIT_AT = 48 };

static inline uint64_t ms_timing_make_head(const struct ms_engine_block *block, uint32_t exit)
{
	return (uint64_t)(uintptr_t)block | (uint64_t)exit << MS_TIMING_EXIT_AT;
}

/* In the place of an execution: another thread's executions begin. */
#define MS_TIMING_SWITCH UINT64_C(0)

static inline const struct ms_engine_block *ms_timing_head_block(uint64_t head)
{
	return (const struct ms_engine_block *)(uintptr_t)(head &
							   ((UINT64_C(1) << MS_TIMING_EXIT_AT) -
							    1));
}

static inline uint32_t ms_timing_head_exit(uint64_t head)
{
	return (uint32_t)(head >> MS_TIMING_EXIT_AT);
}

/* Whether the batch with this number is observed. */
bool ms_timing_is_chosen(uint64_t number);
/* timing.c */
uint32_t ms_timing_get_page_shift(const struct ms_timing *timing); /* from lines to pages */
struct ms_timing_batch *ms_timing_get_batch(const struct ms_timing *timing, unsigned batch_index);

#endif
