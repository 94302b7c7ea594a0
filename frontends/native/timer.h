/*
 * timer.h - a timer of each thread's own CPU time, whose signal the program does not see.
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

/* Not the tracer's own. */
enum { MS_TIMER_SIGNAL = 61 };

/* Of each struct ms_thread. */
struct ms_timer {
	int32_t made; /* 0: there is none */
	int32_t fd;   /* of the kernel's event, above 0; 0: it has none, or not any more */
	int32_t posix;
	int32_t shots;    /* of the watchdog, one after another */
	int32_t runs;     /* the event does */
	int32_t armed;    /* since it has expired last */
	uint64_t watched; /* nanoseconds until the watchdog expires, at most */
	int32_t hidden; /* the program has blocked the signal, as far as it can see (disguise.c) */
	int32_t given;  /* it really has: one that was sent to it waits there, no timer runs */
};

/* In the handler, on the thread, with all signals blocked; uc: what was interrupted. It goes on
 * where that says. */
typedef void ms_timer_expired(struct ms_thread *t, uint64_t *uc);

/* Takes the signal; false: the program has a handler for it, or ignores it. */
bool ms_timer_start(ms_timer_expired *expired);
/* Whether the program ignores the signal; and takes it again where the kernel was told so. */
bool ms_timer_ignores(void);
void ms_timer_take_back(void);
/* Whether the signal is ours: what the program asks for it is kept by ms_timer_action(). */
bool ms_timer_is_on(void);
/* No thread's expires any more, and nothing is done should one have: see ms_disguise_leave(). */
void ms_timer_leave(void);
bool ms_timer_has_left(void);
/* Called likewise when another descriptor of ours sends the signal. */
typedef void ms_timer_other(struct ms_thread *t, int32_t fd, uint64_t *uc);
void ms_timer_others(ms_timer_other *other);
/*
 * disguise.c: a signal of the program's own, which it has blocked, as far as it can see, is kept
 * for it; false: it has not.
 */
bool ms_disguise_keep(struct ms_thread *t, void *info, uint64_t *uc);
/* The last that is heard of the signal, in this thread. */
void ms_disguise_leave(const struct ms_thread *t);
/* In a handler: t goes on without us; mask: what it has blocked behind that. */
void ms_disguise_ends(struct ms_thread *t, uint64_t *mask);
/* Traced code has the program's own mask, and makes its system calls itself: the bit that is
 * missing from the kernel's, or 0; the same, added to it at once; and after the program's
 * rt_sigprocmask. */
uint64_t ms_disguise_hides(const struct ms_thread *t);
void ms_disguise_opens(struct ms_thread *t);
void ms_disguise_sets(struct ms_thread *t, const uint64_t args[6]);
/* Before and after t makes a thread. */
void ms_disguise_makes(const struct ms_thread *t);
void ms_disguise_made(const struct ms_thread *t);
/* Whether a signal with this siginfo_t is one of our timers', of whatever thread. */
bool ms_timer_is_ours(const struct ms_thread *t, const void *info);
/* False: the kernel has no timer for us. */
bool ms_timer_make(struct ms_thread *t);
/* Unblocks the signal for a thread that has begun with it blocked: what waits, comes now. */
void ms_timer_open(struct ms_thread *t);
/* CPU time of a thread of the process, by the kernel's number; 0: it has gone. */
uint64_t ms_timer_of(uint32_t tid);
/* Of any thread that has one. */
void ms_timer_arm(struct ms_thread *t, uint64_t nanoseconds);
void ms_timer_stop(struct ms_thread *t);
/* Its event has sent SIGIO in place of the signal: it expires by its other timer, soon. */
void ms_timer_overflowed(struct ms_thread *t);
/* Whether it never expires in a system call, but when the thread is back in its own code. */
bool ms_timer_spares_calls(const struct ms_thread *t);
/* The thread ends, or has. */
void ms_timer_end(struct ms_thread *t);
/* In a child of fork: timers stay with the parent. */
void ms_timer_forked(struct ms_thread *t);

/* The program's rt_sigaction of our signal, as far as it can see. */
int64_t ms_timer_action(const uint64_t args[6]);

/* What one of the kernel's clocks says; CPU time of the running thread; and time that goes by. In
 * nanoseconds. */
uint64_t ms_timer_clock(long clock);
uint64_t ms_timer_cpu(void);
uint64_t ms_timer_wall(void);
/* Evenly from half of the mean to one and a half of it, so that nothing beats with the program. */
uint64_t ms_timer_vary(uint64_t *random, uint64_t mean);
uint64_t ms_timer_random(uint64_t *random);

#endif
