/*
 * fault_probe.c - see fault_probe.h. The time of a fault is estimated: by that of first touches of
 * small pages at the start. The number of faults between samples adapts to how often they occur.
 */
#include "sampling/fault_probe.h"

#include <linux/perf_event.h>

#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/thread_state.h"
#include "sampling/timer_sampling.h"
#include "signals/cpu_timer.h"
#include "signals/perf_descriptor.h"

/* A sample takes some 20 us: at this distance half a percent, which the timer's samples leave. */
enum { SOONEST = 4 * 1000 * 1000, RARELY = 4 * SOONEST };
enum { FEWEST = 16, FIRST_PERIOD = 128, MOST = 1 << 16 };

static uint32_t fault_ns; /* nanoseconds of a page fault */

void ms_sampling_measure_fault(void)
{
	enum { PAGES = 32, READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
	const long bytes = PAGES * MS_RUNTIME_PAGE_BYTES;
	long at = ms_runtime_syscall(SYS_mmap, 0, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0);

	if (ms_runtime_is_error(at))
		return;
	uint64_t began = ms_runtime_read_cpu_clock();
	for (long i = 0; i < bytes; i += MS_RUNTIME_PAGE_BYTES)
		*(volatile uint8_t *)(at + i) = 1;
	fault_ns = (uint32_t)((ms_runtime_read_cpu_clock() - began) / PAGES);
	ms_runtime_syscall(SYS_munmap, at, bytes, 0, 0, 0, 0);
}

void ms_sampling_start_fault_probe(struct ms_runtime_thread *t, uint64_t random)
{
	struct ms_sampling_fault_probe *p = ms_sampling_get_fault_probe(t);
	const struct perf_event_attr wanted = { .type = PERF_TYPE_SOFTWARE,
						.size = sizeof(wanted),
						.config = PERF_COUNT_SW_PAGE_FAULTS,
						.sample_period = 1 + random % FIRST_PERIOD,
						.wakeup_events = 1,
						.exclude_kernel = 1,
						.exclude_hv = 1 };

	/* At ticks, the timer finds time in the kernel itself. */
	if (fault_ns == 0 || ms_signals_get_timer(t)->fd == 0)
		return;
	*p = (struct ms_sampling_fault_probe){ .fd = ms_signals_open_perf_event(&wanted, t->tid),
					       .mean = FIRST_PERIOD,
					       .period = FIRST_PERIOD,
					       .last = ms_runtime_read_cpu_clock() };
	/* No signal is sent while the program has blocked it. */
	ms_signals_set_companion(t, p->fd);
}

/*
 * Periods vary, so that they are not in step with a program that touches blocks of the same size
 * in turn. Called while the event is disabled: else the kernel would send one more signal at the
 * next fault. It counts from zero when it is enabled.
 */
static void draw_period(struct ms_runtime_thread *t)
{
	struct ms_sampling_fault_probe *p = ms_sampling_get_fault_probe(t);
	uint64_t period =
		ms_runtime_vary_interval(&ms_sampling_get_timer_state(t)->random, p->mean);

	p->period = (uint32_t)period;
	ms_runtime_syscall(__NR_ioctl, p->fd, PERF_EVENT_IOC_PERIOD, (long)&period, 0, 0, 0);
}

static void adapt(struct ms_sampling_fault_probe *p, uint64_t now)
{
	uint64_t since = now - p->last;

	p->last = now;
	if (since < SOONEST && p->mean < MOST)
		p->mean *= 2;
	else if (since > RARELY && p->mean > FEWEST)
		p->mean /= 2;
}

void ms_sampling_handle_fault(struct ms_runtime_thread *t, int32_t fd, const uint64_t *uc)
{
	struct ms_sampling_fault_probe *p = ms_sampling_get_fault_probe(t);
	uint64_t began;

	if (p->fd == 0 || fd != p->fd)
		return;
	ms_signals_pause_companion(t);
	began = ms_runtime_read_cpu_clock();
	ms_sampling_record_fault(t, uc, p->period, (uint64_t)p->period * fault_ns);
	adapt(p, began);
	draw_period(t);
	p->spent += ms_sampling_get_delivery_cost() + ms_runtime_read_cpu_clock() - began;
	ms_signals_resume_companion(t);
}

void ms_sampling_stop_fault_probe(struct ms_runtime_thread *t)
{
	struct ms_sampling_fault_probe *p = ms_sampling_get_fault_probe(t);

	ms_signals_set_companion(t, 0);
	if (p->fd != 0)
		ms_runtime_syscall(SYS_close, p->fd, 0, 0, 0, 0, 0);
	*p = (struct ms_sampling_fault_probe){ 0 };
}
