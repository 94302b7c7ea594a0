/* unwind.h - one step from a function to its caller. */
#ifndef MS_NATIVE_UNWIND_H
#define MS_NATIVE_UNWIND_H

#include "runtime.h"

struct ms_walk {
	uint64_t regs[MS_CFI_REGS];
	uint64_t link;    /* the return address, where it is in a register; or 0 */
	bool interrupted; /* the pc is an instruction's, not a return address */

	/*
	 * What the last step was taken by. simple: by the stack pointer, the words at slot and
	 * saved_fp, and, with by_fp, the frame pointer, all in the thread's stack; it would be the
	 * same again with these, whatever else has changed.
	 */
	bool simple, by_fp;
	uint64_t slot;     /* where the return address stood */
	uint64_t saved_fp; /* where the caller's frame pointer did; 0: it is as it was */
};

/* False: there is no memory. */
bool ms_unwind_begin(struct ms_thread *t, struct ms_walk *w, const struct ms_frame *from);
/* False: nobody has called it, or nobody knows who. */
bool ms_unwind_step(struct ms_thread *t, struct ms_walk *w);
/* Another one each time that code goes: what is known of steps is void. */
uint32_t ms_unwind_generation(void);

#endif
