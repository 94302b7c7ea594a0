/*
 * engine/call_paths/shadow_stack.h - the calls of a thread that have not returned, as far as known.
 *
 * A return is matched with the call before its target. Where it does not match the newest call,
 * the program has left several functions at once (longjmp(), an exception, a coroutine's switch),
 * and older calls are searched. The stack never needs to be right to be useful: a wrong part of it
 * lasts until the function that executes returns.
 */
#ifndef MS_ENGINE_CALL_PATHS_SHADOW_STACK_H
#define MS_ENGINE_CALL_PATHS_SHADOW_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"

/* Deeper stacks lose their outermost half; contexts keep what it was. */
enum { MS_CALL_PATHS_MAX_DEPTH = 8192 };

/* Contexts have numbers (contexts.h). */
#define MS_CALL_PATHS_NOT_FOUND UINT32_MAX /* the context of a frame was not looked up yet */

struct ms_call_paths_frame {
	uint64_t pc;       /* of the call */
	uint64_t function; /* that contains the call; 0: not known */
	uint32_t call_site;
	uint32_t context;
};

struct ms_call_paths_stack {
	MS_VEC(struct ms_call_paths_frame) frames; /* the outermost first */
	uint32_t base;                             /* the context of the part below the frames */
	bool is_unsure;  /* a jump to another stack frame was not understood */
	bool is_partial; /* it was unwound: some calls may be missing, no return is surprising */
	/* A return or jump whose target is not known yet: enum ms_engine_transfer_kind + 1. */
	uint32_t pending;
};

/* The longest call instruction of any architecture: x86-64. */
enum { MS_CALL_PATHS_CALL_BYTES = 15 };

/* Whether a return to target is the return of the call. */
MS_INLINE bool ms_call_paths_is_return_of(const struct ms_call_paths_frame *frame, uint64_t target)
{
	return target - frame->pc - 1 < MS_CALL_PATHS_CALL_BYTES;
}

void ms_call_paths_free_stack(struct ms_call_paths_stack *stack);
void ms_call_paths_push(struct ms_call_paths_stack *stack, uint64_t pc, uint32_t call_site,
			uint64_t function);
/* Returns to target. */
void ms_call_paths_pop(struct ms_call_paths_stack *stack, uint64_t target);
/* Continues at target, in this function (0: not known), after the stack pointer was set to another
 * value. */
void ms_call_paths_switch_stack(struct ms_call_paths_stack *stack, uint64_t target,
				uint64_t function);

#endif
