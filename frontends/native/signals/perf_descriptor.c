/* perf_descriptor.c - see perf_descriptor.h. */
#include "signals/perf_descriptor.h"

#include <linux/perf_event.h>

#include "raw_syscall.h"
#include "signals/cpu_timer.h"

/* As in <fcntl.h>. */
enum { SET_FLAGS = 4, SET_SIGNAL = 10, SET_OWNER = 15, DUPLICATE = 1030, ASYNC = 020000 };

static long control(long fd, long command, long argument)
{
	return ms_runtime_syscall(__NR_fcntl, fd, command, argument, 0, 0, 0);
}

int32_t ms_signals_open_perf_event(const struct perf_event_attr *wanted, uint32_t tid)
{
	const int32_t owner[2] = { 0 /* a thread */, (int32_t)tid };
	long low = ms_runtime_syscall(__NR_perf_event_open, (long)wanted, tid, -1, -1,
				      PERF_FLAG_FD_CLOEXEC, 0);

	if (low < 0)
		return 0;
	long fd = control(low, DUPLICATE, MS_SIGNALS_FIRST_DESCRIPTOR);
	ms_runtime_syscall(SYS_close, low, 0, 0, 0, 0, 0);
	if (fd < 0)
		return 0;
	if (control(fd, SET_OWNER, (long)owner) == 0 &&
	    control(fd, SET_SIGNAL, MS_SIGNALS_TIMER_SIGNAL) == 0 &&
	    control(fd, SET_FLAGS, ASYNC) == 0)
		return (int32_t)fd;
	ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	return 0;
}
