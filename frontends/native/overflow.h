/*
 * overflow.h - SIGIO, which the kernel sends in place of the timer's signal when no more may wait
 * for the user, and which ends a program by default.
 */
#ifndef MS_NATIVE_OVERFLOW_H
#define MS_NATIVE_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "action.h"

#pragma GCC visibility push(hidden)

/* It is ours from here on, unless the program has set it; and the program's again. */
void ms_overflow_start(void);
void ms_overflow_leave(void);
/* Whether a signal that the program sets to this is to be ours; then it is set to that. */
bool ms_overflow_takes(uint64_t signal, uint64_t handler);
struct ms_action ms_overflow_ours(void);
/* Whether a handler is that of ours: the program has left the signal to its default. */
bool ms_overflow_is(uint64_t handler);

#pragma GCC visibility pop

#endif
