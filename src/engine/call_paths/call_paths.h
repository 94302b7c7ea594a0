/*
 * engine/call_paths/call_paths.h - the call paths of misses.
 *
 * Models:   the call stack of each thread (shadow_stack.h), from calls and returns at the ends of
 *           executions and inside blocks (block_calls.c); calling contexts, of which those with
 *           misses are counted (contexts.h).
 * Does not: contexts of hits; functions that are entered by a jump (tail calls).
 *
 * The L1 filter marks, in a list, each execution that changes the stack, with the positions of its
 * pending accesses. Shards record the misses of a batch. When a batch is finished, the marks are
 * followed in stream order by one thread, and each miss is counted for the context of its position.
 * So the result does not depend on the number of shards.
 */
#ifndef MS_ENGINE_CALL_PATHS_CALL_PATHS_H
#define MS_ENGINE_CALL_PATHS_CALL_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"
#include "engine/engine_calls.h"

struct ms_caches_miss;
struct ms_call_paths;
struct ms_count_cell;
struct ms_engine;
struct ms_engine_batch;
struct ms_engine_block;
struct ms_engine_shard;
struct ms_engine_totals;
struct ms_filter_exit;

enum ms_call_paths_mark_kind {
	MS_CALL_PATHS_EXECUTION,
	MS_CALL_PATHS_PART,   /* `from` is the number of the transfer that ends the part */
	MS_CALL_PATHS_ENTRY,  /* `exit` is that of the next execution */
	MS_CALL_PATHS_THREAD, /* `exit` is the number of the thread that continues */
	/* `exit` is the number of a thread whose calls are known: `next` in `stacks` */
	MS_CALL_PATHS_STACK,
};

/* Numbers of exits and threads have fewer bits. */
enum { MS_CALL_PATHS_EXIT_BITS = 29, MS_CALL_PATHS_EXIT_MASK = (1 << 29) - 1 };
/* The number of a thread's mark that makes all stacks empty. */
enum { MS_CALL_PATHS_NO_THREAD = MS_CALL_PATHS_EXIT_MASK };

#define MS_CALL_PATHS_NO_EXIT UINT32_MAX

/* A point in the pending accesses of a batch. */
struct ms_call_paths_mark {
	uint32_t from; /* the first pending access of the execution ... */
	uint32_t to;   /* ... and the first one after it */
	uint32_t exit : MS_CALL_PATHS_EXIT_BITS;
	uint32_t kind : 3; /* enum ms_call_paths_mark_kind */
	uint32_t next;     /* exit of the next execution, or MS_CALL_PATHS_NO_EXIT */
};

struct ms_call_paths_marks {
	MS_VEC(struct ms_call_paths_mark) at;
	MS_VEC(const struct ms_engine_stack *) stacks;
};

/* The filter half of a shard: the batch that it filters. */
struct ms_call_paths_filter {
	bool is_on;
	uint32_t thread;
	struct ms_call_paths_marks marks;
};

/* Executions from here on: before the filter processes words. */
void ms_call_paths_begin_filter(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* The same for several processors, before each time slice: `pending` accesses come before it. */
void ms_call_paths_begin_slice(struct ms_engine_shard *shard, const uint64_t *words,
			       size_t pending);
/* Whether executions that leave the block by this exit are marked. */
bool ms_call_paths_is_marked(const struct ms_engine_shard *shard,
			     const struct ms_engine_block *block, uint32_t exit);
/* Marks part of an execution, up to and including this transfer. */
void ms_call_paths_mark_part(struct ms_call_paths_marks *marks, uint32_t exit, uint32_t transfer,
			     size_t pending, uint32_t next);

/* Call for every shard before the batch is filtered, and when it is distributed. */
void ms_call_paths_begin_batch(struct ms_engine_shard *shard);
void ms_call_paths_hand_over(struct ms_engine_shard *shard, unsigned batch_index);
void ms_call_paths_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);

/* For the simulation of caches, as ms_timing_record_misses() and ms_timing_record_miss(). */
void ms_call_paths_record_misses(struct ms_engine_shard *shard, unsigned batch_index,
				 unsigned level, const struct ms_caches_miss *lines, size_t n);
void ms_call_paths_record_miss(struct ms_engine_shard *shard, unsigned batch_index,
			       const struct ms_caches_miss *f, unsigned missed);
/* The same for several processors: the reference whose first access has this position. */
void ms_call_paths_record_reference(struct ms_engine_shard *shard, unsigned batch_index,
				    uint32_t position, const struct ms_count_cell *cell,
				    unsigned missed);

/* All shards have simulated the batch. */
void ms_call_paths_finish_batch(struct ms_engine *engine, unsigned batch_index);
void ms_call_paths_add_totals(const struct ms_engine *engine, struct ms_engine_totals *totals);
void ms_call_paths_close(struct ms_call_paths *paths);
uint64_t ms_call_paths_measure(const struct ms_engine *engine);

/* block_calls.c: transfers of a block that are executed before this instruction. */
uint32_t ms_call_paths_count_before(const struct ms_engine_block_calls *calls,
				    uint32_t instruction);

#endif
