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
 * Does not: time, bandwidth, speculation, instruction fetches; write-backs of a single processor.
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
 */
#ifndef MS_ENGINE_ENGINE_H
#define MS_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "machine/machine.h"

struct ms_engine;
struct ms_engine_shard;

/* A block as every shard uses it; the caller keeps it alive. A site has one size and kind. */
struct ms_engine_block_ref {
	uint32_t site;
	uint16_t size;
	uint16_t kind; /* enum ms_wire_ref_kind */
};

struct ms_engine_block {
	uint32_t refs;
	uint32_t exits;
	const struct ms_engine_block_ref *ref;
	const uint16_t *exit_refs;         /* by exit: number of references made before this exit */
	const uint16_t *exit_instructions; /* likewise for instructions; NULL: unknown */
};

/* Address range of a variable or section of a module, for ms_engine_add_module(). */
struct ms_engine_range {
	uint64_t start;
	uint64_t end;
	uint32_t data;
};

/* Data of addresses that belong to no object, variable or region. */
struct ms_engine_fallback_data {
	uint32_t unmapped; /* in no region */
	uint32_t freed;    /* in a freed heap block */
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
 * Call before anything else. Bounds the number of pairs (ms_engine_total_pair) that are kept during
 * the run: the smaller pairs of a bin are merged into a pair with `other_data`. The bound is
 * applied each time `batches` batches have been simulated. Without a limit all pairs are kept.
 */
struct ms_engine_pair_limit {
	uint64_t pairs;
	uint32_t other_data;
	uint32_t batches; /* 0: MS_ENGINE_PAIR_EPOCH */
};
enum { MS_ENGINE_MAX_PAIRS = 1 << 19, MS_ENGINE_PAIR_EPOCH = 4096 };
void ms_engine_limit_pairs(struct ms_engine *engine, const struct ms_engine_pair_limit *limit);
struct ms_engine_shard *ms_engine_get_shard(struct ms_engine *engine, unsigned i);
/*
 * How many shards, from the first, can filter: all, or one where resetting the filter costs too
 * much.
 */
unsigned ms_engine_count_filtering_shards(const struct ms_engine *engine);

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

/* Heap objects. Adding an object over an existing one ends the existing one. */
void ms_engine_add_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
/* Returns false when no object starts there. *was receives the object's range and data. */
bool ms_engine_free_object(struct ms_engine_shard *shard, uint64_t start,
			   struct ms_engine_range *was);
/*
 * Has the effect of adding an object and freeing it at once, but is faster. Returns false where
 * freeing it would. Allowed only while no objects are nested and no PMU monitor records changes of
 * the map (ms_engine_allows_short_lived()).
 */
bool ms_engine_add_short_lived(struct ms_engine_shard *shard, uint64_t start, uint64_t size);
bool ms_engine_allows_short_lived(const struct ms_engine_shard *shard);
/* An object will be added or freed there soon: prefetches what that needs, in two steps. */
void ms_engine_prefetch_object(const struct ms_engine_shard *shard, uint64_t start);
void ms_engine_prefetch_object_range(const struct ms_engine_shard *shard, uint64_t start);
/*
 * The same for objects that can lie inside others. Freeing the outer object removes those inside
 * it.
 */
void ms_engine_add_nested_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
				 uint32_t data);
bool ms_engine_free_nested_object(struct ms_engine_shard *shard, uint64_t start,
				  struct ms_engine_range *was);
/*
 * Overlays a range with data, until the range is unnamed, or what lies below is freed or unmapped.
 */
