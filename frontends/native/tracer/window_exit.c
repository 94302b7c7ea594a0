/*
 * window_exit.c - the end of a window: registers, flags, pc and signal mask become the program's at
 * once.
 *
 * memspy sends the thread a signal and puts the program's state into its frame. The kernel keeps
 * the vector registers there, as far as it keeps them in system calls (vector_registers.c). No
 * weaker method works, for two reasons. As soon as the program's mask is set, a pending signal
 * arrives; its handler may run for long, and traced, so no work of the runtime may be in progress,
 * because C has only one stack per thread. And when all registers hold the program's values, none
 * may be left for a branch.
 */
#include "heap/heap.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "tracer/arch_priv.h"
#include "tracer/signal_delivery.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "ucontext_layout.h"

enum {
	LEAVING = 2
}; /* value of t->traced: our next signal leaves the window; larger values: see vector_registers.c
    */

/* The signal carries a unique value: the program may send itself the same signal, or have a timer
 * send it. */
bool ms_tracer_is_leave_signal(const struct ms_runtime_thread *t,
			       const struct ms_tracer_siginfo *info)
{
	if (info->code == MS_TRACER_SI_QUEUE)
		return info->rest[MS_TRACER_SI_VALUE_WORD] == (uint64_t)t;
	return ms_tracer_is_bare_signal(info) && ms_tracer_is_leaving(t);
}

_Noreturn void ms_tracer_send_leave_signal(struct ms_runtime_thread *t, uint32_t what)
{
	enum { SIG_KILL = 9 };
	static const uint64_t all_but_own = ~MS_TRACER_SIGNAL_BIT;
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_tracer_siginfo info = { .signal = MS_SIGNALS_TRACER_SIGNAL,
					  .code = MS_TRACER_SI_QUEUE };
	long pid = ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
	uint32_t times;

	info.rest[MS_TRACER_SI_VALUE_WORD] = (uint64_t)t;
	do {
		times = ms_signals_count_exec_changes();
		ms_signals_install_tracer_signal();
		t->traced = what;
		if (!ms_tracer_queue_signal(w, &info))
			ms_tracer_send_bare_signal(w, MS_SIGNALS_TRACER_SIGNAL);
		/* A signal of the program may have arrived just before. It has blocked all signals,
		 * and is held. */
		ms_runtime_syscall(__NR_rt_sigprocmask, 2 /* SET */, (long)&all_but_own, 0, 8, 0,
				   0);
		/* The signal arrives in one of these calls, unless another thread executes a
		 * program. */
	} while (ms_signals_wait_for_execs(times));
	for (;;)
		ms_runtime_syscall(__NR_tgkill, pid, (long)w->tid, SIG_KILL, 0, 0, 0);
}

/* A child that is not followed, or the end of the program or of memspy's visit. */
static bool leaves_for_good(void)
{
	return !ms_runtime_active || (ms_runtime_config.attached && ms_runtime_is_stream_closed());
}

_Noreturn void ms_tracer_leave_window(struct ms_runtime_thread *t)
{
	ms_signals_prepare_altstack_restore(t, leaves_for_good());
	ms_tracer_send_leave_signal(t, LEAVING);
}

bool ms_tracer_is_leaving(const struct ms_runtime_thread *t)
{
	return t->traced >= LEAVING;
}

/* The new thread inherits the mask. ms_signals_end_thread_creation() unblocks the signal. */
static bool is_creating_blocked_thread(const struct ms_runtime_thread *t)
{
	return t->creation != NULL && ms_signals_get_timer(t)->blocked_by_program;
}

void ms_tracer_handle_leave_signal(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	if (t->traced != LEAVING) {
		ms_tracer_handle_vector_signal(t, uc);
		return;
	}
	t->traced = 0;
	ms_heap_set_traced(false);
	ms_tracer_show_native_context(w, uc, w->pc);
	uc[MS_SIGNALS_UCONTEXT_MASK] = w->mask;
	if (ms_runtime_config.attached && ms_runtime_is_stream_closed())
		ms_signals_stop_hiding_thread(t, &uc[MS_SIGNALS_UCONTEXT_MASK]);
	else if (ms_signals_is_timer_signal_taken() && !ms_signals_are_timers_stopped() &&
		 !ms_signals_get_timer(t)->kernel_blocked && !is_creating_blocked_thread(t))
		uc[MS_SIGNALS_UCONTEXT_MASK] &= ~(1ull << (MS_SIGNALS_TIMER_SIGNAL - 1));
	ms_signals_restore_altstack_at(t, uc, leaves_for_good());
	if (!ms_runtime_active) /* a child that is not followed, or the program ends */
		ms_signals_restore_handlers();
	if (w->ended_early)
		ms_tracer_schedule_reopen(t);
	if (ms_runtime_config.period != 0)
		ms_native_hooks.native_time_begins(t);
	ms_tracer_restore_vectors(w, uc);
}
