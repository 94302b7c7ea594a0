/*
 * engine/coherence/processors.h - executions of several processors: what l1_filter.c and
 * lru_simulation.c are for one.
 *
 * Each processor has slots, exits and cells of its own, made when it first needs them. The sieve
 * (processor_filter.c) keeps what is no repeated use of a set's most recent line by the same first
 * level's cache; what it keeps goes through the caches in stream order (processor_simulation.c), in
 * each shard those lines that it owns. What crosses shards is noted, and put together when a batch
 * is finished (batch_merge.c).
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSORS_H
#define MS_ENGINE_COHERENCE_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "engine/address_map/numa_placement.h"
#include "engine/coherence/sharing_misses.h"
#include "engine/count/bin_counters.h"
#include "engine/count/thread_counters.h"
#include "engine/engine.h"
#include "engine/windows/window_state.h"

struct ms_coherence_slice_simulation;

/* As struct slot, of one processor. */
struct ms_coherence_ref_state {
	struct ms_address_map_range *range;
	struct ms_count_bin *cell;
	uint64_t since;
	uint32_t block;
	uint32_t site;
	uint16_t reach;
	uint8_t kind; /* enum ms_wire_ref_kind */
	uint8_t room; /* of lines of at most 64 bytes: offsets below it touch one line only */
};

/* As struct unbound. */
struct ms_coherence_unbound {
	uint64_t address;
	struct ms_coherence_ref_state *ref_state;
	const uint32_t *where;
	uint32_t kept; /* the first of its lines that was kept of the batch ... */
	uint32_t lines;
};

/* A line that the sieve kept, of one reference. */
struct ms_coherence_pending {
	uint64_t address; /* the first byte of the line that is touched; and the marks below */
	struct ms_count_bin *cell;
	uint64_t object;  /* where what is touched begins; UINT64_MAX: not known */
	uint64_t written; /* of a store: the bytes of the line, a bit each, see processor_filter.c;
			     where MS_COHERENCE_PARTIAL is set, of any: the bytes from, and to << 32
			   */
};

/* It is of the same reference as the line before it. */
#define MS_COHERENCE_SAME_REFERENCE (UINT64_C(1) << 63)
#define MS_COHERENCE_WRITES         (UINT64_C(1) << 62)
/* Not all of the reference is in the line, or lines have more bytes than a word has bits. */
#define MS_COHERENCE_PARTIAL (UINT64_C(1) << 61)
#define MS_COHERENCE_ADDRESS (MS_COHERENCE_PARTIAL - 1)

/* Whose they are from here on. */
struct ms_coherence_slice {
	size_t from;
	uint32_t processor;
	uint32_t agent; /* whose it is */
	uint32_t thread;
	uint32_t phase;
	uint32_t weight;  /* of MS_COUNT_WEIGHT_UNIT */
	uint32_t changes; /* of where pages are placed, that have been made: see numa_placement.h */
	struct ms_engine_windows_mark window; /* of an engine that sees windows */
};

struct ms_coherence_batch {
	struct ms_coherence_pending *at;
	size_t n;
	size_t room;
	MS_VEC(struct ms_coherence_slice) slices;
};

/* A way out of a block, as one processor takes it; slots is NULL until it does. */
struct ms_coherence_exit {
	uint64_t count;
	uint64_t weighted; /* of MS_COUNT_WEIGHT_UNIT */
	struct ms_coherence_ref_state *ref_states;
	uint32_t words; /* of an execution; UINT32_MAX: as above */
	uint16_t instructions;
	uint8_t period; /* see loop_filter.h; 0: it is no loop */
	uint8_t pause;  /* executions that are not to be followed */
};

struct ms_coherence_processor {
	uint32_t number;
	uint32_t agent; /* number of its first level's cache */
	struct ms_count_bins cells;
	MS_VEC(struct ms_coherence_exit) exits; /* of all blocks that were known when it last ran */
	MS_VEC(struct ms_coherence_ref_state *) ref_states; /* by block; NULL: it has not run it */
	MS_VEC(struct ms_filter_loop *) loops;              /* by exit; NULL: it was not followed */
	uint64_t binding_epoch; /* counts up when slots may remember other places than before */
	struct ms_arena arena;
	/* Of an engine that sees windows, by cell: see window_filter.c. */
	struct ms_engine_windows_bins window_cells;
};

/* The two most recent lines of a set of an agent's first level, as long as no other agent writes
 * them; and where each was kept for a store, as long as no other one touches it: the number of what
 * was kept, over all batches; 0: it was not. */
struct ms_coherence_recent_lines {
	uint64_t line[2]; /* MS_CACHES_NO_LINE: not known */
	uint64_t stored[2];
	uint32_t last;     /* the more recent of them ... */
	uint32_t reported; /* ... and which it was when something of the set was last kept */
};

/* A level that a line of a reference over several shards' lines missed. */
struct ms_coherence_split_miss {
	struct ms_count_bin *cell;
	uint32_t at; /* the line's number in the batch */
	uint32_t reference;
	uint32_t level;
	uint32_t record; /* what its record said */
	uint32_t slice;  /* of the batch */
	bool falsely;
	bool peer;   /* it was the last level that the line missed: another cache answered ... */
	bool memory; /* ... or memory */
};

