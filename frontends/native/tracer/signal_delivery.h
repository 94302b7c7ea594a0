/* signal_delivery.h - signals of traced threads. */
#ifndef MS_NATIVE_TRACER_SIGNAL_DELIVERY_H
#define MS_NATIVE_TRACER_SIGNAL_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracer.h"

struct ms_thread;
struct ms_window;

struct ms_info { /* siginfo_t */
	int32_t signal, error, code, pad;
	uint64_t rest[14];
};
/* Values of siginfo_t for sigqueue() and timers: in `code`, and the index in `rest`. */
enum { MS_INFO_QUEUED = -1, MS_INFO_VALUE = 1 };
/* Bit of the tracer's signal in a signal mask. */
#define MS_OWN_BIT (1ull << (MS_SIGNAL - 1))

/* --- signals.c --- */

/* All signals but faults. */
extern const uint64_t ms_signals_held;
/* Takes over the existing handlers, which the program has set natively. */
void ms_signals_start(void);
/* Installs memspy's handler for its own signal. */
void ms_signals_own(void);
void ms_signals_give_back(void);
int64_t ms_signals_action(const uint64_t args[6]);
/* Whether 32 bytes at the address are readable. */
bool ms_signals_can_read(uint64_t address);
/* Blocks all signals but faults; returns the mask to restore. */
uint64_t ms_signals_block(void);
void ms_signals_unblock(uint64_t mask);
/* Delivers a held signal at w->pc; may not return. */
void ms_signals_deliver(struct ms_thread *t);
/* At the end of a window: blocks all signals and sends a held signal again. */
void ms_signals_release(struct ms_thread *t);
_Noreturn void ms_signals_return(struct ms_thread *t);
/* ends: the address that its handler returns to. */
uint64_t ms_signals_arrive(int signal, struct ms_info *info, uint64_t *context, uint64_t ends);
/* Sends a signal to the window's thread. False: the queue is full (RLIMIT_SIGPENDING); then the
 * kernel still accepts a signal without siginfo. */
bool ms_signals_queue(const struct ms_window *w, const struct ms_info *info);
void ms_signals_send_bare(const struct ms_window *w, int signal);
bool ms_signals_is_bare(const struct ms_info *info);

/* --- again.c --- */

void ms_again_forked(struct ms_thread *t);
/* Whether the signal is from the timer of again.c. */
bool ms_again_is(struct ms_thread *t, const struct ms_info *info);
/* The interrupted code continues traced, if it can be translated. */
void ms_again_arrive(struct ms_thread *t, uint64_t *uc);
/* The signal is the program's, which had blocked it until memspy unblocked it. True: it is blocked
 * again. */
bool ms_again_gives_up(struct ms_thread *t, uint64_t *uc);

/* --- leave.c --- */

/*
 * The window has ended: continues natively. Held signals have been sent, w->mask is the program's.
 */
_Noreturn void ms_leave(struct ms_thread *t);
/* Leaves by memspy's own signal, which arrives with this value in t->traced: LEAVING or more. */
_Noreturn void ms_leave_by(struct ms_thread *t, uint32_t what);
/* Whether the signal is the one that memspy sent to leave the window, or to continue through a
 * frame. */
bool ms_leave_is(const struct ms_thread *t, const struct ms_info *info);
/* The signal has arrived, or one of the program instead: leaves the window, or continues. */
void ms_leave_arrived(struct ms_thread *t, uint64_t *uc);
/* The signal has been sent and has not arrived yet. */
bool ms_leave_is_due(const struct ms_thread *t);

#endif
