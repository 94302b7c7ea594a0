/*
 * engine/engine_calls.h - calls and returns of a block, from which call paths of misses are made.
 * See engine/call_paths/call_paths.h.
 */
#ifndef MS_ENGINE_ENGINE_CALLS_H
#define MS_ENGINE_ENGINE_CALLS_H

#include <stdint.h>

#include "base/arena.h"

struct ms_engine;
struct ms_engine_block;
struct ms_engine_shard;

enum ms_engine_transfer_kind {
	MS_ENGINE_TRANSFER_CALL,
	MS_ENGINE_TRANSFER_RETURN,
	/* A jump or return after the stack pointer was loaded from elsewhere: longjmp(), the end of
	 * an exception's unwinding, a switch to a coroutine. */
	MS_ENGINE_TRANSFER_STACK_SWITCH,
};

/* An instruction that changes the call stack. */
struct ms_engine_transfer {
	uint64_t pc;
	uint64_t next_pc; /* of the next instruction in the block; 0: it is the last */
	uint64_t function, next_function; /* of both: as in struct ms_engine_block; 0: unknown */
	uint32_t call_site;               /* of a call: its number, which contexts refer to */
	uint16_t instruction;             /* index in the block */
	uint16_t kind;                    /* enum ms_engine_transfer_kind */
};

/* What the L1 filter does after an execution that was left by an exit. */
enum ms_engine_exit_calls {
	MS_ENGINE_EXIT_NO_CALLS,
	MS_ENGINE_EXIT_BALANCED, /* every call has returned: the stack is as it was */
	MS_ENGINE_EXIT_CALLS,
	/* An instruction was executed in several contexts: each part is marked on its own. */
	MS_ENGINE_EXIT_PARTS,
};

struct ms_engine_block_calls {
	uint32_t n;
	const struct ms_engine_transfer *transfer;
	const uint8_t *exit_calls; /* by exit: enum ms_engine_exit_calls */
};

/* Fills in block->calls, for a block whose transfers were found; the arena owns the result. */
void ms_engine_describe_calls(struct ms_engine_block *block, struct ms_arena *arena,
			      const struct ms_engine_transfer *transfers, uint32_t n);

/*
 * Call before anything else: the contexts of misses are counted. Without effect for an engine that
 * cannot (several processors, sampled sets, a PMU monitor). most_contexts: further ones count as
 * MS_ENGINE_OTHER_CONTEXTS; 0: the default.
 */
enum { MS_ENGINE_MAX_CONTEXTS = 1 << 16 };
void ms_engine_follow_calls(struct ms_engine *engine, uint32_t most_contexts);
/* The following executions are those of this thread. */
void ms_engine_follow_thread(struct ms_engine_shard *shard, uint32_t thread);
/* A call that has not returned. */
struct ms_engine_call {
	uint64_t pc, function; /* as in struct ms_engine_transfer */
	uint32_t call_site;
};

struct ms_engine_stack {
	uint32_t n;
	const struct ms_engine_call *call; /* the outermost first */
};

/* The calls of this thread, where they were unwound; the caller keeps the stack. */
void ms_engine_set_calls(struct ms_engine_shard *shard, uint32_t thread,
			 const struct ms_engine_stack *stack);
/* Executions are missing here: the calls of all threads are no longer known. */
void ms_engine_forget_calls(struct ms_engine_shard *shard);

#endif
