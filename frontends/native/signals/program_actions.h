/* program_actions.h - the signal actions that the program has set: see program_actions.c. */
#ifndef MS_NATIVE_SIGNALS_PROGRAM_ACTIONS_H
#define MS_NATIVE_SIGNALS_PROGRAM_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_signals_sigaction;

/* The tracer's; the program still gets those that it sends itself. */
enum { MS_SIGNALS_TRACER_SIGNAL = 62 };

/* The program's action; all zero if it has no handler. */
const struct ms_signals_sigaction *ms_signals_get_shadow_action(int signal);
/* Whether an action calls a handler, neither the default action nor to ignore the signal. */
bool ms_signals_has_handler(const struct ms_signals_sigaction *action);
/* The handler to call for a signal that has arrived. An action for one signal only ends here. */
uint64_t ms_signals_begin_handler(int signal);
/* Takes over a handler that the program has set natively; or all of them. */
void ms_signals_take_handler(uint64_t signal);
void ms_signals_take_all_handlers(void);
void ms_signals_restore_handlers(void);
/* The program's action where the kernel has memspy's entry; false: it has not. */
bool ms_signals_get_program_action(uint64_t signal, struct ms_signals_sigaction *was);
/* The flags that the kernel has with memspy's entry; and records the program's action. */
uint64_t ms_signals_get_entry_flags(uint64_t flags);
void ms_signals_set_program_action(uint64_t signal, const struct ms_signals_sigaction *action);
/* The system call rt_sigaction; and the same for MS_SIGNALS_TRACER_SIGNAL, made natively. */
int64_t ms_signals_emulate_sigaction(const uint64_t args[6]);
int64_t ms_signals_emulate_tracer_action(const uint64_t args[6]);
/* Installs memspy's handler for MS_SIGNALS_TRACER_SIGNAL. */
void ms_signals_install_tracer_signal(void);
/* Whether the program ignores MS_SIGNALS_TRACER_SIGNAL; and installs memspy's handler again after
 * the kernel was set to ignore it. */
bool ms_signals_is_tracer_signal_ignored(void);
void ms_signals_retake_tracer_signal(void);
/* Whether 32 bytes at the address are readable. */
bool ms_signals_is_readable(uint64_t address);

#endif
