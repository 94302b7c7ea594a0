/*
 * process.c - functions of the C library whose system calls must be seen: with --follow-forks,
 * or where the program ignores a signal of memspy's (exec_signals.h), those that make a process or
 * execute a program; and pthread_cancel(), which sets a handler. wrap.S asks
 * here, and then calls the real one traced, also where the thread ran natively, as between windows:
 * so what the tracer does around the system call is done.
 */
#include "runtime.h"

#include "action.h"
#include "escort.h"
#include "exec_signals.h"
#include "sys.h"
#include "tracer.h"

/* The thread, if it is to be traced from here on. Not a child that borrows our memory (vfork). */
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
 * The first call sets the handler by which threads are cancelled, and at once sends them its
 * signal. One that is in a window would be cancelled in the tracer, with its locks, unless the
 * tracer's stands in front of it by then.
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
