/*
 * engine/engine.h - the simulator: numbers in, numbers out. No names, no I/O, no globals.
 *
 * Models:   any number of cache levels between one processor, or several, and memory. The plain
 *           ones have true LRU, write back, allocate on a write, and are neither inclusive nor
 *           exclusive: a miss fills every level that missed. A machine may ask for other
 *           replacement, for writing through or around, and for inclusive and exclusive levels
 *           (configurable_caches.h); stream prefetchers are watched, and change nothing
 * (stream_prefetcher.h). The caches of several processors are kept coherent (coherence.h), and
 * memory may be other nodes' (numa_placement.h). Does not: time, bandwidth, speculation,
 * instruction fetches; of one processor, write-backs.
 *
 * A reference that touches k lines is one reference and k line accesses; it is a miss of a level if
 * any of its lines misses there, counted once, with the cause of the first such line. A modify is
 * one reference. A line belongs to the data whose reference last brought it into the level (its
 * owner); a line that was pushed out remembers the data of the reference that did it (its evictor).
 *
 * Work is done in two steps, on batches of executions. One shard sifts a batch: it binds references
 * to data, counts them, and keeps those that are no sure hits. Then every shard settles the batch:
 * a set of every level belongs to exactly one shard (address bits that all levels' set indices
 * share), and what was kept falls through the levels of the shard that owns its lines. Different
 * shards may sift different batches at the same time; each settles all batches in stream order, by
 * one thread. There are no locks, and the totals are the same for any number of shards.
 *
 * A shard's two halves share nothing but batches: one thread may sift while another one settles
 * what was shared before. Not with windows or a monitor.
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

/* A block as every shard knows it; the caller keeps it alive. A site has one size and kind. */
struct ms_engine_block_ref {
	uint32_t site;
	uint16_t size;
	uint16_t kind; /* enum ms_wire_ref_kind */
};

struct ms_engine_block {
	uint32_t refs;
	uint32_t exits;
	const struct ms_engine_block_ref *ref;
	const uint16_t *exit_refs; /* by exit: how many references were made on the way there */
	const uint16_t *exit_instructions; /* likewise; NULL: not known */
};

/* A variable's or section's place in a module, for ms_engine_add_module(). */
struct ms_engine_range {
	uint64_t start;
	uint64_t end;
	uint32_t data;
};

/* Data of addresses that belong to nothing else. */
struct ms_engine_fallback_data {
	uint32_t unmapped; /* in no region */
	uint32_t freed;    /* in a heap block that was freed */
};

/* slots: how many batches may be in flight at once (see ms_engine_filter_executions). */
struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards,
				 unsigned batch_count, const struct ms_engine_fallback_data *data);
void ms_engine_close(struct ms_engine *engine);
/*
 * Before anything else: nobody wants to know whose data the references are that hit. All count for
 * `hits`, whatever data they are of, which saves looking that up; misses, causes and evictions
 * count as ever. Not for an engine that sees windows.
 */
void ms_engine_skip_hits(struct ms_engine *engine, uint32_t hits);
/*
 * Before anything else: no more than so many pairs (ms_engine_total_pair) are kept while it runs,
 * and the smaller ones of a cell are counted as pairs with `other_data`. It takes effect whenever
 * so many batches have been settled. Without a limit all pairs are kept.
 */
struct ms_engine_pair_limit {
	uint64_t pairs;
	uint32_t other_data;
	uint32_t batches; /* 0: MS_ENGINE_PAIR_EPOCH */
};
enum { MS_ENGINE_MAX_PAIRS = 1 << 19, MS_ENGINE_PAIR_EPOCH = 4096 };
void ms_engine_limit_pairs(struct ms_engine *engine, const struct ms_engine_pair_limit *limit);
struct ms_engine_shard *ms_engine_get_shard(struct ms_engine *engine, unsigned i);
/* How many shards, from the first, may sift: all, or one where handing the work on is too dear. */
unsigned ms_engine_count_filtering_shards(const struct ms_engine *engine);

/*
 * Sifts executions (stream/wire.h) until the words end or one is no execution, nor of a thread that
 * is known (below); returns how many words were taken. Stopping at an execution means that it is
 * broken: no such exit, or cut short. All of a batch is sifted by one shard.
 */
size_t ms_engine_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* The whole batch has been sifted; which of those in flight it is now. Then it can be settled. */
void ms_engine_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* The next batch is or may be another shard's: this one knows nothing of the caches any more. */
void ms_engine_reset_filter(struct ms_engine_shard *shard);
/* For every shard, batch after batch. */
void ms_engine_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* When all shards have settled it: once. The slot is free again. */
void ms_engine_finish_batch(struct ms_engine *engine, unsigned batch_index);

/* Blocks are numbered in the order in which they are added, from 0. */
void ms_engine_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);

/* Heap objects. Placing over an object that is still there ends that one. */
void ms_engine_add_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
/* False when no object starts there; *was is where it lay and whose it was. */
bool ms_engine_free_object(struct ms_engine_shard *shard, uint64_t start,
			   struct ms_engine_range *was);
