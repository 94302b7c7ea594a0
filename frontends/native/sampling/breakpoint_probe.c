/* breakpoint_probe.c - see breakpoint_probe.h. Breakpoints use perf_event_open(), as the timer
 * does. */
#include "sampling/breakpoint_probe.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "raw_syscall.h"
#include "runtime/thread_state.h"
#include "sampling/timer_sampling.h"
#include "signals/cpu_timer.h"
#include "signals/perf_descriptor.h"
#include "ucontext_layout.h"

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

static bool open_breakpoint(struct ms_runtime_thread *t, uint64_t site)
{
	const struct perf_event_attr wanted = breakpoint(site);
	int32_t fd = ms_signals_open_perf_event(&wanted, t->tid);

	*ms_sampling_get_breakpoint(t) = (struct ms_sampling_breakpoint){ .fd = fd, .site = site };
	return fd != 0;
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

void ms_sampling_handle_breakpoint(struct ms_runtime_thread *t, int32_t fd, const uint64_t *uc)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);

	if (b->fd == 0 || fd != b->fd)
		return;
	ms_runtime_syscall(__NR_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
	if (b->armed && uc[MS_SIGNALS_UCONTEXT_PC] == b->site)
		ms_sampling_record_probed_sample(t, uc);
	b->armed = 0;
}

static void handle_event(struct ms_runtime_thread *t, int32_t fd, uint64_t *uc)
{
	ms_sampling_handle_breakpoint(t, fd, uc);
}

void ms_sampling_start_breakpoint_probes(void)
{
	ms_signals_set_event_handler(handle_event);
}

void ms_sampling_remove_breakpoint(struct ms_runtime_thread *t)
{
	struct ms_sampling_breakpoint *b = ms_sampling_get_breakpoint(t);

	if (b->fd != 0)
		ms_runtime_syscall(SYS_close, b->fd, 0, 0, 0, 0, 0);
	*b = (struct ms_sampling_breakpoint){ 0 };
}