void ms_engine_name_range(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
void ms_engine_unname_range(struct ms_engine_shard *shard, uint64_t start);
/* Bytes of this data's objects that ended without being freed, since the last call. */
uint64_t ms_engine_take_lost_bytes(struct ms_engine_shard *shard, uint32_t data);
/* Sets the data of freed heap memory from now on. */
void ms_engine_set_freed_data(struct ms_engine_shard *shard, uint32_t data);
/* The data of an address at present. */
uint32_t ms_engine_find_data(struct ms_engine_shard *shard, uint64_t address);
/*
 * Regions are larger parts of memory; a later region covers earlier ones. exact: no heap object
 * will ever lie inside. Unmapping removes everything in the range, heap objects included.
 */
void ms_engine_map_region(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			  uint32_t data, bool exact);
void ms_engine_unmap_range(struct ms_engine_shard *shard, uint64_t start, uint64_t end);
/* A module's variables: sorted by start, not overlapping. They take precedence over regions. */
void ms_engine_add_module(struct ms_engine_shard *shard, uint32_t module,
			  const struct ms_engine_range *ranges, size_t n);
void ms_engine_remove_module(struct ms_engine_shard *shard, uint32_t module);

/* References from here on are counted for this phase. All shards begin in phase 0. */
void ms_engine_begin_phase(struct ms_engine_shard *shard, uint32_t phase);

/*
 * The following executions are those of this thread, on this processor of the machine. All shards
 * begin with thread 0 on processor 0. Without effect where one processor is simulated.
 */
void ms_engine_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread);
/*
 * Registers the current thread under the name that the stream uses for it (MS_WIRE_SWITCH),
 * together with its processor and its data of freed memory. Where the stream switches to a
 * registered thread, ms_engine_filter_executions() switches by itself and continues. The
 * registration holds until ms_engine_forget_threads().
 */
void ms_engine_register_thread(struct ms_engine_shard *shard, uint32_t name);
void ms_engine_forget_threads(struct ms_engine_shard *shard);
/*
 * Handles a record that switches threads, in words that this shard does not filter. Returns false
 * if the thread is not registered.
 */
bool ms_engine_switch_thread(struct ms_engine_shard *shard, uint64_t record);
/* Number of thread switches since the last call; *name receives the thread of the last one. */
uint64_t ms_engine_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name);
/* This number of processors is busy from here on; weights are derived from it. Initially 1. */
void ms_engine_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors);
/*
 * Sets the NUMA placement of pages of [start, end) that are touched first from here on. start ==
 * end: the default for all other pages. nodes is a bit set of nodes (0: all). Pages are distributed
 * over them in turn (MS_PLACEMENT_INTERLEAVED), or go to the node of the processor that touches
 * them if it is in the set, else to the lowest one (MS_PLACEMENT_NODE).
 */
void ms_engine_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			     enum ms_machine_page_placement placement, uint64_t nodes);

enum {
	MS_ENGINE_MISS_FIRST,
	MS_ENGINE_MISS_REPLACED,
	MS_ENGINE_MISS_INVALIDATED,
	MS_ENGINE_MISS_CAUSES
};

/*
 * The totals are sums over all shards. They are sorted, so equal runs give equal totals.
 *
 * With sampled sets, one line of a reference can be in a sampled set and another one not. If its
 * first line is sampled, it crosses out; if only a later one is, it crosses into the sample. Such a
 * reference is observed twice as often as others. It has bins of its own, which have misses and no
 * references: the caller that sums them has to supply how often both lines missed, which is one
 * miss.
 */
enum ms_engine_crossing {
	MS_ENGINE_CROSSES_NONE,
	MS_ENGINE_CROSSES_OUT,
	MS_ENGINE_CROSSES_INTO,
	MS_ENGINE_CROSSINGS
};

struct ms_engine_total_bin {
	uint32_t site;
	uint32_t data;
	uint32_t processor;
	uint32_t crosses; /* enum ms_engine_crossing */
	uint64_t references;
	uint64_t upgrades; /* lines that were present, but had to be invalidated elsewhere before
			      the write */
};

struct ms_engine_total_miss {
	uint32_t cell; /* index into cells */
	uint32_t level;
	uint64_t causes[MS_ENGINE_MISS_CAUSES];
	uint64_t covered; /* of these: the level's prefetcher would have loaded the line before */
	/* Of the invalidated ones: the bytes that the reference touches were not written since. */
	uint64_t falsely;
	/*
	 * Of these: this was the last level missed, and a cache of another processor answered
	 * instead of the next level.
	 */
	uint64_t peer;
	uint64_t remote; /* of the last level's misses: memory of another node answered */
	/*
	 * Lines that private caches evicted or had to share, and had to write back; at the last
	 * private level, also without a miss.
	 */
	uint64_t write_backs;
	/* Misses, each divided by the number of processors that were busy at that time. */
	double weighted;
};

