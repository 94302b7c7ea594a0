/*
 * process_functions.c - functions of the C library whose system calls must be seen: those that
 * create a process or execute a program, with --follow-forks or where the program ignores a signal
 * of memspy (exec_signals.h); and pthread_cancel(), which sets a handler. interpose.S calls this
 * file, and then calls the real function traced, even if the thread ran natively, as between
 * windows. So the tracer handles the system call.
 */
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/traced_syscall.h"
#include "signals/exec_signals.h"
#include "signals/program_actions.h"
#include "signals/signal_action.h"
#include "tracer/tracer.h"

/* The thread, if it must be traced from here on. Not for a child that shares the parent's memory
 * (vfork). */
static struct ms_runtime_thread *begin_traced(uint16_t checks)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t == NULL || ms_runtime_is_stream_closed() ||
	    t->tid != (uint32_t)ms_runtime_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	if (t->traced) {
		ms_sampling_keep_traced(t, checks);
		return NULL;
	}
	if (ms_runtime_config.period != 0)
		ms_sampling_begin_traced_syscall(t, checks);
	ms_tracer_refresh_handlers();
	return t;
}

struct ms_runtime_thread *ms_interpose_begin_process_call(void);
struct ms_runtime_thread *ms_interpose_begin_process_call(void)
{
	if (!ms_runtime_is_stream_writer()) {
		ms_signals_restore_ignored();
		return NULL;
	}
	return begin_traced(MS_SAMPLING_SYSCALL_CHECKS_LONG);
}

/*
 * The first call sets the handler that cancels threads, and immediately sends them its signal. A
 * thread in a window would be cancelled inside the tracer, with its locks held, unless the tracer's
 * handler is installed in front by then.
 */
struct ms_runtime_thread *ms_interpose_begin_cancel_call(void);
struct ms_runtime_thread *ms_interpose_begin_cancel_call(void)
{
	enum { SIG_CANCEL = 32 };
	struct ms_signals_sigaction was;

	if (ms_runtime_config.no_tracing || ms_signals_get_program_action(SIG_CANCEL, &was))
		return NULL;
	return begin_traced(MS_SAMPLING_SYSCALL_CHECKS_SHORT);
}
