/* unwinder.h - one step from a function to its caller. */
#ifndef MS_NATIVE_UNWIND_UNWINDER_H
#define MS_NATIVE_UNWIND_UNWINDER_H

#include <stdbool.h>
#include <stdint.h>

#include "callee_saved.h"

struct ms_unwind_frame;
struct ms_runtime_thread;

struct ms_unwind_walk {
	uint64_t regs[MS_UNWIND_CFI_REGS];
	uint64_t link;    /* the return address if it is in a register; else 0 */
	bool interrupted; /* the pc is an interrupted instruction, not a return address */
	bool is_end;      /* the last step led to no caller: there is no code, or no larger frame */
	uint64_t return_word; /* the return address, as the last step has found it */

	/*
	 * Inputs of the last step. simple: it used only the stack pointer, the words at slot and
	 * saved_fp, and, with by_fp, the frame pointer, all in the thread's stack. With the same
	 * inputs, the step has the same result, whatever else has changed.
	 */
	bool simple, by_fp;
	uint64_t slot;     /* address of the return address */
	uint64_t saved_fp; /* address of the caller's frame pointer; 0: unchanged */
};

/* False: out of memory. */
bool ms_unwind_begin_walk(struct ms_runtime_thread *t, struct ms_unwind_walk *w,
			  const struct ms_unwind_frame *from);
/* False: the function has no caller, or the caller is unknown. True: also check is_end. */
bool ms_unwind_step_to_caller(struct ms_runtime_thread *t, struct ms_unwind_walk *w);
/* Changes each time that code is unmapped: cached steps are invalid then. */
uint32_t ms_unwind_get_generation(void);

#endif
