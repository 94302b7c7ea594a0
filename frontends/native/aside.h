/*
 * aside.h - stacks that are set aside for handlers (sigaltstack): the program's own, or a larger
 * one of ours in its place, where there would be no room for the timer's frame on top of a
 * handler's.
 */
#ifndef MS_NATIVE_ASIDE_H
#define MS_NATIVE_ASIDE_H

#include <stdint.h>

#include "sys.h"

struct ms_thread;

#pragma GCC visibility push(hidden)

struct ms_aside { /* the kernel's stack_t */
	uint64_t start;
	uint32_t flags, pad;
	uint64_t size;
};
enum { MS_ASIDE_ON = 1, MS_ASIDE_NONE = 2 };

/* The system call, as it is. */
static inline int64_t ms_aside_set(const struct ms_aside *now, struct ms_aside *old)
{
	return ms_sys(__NR_sigaltstack, (long)now, (long)old, 0, 0, 0, 0);
}

/* The running thread, t, has another stack, or has a timer from here on: is there room on it? NULL:
 * it has no timer. */
void ms_aside_check(struct ms_thread *t);
/* The program's sigaltstack, on the running thread; what the kernel's would return. */
int64_t ms_aside_call(const struct ms_aside *wanted, struct ms_aside *old);
/* The timer's signal has arrived. */
void ms_aside_expired(void);
/* What the kernel says, as the program has set it. */
void ms_aside_disguise(struct ms_aside *stack);

#pragma GCC visibility pop

#endif
