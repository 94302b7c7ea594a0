/*
 * again.c - a window that ended too soon is opened again.
 *
 * Code that cannot be translated (made at run time, or unknown) runs natively. A timer of the
 * thread's CPU time interrupts it; where the thread then is in code that can be, the window opens
 * there: returning from the signal goes to ms_glue_go, with every register the program's.
 */
#include "tracer_priv.h"

enum { MS_SIGNAL = 62, CODE_TIMER = -2, NOTIFY_THREAD = 4, CLOCK_THREAD = 3, INTERVAL = 1000000 };
enum { UC_RIP = 21 };

struct event { /* the kernel's sigevent */
	uint64_t value;
	int32_t signal, notify, thread;
	int32_t pad[11];
};

struct action {
	uint64_t handler, flags, restorer, mask;
};

/* SIGINFO, RESTORER, ONSTACK, RESTART; everything is blocked meanwhile */
static const struct action ours = { (uint64_t)0, 4 | 0x04000000 | 0x08000000 | 0x10000000, 0,
				    ~0ull };
static uint32_t refused; /* the program wants the signal for itself, or there are no timers */

static bool take_signal(void)
{
	struct action a = ours, was;

	if (ms_sys(__NR_rt_sigaction, MS_SIGNAL, 0, (long)&was, 8, 0, 0) != 0)
		return false;
	a.handler = (uint64_t)ms_again_entry;
	a.restorer = (uint64_t)ms_again_restorer;
	if (was.handler == a.handler)
		return true;
	return was.handler == 0 && ms_sys(__NR_rt_sigaction, MS_SIGNAL, (long)&a, 0, 8, 0, 0) == 0;
}

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

	if (refused || !ms_on || !take_signal() || !make_timer(w)) {
		refused = 1;
		return;
	}
	ms_sys(__NR_timer_settime, w->timer, 0, (long)once, 0, 0, 0);
}

void ms_again_forked(struct ms_thread *t)
{
	ms_window_of(t)->timer_made = false; /* timers stay with the parent */
}

void ms_again_arrive(int signal, struct ms_info *info, uint64_t *uc)
{
	struct ms_thread *t = ms_self();
	uint64_t start, end;

	(void)signal;
	if (info->code != CODE_TIMER || t->pointer != ms_thread_pointer() || t->traced || !ms_on)
		return;
	if (t->busy || !ms_maps_is_stable(uc[UC_RIP], &start, &end) ||
	    ms_window_is_ours(uc[UC_RIP])) {
		ms_again_arm(t);
		return;
	}
	ms_signals_start(); /* what was set meanwhile */
	ms_window_of(t)->pc = uc[UC_RIP];
	uc[UC_RIP] = (uint64_t)ms_glue_go;
}
