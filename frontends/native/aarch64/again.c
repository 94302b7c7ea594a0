/*
 * again.c - a window that ended too soon is opened again.
 *
 * Code that cannot be translated (made at run time, or unknown) runs natively. A timer of the
 * thread's CPU time interrupts it; where the thread then is in code that can be, the window opens
 * there (signals.c).
 */
#include "tracer_priv.h"

enum { NOTIFY_THREAD = 4, CLOCK_THREAD = 3, INTERVAL = 1000000 };

struct event { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

static bool make_timer(struct ms_window *w)
{
	struct event e = { .signal = MS_SIGNAL,
			   .notify = NOTIFY_THREAD,
			   .thread = (int32_t)w->tid };

	if (w->timer_made)
		return true;
	w->timer_made =
		ms_sys(__NR_timer_create, CLOCK_THREAD, (long)&e, (long)&w->timer, 0, 0, 0) == 0;
	return w->timer_made;
}

void ms_again_arm(struct ms_thread *t)
{
	static const int64_t once[4] = { 0, 0, 0, INTERVAL };
	struct ms_window *w = ms_window_of(t);

	if (ms_on && make_timer(w))
		ms_sys(__NR_timer_settime, (long)(uint32_t)w->timer, 0, (long)once, 0, 0, 0);
}

void ms_again_forked(struct ms_thread *t)
{
	ms_window_of(t)->timer_made = false; /* timers stay with the parent */
}
