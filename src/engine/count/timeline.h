/*
 * engine/count/timeline.h - misses over time: those of each slice of the run, by site and data.
 *
 * A slice is a number of consecutive batches, and its length is counted in steps
 * (cache_occupancy.h). It begins as one batch; whenever there are 2 * MS_COUNT_SLICES slices, pairs
 * are merged, and the following slices have twice as many batches. A shard knows from the number of
 * a batch whether a slice ends with it, so all shards agree, and the slices do not depend on the
 * number of shards.
 *
 * Miss counters are not doubled: at the first miss of a slice, their state is kept, and the
 * difference when the slice ends is what the slice has. That costs a comparison for each miss.
 * Counters are by cause, and so are the misses of a slice.
 *
 * A slice keeps the MS_COUNT_SLICE_CELLS cells whose misses have the largest latency, and its sums
 * by processor, which are of all cells. Levels after the fourth are not recorded.
 *
 * With several processors a slice also has the latency of the misses of each thread: the difference
 * of the counters of threads, which are read when the slice ends.
 */
#ifndef MS_ENGINE_COUNT_TIMELINE_H
#define MS_ENGINE_COUNT_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/engine_totals.h"
#include "machine/machine.h"

struct ms_count_miss_table;
struct ms_count_misses;
struct ms_count_thread;
struct ms_engine;
struct ms_engine_shard;

enum { MS_COUNT_SLICES = 1024, MS_COUNT_SLICE_CELLS = 128 };

/* Misses of one slice. */
struct ms_count_slice_cell {
	uint32_t site;
	uint32_t data;
	uint32_t processor; /* of no meaning when the slice has ended */
	uint32_t causes[MS_ENGINE_SLICE_LEVELS][MS_ENGINE_MISS_CAUSES];
};

/* Latency of the misses of a thread in one slice. */
struct ms_count_slice_thread {
	uint32_t thread;
	uint64_t latency;
};

struct ms_count_slice_list {
	MS_VEC(struct ms_count_slice_cell) at;
	MS_VEC(struct ms_count_slice_thread) threads;
};

/* --- of a table of miss counters --- */

/* The misses of counters when the slice began, modulo 2^32: only differences are used. */
struct ms_count_slice_start {
	struct ms_count_misses *of;
	uint32_t causes[MS_ENGINE_SLICE_LEVELS][MS_ENGINE_MISS_CAUSES];
};

struct ms_count_slice_recorder {
	uint32_t number; /* of the slice, from 1 */
	MS_VEC(struct ms_count_slice_start) starts;
};

/* The first miss of these counters in the slice is about to be counted. */
void ms_count_start_slice(struct ms_count_miss_table *table, struct ms_count_misses *counters);

/* --- of the engine --- */

struct ms_count_slice {
	uint64_t steps;
	uint64_t phase_steps;
	uint32_t phase; /* the one with the most steps */
	struct ms_count_slice_list cells;
	MS_VEC(uint64_t) sums; /* by processor, level, cause */
};

struct ms_count_timeline {
	uint64_t latency[MS_ENGINE_SLICE_LEVELS]; /* cycles that a miss of the level adds */
	unsigned levels;
	uint64_t batches;           /* finished */
	struct ms_count_slice open; /* the slice that has not ended */
	MS_VEC(struct ms_count_slice) at;
};

void ms_count_open_slices(struct ms_count_timeline *slices, const struct ms_machine *machine);
void ms_count_close_slices(struct ms_count_timeline *slices);
uint64_t ms_count_measure_slices(const struct ms_count_timeline *slices);
/* The shard has simulated a batch: hands its misses over if a slice ends with it. */
void ms_count_end_slice_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* All shards have simulated the batch. */
void ms_count_finish_slice(struct ms_engine *engine, unsigned batch_index);
/* Adds all misses so far to the open slice: the tables of miss counters are about to be replaced.
 */
void ms_count_flush_slice(struct ms_engine *engine);
/* Other processors are about to be added: all misses so far are those of this thread. */
void ms_count_begin_slice_threads(struct ms_engine *engine, struct ms_count_thread *thread);
void ms_count_free_slice_list(struct ms_count_slice_list *list);
/* Ends the open slice. */
void ms_count_list_slices(struct ms_engine *engine, struct ms_engine_totals *totals);

#endif