/* Replacement misses of a bin by evictor, or lines evicted by a bin by victim. */
struct ms_engine_total_pair {
	uint32_t cell;
	uint32_t level;
	uint32_t other; /* data */
	uint64_t count;
};

/*
 * Line accesses that missed because another processor had written the line: the bin that missed,
 * the bin that invalidated the line, and the bytes of both. An access counts once, however many
 * levels it missed.
 */
struct ms_engine_total_sharing {
	uint32_t cell;
	uint32_t writer; /* cell */
	/* Address; UINT64_MAX: the sum of lines that were too many to keep separately. */
	uint64_t line;
	uint32_t offset;        /* in the line: the first byte touched ... */
	uint32_t writer_offset; /* ... and the first one written */
	uint64_t object;        /* start of the object that is touched; UINT64_MAX: unknown */
	uint64_t writer_object;
	uint64_t truly; /* a byte that the access touched had been written since */
	uint64_t falsely;
	uint64_t peer; /* of both, as above */
	uint64_t remote;
};

/* References and instructions of a thread on one processor. */
struct ms_engine_total_thread {
	uint32_t thread;
	uint32_t processor;
	uint64_t instructions;
	uint64_t references;
};

struct ms_engine_total_thread_miss {
	uint32_t thread; /* index into threads */
	uint32_t level;
	uint64_t misses;
	uint64_t peer;
	uint64_t remote;
};

/*
 * Number of lines that a data structure has in a level, over all caches of the level. Time is
 * counted in steps: one for each executed block and one for each of its references. Occupancy is
 * measured at the end of a batch and counts for the whole batch.
 */
struct ms_engine_total_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	uint64_t sum; /* lines times steps */
};

/* The same in one slice of the timeline. */
struct ms_engine_total_residence {
	uint32_t level;
	uint32_t data;
	uint32_t slice;
	uint64_t sum;
	uint64_t came; /* lines that entered the level: misses that were allocated */
};

struct ms_engine_totals {
	MS_VEC(struct ms_engine_total_bin) cells;      /* by site, data, processor, crossing */
	MS_VEC(struct ms_engine_total_miss) misses;    /* by cell, level; none that is all zeros */
	MS_VEC(struct ms_engine_total_pair) replaced;  /* by cell, level, other */
	MS_VEC(struct ms_engine_total_pair) evictions; /* by cell, level, other */
	uint64_t pair_error;   /* a pair's count is too low by at most this */
	uint64_t merged_pairs; /* pairs that were merged, some repeatedly */
	uint64_t steps;
	uint64_t slice; /* steps of each slice; the last one can be incomplete. At most 64 slices */
	MS_VEC(struct ms_engine_total_occupancy)
	occupancy; /* by level, data; entries with a peak of 0 are omitted */
	/* By level, data, slice; zero entries are omitted. */
	MS_VEC(struct ms_engine_total_residence) stays;
	/* Empty for one processor: */
	MS_VEC(struct ms_engine_total_sharing) sharing; /* by all up to writer_object */
	MS_VEC(struct ms_engine_total_thread) threads;  /* by thread, processor */
	MS_VEC(struct ms_engine_total_thread_miss)
	thread_misses; /* by thread, level; zero entries are omitted */
};

/*
 * Call before the last ms_engine_compute_totals(): frees what only the simulation needs, the line
 * records. Nothing can be simulated after that. Does nothing with windows or several processors.
 */
void ms_engine_end_simulation(struct ms_engine *engine);
/* All batches must be finished. */
void ms_engine_compute_totals(struct ms_engine *engine, struct ms_engine_totals *totals);
/*
 * The same, but if there are more bins than `cells`, the sites of a group count as one: of_sites()
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
