/* signal_hiding_priv.h - what signal_hiding.c, hidden_actions.c, hidden_waits.c and altstack.c
 * share. */
#ifndef MS_NATIVE_SIGNALS_SIGNAL_HIDING_PRIV_H
#define MS_NATIVE_SIGNALS_SIGNAL_HIDING_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "signals/cpu_timer.h"

struct ms_runtime_thread;

struct ms_signals_libc_sigset { /* sigset_t of the C library */
	uint64_t words[16];
};

/* SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK. */
enum { MS_SIGNALS_MASK_BLOCK, MS_SIGNALS_MASK_UNBLOCK, MS_SIGNALS_MASK_SET };
/* Of memspy's timer signal, in a mask. */
#define MS_SIGNALS_TIMER_BIT (UINT64_C(1) << (MS_SIGNALS_TIMER_SIGNAL - 1))

/* 1: the thread runs natively. A traced thread stays traced until it has made the call. */
uint64_t ms_signals_is_native_call(void);
/* Whether this is the thread itself, not a child process that sees a copy of its parent's timer. */
bool ms_signals_is_sampled(const struct ms_runtime_thread *t);
/* Whether the kernel's mask may differ from the thread's. */
bool ms_signals_is_hiding(const struct ms_runtime_thread *t);
/* The timer of the running thread if it is sampled, and has its mask; NULL: the kernel has it. */
struct ms_signals_timer *ms_signals_get_hiding_timer(void);
/* The program changes its mask. */
void ms_signals_update_program_block(struct ms_signals_timer *timer, int how,
				     const struct ms_signals_libc_sigset *wanted);
/* Before a wait in which the program may receive the signal: whether it is really blocked now, and
 * the second must be called afterwards. */
bool ms_signals_block_for_wait(struct ms_runtime_thread *t);
void ms_signals_unblock_after_wait(struct ms_runtime_thread *t);

#endif
