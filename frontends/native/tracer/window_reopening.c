/*
 * window_reopening.c - reopens a window that ended too early.
 *
 * Code that cannot be translated (generated at run time, or unknown) runs natively. A timer of the
 * thread's CPU time interrupts it. If the interrupted code can be translated, the window opens
 * there: the return from the signal goes to ms_tracer_stub_dispatch, with all registers of the
 * program intact.
 */
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "ucontext_layout.h"

enum { CODE_TIMER = -2, NOTIFY_THREAD = 4, CLOCK_THREAD = 3, INTERVAL = 1000000, SOON = 5000000 };

struct reopen_sigevent { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

static bool make_timer(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct reopen_sigevent e = { .value = (uint64_t)t,
				     .signal = MS_SIGNALS_TRACER_SIGNAL,
				     .notify = NOTIFY_THREAD,
				     .thread = (int32_t)w->tid };

	if (w->timer_made)
		return true;
	w->timer_made = ms_runtime_syscall(__NR_timer_create, CLOCK_THREAD, (long)&e,
					   (long)&w->timer, 0, 0, 0) == 0;
	return w->timer_made;
}

static void set_timer(struct ms_runtime_thread *t, int64_t nanoseconds)
{
	const int64_t once[4] = { 0, 0, 0, nanoseconds };

	ms_runtime_syscall(__NR_timer_settime, (long)(uint32_t)ms_tracer_get_window(t)->timer, 0,
			   (long)once, 0, 0, 0);
}

static bool arm_timer(struct ms_runtime_thread *t, int64_t nanoseconds)
{
	if (!ms_runtime_active || ms_runtime_is_stream_closed() || !make_timer(t))
		return false;
	ms_signals_install_tracer_signal();
	set_timer(t, nanoseconds);
	return true;
}

void ms_tracer_schedule_reopen(struct ms_runtime_thread *t)
{
	arm_timer(t, INTERVAL);
}

void ms_tracer_reset_reopen_timer(struct ms_runtime_thread *t)
{
	ms_tracer_get_window(t)->timer_made = false; /* timers stay with the parent */
}

bool ms_tracer_is_reopen_signal(struct ms_runtime_thread *t, const struct ms_tracer_siginfo *info)
{
	return info->code == CODE_TIMER && ms_tracer_get_window(t)->timer_made &&
	       info->rest[MS_TRACER_SI_VALUE_WORD] == (uint64_t)t;
}

static bool can_be_traced(struct ms_runtime_thread *t, uint64_t pc)
{
	uint64_t start, end;

	if (t->busy || ms_tracer_is_runtime_code(pc) || ms_maps_is_other_unloading(t))
		return false;
	if (ms_runtime_config.attached)
		ms_maps_check_unloaded_modules(
			t); /* libraries that were unmapped meanwhile were not reported */
	ms_maps_find_or_scan_module(t, pc); /* a library may have been mapped without a report */
	return ms_maps_is_stable_code(pc, &start, &end) || ms_tracer_is_jit_code(pc);
}

void ms_tracer_refresh_handlers(void)
{
	ms_signals_take_all_handlers();
}

bool ms_tracer_open_window_at(struct ms_runtime_thread *t, uint64_t *uc)
{
	/*
	 * A handler runs on a stack where memspy's frames would be put: altstack.c, adopted stacks.
	 */
	if (ms_signals_is_on_memspy_stack(t, uc[MS_SIGNALS_UCONTEXT_SP]))
		return false;
	if (!can_be_traced(t, uc[MS_SIGNALS_UCONTEXT_PC]) || !ms_tracer_can_trace_vectors(uc))
		return false;
	ms_signals_take_all_handlers(); /* handlers that were set meanwhile */
	ms_tracer_resume_traced(t, uc);
	/* Signals stay blocked until ms_tracer_dispatch() has opened the window. */
	ms_tracer_get_window(t)->mask =
		uc[MS_SIGNALS_UCONTEXT_MASK] | ms_signals_get_hidden_mask(t);
	uc[MS_SIGNALS_UCONTEXT_MASK] |= ms_tracer_held_signals;
	t->traced = 1;
	ms_tracer_get_window(t)->opening = true;
	return true;
}

/*
 * A thread that memspy attaches to may have all signals blocked, as many compute threads do. memspy
 * unblocks its signal for such a thread until the signal has arrived. It does not if a signal of
 * the program with this number is pending, and it gives up when one arrives: that signal is for the
 * code that waits for it, so the thread is not traced.
 */
static bool must_unblock_own_signal(struct ms_tracer_window *w)
{
	uint64_t mask = 0, waiting = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, 0, 0, (long)&mask, 8, 0, 0);
	ms_runtime_syscall(__NR_rt_sigpending, (long)&waiting, 8, 0, 0, 0, 0);
	w->opened = (mask & ~waiting & MS_TRACER_SIGNAL_BIT) != 0;
	return w->opened;
}

static void block_own_signal(struct ms_tracer_window *w, uint64_t *mask)
{
	if (w->opened)
		*mask |= MS_TRACER_SIGNAL_BIT;
	w->opened = false;
}

bool ms_tracer_give_up_reopen(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	if (!w->opened)
		return false;
	block_own_signal(w, &uc[MS_SIGNALS_UCONTEXT_MASK]);
	set_timer(t, 0);
	return true;
}

void ms_tracer_handle_reopen_signal(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	if (t->traced)
		return;
	if (ms_runtime_active && ms_tracer_open_window_at(t, uc))
		block_own_signal(w, &w->mask);
	else if (!arm_timer(t, INTERVAL)) /* the stream has no reader any more */
		block_own_signal(w, &uc[MS_SIGNALS_UCONTEXT_MASK]);
}

/* Takes effect only after the kernel has resumed the thread where it was. */
bool ms_tracer_schedule_window(struct ms_runtime_thread *t)
{
	return arm_timer(t, SOON) && must_unblock_own_signal(ms_tracer_get_window(t));
}
