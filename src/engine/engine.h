/*
 * engine/engine.h - the cache simulator. Input and output are numbers: it has no names, no I/O, no
 * globals.
 *
 * Models:   any number of cache levels between one or several processors and memory. By default a
 *           level has true LRU replacement, writes back, allocates on a write, and is neither
 *           inclusive nor exclusive: a miss fills every level that missed. A machine can have other
 *           replacement policies, write-through or write-around, inclusive and exclusive levels
 *           (configurable_caches.h), and stream prefetchers, which are observed but load no lines
 *           (stream_prefetcher.h). The caches of several processors are kept coherent
 *           (coherence.h). Memory can belong to several NUMA nodes (numa_placement.h).
 *           The part of a miss that an out-of-order processor waits for is estimated
 *           (timing/timing.h). Misses are counted by calling context (call_paths/call_paths.h).
 *           Replacement misses are divided into conflict and capacity misses (causes/causes.h).
 * Does not: speculation, instruction fetches; write-backs of a single processor.
 *
 * A reference that touches k lines is one reference and k line accesses. It is a miss of a level if
 * any of its lines misses there. The miss is counted once, with the cause of the first such line. A
 * modify is one reference. A line belongs to the data whose reference last brought it into the
 * level (its owner). An evicted line remembers the data of the reference that evicted it (its
 * evictor).
 *
 * The engine processes batches of executions in two steps. First, one shard filters a batch: it
 * finds the data of each reference, counts it, and keeps the accesses that are not guaranteed hits
 * (pending accesses). Then every shard simulates the batch. A set of every level belongs to exactly
 * one shard (it is selected by address bits that the set indices of all levels share), and a
 * pending access passes through the levels of the shard that owns its line. Different shards can
 * filter different batches at the same time. Each shard simulates all batches in stream order, on
 * one thread. There are no locks, and the totals are the same for any number of shards.
 *
 * The two halves of a shard share only batches: one thread can filter while another one simulates
 * batches that were distributed before. This does not hold with windows or with a PMU monitor.
 *
 * engine_events.h has the events of the program that a shard must receive, engine_calls.h calls and
 * returns, engine_totals.h the counts. All are included here.
 */
#ifndef MS_ENGINE_ENGINE_H
#define MS_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine_calls.h"
#include "engine/engine_events.h"
#include "engine/engine_totals.h"
#include "machine/machine.h"

struct ms_engine;
struct ms_engine_shard;

/* A block as every shard uses it; the caller keeps it alive. A site has one size and kind. */
struct ms_engine_block_ref {
	uint32_t site;
	uint16_t size;
	uint16_t kind;        /* enum ms_wire_ref_kind */
	uint16_t instruction; /* its index in the block */
};

struct ms_engine_block {
	uint32_t refs;
	uint32_t exits;
	const struct ms_engine_block_ref *ref;
	/*
	 * By reference: its data where its address has the data of the stack, because the
	 * instruction shows which variable it accesses. NULL: none does.
	 */
	const uint32_t *on_stack;
	const uint16_t *exit_refs;         /* by exit: number of references made before this exit */
	const uint16_t *exit_instructions; /* likewise for instructions; NULL: unknown */
	uint32_t instructions;
	const uint64_t *operands; /* by instruction (wire/operands.h); NULL: unknown */
	uint64_t entry;           /* address of its first instruction; 0: unknown */
	uint64_t function;        /* where the function begins that contains `entry`; 0: unknown */
	const struct ms_engine_block_calls *calls; /* NULL: none */
};

/* Data of addresses that belong to no object, variable or region; and of stacks. */
struct ms_engine_fallback_data {
	uint32_t unmapped; /* in no region */
	uint32_t freed;    /* in a freed heap block */
	uint32_t stack;    /* of stacks: see on_stack of a block; 0: there are none */
};

/* batch_count: how many batches can be in flight at once (see ms_engine_filter_executions). */
struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards,
				 unsigned batch_count, const struct ms_engine_fallback_data *data);
void ms_engine_close(struct ms_engine *engine);
/*
 * Call before anything else. The data of references that hit is not needed: all references count
 * for `hits`, whatever their data, which saves the lookup. Misses, causes and evictions are counted
 * as usual. Not for an engine with windows.
 */
void ms_engine_skip_hits(struct ms_engine *engine, uint32_t hits);
/*
 * Call before anything else. Replacement misses are divided into conflict and capacity misses
 * (causes/causes.h), which takes longer; exactly: several times as long. Does nothing for machines
 * that causes.h does not cover.
 */
void ms_engine_divide_replacements(struct ms_engine *engine, const struct ms_machine *machine,
				   enum ms_engine_division division);
/*
 * Call before anything else. Bounds the number of pairs (ms_engine_total_pair) that are kept during
 * the run: the smaller pairs of a cell are merged into a pair with `other_data`. The bound is
 * applied each time `batches` batches have been simulated. Without a limit all pairs are kept.
 */
