/*
 * process.c - with --follow-forks: functions of the C library that make a process or execute a
 * program, called by a thread that runs natively, as between windows. wrap.S asks here, and then
 * calls the real one traced: so what the tracer does around the system call is done.
 */
#include "runtime.h"

#include "sys.h"

/* The thread, if it is to be traced from here on. Not a child that borrows our memory (vfork). */
struct ms_thread *ms_process_begins(void);
struct ms_thread *ms_process_begins(void)
{
	struct ms_thread *t = ms_thread_here();

	if (t == NULL || t->traced || ms_lane_closed() ||
	    t->tid != (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0))
		return NULL;
	if (ms_config.period != 0)
		ms_sample_escort(t);
	ms_tracer_signals();
	return t;
}
