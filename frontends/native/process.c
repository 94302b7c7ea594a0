/*
 * process.c - with --follow-forks: functions of the C library that make a process or execute a
 * program. wrap.S asks here, and then calls the real one traced, also where the thread ran
 * natively, as between windows: so what the tracer does around the system call is done.
 */
#include "runtime.h"

#include "sys.h"

/* The thread, if it is to be traced from here on. Not a child that borrows our memory (vfork). */
struct ms_thread *ms_process_begins(void);
struct ms_thread *ms_process_begins(void)
{
	struct ms_thread *t = ms_thread_here();

	if (t == NULL || ms_lane_closed() ||
	    t->tid != (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	if (t->traced) {
		ms_sample_keep(t, MS_SAMPLE_LONG);
		return NULL;
	}
	if (ms_config.period != 0)
		ms_sample_escort(t);
	ms_tracer_signals();
	return t;
}
