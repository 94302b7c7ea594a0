/* window.h - the state of a traced thread, and the entries from generated code to C. */
#ifndef MS_NATIVE_TRACER_WINDOW_H
#define MS_NATIVE_TRACER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "runtime/thread_state.h"
#include "tracer/signal_delivery.h"

/* At t->tracer. */
struct ms_window {
	uint64_t regs[MS_REGS];
	uint64_t spill[MS_REGS];
	uint64_t pc, flags, stack, arg, target, resume, own_sp;
	uint64_t pending;
	uint64_t mask;
	uint64_t site;
	uint64_t table;
	uint64_t glue[MS_GLUES];
	/* not used by assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_info held;
	struct ms_info refused;      /* the kernel's queue had no room for its siginfo; 0: none */
	uint64_t call, call_args[6]; /* the current system call */
	uint64_t tid;
	uint64_t ends[MS_END_KINDS], windows, misses, signals, holds, faults, calls;
	/* the time at which the thread entered the cache; 0: not inside (cache.c) */
	uint64_t inside;
	uint64_t timer;
	bool timer_made;
	bool opening; /* traced already, but the window is not open yet */
	/* memspy's signal is unblocked, although the program blocks it: again.c */
	bool opened;
	bool ended_early; /* the window that is being left */
	bool blind;       /* untraced since its window ended too early: blind.c */
	uint32_t blind_why;
	uint64_t blind_since; /* 0: not measured */
	struct ms_thread *next;
};
_Static_assert(offsetof(struct ms_window, spill) == MS_AT_SPILL - MS_AT_REGS, "layout.h");
_Static_assert(offsetof(struct ms_window, pc) == MS_AT_PC - MS_AT_REGS, "layout.h");
_Static_assert(offsetof(struct ms_window, glue) == MS_AT_GLUE - MS_AT_REGS, "layout.h");
_Static_assert(MS_THREAD_TRACER == MS_AT_REGS, "layout.h");

static inline struct ms_window *ms_window_of(struct ms_thread *t)
{
	return (struct ms_window *)t->tracer;
}
extern struct ms_thread *ms_window_all; /* threads that have ever been traced */
/* Called by enter.S. Each returns the address to continue at. */
uint64_t ms_window_full(struct ms_thread *t);
uint64_t ms_window_link(struct ms_thread *t);
uint64_t ms_window_miss(struct ms_thread *t);
uint64_t ms_window_go(struct ms_thread *t);
uint64_t ms_window_call(struct ms_thread *t);
uint64_t ms_window_changed(struct ms_thread *t);
/* The thread is in C: the cache may change meanwhile. */
struct ms_window *ms_window_come_out(struct ms_thread *t);
/* Waits until no thread has been in the cache since before `time`; false: that takes too long. */
bool ms_window_wait_for(uint64_t time);
/* The thread continues natively, at w->pc. */
_Noreturn void ms_window_end(struct ms_thread *t, uint32_t why);
/* Whether pc is in code of the runtime that runs natively. */
bool ms_window_is_ours(uint64_t pc);

/* --- calls.c --- */

/* Runs the system call at w->pc, unless a held signal is delivered first. */
void ms_calls_run(struct ms_thread *t);
/* The system call has been made: notifies the runtime and advances the pc. */
void ms_calls_done(struct ms_thread *t);
/* Whether pc is in code that creates threads; done: the call has been made. */
bool ms_calls_is_site(uint64_t pc, bool *done);

/* --- blind.c --- */

/* The window ends. */
void ms_blind_begin(struct ms_thread *t, uint32_t why);
/* Whether the thread could be traced at its present pc, and is untraced only because a window ended
 * early. */
bool ms_blind_is(const struct ms_thread *t);
/*
 * Reports in t's lane how long a thread was untraced that is traced again or will not be any more.
 */
void ms_blind_tell(struct ms_thread *t, struct ms_thread *of);

#endif
