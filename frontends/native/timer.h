/*
 * timer.h - a CPU time timer for each thread, whose signal is hidden from the program.
 *
 *    ms_timer_start       once
 *    ms_timer_make        for each thread, on it
 *    ms_timer_open        then, with the timer armed
 *    ms_timer_arm         it expires once, after so much of the thread's CPU time
 */
#ifndef MS_NATIVE_TIMER_H
#define MS_NATIVE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

/* Different from the tracer's MS_SIGNAL. */
enum { MS_TIMER_SIGNAL = 61 };

/* Part of struct ms_thread. */
struct ms_timer {
	int32_t made; /* 0: no timer */
	int32_t fd;   /* of the perf event, above 0; 0: none, or not any more */
	int32_t posix;
	int32_t shots;    /* of the watchdog, consecutive */
	int32_t runs;     /* the event is enabled */
	int32_t armed;    /* since its last expiry */
	uint64_t watched; /* nanoseconds until the watchdog expires, at most */
	int32_t hidden;   /* the program believes that it has blocked the signal (disguise.c) */
	int32_t given;    /* it really has: a signal for it is pending, and no timer runs */
};

/* Called in the handler, on the thread, with all signals blocked. uc: the interrupted context,
 * which the handler returns to. */
typedef void ms_timer_expired(struct ms_thread *t, uint64_t *uc);

/* Installs the handler; false: the program has a handler for the signal, or ignores it. */
bool ms_timer_start(ms_timer_expired *expired);
/* Whether the program ignores the signal; and installs our handler again after the kernel was set
 * to ignore it. */
bool ms_timer_ignores(void);
void ms_timer_take_back(void);
/* Whether memspy uses the signal: then ms_timer_action() keeps the action that the program sets. */
bool ms_timer_is_on(void);
/* Disables the timers of all threads, and ignores pending expiries: see ms_disguise_leave(). */
void ms_timer_leave(void);
bool ms_timer_has_left(void);
/* Called likewise when another descriptor of memspy sends the signal. */
typedef void ms_timer_other(struct ms_thread *t, int32_t fd, uint64_t *uc);
void ms_timer_others(ms_timer_other *other);
/*
 * disguise.c: keeps a signal of the program's own that it believes to have blocked; false: it has
 * not blocked it.
 */
bool ms_disguise_keep(struct ms_thread *t, void *info, uint64_t *uc);
/* The thread handles the signal for the last time. */
void ms_disguise_leave(const struct ms_thread *t);
/* Called in a handler: t continues without memspy; mask: the signal mask that it returns to. */
void ms_disguise_ends(struct ms_thread *t, uint64_t *mask);
/* Traced code has the program's own mask, and makes its system calls itself. Returns the bit that
 * is missing from the kernel's mask, or 0; adds that bit to the kernel's mask at once; and is
 * called after the program's rt_sigprocmask. */
uint64_t ms_disguise_hides(const struct ms_thread *t);
void ms_disguise_opens(struct ms_thread *t);
void ms_disguise_sets(struct ms_thread *t, const uint64_t args[6]);
/* Before and after t creates a thread. */
void ms_disguise_makes(const struct ms_thread *t);
void ms_disguise_made(const struct ms_thread *t);
/* Before t executes a program: really blocks the signal if the program believes that it has;
 * returns whether that was needed. Then the second is called if t goes on, in the same program. */
bool ms_disguise_executes(struct ms_thread *t);
void ms_disguise_executed_nothing(struct ms_thread *t);
/* Whether a signal with this siginfo_t is from a timer of memspy, of any thread. */
bool ms_timer_is_ours(const struct ms_thread *t, const void *info);
/* False: the kernel provides no timer. */
bool ms_timer_make(struct ms_thread *t);
/* Unblocks the signal for a thread that has begun with it blocked: a pending one is delivered
 * now. */
void ms_timer_open(struct ms_thread *t);
/* For any thread that has a timer. */
void ms_timer_arm(struct ms_thread *t, uint64_t nanoseconds);
void ms_timer_stop(struct ms_thread *t);
/* Its event has sent SIGIO instead of the signal: it expires soon, by its POSIX timer. */
void ms_timer_overflowed(struct ms_thread *t);
/* Whether the timer expires only in the thread's own code, never in a system call. */
bool ms_timer_spares_calls(const struct ms_thread *t);
/* The thread ends, or has. */
void ms_timer_end(struct ms_thread *t);
/* In a forked child: timers remain the parent's. */
void ms_timer_forked(struct ms_thread *t);

/* Emulates the program's rt_sigaction for the signal. */
int64_t ms_timer_action(const uint64_t args[6]);

#endif
