/* signal_delivery.h - signals of traced threads. */
#ifndef MS_NATIVE_TRACER_SIGNAL_DELIVERY_H
#define MS_NATIVE_TRACER_SIGNAL_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signals/program_actions.h"
#include "tracer/tracer.h"

struct ms_runtime_thread;
struct ms_tracer_window;

struct ms_tracer_siginfo { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};
/* Values of siginfo_t for sigqueue() and timers: in `code`, and the index in `rest`. */
enum { MS_TRACER_SI_QUEUE = -1, MS_TRACER_SI_VALUE_WORD = 1 };
/* Bit of the tracer's signal in a signal mask. */
#define MS_TRACER_SIGNAL_BIT (1ull << (MS_SIGNALS_TRACER_SIGNAL - 1))

/* --- signal_delivery.c --- */

/* All signals but faults. */
extern const uint64_t ms_tracer_held_signals;
/* Blocks all signals but faults; returns the mask to restore. */
uint64_t ms_tracer_block_signals(void);
void ms_tracer_set_signal_mask(uint64_t mask);
/* Delivers a held signal at w->pc; may not return. */
void ms_tracer_deliver_held(struct ms_runtime_thread *t);
/* At the end of a window: blocks all signals and sends a held signal again. */
void ms_tracer_release_held(struct ms_runtime_thread *t);
_Noreturn void ms_tracer_emulate_sigreturn(struct ms_runtime_thread *t);
/* ends: the address that its handler returns to. */
uint64_t ms_tracer_handle_signal(int signal, struct ms_tracer_siginfo *info, uint64_t *context,
				 uint64_t ends);
/* Sends a signal to the window's thread. False: the queue is full (RLIMIT_SIGPENDING); then the
 * kernel still accepts a signal without siginfo. */
bool ms_tracer_queue_signal(const struct ms_tracer_window *w, const struct ms_tracer_siginfo *info);
void ms_tracer_send_bare_signal(const struct ms_tracer_window *w, int signal);
bool ms_tracer_is_bare_signal(const struct ms_tracer_siginfo *info);

/* --- window_reopening.c --- */

void ms_tracer_reset_reopen_timer(struct ms_runtime_thread *t);
/* Whether the signal is from the timer of window_reopening.c. */
bool ms_tracer_is_reopen_signal(struct ms_runtime_thread *t, const struct ms_tracer_siginfo *info);
/* The interrupted code continues traced, if it can be translated. */
void ms_tracer_handle_reopen_signal(struct ms_runtime_thread *t, uint64_t *uc);
/* The signal is the program's, which had blocked it until memspy unblocked it. True: it is blocked
 * again. */
bool ms_tracer_give_up_reopen(struct ms_runtime_thread *t, uint64_t *uc);

/* --- window_exit.c --- */

/*
 * The window has ended: continues natively. Held signals have been sent, w->mask is the program's.
 */
_Noreturn void ms_tracer_leave_window(struct ms_runtime_thread *t);
/* Leaves by memspy's own signal, which arrives with this value in t->traced: LEAVING or more. */
_Noreturn void ms_tracer_send_leave_signal(struct ms_runtime_thread *t, uint32_t what);
/* Whether the signal is the one that memspy sent to leave the window, or to continue through a
 * frame. */
bool ms_tracer_is_leave_signal(const struct ms_runtime_thread *t,
			       const struct ms_tracer_siginfo *info);
/* The signal has arrived, or one of the program instead: leaves the window, or continues. */
void ms_tracer_handle_leave_signal(struct ms_runtime_thread *t, uint64_t *uc);
/* The signal has been sent and has not arrived yet. */
bool ms_tracer_is_leaving(const struct ms_runtime_thread *t);

#endif
