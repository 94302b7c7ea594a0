/*
 * again.c - reopens a window that ended too early.
 *
 * Code that cannot be translated (generated at run time, or unknown) runs natively. A timer of the
 * thread's CPU time interrupts it. If the interrupted code can be translated, the window opens
 * there: the return from the signal goes to ms_glue_go, with all registers of the program intact.
 */
#include "altstack.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "timer.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "ucontext.h"

enum { CODE_TIMER = -2, NOTIFY_THREAD = 4, CLOCK_THREAD = 3, INTERVAL = 1000000, SOON = 5000000 };

struct event { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

static bool make_timer(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct event e = { .value = (uint64_t)t,
			   .signal = MS_SIGNAL,
			   .notify = NOTIFY_THREAD,
			   .thread = (int32_t)w->tid };

	if (w->timer_made)
		return true;
	w->timer_made =
		ms_sys(__NR_timer_create, CLOCK_THREAD, (long)&e, (long)&w->timer, 0, 0, 0) == 0;
	return w->timer_made;
}

static void set_timer(struct ms_thread *t, int64_t nanoseconds)
{
	const int64_t once[4] = { 0, 0, 0, nanoseconds };

	ms_sys(__NR_timer_settime, (long)(uint32_t)ms_window_of(t)->timer, 0, (long)once, 0, 0, 0);
}

static bool arm(struct ms_thread *t, int64_t nanoseconds)
{
	if (!ms_on || ms_lane_closed() || !make_timer(t))
		return false;
	ms_signals_own();
	set_timer(t, nanoseconds);
	return true;
}

void ms_again_arm(struct ms_thread *t)
{
	arm(t, INTERVAL);
}

void ms_again_forked(struct ms_thread *t)
{
	ms_window_of(t)->timer_made = false; /* timers stay with the parent */
}

bool ms_again_is(struct ms_thread *t, const struct ms_info *info)
{
	return info->code == CODE_TIMER && ms_window_of(t)->timer_made &&
	       info->rest[MS_INFO_VALUE] == (uint64_t)t;
}

static bool can_be_traced(struct ms_thread *t, uint64_t pc)
{
	uint64_t start, end;

	if (t->busy || ms_window_is_ours(pc) || ms_unloading_others(t))
		return false;
	if (ms_config.attached)
		ms_maps_look(t); /* libraries that were unmapped meanwhile were not reported */
	ms_maps_find(t, pc);     /* a library may have been mapped without a report */
	return ms_maps_is_stable(pc, &start, &end) || ms_made_holds(pc);
}

void ms_tracer_signals(void)
{
	ms_signals_start();
}

bool ms_tracer_enter_at(struct ms_thread *t, uint64_t *uc)
{
	/*
	 * A handler runs on a stack where memspy's frames would be put: altstack.c, adopted stacks.
	 */
	if (ms_altstack_is_ours(t, uc[MS_UCONTEXT_SP]))
		return false;
	if (!can_be_traced(t, uc[MS_UCONTEXT_PC]) || !ms_vectors_can_go(uc))
		return false;
	ms_signals_start(); /* handlers that were set meanwhile */
	ms_context_go(t, uc);
	/* Signals stay blocked until ms_window_go() has opened the window. */
	ms_window_of(t)->mask = uc[MS_UCONTEXT_MASK] | ms_disguise_hides(t);
	uc[MS_UCONTEXT_MASK] |= ms_signals_held;
	t->traced = 1;
	ms_window_of(t)->opening = true;
	return true;
}

/*
 * A thread that memspy attaches to may have all signals blocked, as many compute threads do. memspy
 * unblocks its signal for such a thread until the signal has arrived. It does not if a signal of
 * the program with this number is pending, and it gives up when one arrives: that signal is for the
 * code that waits for it, so the thread is not traced.
 */
static bool is_to_be_opened(struct ms_window *w)
{
	uint64_t mask = 0, waiting = 0;

	ms_sys(__NR_rt_sigprocmask, 0, 0, (long)&mask, 8, 0, 0);
	ms_sys(__NR_rt_sigpending, (long)&waiting, 8, 0, 0, 0, 0);
	w->opened = (mask & ~waiting & MS_OWN_BIT) != 0;
	return w->opened;
}

static void close_own(struct ms_window *w, uint64_t *mask)
{
	if (w->opened)
		*mask |= MS_OWN_BIT;
	w->opened = false;
}

bool ms_again_gives_up(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (!w->opened)
		return false;
	close_own(w, &uc[MS_UCONTEXT_MASK]);
	set_timer(t, 0);
	return true;
}

void ms_again_arrive(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (t->traced)
		return;
	if (ms_on && ms_tracer_enter_at(t, uc))
		close_own(w, &w->mask);
	else if (!arm(t, INTERVAL)) /* the stream has no reader any more */
		close_own(w, &uc[MS_UCONTEXT_MASK]);
}

/* Takes effect only after the kernel has resumed the thread where it was. */
bool ms_tracer_soon(struct ms_thread *t)
{
	return arm(t, SOON) && is_to_be_opened(ms_window_of(t));
}
