/*
 * sigframe.h - signal frames: what the kernel puts on the stack for a handler, and returns by. Each
 * architecture's folder has its sigframe.c.
 */
#ifndef MS_NATIVE_SIGFRAME_H
#define MS_NATIVE_SIGFRAME_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Of a ucontext, in words, on every architecture. */
enum { MS_SIGFRAME_STACK_START = 2, MS_SIGFRAME_STACK_FLAGS, MS_SIGFRAME_STACK_SIZE };

/* Whether the kernel ends a program whose frame does not fit on its alternate stack. */
bool ms_sigframe_is_checked(void);
/* Where the frame of uc begins if its copy ends below top; and makes the copy: its ucontext. ends:
 * the address that its handler returns to. */
uint64_t ms_sigframe_below(const uint64_t *uc, uint64_t top);
uint64_t *ms_sigframe_copy(const uint64_t *uc, uint64_t top, uint64_t ends);
/* Who returns by uc begins the handler of a signal, on a copy. */
void ms_sigframe_enter(uint64_t *uc, const uint64_t *copy, int signal, uint64_t handler,
		       uint64_t ends);

#pragma GCC visibility pop

#endif
