/*
 * again.c - a window that ended too soon is opened again.
 *
 * Code that cannot be translated (made at run time, or unknown) runs natively. A timer of the
 * thread's CPU time interrupts it; where the thread then is in code that can be, the window opens
 * there: returning from the signal goes to ms_glue_go, with every register the program's.
 */
#include "tracer_priv.h"

enum { CODE_TIMER = -2, NOTIFY_THREAD = 4, CLOCK_THREAD = 3, INTERVAL = 1000000, SOON = 5000000 };
enum { INFO_VALUE = 1 }; /* of a timer's siginfo, in its rest */

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

static void arm(struct ms_thread *t, int64_t nanoseconds)
{
	const int64_t once[4] = { 0, 0, 0, nanoseconds };

	if (!ms_on || ms_lane_closed() || !make_timer(t))
		return;
	ms_signals_own();
	ms_sys(__NR_timer_settime, (long)(uint32_t)ms_window_of(t)->timer, 0, (long)once, 0, 0, 0);
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
	       info->rest[INFO_VALUE] == (uint64_t)t;
}

static bool can_be_traced(struct ms_thread *t, uint64_t pc)
{
	uint64_t start, end;

	if (t->busy || ms_window_is_ours(pc) || ms_unloading_others(t))
		return false;
	ms_maps_find(t, pc); /* it may have come unseen */
	return ms_maps_is_stable(pc, &start, &end) || ms_made_holds(pc);
}

void ms_tracer_signals(void)
{
	ms_signals_start();
}

bool ms_tracer_enter_at(struct ms_thread *t, uint64_t *uc)
{
	if (!can_be_traced(t, uc[MS_UC_PC]) || !ms_vectors_can_go(uc))
		return false;
	ms_signals_start(); /* what was set meanwhile */
	ms_context_go(t, uc);
	/* Signals wait until C knows where the program's stacks are: ms_window_go(). */
	ms_window_of(t)->mask = uc[MS_UC_MASK] | ms_disguise_hides(t);
	uc[MS_UC_MASK] |= ms_signals_held;
	t->traced = 1;
	ms_window_of(t)->opening = true;
	return true;
}

void ms_again_arrive(struct ms_thread *t, uint64_t *uc)
{
	if (!t->traced && ms_on && !ms_tracer_enter_at(t, uc))
		ms_again_arm(t);
}

/* Not before the kernel has brought the thread back to where it was. */
void ms_tracer_soon(struct ms_thread *t)
{
	arm(t, SOON);
}
