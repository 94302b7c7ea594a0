/*
 * engine/coherence/processors.h - executions of several processors: the counterpart of l1_filter.c
 * and lru_simulation.c for one processor.
 *
 * Each processor has its own reference states, exits and cells, which are allocated on first use.
 * The filter (processor_filter.c) drops repeated uses of the most recent lines of a set by the
 * same first-level cache. The accesses that it keeps are simulated in stream order
 * (processor_simulation.c); each shard simulates the lines that it owns. Misses that concern
 * several shards are noted, and are counted when a batch is finished (batch_merge.c).
 */
#ifndef MS_ENGINE_COHERENCE_PROCESSORS_H
#define MS_ENGINE_COHERENCE_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "engine/address_map/numa_placement.h"
#include "engine/coherence/processor_batch.h"
#include "engine/coherence/sharing_misses.h"
#include "engine/count/cell_counters.h"
#include "engine/count/thread_counters.h"
#include "engine/engine.h"
#include "engine/windows/window_state.h"

struct ms_coherence_slice_impl;
struct ms_coherence_slice_simulation;

/* Like struct ms_filter_ref_state, for one processor. */
struct ms_coherence_ref_state {
	struct ms_address_map_range *range;
	struct ms_count_cell *cell;
	uint64_t since;
	uint32_t block;
	uint32_t site;
	uint16_t reach;
	uint8_t kind; /* enum ms_wire_ref_kind */
	uint8_t room; /* for lines of at most 64 bytes: smaller offsets touch one line only */
};

/* Like struct ms_filter_unbound. */
struct ms_coherence_unbound {
	uint64_t address;
	struct ms_coherence_ref_state *ref_state;
	const uint32_t *where;
	uint32_t kept; /* index in the batch of the first line that was kept */
	uint32_t lines;
};

/* An exit of a block, of one processor; ref_states is NULL until the processor takes it. */
struct ms_coherence_exit {
	uint64_t count;
	uint64_t weighted; /* of MS_COUNT_WEIGHT_UNIT */
	struct ms_coherence_ref_state *ref_states;
	uint32_t words; /* of an execution; UINT32_MAX: not yet taken */
	uint16_t instructions;
	uint8_t period; /* see loop_filter.h; 0: no loop */
	uint8_t pause;  /* number of executions without stride analysis */
};

struct ms_coherence_processor {
	uint32_t number;
	uint32_t agent; /* number of its first-level cache */
	struct ms_count_cells cells;
	MS_VEC(struct ms_coherence_exit) exits; /* of all blocks that were known when it last ran */
	MS_VEC(struct ms_coherence_ref_state *) ref_states; /* by block; NULL: never executed */
	MS_VEC(struct ms_filter_loop *) loops;              /* by exit; NULL: never analysed */
	uint64_t binding_epoch; /* incremented when reference states may have other ranges */
	struct ms_arena arena;
	/* Of an engine with windows, by cell: see window_filter.c. */
	struct ms_engine_windows_cells window_cells;
};

/*
 * The two most recent lines of a set of an agent's first level, as long as no other agent writes
 * them. `stored` is the number (over all batches) of the access that was kept for a store to the
 * line, as long as no other agent touches the line; 0: none.
 */
struct ms_coherence_recent_lines {
	uint64_t line[2]; /* MS_CACHES_NO_LINE: unknown */
	uint64_t stored[2];
	uint32_t last;     /* index of the more recent line */
	uint32_t reported; /* the value of `last` when an access to the set was last kept */
};

/* A thread that has run, by its number in the stream; and the state to set when it runs again. */
struct ms_coherence_known_thread {
	uint32_t name;
	uint32_t thread;
	uint64_t since; /* valid while equal to registration_epoch */
	struct ms_coherence_processor *processor;
	struct ms_count_thread *count;
	uint32_t freed; /* data of freed memory */
};

enum { MS_COHERENCE_KNOWN_THREADS = 64 };

struct ms_coherence_block_exit {
	uint32_t block;
	uint32_t number; /* in the block */
};

struct ms_coherence_processors {
	uint32_t count;
	bool in_windows;  /* only windows are simulated */
	uint32_t sharers; /* processors that share a first-level cache */
	struct ms_coherence_processor **at;
	/* The filter's part. */
	struct ms_coherence_batch batch;      /* the present batch */
	struct ms_coherence_unbound *unbound; /* MS_FILTER_UNBOUND_CAPACITY */
	unsigned unbound_count;
	struct ms_coherence_processor *running;
	uint32_t thread;
	uint32_t weight;
	struct ms_coherence_known_thread threads_known[MS_COHERENCE_KNOWN_THREADS]; /* by name */
	uint64_t registration_epoch;
	uint64_t switches;      /* to registered threads, since the last query */
	uint32_t last_switched; /* the last of them, by name */
	MS_VEC(const struct ms_engine_block *) blocks;
	MS_VEC(uint32_t) first_exits; /* by block */
	MS_VEC(struct ms_coherence_block_exit) exits;
	uint64_t kept_before; /* 1 + number of accesses kept in earlier batches */
	uint64_t kept;        /* number kept in this batch */
	struct ms_count_threads thread_references; /* executed by threads */
	struct ms_count_thread *thread_count; /* of the running thread; NULL: not looked up yet */
	uint64_t sets;                        /* of a first-level cache */
	struct ms_coherence_recent_lines **recent; /* by agent, by set; NULL: has not run */
	bool *order_pending;                       /* by agent: orders of sets may be unreported */
	MS_VEC(uint32_t) active_agents;            /* agents that have run */
	struct ms_coherence_recent_lines *
		*listeners;  /* scratch of filter_invalidation.c: by agent */
	uint64_t references; /* all that were filtered */
	uint64_t skipped;    /* conditional references that were not executed */
	struct ms_address_map_numa_changes changes;
	unsigned char padding[128]; /* the filter and the simulation may run in different threads */
	/* The simulation's part. */
	struct ms_count_threads threads; /* misses of threads */
	struct ms_coherence_sharing_table sharing;
	struct ms_coherence_batch_notes *notes; /* by index of the batch */
	const struct ms_coherence_slice_impl *slice_impl;
	struct ms_coherence_slice_simulation *slice_simulation; /* of time_slice_simulation.c */
};

struct ms_engine_shard;

struct ms_coherence_processor *ms_coherence_get_processor(struct ms_engine_shard *shard,
							  uint32_t number);
void ms_coherence_flush_ref_state(const struct ms_coherence_processors *processors,
				  const struct ms_coherence_processor *processor,
				  struct ms_coherence_ref_state *ref_state);
/* Empties the filter of an agent's first level. */
void ms_coherence_reset_recent_lines(struct ms_coherence_recent_lines *recent, uint64_t sets);
/* Returns the reference states of a block; allocates them for the processor if necessary. */
struct ms_coherence_ref_state *ms_coherence_get_ref_states(struct ms_engine_shard *shard,
							   struct ms_coherence_processor *processor,
							   uint32_t block);

#endif
