/*
 * window_reports.c - reports what followed the last window when a thread or the process ends,
 * executes another program, or forks.
 */
#include "runtime/clock.h"
#include "runtime/lanes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/between_windows.h"
#include "sampling/counted_start.h"
#include "sampling/sampling.h"
#include "sampling/speed_probe.h"
#include "sampling/windows_priv.h"
#include "tracer/spin_loops.h"
#include "tracer/tracer.h"

/* Adds what other threads have done without a report; the lock is held. */
static void add_other_threads(const struct ms_runtime_thread *t)
{
	for (struct ms_runtime_thread *other = ms_runtime_get_next_thread(NULL); other != NULL;
	     other = ms_runtime_get_next_thread(other)) {
		if (other == t || other->ended || !ms_sampling_get_state(other)->has_timer)
			continue;
		if (ms_sampling_is_counting_exits(other))
			ms_sampling_add_counted(other);
		else if (ms_sampling_get_state(other)->runs_natively && !other->traced)
			ms_sampling_add_native_time(other,
						    ms_runtime_read_thread_clock(other->tid));
	}
}

/*
 * A last, empty window reports what followed the others. Threads inside may still write: then the
 * open window stays open.
 */
static void report_rest(struct ms_runtime_thread *t)
{
	ms_sampling_stop_counting(t);
	if (ms_sampling_is_probing_speed(t))
		ms_sampling_end_speed_probe(t, ms_sampling_windows.exits);
	if (t->sampled.inside)
		ms_sampling_leave_window(t);
	ms_runtime_reserve_event_room(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	if (!ms_sampling_gap.is_counting || ms_sampling_get_state(t)->runs_natively)
		ms_sampling_add_native_time(t, ms_sampling_get_arrival_time(t));
	add_other_threads(t);
	if (ms_sampling_windows.open && ms_sampling_windows.inside == 0 &&
	    ms_sampling_gap.refs_since_window > 0)
		ms_sampling_write_window_close(t);
	if (!ms_sampling_windows.open)
		ms_sampling_write_window_open(t);
	if (ms_sampling_windows.inside == 0)
		ms_sampling_write_window_close(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	if (ms_sampling_is_count_complete())
		ms_sampling_report_exit_counters(t);
	ms_tracer_report_spin_loops(t);
}

void ms_sampling_end_thread(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (!s->has_timer)
		return;
	ms_sampling_stop_counting(t);
	if (!s->runs_natively)
		return;
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	ms_sampling_add_native_time(t, ms_sampling_get_arrival_time(t));
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
}

void ms_sampling_finish(struct ms_runtime_thread *t)
{
	if (!ms_sampling_get_state(t)->has_timer)
		return;
	report_rest(t);
	ms_sampling_windows.closing = true; /* for threads that run on to the end */
}

/* If the exec fails, the program continues after that window. */
void ms_sampling_report_before_exec(struct ms_runtime_thread *t)
{
	if (ms_sampling_get_state(t)->has_timer)
		report_rest(t);
}

void ms_sampling_stop_after_fork(void)
{
	ms_sampling_windows.closing = true;
	ms_sampling_gap.is_counting = false;
}

/* Everything begins as in its parent; ms_sampling_may_continue() decides whether it continues
 * traced. */
void ms_sampling_restart_in_child(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	bool known = s->has_timer;

	ms_sampling_windows = (struct ms_sampling_windows){ .number = 0 };
	ms_tracer_forget_spin_loops();
	ms_sampling_gap = (struct ms_sampling_gap){ .position = 0 };
	t->sampled = (struct ms_runtime_sampled){ .code = MS_TRACER_CODE_RECORDS };
	*s = (struct ms_sampling_thread){ .has_timer = false };
	ms_sampling_clear_exit_counters(t);
	if (known)
		ms_sampling_begin_windows(t);
}
