/* program_actions.h - the signal actions of the program, for signal_delivery.c. */
#ifndef MS_NATIVE_TRACER_PROGRAM_ACTIONS_H
#define MS_NATIVE_TRACER_PROGRAM_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_signals_sigaction;

/* The program's action; all zero if it has no handler. */
const struct ms_signals_sigaction *ms_tracer_action_of(int signal);
/* Whether an action calls a handler, neither the default action nor to ignore the signal. */
bool ms_tracer_has_handler(const struct ms_signals_sigaction *action);
/* The handler to call for a signal that has arrived. An action for one signal only ends here. */
uint64_t ms_tracer_begin_handler(int signal);

#endif
