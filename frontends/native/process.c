/*
 * process.c - functions of the C library whose system calls must be seen: those that create a
 * process or execute a program, with --follow-forks or where the program ignores a signal of memspy
 * (exec_signals.h); and pthread_cancel(), which sets a handler. wrap.S calls this file, and then
 * calls the real function traced, even if the thread ran natively, as between windows. So the
 * tracer handles the system call.
 */
#include "action.h"
#include "escort.h"
#include "exec_signals.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sys.h"
#include "tracer.h"

/* The thread, if it must be traced from here on. Not for a child that shares the parent's memory
 * (vfork). */
static struct ms_thread *begin(uint16_t looks)
{
	struct ms_thread *t = ms_thread_here();

	if (t == NULL || ms_lane_closed() ||
	    t->tid != (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	if (t->traced) {
		ms_escort_keep(t, looks);
		return NULL;
	}
	if (ms_config.period != 0)
		ms_escort_begin(t, looks);
	ms_tracer_signals();
	return t;
}

struct ms_thread *ms_process_begins(void);
struct ms_thread *ms_process_begins(void)
{
	if (!ms_lane_is_writer()) {
		ms_exec_signals_give();
		return NULL;
	}
	return begin(MS_ESCORT_LONG);
}

/*
 * The first call sets the handler that cancels threads, and immediately sends them its signal. A
 * thread in a window would be cancelled inside the tracer, with its locks held, unless the tracer's
 * handler is installed in front by then.
 */
struct ms_thread *ms_cancel_begins(void);
struct ms_thread *ms_cancel_begins(void)
{
	enum { SIG_CANCEL = 32 };
	struct ms_action was;

	if (ms_config.idle || ms_tracer_action_of(SIG_CANCEL, &was))
		return NULL;
	return begin(MS_ESCORT_SHORT);
}
