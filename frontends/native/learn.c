/* learn.c - see learn.h. Breakpoints use perf_event_open(), as the timer does. */
#include "learn.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "runtime/thread_state.h"
#include "sys.h"
#include "timed.h"
#include "timer.h"
#include "ucontext.h"

/* As in <fcntl.h>; memspy's descriptors have high numbers, away from the program's. */
enum { SET_FLAGS = 4, SET_SIGNAL = 10, SET_OWNER = 15, DUPLICATE = 1030, ASYNC = 020000 };
enum { FIRST_FD = 700 };

static uint32_t refused; /* no breakpoints on this system: not tried again */

static struct perf_event_attr breakpoint(uint64_t site)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_BREAKPOINT,
					 .size = sizeof(struct perf_event_attr),
					 .bp_type = HW_BREAKPOINT_X,
					 .bp_addr = site,
					 .bp_len = MS_UCONTEXT_BREAKPOINT,
					 .sample_period = 1,
					 .wakeup_events = 1,
					 .disabled = 1,
					 .exclude_kernel = 1,
					 .exclude_hv = 1 };
}

static long control(long fd, long command, long argument)
{
	return ms_sys(__NR_fcntl, fd, command, argument, 0, 0, 0);
}

static bool make(struct ms_thread *t, uint64_t site)
{
	const struct perf_event_attr wanted = breakpoint(site);
	const int32_t owner[2] = { 0 /* a thread */, (int32_t)t->tid };
	long low = ms_sys(__NR_perf_event_open, (long)&wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
	long fd = ms_failed(low) ? low : control(low, DUPLICATE, FIRST_FD);

	if (!ms_failed(low))
		ms_sys(SYS_close, low, 0, 0, 0, 0, 0);
	if (ms_failed(fd))
		return false;
	t->learn = (struct ms_learn){ .fd = (int32_t)fd, .site = site };
	return control(fd, SET_OWNER, (long)owner) == 0 &&
	       control(fd, SET_SIGNAL, MS_TIMER_SIGNAL) == 0 && control(fd, SET_FLAGS, ASYNC) == 0;
}

static bool move(struct ms_thread *t, uint64_t site)
{
	const struct perf_event_attr wanted = breakpoint(site);

	if (t->learn.site == site)
		return true;
	t->learn.site = site;
	return ms_sys(__NR_ioctl, t->learn.fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (long)&wanted, 0,
		      0, 0) == 0;
}

/* A breakpoint on another instruction, which may never be executed, is dropped for this one. */
bool ms_learn_watch(struct ms_thread *t, uint64_t site)
{
	if (refused)
		return false;
	if (t->learn.armed && t->learn.site != site)
		ms_sys(__NR_ioctl, t->learn.fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
	if (!(t->learn.fd == 0 ? make(t, site) : move(t, site))) {
		ms_learn_end(t);
		refused = 1;
		return false;
	}
	t->learn.armed = 1;
	return ms_sys(__NR_ioctl, t->learn.fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0) == 0;
}

static void hit(struct ms_thread *t, int32_t fd, uint64_t *uc)
{
	if (t->learn.fd == 0 || fd != t->learn.fd)
		return;
	ms_sys(__NR_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
	if (t->learn.armed && uc[MS_UCONTEXT_PC] == t->learn.site)
		ms_timed_learnt(t, uc);
	t->learn.armed = 0;
}

void ms_learn_start(void)
{
	ms_timer_others(hit);
}

void ms_learn_end(struct ms_thread *t)
{
	if (t->learn.fd != 0)
		ms_sys(SYS_close, t->learn.fd, 0, 0, 0, 0, 0);
	t->learn = (struct ms_learn){ 0 };
}
