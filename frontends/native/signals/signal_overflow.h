/*
 * signal_overflow.h - handles SIGIO, which the kernel sends instead of the timer's signal when the
 * user's queue of pending signals is full. Its default action ends the program.
 */
#ifndef MS_NATIVE_SIGNALS_SIGNAL_OVERFLOW_H
#define MS_NATIVE_SIGNALS_SIGNAL_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "signals/signal_action.h"

/* Installs memspy's handler, unless the program has set one; and restores the program's action. */
void ms_signals_take_overflow_signal(void);
void ms_signals_release_overflow_signal(void);
/* Whether memspy's action replaces the one that the program sets; and that action. */
bool ms_signals_must_take_overflow(uint64_t signal, uint64_t handler);
struct ms_signals_sigaction ms_signals_get_overflow_action(void);
/* Whether this is memspy's handler: the program has the default action. */
bool ms_signals_is_overflow_handler(uint64_t handler);

#endif
