/*
 * engine/timing/timing.h - what misses cost on an out-of-order processor.
 *
 * Models:   a processor that dispatches instructions in order, executes each one when its operands
 *           are ready, and retires them in order from a window of limited size. Independent misses
 *           overlap, up to a number of outstanding ones; a miss whose address depends on another
 *           one waits for it. Stride prefetching with timeliness, a store buffer, memory bandwidth,
 *           two levels of TLB with page walks, branch prediction.
 * Does not: execution ports, instruction fetch, bank conflicts, several processors. Of several, the
 *           executions of each thread are replayed as far as the next thread's begin; the classes
 *           of dependence and strides are kept, and no times.
 *
 * Only some batches are observed: the first ones, then one of many, chosen by a hash of their
 * number. Their executions are replayed through the model, with the misses that the caches have
 * simulated. The exposed parts of misses, which are the parts that the processor waited for, are
 * extrapolated to all misses of their cell and level. Batches are replayed in stream order by one
 * thread, so the result does not depend on the number of shards.
 */
#ifndef MS_ENGINE_TIMING_TIMING_H
#define MS_ENGINE_TIMING_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"

struct ms_caches_miss;
struct ms_engine;
struct ms_engine_setup;
struct ms_engine_shard;
struct ms_engine_totals;
struct ms_timing;

/* A line that missed the first level in an observed batch. */
struct ms_timing_miss {
	uint64_t line;
	uint32_t site;
	uint32_t data;
	uint32_t missed; /* number of levels */
	uint32_t next;   /* while it is recorded: its reference; then see replay.c */
};

enum { MS_TIMING_RECENT_PAGES = 64 };

/* What one shard has recorded of a batch while it simulated it. */
struct ms_timing_share {
	MS_VEC(struct ms_timing_miss) misses; /* of an observed batch */
	size_t recorded;                      /* misses before those that are recorded now */
	/* Pages of the lines that missed the second level, of any other batch; few are repeated. */
	MS_VEC(uint64_t) pages;
	uint64_t lines; /* number of these lines */
	uint64_t recent_pages[MS_TIMING_RECENT_PAGES];
} MS_ALIGNED(128); /* avoids false sharing between shards */

struct ms_timing_batch {
	bool is_observed;
	bool is_near;                   /* one of the next batches is observed */
	MS_VEC(uint64_t) executions;    /* see keep_executions.c */
	struct ms_timing_share *shares; /* by shard */
};

/* The filter half of a shard: the batch that it filters. */
struct ms_timing_filter {
	bool is_observed;
	bool is_near; /* as in struct ms_timing_batch */
	MS_VEC(uint64_t) executions;
};

/* NULL: the setup has nothing that the model applies to. The engine's batches must be open. */
struct ms_timing *ms_timing_open(const struct ms_engine *engine,
				 const struct ms_engine_setup *setup);
void ms_timing_close(struct ms_timing *timing);
/* The engine gets several processors. */
void ms_timing_add_processors(struct ms_timing *timing);
/* The bytes that it takes, for ms_engine_measure_footprint(); 0 if timing is NULL. */
uint64_t ms_timing_measure(const struct ms_timing *timing);

/* keep_executions.c. The batch with this number, in stream order, is filtered next. */
void ms_timing_begin_batch(struct ms_engine_shard *shard, uint64_t number);
/* The shard has filtered these words, which are executions. */
void ms_timing_keep_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* The executions after that are those of another thread. */
void ms_timing_switch_thread(struct ms_engine_shard *shard);
void ms_timing_hand_over(struct ms_engine_shard *shard, unsigned batch_index);

/* All shards have simulated the batch. */
void ms_timing_finish_batch(struct ms_engine *engine, unsigned batch_index);
/* Adds the model's counts to totals, which have all others. group: by site, or NULL. */
void ms_timing_add_totals(const struct ms_engine *engine, const uint32_t *group,
			  struct ms_engine_totals *totals);

/*
 * record_misses.c, for the simulation of caches. Lines that missed this level and all before it;
 * call it for one level after the other.
 */
void ms_timing_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			     const struct ms_caches_miss *lines, size_t n);
/* The same for one line, which missed this number of levels. */
void ms_timing_record_miss(struct ms_engine_shard *shard, unsigned batch_index,
			   const struct ms_caches_miss *f, unsigned missed);
/* Likewise, with several processors: of observed batches only. */
bool ms_timing_is_observed(const struct ms_engine *engine, unsigned batch_index);
void ms_timing_record_processor_miss(struct ms_engine_shard *shard, unsigned batch_index,
				     const struct ms_timing_miss *miss);

#endif