/* As if one were placed and freed again at once, but sooner done; false where freeing it would be.
 * It may be asked only where all objects are alone, and nobody follows what changes. */
bool ms_engine_add_short_lived(struct ms_engine_shard *shard, uint64_t start, uint64_t size);
bool ms_engine_allows_short_lived(const struct ms_engine_shard *shard);
/* One will be placed or freed there soon: asks for what that needs from far memory, in two steps.
 */
void ms_engine_prefetch_object(const struct ms_engine_shard *shard, uint64_t start);
void ms_engine_prefetch_object_range(const struct ms_engine_shard *shard, uint64_t start);
/* The same for objects that may lie inside others; the outer one takes them with it. */
void ms_engine_add_nested_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
				 uint32_t data);
bool ms_engine_free_nested_object(struct ms_engine_shard *shard, uint64_t start,
				  struct ms_engine_range *was);
/* Lays data over whatever is there; until it is taken away, or what is there freed or unmapped. */
void ms_engine_name_range(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
void ms_engine_unname_range(struct ms_engine_shard *shard, uint64_t start);
/* Bytes of data's objects that have ended without being freed, since this was last asked. */
uint64_t ms_engine_take_lost_bytes(struct ms_engine_shard *shard, uint32_t data);
/* Whose the memory of freed blocks is from now on. */
void ms_engine_set_freed_data(struct ms_engine_shard *shard, uint32_t data);
/* The data of an address, as things stand now. */
uint32_t ms_engine_find_data(struct ms_engine_shard *shard, uint64_t address);
/*
 * Regions: larger pieces of memory; what is placed later covers what was there. exact: no heap
 * object will ever lie inside. Removing cuts out whatever lies in the range, heap objects too.
 */
void ms_engine_map_region(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			  uint32_t data, bool exact);
void ms_engine_unmap_range(struct ms_engine_shard *shard, uint64_t start, uint64_t end);
/* A module's variables: sorted by start, not overlapping; they stand above regions. */
void ms_engine_add_module(struct ms_engine_shard *shard, uint32_t module,
			  const struct ms_engine_range *ranges, size_t n);
void ms_engine_remove_module(struct ms_engine_shard *shard, uint32_t module);

/* What is counted from here on belongs to this phase; all begin in phase 0. */
void ms_engine_begin_phase(struct ms_engine_shard *shard, uint32_t phase);

/*
 * Executions from here on are those of this thread, on this processor of the machine; all begin
 * with thread 0 on processor 0. Where one processor is simulated nothing of this matters.
 */
void ms_engine_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread);
/*
 * That thread is who the stream calls by this name (MS_WIRE_SWITCH), and so it will be until nobody
 * is known any more, the memory of freed blocks included: where the stream says that it runs,
 * ms_engine_filter_executions() takes it up by itself, and goes on.
 */
void ms_engine_register_thread(struct ms_engine_shard *shard, uint32_t name);
void ms_engine_forget_threads(struct ms_engine_shard *shard);
/* The record says that another one runs, in words that this shard does not sift; false: who that
 * is, is not known. */
bool ms_engine_switch_thread(struct ms_engine_shard *shard, uint64_t record);
/* How often that was done since this was last asked, and with whom the last time. */
uint64_t ms_engine_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name);
/* So many processors have something to do from here on, which is what weights are made of; at the
 * beginning 1. */
void ms_engine_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors);
/*
 * Where pages of [start, end) that are touched first from here on will lie; start == end: all
 * that nothing else was said about. nodes is a set of nodes, bit by bit (0: all): pages go round
 * them (MS_PLACEMENT_INTERLEAVED), or to the toucher's own if it is one of them, else to the lowest
 * (MS_PLACEMENT_NODE).
 */
void ms_engine_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			     enum ms_placement placement, uint64_t nodes);

enum {
	MS_ENGINE_MISS_FIRST,
	MS_ENGINE_MISS_REPLACED,
	MS_ENGINE_MISS_INVALIDATED,
	MS_ENGINE_MISS_CAUSES
};

/* What was counted, over all shards; sorted, so equal runs give equal totals. */
/*
 * Where sets are sampled, a reference may be on a line that is seen and on one that is not. Of the
 * first kind its first line is seen, of the second a later one: such a reference is told of twice
 * as often as others. They have cells of their own, which have misses and no references: who adds
 * up has to say how often both of its lines missed, which is one miss.
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
	uint64_t
		upgrades; /* lines that were there, and had to be taken from others to be written */
};

struct ms_engine_total_miss {
	uint32_t cell; /* index into cells */
	uint32_t level;
	uint64_t causes[MS_ENGINE_MISS_CAUSES];
	uint64_t covered; /* of these: the level's prefetcher would have been there before */
	uint64_t falsely; /* of those invalidated: of what the reference touches nothing was written
			     since */
	uint64_t peer;    /* of these: this was the last level missed, and another processor's cache
			     answered, not the next level */
	uint64_t remote;  /* of the last level's: another node's memory answered */
	uint64_t write_backs; /* lines that private caches gave up, or shared, and had to write;
				 at the last private level, and with no miss, too */
	double weighted;      /* misses, each divided by the processors that were busy then */
};

