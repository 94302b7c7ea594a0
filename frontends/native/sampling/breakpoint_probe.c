/* breakpoint_probe.c - see breakpoint_probe.h. Breakpoints use perf_event_open(), as the timer
 * does. */
#include "sampling/breakpoint_probe.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "raw_syscall.h"
#include "runtime/thread_state.h"
#include "sampling/timer_sampling.h"
#include "signals/cpu_timer.h"
#include "ucontext_layout.h"

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
					 .bp_len = MS_SIGNALS_BREAKPOINT_BYTES,
					 .sample_period = 1,
					 .wakeup_events = 1,
					 .disabled = 1,
					 .exclude_kernel = 1,
					 .exclude_hv = 1 };
}

static long control(long fd, long command, long argument)
{
	return ms_runtime_syscall(__NR_fcntl, fd, command, argument, 0, 0, 0);
}

static bool open_breakpoint(struct ms_runtime_thread *t, uint64_t site)
{
	const struct perf_event_attr wanted = breakpoint(site);
	const int32_t owner[2] = { 0 /* a thread */, (int32_t)t->tid };
	long low = ms_runtime_syscall(__NR_perf_event_open, (long)&wanted, 0, -1, -1,
				      PERF_FLAG_FD_CLOEXEC, 0);
	long fd = ms_runtime_is_error(low) ? low : control(low, DUPLICATE, FIRST_FD);

	if (!ms_runtime_is_error(low))
		ms_runtime_syscall(SYS_close, low, 0, 0, 0, 0, 0);
	if (ms_runtime_is_error(fd))
		return false;
	*ms_sampling_get_breakpoint(t) =
		(struct ms_sampling_breakpoint){ .fd = (int32_t)fd, .site = site };
	return control(fd, SET_OWNER, (long)owner) == 0 &&
	       control(fd, SET_SIGNAL, MS_SIGNALS_TIMER_SIGNAL) == 0 &&
	       control(fd, SET_FLAGS, ASYNC) == 0;
}

static bool move_breakpoint(struct ms_runtime_thread *t, uint64_t site)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);
	const struct perf_event_attr wanted = breakpoint(site);

	if (b->site == site)
		return true;
	b->site = site;
	return ms_runtime_syscall(__NR_ioctl, b->fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
				  (long)&wanted, 0, 0, 0) == 0;
}

/* A breakpoint on another instruction, which may never be executed, is dropped for this one. */
bool ms_sampling_set_breakpoint(struct ms_runtime_thread *t, uint64_t site)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);

	if (refused)
		return false;
	if (b->armed && b->site != site)
		ms_runtime_syscall(__NR_ioctl, b->fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
	if (!(b->fd == 0 ? open_breakpoint(t, site) : move_breakpoint(t, site))) {
		ms_sampling_remove_breakpoint(t);
		refused = 1;
		return false;
	}
	b->armed = 1;
	return ms_runtime_syscall(__NR_ioctl, b->fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0) == 0;
}

static void handle_hit(struct ms_runtime_thread *t, int32_t fd, uint64_t *uc)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);

	if (b->fd == 0 || fd != b->fd)
		return;
	ms_runtime_syscall(__NR_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
	if (b->armed && uc[MS_SIGNALS_UCONTEXT_PC] == b->site)
		ms_sampling_record_probed_sample(t, uc);
	b->armed = 0;
}

void ms_sampling_start_breakpoint_probes(void)
{
	ms_signals_set_event_handler(handle_hit);
}

void ms_sampling_remove_breakpoint(struct ms_runtime_thread *t)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);

	if (b->fd != 0)
		ms_runtime_syscall(SYS_close, b->fd, 0, 0, 0, 0, 0);
	*b = (struct ms_sampling_breakpoint){ 0 };
}
