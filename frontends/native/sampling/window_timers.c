/*
 * window_timers.c - the timers of the threads of a sampled program: when a thread that runs
 * natively begins its next speed probe, and how it is called into an open window.
 */
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sampling/between_windows.h"
#include "sampling/native_samples.h"
#include "sampling/sampling.h"
#include "sampling/speed_probe.h"
#include "sampling/windows_priv.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "tracer/tracer.h"
#include "ucontext_layout.h"

enum {
	PROBES_PER_WINDOW = 5, /* between two windows, on average */
	RETRY = 100 * 1000,    /* ns, where no window can open */
	MIN_PROBE_INTERVAL = 50 * 1000,
	SLOWEST_FIRST =
		512,      /* references in 1024 ns, assumed during the first speed probes, which */
	FIRST_PROBES = 8, /* run with cold caches, and predict the next one badly */
};

/* Not while the program itself could wait for the signal: signal_hiding.c. */
void ms_sampling_arm_timer(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	if (!ms_signals_get_timer(t)->kernel_blocked)
		ms_signals_arm_timer(t, nanoseconds);
}

/* If a thread never gets far, such as one in restartable code, its next attempt is delayed more and
 * more: an attempt takes longer than the thread is traced. */
void ms_sampling_arm_at_least(struct ms_runtime_thread *t, uint64_t interval)
{
	uint64_t least = (uint64_t)MIN_PROBE_INTERVAL << ms_sampling_get_state(t)->failed_windows;

	ms_sampling_arm_timer(
		t, ms_sampling_split_for_samples(t, interval > least ? interval : least));
}

/* CPU time until this thread's next speed probe: if several run, they share it. */
void ms_sampling_arm_next_probe(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t usual = ms_sampling_get_native_speed();
	uint64_t least = ms_sampling_gap.speed_probes < FIRST_PROBES ? SLOWEST_FIRST : 1;
	uint64_t speed = usual > least ? usual : least;
	uint64_t threads = ms_sampling_windows.joined > 0 ? ms_sampling_windows.joined : 1;
	uint64_t mean = ms_runtime_config.period / PROBES_PER_WINDOW * 1024 / speed / threads;

	s->probe_interval = ms_runtime_vary_interval(&s->random, mean);
	ms_sampling_arm_at_least(t, s->probe_interval);
}

/* If the thread has really blocked the signal, it enters at its next check. Once this is false, the
 * thread waits for its callers: ms_signals_stop_called_timer(). */
static bool can_be_signalled(const struct ms_runtime_thread *t)
{
	struct ms_signals_timer *timer = ms_signals_get_timer(t);

	return !timer->kernel_blocked && !(t->traced && timer->blocked_by_program);
}

void ms_sampling_call_into_window(struct ms_runtime_thread *t)
{
	bool is_other = t->thread_pointer != ms_runtime_get_thread_pointer();

	ms_sampling_get_state(t)->called = true;
	if (is_other)
		ms_signals_begin_call(t);
	if (can_be_signalled(t))
		ms_signals_arm_timer(t, 1);
	if (is_other)
		ms_signals_end_call(t);
}

/* A call into a window comes when another thread opens it: that is not a random point of this
 * thread's time. */
static bool samples_only(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t came)
{
	if (!ms_sampling_get_state(t)->called)
		return ms_sampling_sample_at_expiry(t, uc, came);
	ms_sampling_interrupt_sampled_time(t);
	return false;
}

void ms_sampling_handle_expiry(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	bool is_too_late = s->called && (!ms_sampling_windows.open || ms_sampling_windows.closing);
	uint64_t came = ms_runtime_read_cpu_clock();

	if (t->traced && ms_sampling_is_counting_exits(t))
		ms_tracer_interrupt_at_block_end(t);
	if (t->traced)
		return;
	if (ms_runtime_is_stream_closed()) {
		if (ms_runtime_config.attached) {
			ms_signals_stop_hiding_thread(t, &uc[MS_SIGNALS_UCONTEXT_MASK]);
			ms_signals_restore_altstack_at(t, uc, true);
		}
	} else if (is_too_late) {
		ms_sampling_interrupt_sampled_time(t);
		s->called = false;
		ms_sampling_arm_next_probe(t);
	} else if (samples_only(t, uc, came)) {
		return;
	} else if (ms_tracer_open_window_at(t, uc)) {
		s->arrived_at = came;
	} else {
		ms_sampling_arm_timer(t, ms_sampling_split_for_samples(t, RETRY));
	}
}

void ms_sampling_resume_timer(struct ms_runtime_thread *t)
{
	ms_sampling_arm_at_least(t, ms_sampling_get_state(t)->probe_interval);
}
