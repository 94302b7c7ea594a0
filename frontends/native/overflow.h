/*
 * overflow.h - handles SIGIO, which the kernel sends instead of the timer's signal when the user's
 * queue of pending signals is full. Its default action ends the program.
 */
#ifndef MS_NATIVE_OVERFLOW_H
#define MS_NATIVE_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "action.h"

/* Installs memspy's handler, unless the program has set one; and restores the program's action. */
void ms_overflow_start(void);
void ms_overflow_leave(void);
/* Whether memspy's action replaces the one that the program sets; and that action. */
bool ms_overflow_takes(uint64_t signal, uint64_t handler);
struct ms_action ms_overflow_ours(void);
/* Whether this is memspy's handler: the program has the default action. */
bool ms_overflow_is(uint64_t handler);

#endif
