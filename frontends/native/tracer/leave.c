/*
 * leave.c - the end of a window: registers, flags, pc and signal mask become the program's at once.
 *
 * memspy sends the thread a signal and puts the program's state into its frame. The kernel keeps
 * the vector registers there, as far as it keeps them in system calls (vectors.c). No weaker method
 * works, for two reasons. As soon as the program's mask is set, a pending signal arrives; its
 * handler may run for long, and traced, so no work of the runtime may be in progress, because C has
 * only one stack per thread. And when all registers hold the program's values, none may be left for
 * a branch.
 */
#include "altstack.h"
#include "exec_signals.h"
#include "heap/heap.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sys.h"
#include "timer.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "ucontext.h"

enum {
	LEAVING = 2
}; /* value of t->traced: our next signal leaves the window; larger values: see vectors.c */

/* The signal carries a unique value: the program may send itself the same signal, or have a timer
 * send it. */
bool ms_leave_is(const struct ms_thread *t, const struct ms_info *info)
{
	if (info->code == MS_INFO_QUEUED)
		return info->rest[MS_INFO_VALUE] == (uint64_t)t;
	return ms_signals_is_bare(info) && ms_leave_is_due(t);
}

_Noreturn void ms_leave_by(struct ms_thread *t, uint32_t what)
{
	enum { SIG_KILL = 9 };
	static const uint64_t all_but_own = ~MS_OWN_BIT;
	struct ms_window *w = ms_window_of(t);
	struct ms_info info = { .signal = MS_SIGNAL, .code = MS_INFO_QUEUED };
	long pid = ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0);
	uint32_t times;

	info.rest[MS_INFO_VALUE] = (uint64_t)t;
	do {
		times = ms_exec_signals_times();
		ms_signals_own();
		t->traced = what;
		if (!ms_signals_queue(w, &info))
			ms_signals_send_bare(w, MS_SIGNAL);
		/* A signal of the program may have arrived just before. It has blocked all signals,
		 * and is held. */
		ms_sys(__NR_rt_sigprocmask, 2 /* SET */, (long)&all_but_own, 0, 8, 0, 0);
		/* The signal arrives in one of these calls, unless another thread executes a
		 * program. */
	} while (ms_exec_signals_waited(times));
	for (;;)
		ms_sys(__NR_tgkill, pid, (long)w->tid, SIG_KILL, 0, 0, 0);
}

_Noreturn void ms_leave(struct ms_thread *t)
{
	ms_leave_by(t, LEAVING);
}

bool ms_leave_is_due(const struct ms_thread *t)
{
	return t->traced >= LEAVING;
}

void ms_leave_arrived(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (t->traced != LEAVING) {
		ms_vectors_arrived(t, uc);
		return;
	}
	t->traced = 0;
	ms_plain_trace(false);
	ms_context_true(w, uc, w->pc);
	uc[MS_UCONTEXT_MASK] = w->mask;
	if (ms_config.attached && ms_lane_closed())
		ms_disguise_ends(t, &uc[MS_UCONTEXT_MASK]);
	else if (ms_timer_is_on() && !ms_timer_has_left() && !t->timer.given) /* never blocked */
		uc[MS_UCONTEXT_MASK] &= ~(1ull << (MS_TIMER_SIGNAL - 1));
	ms_altstack_close(t, uc, !ms_on || (ms_config.attached && ms_lane_closed()));
	if (!ms_on) /* a child that is not followed, or the program ends */
		ms_signals_give_back();
	if (w->ended_early)
		ms_again_arm(t);
	if (ms_config.period != 0)
		ms_sample_natively(t);
	ms_vectors_leave(w, uc);
}