struct ms_engine_pair_limit {
	uint64_t pairs;
	uint32_t other_data;
	uint32_t batches; /* 0: MS_ENGINE_PAIR_EPOCH */
};
enum { MS_ENGINE_MAX_PAIRS = 1 << 19, MS_ENGINE_PAIR_EPOCH = 4096 };
void ms_engine_limit_pairs(struct ms_engine *engine, const struct ms_engine_pair_limit *limit);
/*
 * Call before anything else. One line in `rate`, a power of two, is observed access by access
 * (engine_line_totals.h). 0, the default: fewer and fewer while the run gets longer. Other variants
 * than those of one processor without windows observe no lines.
 */
#define MS_ENGINE_SELECT_NO_LINES UINT32_MAX
/*
 * All lines that ms_engine_watch_lines() names, and no others. The totals have no miss curves,
 * no reuse and no estimated division of replacement misses, which need lines of all data.
 */
#define MS_ENGINE_SELECT_WATCHED_LINES (UINT32_MAX - 1)
void ms_engine_select_lines(struct ms_engine *engine, uint32_t rate);
struct ms_engine_shard *ms_engine_get_shard(struct ms_engine *engine, unsigned i);
/*
 * How many shards, from the first, can filter: all, or one where resetting the filter costs too
 * much.
 */
unsigned ms_engine_count_filtering_shards(const struct ms_engine *engine);

/* The shard filters the batch with this number next; they are counted in stream order. */
void ms_engine_begin_batch(struct ms_engine_shard *shard, uint64_t number);
/*
 * Filters executions (wire/wire.h) until the words end, or until a record is neither an execution
 * nor a switch to a registered thread (below). Returns the number of words consumed. If it stops at
 * an execution, that execution is malformed: it has no such exit, or is truncated. One shard
 * filters the whole of a batch.
 */
size_t ms_engine_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/*
 * The whole batch has been filtered. batch_index: which of the batches in flight it becomes. It can
 * be simulated after that.
 */
void ms_engine_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index);
/*
 * Call when another shard filters, or may filter, the next batch: what this filter recorded about
 * the caches is no longer valid.
 */
void ms_engine_reset_filter(struct ms_engine_shard *shard);
/* Call for every shard, in batch order. */
void ms_engine_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* Call once, when all shards have simulated the batch. Its index can be reused. */
void ms_engine_finish_batch(struct ms_engine *engine, unsigned batch_index);

/* Blocks are numbered from 0 in the order in which they are added. */
void ms_engine_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);

/*
 * Call before the last ms_engine_compute_totals(): frees what only the simulation needs, the line
 * records. Nothing can be simulated after that. Does nothing with windows or several processors.
 */
void ms_engine_end_simulation(struct ms_engine *engine);
/* All batches must be finished. */
void ms_engine_compute_totals(struct ms_engine *engine, struct ms_engine_totals *totals);
/*
 * The same, but if there are more cells than `cells`, the sites of a group count as one: of_sites()
 * gives, for each site, the first site of its group. Not with windows or several processors.
 */
struct ms_engine_site_groups {
	uint64_t cells;
	/*
	 * Called if needed, with the sites that have counts. The caller of the engine frees the
	 * result.
	 */
	const uint32_t *(*of_sites)(const uint32_t *sites, size_t n, void *arg);
	void *arg;
};
void ms_engine_compute_grouped_totals(struct ms_engine *engine,
				      const struct ms_engine_site_groups *groups,
				      struct ms_engine_totals *totals);
/*
 * Frees what only ms_engine_compute_totals() reads: the counters of misses and pairs, and the line
 * records. Nothing can be simulated after that. Not for sampled engines.
 */
void ms_engine_release_counters(struct ms_engine *engine);
void ms_engine_free_totals(struct ms_engine_totals *totals);
/* Totals of one phase: all references, and misses by level. */
void ms_engine_get_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
			 uint64_t *misses);
/*
 * How often a processor left a block by an exit. *weighted: the same, each divided by the number of
 * processors that were busy at that time.
 */
uint64_t ms_engine_count_exits(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			       uint32_t exit, double *weighted);
/*
 * For a progress line: the filtering thread updates the figures from time to time; other threads
 * can read them at any time. Returns how many counters were summed: with many, call it less often.
 */
size_t ms_engine_update_progress(struct ms_engine_shard *shard);
struct ms_engine_progress {
	uint64_t references;
	uint64_t misses; /* lines that missed the first level */
};
void ms_engine_read_progress(const struct ms_engine *engine, struct ms_engine_progress *progress);

/* Memory that the engine has allocated so far. No other thread may use the engine meanwhile. */
struct ms_engine_footprint {
	uint64_t lines;      /* lines that have a record: each was in a cache once */
	uint64_t line_bytes; /* of the records and of the tables that index them */
	uint64_t bytes;      /* total */
};
void ms_engine_measure_footprint(const struct ms_engine *engine,
				 struct ms_engine_footprint *footprint);

#endif
