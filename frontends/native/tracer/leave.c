/*
 * leave.c - the end of a window: registers, flags, pc and signal mask become the program's at once.
 *
 * By a signal of our own to the thread, in whose frame they are put; vector registers, of whatever
 * length, the kernel keeps there itself. Nothing less will do. Once the program's mask is there a
 * signal that waited for it arrives, and its handler may stay for long, and be traced: it must find
 * nothing of ours under way, as C has but one stack for a thread. And where every register is the
 * program's, there may be none left to branch by.
 */
#include "tracer_priv.h"

enum { LEAVING = 2 }; /* as t->traced: our next signal is to leave the window */

/* A handler of the program may be at work on the other stack: our frame must not come there. */
_Noreturn void ms_leave(struct ms_thread *t)
{
	enum { SIG_KILL = 9 };
	struct ms_window *w = ms_window_of(t);
	long pid = ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0);

	ms_other_hide(w);
	ms_signals_own();
	t->traced = LEAVING;
	ms_sys(__NR_tgkill, pid, (long)w->tid, MS_SIGNAL, 0, 0, 0);
	for (;;) /* it arrived in that call */
		ms_sys(__NR_tgkill, pid, (long)w->tid, SIG_KILL, 0, 0, 0);
}

bool ms_leave_arrived(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (t->traced != LEAVING)
		return false;
	t->traced = 0;
	ms_plain_trace(false);
	ms_context_true(w, uc, w->pc);
	uc[MS_UC_MASK] = w->mask & ~(1ull << (MS_TIMER_SIGNAL - 1)); /* it is never blocked */
	ms_other_show(w, uc);
	if (w->ended_early)
		ms_again_arm(t);
	if (ms_config.period != 0)
		ms_sample_natively(t);
	return true;
}
