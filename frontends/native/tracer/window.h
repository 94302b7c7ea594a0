/* window.h - the state of a traced thread, and the entries from generated code to C. */
#ifndef MS_NATIVE_TRACER_WINDOW_H
#define MS_NATIVE_TRACER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "runtime/thread_state.h"
#include "tracer/signal_delivery.h"
#include "tracer/work_time.h"

/* At t->tracer. */
struct ms_tracer_window {
	uint64_t regs[MS_TRACER_REGS];
	uint64_t spill[MS_TRACER_REGS];
	uint64_t pc, flags, stack, arg, target, resume, own_sp;
	uint64_t pending;
	uint64_t mask;
	uint64_t site;
	uint64_t table;
	uint64_t glue[MS_TRACER_STUB_COUNT];
	/* not used by assembler or generated code */
	uint64_t held_limit; /* the lane's limit while t->limit is 0 */
	struct ms_tracer_siginfo held;
	struct ms_tracer_siginfo
		refused;             /* the kernel's queue had no room for its siginfo; 0: none */
	uint64_t call, call_args[6]; /* the current system call */
	uint64_t tid;
	uint64_t ends[MS_TRACER_END_KINDS], windows, misses, signals, holds, faults, calls;
	/* the time at which the thread entered the cache; 0: not inside (code_cache.c) */
	uint64_t inside;
	uint64_t timer;
	bool timer_made;
	bool opening; /* traced already, but the window is not open yet */
	/* memspy's signal is unblocked, although the program blocks it: window_reopening.c */
	bool opened;
	bool ended_early; /* the window that is being left */
	bool is_untraced; /* untraced since its window ended too early: untraced_time.c */
	uint32_t untraced_reason;
	uint64_t untraced_since; /* 0: not measured */
	struct ms_runtime_thread *next;
	struct ms_tracer_work_time work_time;
};
_Static_assert(offsetof(struct ms_tracer_window, spill) == MS_TRACER_AT_SPILL - MS_TRACER_AT_REGS,
	       "thread_layout.h");
_Static_assert(offsetof(struct ms_tracer_window, pc) == MS_TRACER_AT_PC - MS_TRACER_AT_REGS,
	       "thread_layout.h");
_Static_assert(offsetof(struct ms_tracer_window, glue) == MS_TRACER_AT_STUBS - MS_TRACER_AT_REGS,
	       "thread_layout.h");
_Static_assert(MS_RUNTIME_THREAD_TRACER_AT == MS_TRACER_AT_REGS, "thread_layout.h");

static inline struct ms_tracer_window *ms_tracer_get_window(struct ms_runtime_thread *t)
{
	return (struct ms_tracer_window *)t->tracer;
}
extern struct ms_runtime_thread *ms_tracer_traced_threads; /* threads that have ever been traced */
/* Called by context_switch.S. Each returns the address to continue at. */
uint64_t ms_tracer_handle_full_chunk(struct ms_runtime_thread *t);
uint64_t ms_tracer_handle_unlinked_branch(struct ms_runtime_thread *t);
uint64_t ms_tracer_handle_branch_miss(struct ms_runtime_thread *t);
uint64_t ms_tracer_dispatch(struct ms_runtime_thread *t);
uint64_t ms_tracer_handle_syscall(struct ms_runtime_thread *t);
uint64_t ms_tracer_handle_changed_code(struct ms_runtime_thread *t);
/* The thread is in C: the cache may change meanwhile. */
struct ms_tracer_window *ms_tracer_leave_cache(struct ms_runtime_thread *t);
/* Waits until no thread has been in the cache since before `time`; false: that takes too long. */
bool ms_tracer_wait_until_outside(uint64_t time);
/* The thread continues natively, at w->pc. */
_Noreturn void ms_tracer_end_window(struct ms_runtime_thread *t, uint32_t why);
/* Whether pc is in code of the runtime that runs natively. */
bool ms_tracer_is_runtime_code(uint64_t pc);

/* --- syscall_execution.c --- */

/* Runs the system call at w->pc, unless a held signal is delivered first. */
void ms_tracer_run_syscall(struct ms_runtime_thread *t);
/* The system call has been made: notifies the runtime and advances the pc. */
void ms_tracer_finish_syscall(struct ms_runtime_thread *t);
/* Whether pc is in code that creates threads; done: the call has been made. */
bool ms_tracer_is_clone_call(uint64_t pc, bool *done);

/* --- untraced_time.c --- */

/* The window ends. */
void ms_tracer_begin_untraced_time(struct ms_runtime_thread *t, uint32_t why);
/* Whether the thread could be traced at its present pc, and is untraced only because a window ended
 * early. */
bool ms_tracer_is_in_untraced_time(const struct ms_runtime_thread *t);
/*
 * Reports in t's lane how long a thread was untraced that is traced again or will not be any more.
 */
void ms_tracer_report_untraced_time(struct ms_runtime_thread *t, struct ms_runtime_thread *of);

#endif
