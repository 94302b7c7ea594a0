/*
 * cpu_timer.h - a CPU time timer for each thread, whose signal is hidden from the
 * program.
 *
 *    ms_signals_start_timers     once
 *    ms_signals_create_timer     for each thread, on it
 *    ms_signals_unblock_timer    then, with the timer armed
 *    ms_signals_arm_timer        it expires once, after so much of the thread's CPU time
 */
#ifndef MS_NATIVE_SIGNALS_CPU_TIMER_H
#define MS_NATIVE_SIGNALS_CPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

/* Different from the tracer's MS_SIGNALS_TRACER_SIGNAL. */
enum { MS_SIGNALS_TIMER_SIGNAL = 61 };

/* Part of struct ms_runtime_thread. */
struct ms_signals_timer {
	int32_t is_created; /* 0: no timer */
	int32_t fd;         /* of the perf event, above 0; 0: none, or not any more */
	int32_t posix;
	int32_t watchdog_shots;     /* of the watchdog, consecutive */
	int32_t event_runs;         /* the event is enabled */
	int32_t armed;              /* since its last expiry */
	uint64_t watched;           /* nanoseconds until the watchdog expires, at most */
	int32_t blocked_by_program; /* blocked in the program's shadow mask
				       (signal_hiding.c) */
	int32_t kernel_blocked; /* it really has: a signal for it is pending, and no timer runs */
	int32_t companion;      /* descriptor of a second event that sends the signal; 0: none */
	int32_t companion_stopped;
	int32_t callers; /* other threads that are about to arm it */
};
_Static_assert(sizeof(struct ms_signals_timer) <= MS_RUNTIME_TIMER_BYTES, "thread_state.h");

/* Of this thread. */
static inline struct ms_signals_timer *ms_signals_get_timer(const struct ms_runtime_thread *t)
{
	return (struct ms_signals_timer *)(uintptr_t)t->timer;
}

/* Called in the handler, on the thread, with all signals blocked. uc: the interrupted context,
 * which the handler returns to. */
typedef void ms_signals_timer_handler(struct ms_runtime_thread *t, uint64_t *uc);

/* Installs the handler; false: the program has a handler for the signal, or ignores it. */
bool ms_signals_start_timers(ms_signals_timer_handler *expired);
/* Whether the program ignores the signal; and installs our handler again after the kernel was set
 * to ignore it. */
bool ms_signals_is_timer_signal_ignored(void);
void ms_signals_retake_timer_signal(void);
/* Whether memspy uses the signal: then ms_signals_emulate_timer_action() keeps the action that the
 * program sets. */
bool ms_signals_is_timer_signal_taken(void);
/* Disables the timers of all threads, and ignores pending expiries: see ms_signals_stop_hiding().
 */
void ms_signals_stop_all_timers(void);
bool ms_signals_are_timers_stopped(void);
/* Called likewise when another descriptor of memspy sends the signal. */
typedef void ms_signals_event_handler(struct ms_runtime_thread *t, int32_t fd, uint64_t *uc);
void ms_signals_set_event_handler(ms_signals_event_handler *other);
/*
 * signal_hiding.c: keeps a signal of the program's own that its shadow mask blocks; false: the mask
 * does not block it.
 */
bool ms_signals_keep_program_signal(struct ms_runtime_thread *t, void *info, uint64_t *uc);
/* The thread handles the signal for the last time. */
void ms_signals_stop_hiding(const struct ms_runtime_thread *t);
/* Called in a handler: t continues without memspy; mask: the signal mask that it returns to. */
void ms_signals_stop_hiding_thread(struct ms_runtime_thread *t, uint64_t *mask);
/* Traced code has the program's own mask, and makes its system calls itself. Returns the bit that
 * is missing from the kernel's mask, or 0; adds that bit to the kernel's mask at once; and is
 * called after the program's rt_sigprocmask. */
uint64_t ms_signals_get_hidden_mask(const struct ms_runtime_thread *t);
void ms_signals_block_hidden_signal(struct ms_runtime_thread *t);
/* When the thread is traced: no timer of memspy runs any more if the program has blocked its
 * signal. */
void ms_signals_drop_hidden_signals(struct ms_runtime_thread *t);
void ms_signals_record_program_mask(struct ms_runtime_thread *t, const uint64_t args[6]);
/*
 * Another event of the thread that sends the signal: it is stopped and started with the timer.
 * pause, resume: on the thread, in a handler, for events that memspy itself causes there. 0: none.
 */
void ms_signals_set_companion(struct ms_runtime_thread *t, int32_t fd);
void ms_signals_pause_companion(const struct ms_runtime_thread *t);
void ms_signals_resume_companion(const struct ms_runtime_thread *t);
/* Before and after t creates a thread. */
void ms_signals_begin_thread_creation(const struct ms_runtime_thread *t);
void ms_signals_end_thread_creation(const struct ms_runtime_thread *t);
/* Before t executes a program: blocks the signal in the kernel if the shadow mask blocks it;
 * returns whether that was needed. Then the second is called if t goes on, in the same program. */
bool ms_signals_block_hidden_for_exec(struct ms_runtime_thread *t);
void ms_signals_unblock_after_failed_exec(struct ms_runtime_thread *t);
/* Whether a signal with this siginfo_t is from a timer of memspy, of any thread. */
bool ms_signals_is_from_memspy_timer(const struct ms_runtime_thread *t, const void *info);
/* False: the kernel provides no timer. */
bool ms_signals_create_timer(struct ms_runtime_thread *t);
/* Unblocks the signal for a thread that has begun with it blocked: a pending one is delivered
 * now. */
void ms_signals_unblock_timer(struct ms_runtime_thread *t);
/* For any thread that has a timer. */
void ms_signals_arm_timer(struct ms_runtime_thread *t, uint64_t nanoseconds);
void ms_signals_stop_timer(struct ms_runtime_thread *t);
/* Before and after another thread looks whether it may arm t's timer, and arms it. */
void ms_signals_begin_call(const struct ms_runtime_thread *t);
void ms_signals_end_call(const struct ms_runtime_thread *t);
/* On the thread, when no other thread may arm its timer any more: it does not run afterwards. */
void ms_signals_stop_called_timer(struct ms_runtime_thread *t);
/* Its event has sent SIGIO instead of the signal: it expires soon, by its POSIX timer. */
void ms_signals_retry_timer(struct ms_runtime_thread *t);
/* Whether the timer expires only in the thread's own code, never in a system call. */
bool ms_signals_timer_spares_syscalls(const struct ms_runtime_thread *t);
/* The thread ends, or has. */
void ms_signals_delete_timer(struct ms_runtime_thread *t);
/* In a forked child: timers remain the parent's. */
void ms_signals_reset_timers(struct ms_runtime_thread *t);

/* Emulates the program's rt_sigaction for the signal. */
int64_t ms_signals_emulate_timer_action(const uint64_t args[6]);

#endif
