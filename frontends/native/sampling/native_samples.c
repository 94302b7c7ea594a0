/*
 * native_samples.c - timer samples between windows.
 *
 * A speed probe begins where the thread's timer expires, after a random part of its CPU time. That
 * is where a sample is taken, too (timer_sampling.c): the signal is paid for already. Where speed
 * probes are rarer than samples may be, the timer also expires between them, for a sample only.
 * Windows and speed probes disturb the caches; the first sample after them comes after at least
 * half the mean interval.
 *
 * A sample represents the CPU time for which the timer was armed, and besides: the time that the
 * thread would have taken natively for the speed probe and the window since the last sample, by the
 * speed there, and the time before its timer was stopped without a sample. A window in slow code is
 * so represented by its time, not by its references, which are few.
 *
 * While all references are counted, only code that cannot be translated runs natively, and none is
 * sampled.
 */
#include "sampling/native_samples.h"

#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "sampling/breakpoint_probe.h"
#include "sampling/sampling.h"
#include "sampling/timer_sampling.h"
#include "signals/cpu_timer.h"

enum {
	LEAST_REST = 50 * 1000, /* ns from a sample to a speed probe */
	/* A signal that is later than this was not delayed on its way: the timer expired in the
	 * kernel. With a shorter period the two cannot be distinguished. */
	LEAST_FOR_KERNEL = 400 * 1000,
};

static bool is_sampling(void)
{
	return ms_runtime_config.native_sample_interval != 0;
}

void ms_sampling_start_native_samples(struct ms_runtime_thread *t)
{
	if (!is_sampling())
		return;
	ms_sampling_init_timer_state(t);
	ms_sampling_start_breakpoint_probes();
}

uint64_t ms_sampling_split_for_samples(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	struct ms_sampling_timer_state *timed = ms_sampling_get_timer_state(t);
	struct ms_sampling_native_samples *n = &ms_sampling_get_state(t)->native_samples;
	uint64_t first;

	n->armed_at = 0;
	if (!is_sampling() || ms_sampling_is_everything_counted())
		return nanoseconds;
	first = ms_sampling_draw_sample_interval(t);
	if (first + LEAST_REST > nanoseconds)
		first = nanoseconds;
	n->until_probe = nanoseconds - first;
	n->armed_at = ms_runtime_read_cpu_clock();
	timed->armed = first;
	timed->expires = ms_signals_timer_spares_syscalls(t) ? n->armed_at + first : 0;
	return first;
}

void ms_sampling_begin_sampled_time(struct ms_runtime_thread *t, uint64_t now)
{
	struct ms_sampling_timer_state *timed = ms_sampling_get_timer_state(t);
	struct ms_sampling_native_samples *n = &ms_sampling_get_state(t)->native_samples;

	if (!is_sampling() || n->armed_at == 0)
		return;
	uint64_t before = now - n->armed_at;

	timed->armed -= before < timed->armed ? before : timed->armed;
	n->armed_at = now;
}

/* The kernel's clock for user code does not count system calls; the CPU clock does. */
static uint64_t get_elapsed(struct ms_runtime_thread *t, uint64_t now, bool expired)
{
	const struct ms_sampling_timer_state *timed = ms_sampling_get_timer_state(t);
	uint64_t since = now - ms_sampling_get_state(t)->native_samples.armed_at;

	if (ms_signals_timer_spares_syscalls(t) && (expired || since > timed->armed))
		return timed->armed;
	return since;
}

void ms_sampling_interrupt_sampled_time(struct ms_runtime_thread *t)
{
	struct ms_sampling_native_samples *n = &ms_sampling_get_state(t)->native_samples;

	if (!is_sampling() || n->armed_at == 0)
		return;
	n->unsampled += get_elapsed(t, ms_runtime_read_cpu_clock(), false);
	n->armed_at = 0;
}

void ms_sampling_add_traced_time(struct ms_runtime_thread *t, uint64_t references)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (is_sampling() && s->speed > 0)
		s->native_samples.unsampled += references * 1024 / s->speed;
}

bool ms_sampling_sample_at_expiry(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t came)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	struct ms_sampling_native_samples *n = &s->native_samples;
	uint64_t until_probe = n->until_probe;

	if (!is_sampling() || n->armed_at == 0)
		return false;
	uint64_t time = get_elapsed(t, came, true) + n->unsampled;

	if (ms_sampling_get_timer_state(t)->armed >= LEAST_FOR_KERNEL)
		ms_sampling_count_kernel_time(t, came);
	n->armed_at = n->unsampled = 0;
	if (!t->ended && !t->stopped)
		ms_sampling_sample_interrupted(t, uc, time, until_probe != 0);
	if (until_probe == 0)
		return false;
	uint64_t delivery = ms_sampling_charge_sample(t, came);

	ms_sampling_arm_timer(t, ms_sampling_split_for_samples(t, until_probe));
	/* The time of the sample is not the program's. */
	s->native_since += 2 * delivery + ms_runtime_read_cpu_clock() - came;
	return true;
}
