/*
 * engine/filter/filter_state.h - the part of a shard that the L1 filter of one processor owns:
 * blocks, their exits and reference states, and the most recent line of each set.
 */
#ifndef MS_ENGINE_FILTER_FILTER_STATE_H
#define MS_ENGINE_FILTER_FILTER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "engine/caches/lru_cache.h"
#include "engine/engine.h"
#include "engine/filter/pending.h"
#include "wire/wire.h"

struct ms_address_map_range;
struct ms_count_cell;
struct ms_filter_loop;
struct ms_filter_loop_impl;

/*
 * State of one static reference of a block in the L1 filter. While an address lies in `range`, its
 * data is that of `cell`. The number of references made so far follows from the counts of the
 * block's exits. Those since `since` belong to the cell, and have not been added to it yet.
 */
struct ms_filter_ref_state {
	struct ms_address_map_range *range;
	struct ms_count_cell *cell;
	uint64_t since;
	uint32_t block;
	uint16_t reach; /* size - 1 */
	uint16_t room;  /* at an offset in a line below this it touches one line only */
};

/* An exit of a block: how often it was taken, and the references made before it. */
struct ms_filter_exit {
	uint64_t count;
	struct ms_filter_ref_state *ref_states;
	uint32_t refs;
	uint8_t period;              /* see loop_filter.h; 0: not a loop */
	uint8_t calls;               /* enum ms_engine_exit_calls; 0: they are not followed */
	uint16_t pause;              /* executions whose iterations are not to be compared */
	struct ms_filter_loop *loop; /* NULL: not known yet */
};

struct ms_filter_block {
	const struct ms_engine_block *desc;
	struct ms_filter_ref_state *ref_states;
	uint32_t first_exit;
	bool has_cells; /* a reference of it has a cell: the block is in bound_blocks */
};

/* A reference whose data is still to be looked up: see reference_data.c. */
struct ms_filter_unbound {
	uint64_t address;
	struct ms_filter_ref_state *ref_state;
	const uint32_t *where;             /* see ms_address_map_find_entry() */
	struct ms_filter_pending *pending; /* the first of its pending lines ... */
	uint32_t lines;                    /* ... and how many there are */
	uint32_t crosses;                  /* enum ms_engine_crossing */
};

/*
 * This many references wait before they are looked up together. An execution, which is shorter than
 * a chunk's reserve, adds all its references before the check.
 */
enum {
	MS_FILTER_MAX_UNBOUND = 32,
	MS_FILTER_UNBOUND_CAPACITY = MS_FILTER_MAX_UNBOUND + MS_WIRE_RESERVE_WORDS
};

enum { MS_FILTER_RECENT_UNKNOWN = 256 };

struct ms_filter_state {
	struct ms_filter_pending_list pending;
	uint64_t *recent; /* by set of the first level: its most recent line, as far as known */
	bool few_pending; /* recently: see l1_filter.c; the next decision uses: */
	size_t measured_words;
	size_t measured_pending;
	const struct ms_filter_loop_impl *loop_impl; /* see loop_filter.h */
	/* Incremented when ref_states may refer to other ranges than before. */
	uint64_t binding_epoch;
	bool compares_iterations; /* loops can be filtered: see loop_filter.h */
	bool keeps_all;           /* even an access to the most recent line changes state */
	bool observes;            /* this batch: one by one, without loops, see causes/causes.h */
	bool misses_only;         /* see ms_engine_skip_hits() */
	uint32_t hits;            /* with misses_only: the data that references count for */
	MS_VEC(struct ms_filter_block) blocks;
	MS_VEC(struct ms_filter_exit) exits; /* of all blocks */
	MS_VEC(uint32_t) bound_blocks; /* blocks that have made references which have a cell */
	/* Most lines of the first level that one reference can touch. */
	uint32_t most_lines;
	struct ms_arena arena;             /* memory of blocks */
	struct ms_filter_unbound *unbound; /* MS_FILTER_UNBOUND_CAPACITY */
	unsigned unbound_count;
	/* By ref_state, hashed: roughly the address where it last had no data. */
	uint64_t recent_unknown[MS_FILTER_RECENT_UNKNOWN];
	uint64_t steps;      /* steps filtered of the batch */
	uint64_t references; /* for progress; other threads read it */
};

struct ms_engine;
struct ms_engine_cell_table;
struct ms_engine_shard;

/*
 * A line that is not of this line's set. Where sets are indexed by a mask, it is a line of the
 * adjacent set, so that no address matches an absent line (see is_guaranteed_hit()).
 */
MS_INLINE uint64_t ms_filter_make_absent_line(const struct ms_caches_lru *first, uint64_t line)
{
	return first->mask != 0 ? line ^ 1 : MS_CACHES_NO_LINE;
}
/* filter_state.c: the shard's caches were opened before. */
void ms_filter_open(struct ms_engine_shard *shard);
void ms_filter_close(struct ms_filter_state *filter);
/* filter_state.c, batch_distribution.c: functions of struct ms_engine_variant. */
void ms_filter_reset(struct ms_engine_shard *shard);
void ms_filter_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);
/* The block of an exit: the last one whose first exit is not after it. */
uint32_t ms_filter_find_block(const struct ms_engine_shard *shard, uint32_t exit);
void ms_filter_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index);
void ms_filter_flush_references(struct ms_engine_shard *shard);
uint64_t ms_filter_count_references(const struct ms_engine_shard *shard);
uint64_t ms_filter_estimate_references(const struct ms_engine_shard *shard);
uint64_t ms_filter_count_exits(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			       uint32_t exit, double *weighted);
bool ms_filter_next_cell_table(struct ms_engine_shard *shard, uint32_t *at,
			       struct ms_engine_cell_table *table);

/* l1_filter.c: ms_engine_filter_executions() for one processor. */
size_t ms_filter_process_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* l1_filter.c: filters the references of an execution that has been counted. */
struct ms_filter_pending *ms_filter_process_references(struct ms_engine_shard *shard,
						       const struct ms_filter_exit *exit,
						       const uint64_t *addresses,
						       struct ms_filter_pending *out);
/* reference_data.c: looks up the data of references that wait for it. */
void ms_filter_bind_references(struct ms_engine_shard *shard);
/* reference_data.c: adds the references counted by the ref_state to its cell. Not during an
 * execution.
 */
void ms_filter_flush_ref_state(const struct ms_engine_shard *shard,
			       struct ms_filter_ref_state *ref_state);

#endif