/* A line that memory answered. */
struct ms_coherence_memory_access {
	uint64_t address;
	uint32_t at;
	uint32_t slice;
	bool split;       /* see the crossing */
	uint64_t *remote; /* what counts it if the memory is another node's: of the tally, */
	uint64_t *thread; /* the thread, */
	uint64_t *shared; /* and the sharing; NULL: nothing */
};

/* What a shard notes of a batch. */
struct ms_coherence_batch_notes {
	MS_VEC(struct ms_coherence_split_miss) split_misses;
	MS_VEC(struct ms_coherence_memory_access) memory; /* where there is more than one node */
};

/* A thread that has run, as the stream calls it; and what is different while it does. */
struct ms_coherence_known_thread {
	uint32_t name;
	uint32_t thread;
	uint64_t since; /* it counts as long as this is the shard's */
	struct ms_coherence_processor *processor;
	struct ms_count_thread *count;
	uint32_t freed; /* whose the memory of freed blocks is */
};

enum { MS_COHERENCE_KNOWN_THREADS = 64 };

struct ms_coherence_block_exit {
	uint32_t block;
	uint32_t number; /* in the block */
};

struct ms_coherence_processors {
	uint32_t count;
	uint32_t sharers; /* processors of a first level's cache */
	struct ms_coherence_processor **at;
	/* The sieve's half. */
	struct ms_coherence_batch batch;      /* of the batch that it is at */
	struct ms_coherence_unbound *unbound; /* MS_FILTER_UNBOUND_CAPACITY */
	unsigned unbound_count;
	struct ms_coherence_processor *running;
	uint32_t thread;
	uint32_t weight;
	struct ms_coherence_known_thread threads_known[MS_COHERENCE_KNOWN_THREADS]; /* by name */
	uint64_t registration_epoch;
	uint64_t switches;      /* so often one of them was, since that was asked, ... */
	uint32_t last_switched; /* ... and its name */
	MS_VEC(const struct ms_engine_block *) blocks;
	MS_VEC(uint32_t) first_exits; /* by block */
	MS_VEC(struct ms_coherence_block_exit) exits;
	uint64_t kept_before; /* how many lines were kept in earlier batches, and 1 more */
	uint64_t kept;        /* and in this one */
	struct ms_count_threads thread_references; /* what threads executed ... */
	struct ms_count_thread *thread_count; /* ... of the running one; NULL: to be looked for */
	uint64_t sets;                        /* of a first level's cache */
	struct ms_coherence_recent_lines **recent; /* by agent, by set; NULL: it has not run */
	bool *order_pending;            /* by agent: the order of its sets may have to be told */
	MS_VEC(uint32_t) active_agents; /* agents that have */
	struct ms_coherence_recent_lines *
		*listeners;  /* scratch of filter_invalidation.c: by agent */
	uint64_t references; /* all that were sifted, and those ... */
	uint64_t skipped;    /* ... of them that did not happen */
	struct ms_address_map_numa_changes changes;
	unsigned char padding[128]; /* another thread may settle than sifts */
	/* The levels' half. */
	struct ms_count_threads threads; /* what they missed */
	struct ms_coherence_sharing_table sharing;
	struct ms_coherence_batch_notes *notes; /* by slot */
	struct ms_coherence_slice_simulation
		*slice_simulation; /* scratch of slice_simulation.c; NULL: it is not for this
				      machine */
};

struct ms_engine;
struct ms_engine_shard;
struct ms_count_miss_table;

struct ms_coherence_processors *ms_coherence_open_processors(const struct ms_engine_shard *shard,
							     const struct ms_machine *machine);
void ms_coherence_close_processors(struct ms_coherence_processors *processors,
				   unsigned batch_count);
uint64_t ms_coherence_measure_processors(const struct ms_coherence_processors *processors,
					 unsigned batch_count);
struct ms_coherence_processor *ms_coherence_get_processor(struct ms_engine_shard *shard,
							  uint32_t number);
void ms_coherence_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);
/* What slots have counted is added to their cells; no execution may be under way. */
void ms_coherence_flush_references(struct ms_coherence_processors *processors);
void ms_coherence_flush_ref_state(const struct ms_coherence_processors *processors,
				  const struct ms_coherence_processor *processor,
				  struct ms_coherence_ref_state *ref_state);
/* Nothing is known of an agent's first level. */
void ms_coherence_reset_recent_lines(struct ms_coherence_recent_lines *recent, uint64_t sets);
uint64_t ms_coherence_count_exits(const struct ms_coherence_processors *processors,
				  uint32_t processor, uint32_t block, uint32_t exit,
				  uint64_t *weighted);
/* The slots of a block, made for the processor. */
struct ms_coherence_ref_state *ms_coherence_get_ref_states(struct ms_engine_shard *shard,
							   struct ms_coherence_processor *processor,
							   uint32_t block);

/* Pages there are placed again. */
void ms_coherence_unmap_pages(struct ms_engine_shard *shard, uint64_t start, uint64_t end);

/* As ms_engine_filter_executions(), ...; of a shard that has processors. */
size_t ms_coherence_filter_executions(struct ms_engine_shard *shard, const uint64_t *words,
				      size_t n);
void ms_coherence_hand_over_batch(struct ms_engine_shard *shard, unsigned batch_index);
void ms_coherence_reset_filters(struct ms_engine_shard *shard);
void ms_coherence_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);
void ms_coherence_finish_batch(struct ms_engine *engine, unsigned batch_index);

/* Sharing and threads, when cells are listed. */
void ms_coherence_list_totals(struct ms_engine *engine, struct ms_engine_totals *totals);

#endif