/* Replacement misses of a cell by evictor, or lines pushed out by a cell by victim. */
struct ms_engine_total_pair {
	uint32_t cell;
	uint32_t level;
	uint32_t other; /* data */
	uint64_t count;
};

/*
 * Accesses of lines that missed because another processor had written there: who missed, who had
 * taken the line away, and on which bytes. An access counts once, however many levels it missed.
 */
struct ms_engine_total_sharing {
	uint32_t cell;
	uint32_t writer;        /* cell */
	uint64_t line;          /* address; UINT64_MAX: of lines that were too many to keep apart */
	uint32_t offset;        /* in the line: the first byte touched ... */
	uint32_t writer_offset; /* ... and the first one written */
	uint64_t object;        /* where what is touched begins; UINT64_MAX: not known */
	uint64_t writer_object;
	uint64_t truly; /* something that was touched had been written since */
	uint64_t falsely;
	uint64_t peer; /* of both, as above */
	uint64_t remote;
};

/* What a thread did on one processor. */
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
 * How many lines a data has in a level: in all of its caches together. Time goes in steps, one for
 * a block that was executed and one for each of its references; what is there is seen at the ends
 * of batches, and counts for the whole batch.
 */
struct ms_engine_total_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	uint64_t sum; /* lines times steps */
};

/* The same in one slice of the time line. */
struct ms_engine_total_residence {
	uint32_t level;
	uint32_t data;
	uint32_t slice;
	uint64_t sum;
	uint64_t came; /* lines that came into the level: misses that were given room */
};

struct ms_engine_totals {
	MS_VEC(struct ms_engine_total_bin) cells;      /* by site, data, processor, crossing */
	MS_VEC(struct ms_engine_total_miss) misses;    /* by cell, level; none that is all zeros */
	MS_VEC(struct ms_engine_total_pair) replaced;  /* by cell, level, other */
	MS_VEC(struct ms_engine_total_pair) evictions; /* by cell, level, other */
	uint64_t pair_error;   /* a pair's count is too low by at most this */
	uint64_t merged_pairs; /* pairs that were merged, some repeatedly */
	uint64_t steps;
	uint64_t slice; /* steps of each; the last one may not be whole. There are at most 64 */
	MS_VEC(struct ms_engine_total_occupancy)
	occupancy;                                      /* by level, data; none with a peak of 0 */
	MS_VEC(struct ms_engine_total_residence) stays; /* by level, data, slice; none that is 0 */
	/* Of one processor there are none of these: */
	MS_VEC(struct ms_engine_total_sharing) sharing; /* by all up to writer_object */
	MS_VEC(struct ms_engine_total_thread) threads;  /* by thread, processor */
	MS_VEC(struct ms_engine_total_thread_miss)
	thread_misses; /* by thread, level; none with zeros */
};

/*
 * Before the last ms_engine_compute_totals(): frees what only simulating needs, the records of
 * lines and the tables in which cells are found. Nothing is simulated after that. Does nothing
 * where windows are seen or several processors are simulated.
 */
void ms_engine_end_simulation(struct ms_engine *engine);
/* All batches must be finished. */
void ms_engine_compute_totals(struct ms_engine *engine, struct ms_engine_totals *totals);
/*
 * The same, but if there would be more cells than that, sites of one group count as one: by site,
 * the first site of its group. Not where windows are seen or several processors simulated.
 */
struct ms_engine_site_groups {
	uint64_t cells;
	/* Asked for if needed, for the sites that something was counted of; the caller frees it. */
	const uint32_t *(*of_sites)(const uint32_t *sites, size_t n, void *arg);
	void *arg;
};
void ms_engine_compute_grouped_totals(struct ms_engine *engine,
				      const struct ms_engine_site_groups *groups,
				      struct ms_engine_totals *totals);
/* Frees what only ms_engine_compute_totals() reads, the counters of misses and pairs, and the
 * records of lines; nothing is simulated after that. Not for sampled engines. */
void ms_engine_release_counters(struct ms_engine *engine);
void ms_engine_free_totals(struct ms_engine_totals *totals);
/* The same by phase: all references, and misses by level. */
void ms_engine_get_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
			 uint64_t *misses);
/* How often a processor left a block by an exit; *weighted: each divided by the processors that
 * were busy then. */
uint64_t ms_engine_count_exits(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			       uint32_t exit, double *weighted);
/* For a progress line: who sifts tells, now and then; others may ask at any time. How many figures
 * had to be added up for it: of many, more rarely. */
size_t ms_engine_update_progress(struct ms_engine_shard *shard);
struct ms_engine_progress {
	uint64_t references;
	uint64_t misses; /* lines that missed the first level */
};
void ms_engine_read_progress(const struct ms_engine *engine, struct ms_engine_progress *progress);

/* What the engine has allocated so far; nobody may be feeding it. */
struct ms_engine_footprint {
	uint64_t lines;      /* that have a record: each was in a cache once */
	uint64_t line_bytes; /* of the records and the tables that lead to them */
	uint64_t bytes;      /* in all */
};
void ms_engine_measure_footprint(const struct ms_engine *engine,
				 struct ms_engine_footprint *footprint);

#endif
