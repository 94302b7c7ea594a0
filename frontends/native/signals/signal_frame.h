/*
 * signal_frame.h - signal frames: what the kernel pushes on the stack for a handler, and restores
 * at its return. Each architecture's folder has its own signal_frame.c.
 */
#ifndef MS_NATIVE_SIGNALS_SIGNAL_FRAME_H
#define MS_NATIVE_SIGNALS_SIGNAL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* Offsets in a ucontext, in words, the same on every architecture. */
enum {
	MS_SIGNALS_FRAME_STACK_START = 2,
	MS_SIGNALS_FRAME_STACK_FLAGS,
	MS_SIGNALS_FRAME_STACK_SIZE
};

/* Whether the kernel kills a program whose frame does not fit on its alternate stack. */
bool ms_signals_is_frame_size_checked(void);
/* The start of the copy of uc's frame that ends below top; and makes the copy: returns its
 * ucontext. ends: the address that the handler returns to. */
uint64_t ms_signals_find_frame_start(const uint64_t *uc, uint64_t top);
uint64_t *ms_signals_copy_frame(const uint64_t *uc, uint64_t top, uint64_t ends);
/* Changes uc so that a return to it enters the handler of a signal, on a copy. */
void ms_signals_enter_copied_frame(uint64_t *uc, const uint64_t *copy, int signal, uint64_t handler,
				   uint64_t ends);

#endif
