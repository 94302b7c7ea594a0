/*
 * windows.c - opens and closes windows. window_timers.c calls threads into them, and
 * window_reports.c reports what no window contains.
 *
 * Windows should be spread evenly over the program's references. But references are not counted in
 * native execution. What is known is CPU time, and code that waits for memory takes more of it per
 * reference than other code. So a thread's timer expires several times between two windows, each
 * time after some of its CPU time. Then the thread runs for a short while in code that is
 * translated but only counts (a speed probe: ms_runtime_use_scratch_lane). That is nearly as fast
 * as native code, and measures the references per nanosecond at this point. All the time since the
 * last speed probe is assumed to have had the same rate. When the program reaches the position that
 * was drawn for the next window, the window opens: in slow code with a probability equal to its
 * share of the references.
 *
 * The head of a program differs (counted_start.c): there references are also counted between
 * windows, and windows open exactly where they were drawn.
 *
 * When one thread opens a window, all others enter as soon as they run: their timers are set to
 * expire immediately. It closes when it has the number of references that was drawn for it; threads
 * leave it at their next chunk. A thread that waits in a system call is not inside, so no thread
 * waits for it.
 */
#include "heap/heap.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/alloc_rate.h"
#include "sampling/between_windows.h"
#include "sampling/counted_start.h"
#include "sampling/native_samples.h"
#include "sampling/sampling.h"
#include "sampling/speed_probe.h"
#include "sampling/window_opener.h"
#include "sampling/window_plan.h"
#include "sampling/window_progress.h"
#include "sampling/window_rendezvous.h"
#include "sampling/windows_priv.h"
#include "signals/cpu_timer.h"
#include "tracer/tracer.h"
#include "wire/wire.h"

enum {
	USUAL_EXITS = 200,      /* exits of blocks per 1024 references */
	MAX_FAILED_WINDOWS = 7, /* times that the interval is doubled */
	PACE_PART = 16,         /* part of a window that a thread may be ahead of another */
};

struct ms_sampling_windows ms_sampling_windows;

/* --- the plan of windows --- */

static void draw_window(void)
{
	ms_sampling_draw_next_window(&ms_sampling_windows.plan, ms_sampling_windows.number,
				     ms_sampling_gap.position, ms_sampling_gap.is_counting);
}

/* --- counting the records --- */

/* Everything is one window, of some sets: memspy knows how often each exit was taken, and how many
 * references are on the way to it. Walking through all records would take a tenth of the time. */
static bool is_known_by_exits(void)
{
	return ms_runtime_config.set_groups != 0 && ms_runtime_is_one_window() &&
	       !ms_runtime_config.lane_per_thread;
}

/* Counts that are sent as known are exact. */
static void count(struct ms_runtime_thread *t)
{
	if (is_known_by_exits())
		return;
	ms_sampling_count_progress(t, ms_runtime_is_one_window() || ms_sampling_is_head() ||
					      ms_sampling_gap.is_counting);
}

void ms_sampling_count_published(struct ms_runtime_thread *t)
{
	if (t->sampled.inside)
		count(t);
}

/* Adds the thread's references inside to the window's sum. */
static void add_references(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	ms_sampling_windows.in.references += s->references - s->reported;
	s->reported = s->references;
}

bool ms_sampling_is_everything_counted(void)
{
	return ms_sampling_gap.is_counting || ms_sampling_is_head();
}

/* --- one window --- */

void ms_sampling_write_window_open(struct ms_runtime_thread *t)
{
	bool known = ms_sampling_gap.is_counting ||
		     ms_sampling_gap.refs_since_window > ms_sampling_gap.estimated_since_window;
	const struct {
		struct ms_wire_window left_out;
		struct ms_wire_timed timed;
	} out = { { known ? ms_sampling_gap.refs_since_window -
				    ms_sampling_gap.estimated_since_window
			  : MS_WIRE_NOT_KNOWN,
		    MS_WIRE_NOT_KNOWN, ms_sampling_gap.refs_since_window },
		  ms_sampling_gap.timing_since_window };

	if (ms_sampling_windows.plan.stratum > ms_sampling_windows.reported) {
		const uint64_t words[] = { ms_runtime_config.window, ms_runtime_config.period };

		ms_runtime_write_event(t, MS_WIRE_STRATUM, ++ms_sampling_windows.reported, words, 2,
				       NULL, 0);
	}
	ms_runtime_write_event(t, MS_WIRE_WINDOW_OPEN, ms_sampling_windows.number, &out,
			       sizeof(out) / 8, NULL, 0);
	ms_sampling_windows.in = (struct ms_wire_window){ 0, MS_WIRE_NOT_KNOWN, 0 };
	ms_sampling_windows.records = 0;
	ms_sampling_gap.refs_since_window = ms_sampling_gap.estimated_since_window = 0;
	ms_sampling_gap.timing_since_window = (struct ms_wire_timed){ 0, 0 };
	ms_sampling_windows.open = true;
	ms_sampling_windows.closing = false;
	ms_sampling_windows.joined = 0;
}

void ms_sampling_write_window_close(struct ms_runtime_thread *t)
{
	ms_sampling_windows.in.nanoseconds = ms_sampling_windows.in.references;
	ms_runtime_write_event(t, MS_WIRE_WINDOW_CLOSE, ms_sampling_windows.number,
			       &ms_sampling_windows.in, sizeof(ms_sampling_windows.in) / 8, NULL,
			       0);
	ms_sampling_gap.position += ms_sampling_windows.in.references;
	if (ms_sampling_windows.in.references > 0)
		ms_sampling_windows.exits =
			ms_sampling_windows.records * 1024 / ms_sampling_windows.in.references;
	ms_sampling_windows.number++;
	ms_sampling_windows.open = ms_sampling_windows.closing = false;
	ms_sampling_decide_counting();
	draw_window();
}

/* With several simulated processors: what the thread does from here on is ordered now. */
static void begin_ordered(struct ms_runtime_thread *t)
{
	ms_runtime_end_chunk(t);
	ms_runtime_write_event(t, MS_WIRE_SWITCH, t->number, NULL, 0, NULL, 0);
}

static void enter_window(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (ms_runtime_config.lane_per_thread)
		begin_ordered(t);
	ms_runtime_write_event(t, MS_WIRE_HEAP_CALL, t->in_heap, NULL, 0, NULL, 0);
	t->sampled.inside = true;
	t->sampled.entered = !ms_runtime_is_one_window();
	s->traced_for_syscall = false;
	ms_runtime_set_lane_away(t, false);
	ms_sampling_join_rendezvous(t);
	ms_sampling_windows.inside++;
	ms_sampling_windows.joined += s->windows != ms_sampling_windows.number + 1;
	s->windows = ms_sampling_windows.number + 1;
	ms_sampling_begin_progress(t, ms_sampling_windows.plan.length);
}

/* Leaves the window, to wait or to continue natively; the last thread closes it. */
void ms_sampling_leave_window(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	count(t);
	ms_runtime_end_chunk(t);
	ms_runtime_reserve_event_room(t);
	if (!ms_sampling_is_everything_counted())
		ms_sampling_add_traced_time(t, s->references);
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	add_references(t);
	ms_sampling_windows.records += s->records;
	s->recorded += s->references;
	t->sampled.inside = false;
	s->native_since = ms_runtime_read_cpu_clock();
	if (--ms_sampling_windows.inside == 0 && ms_sampling_windows.closing)
		ms_sampling_write_window_close(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	ms_runtime_set_lane_away(t, true);
	ms_sampling_wake_waiters();
}

/* --- called by the tracer --- */

/* Called on the only thread. */
bool ms_sampling_begin_windows(struct ms_runtime_thread *first)
{
	ms_sampling_start_window_plan(&ms_sampling_windows.plan);
	ms_sampling_gap.is_counting = ms_runtime_config.counted_refs != 0;
	ms_sampling_gap.rate = (struct ms_sampling_alloc_rate){ .blocks = ms_heap_count_blocks() };
	ms_sampling_windows.exits = USUAL_EXITS;
	ms_sampling_start_speed_probes();
	draw_window();
	return ms_sampling_start_thread(first);
}

bool ms_sampling_start(struct ms_runtime_thread *first)
{
	if (!ms_runtime_is_one_window() && !ms_signals_start_timers(ms_sampling_handle_expiry)) {
		ms_runtime_log_message(
			"memspy: the program keeps signal %u for itself: no window can open",
			(uint64_t)MS_SIGNALS_TIMER_SIGNAL);
		return false;
	}
	return ms_sampling_begin_windows(first);
}

bool ms_sampling_start_thread(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	/* From has_timer on, others may call the thread, and its handler draws an interval. */
	if (!ms_runtime_is_one_window())
		ms_sampling_start_native_samples(t);
	t->sampled = (struct ms_runtime_sampled){ .code = MS_TRACER_CODE_RECORDS };
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*s = (struct ms_sampling_thread){ .has_timer = true,
					  .native_since = ms_runtime_read_cpu_clock(),
					  .speed = ms_sampling_get_native_speed(),
					  .random = ms_runtime_config.seed * 1000003 + t->number };
	if (ms_runtime_is_one_window())
		return true;
	ms_runtime_set_lane_away(t, true);
	ms_sampling_publish_event(t);
	bool made = ms_signals_create_timer(t);
	ms_signals_unblock_timer(t);
	if (made && ms_sampling_windows.open)
		ms_sampling_call_into_window(t);
	else if (!ms_sampling_is_head() && !ms_sampling_gap.is_counting)
		ms_sampling_arm_next_probe(t);
	s->runs_natively = !ms_sampling_is_everything_counted();
	return !s->runs_natively;
}

/* Calls the other threads, wherever they are: each runs sooner or later. */
static void call_others_into_window(struct ms_runtime_thread *t)
{
	for (struct ms_runtime_thread *other = ms_runtime_get_next_thread(NULL); other != NULL;
	     other = ms_runtime_get_next_thread(other))
		if (other != t && !other->ended && ms_sampling_get_state(other)->has_timer &&
		    !other->sampled.inside)
			ms_sampling_call_into_window(other);
}

/* Enters the open window, or the next one if it is due. */
static bool try_enter_window(struct ms_runtime_thread *t)
{
	bool first = false, in;

	ms_runtime_reserve_event_room(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	if (!ms_sampling_gap.is_counting)
		ms_sampling_add_native_time(t, ms_sampling_get_arrival_time(t));
	in = ms_sampling_windows.open ? !ms_sampling_windows.closing
				      : ms_sampling_gap.position >= ms_sampling_windows.plan.next;
	if (in && !ms_sampling_windows.open) {
		if (ms_sampling_is_head() ||
		    (ms_runtime_is_one_window() && ms_sampling_windows.number == 0))
			ms_sampling_gap.refs_since_window = ms_sampling_gap.estimated_since_window =
				0; /* nothing was omitted */
		ms_sampling_write_window_open(t);
		ms_sampling_open_rendezvous();
		first = true;
	}
	if (in)
		enter_window(t);
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	if (first)
		call_others_into_window(t);
	if (first && ms_runtime_config.lane_per_thread)
		ms_sampling_expect_running_threads(t);
	if (in && ms_runtime_config.lane_per_thread)
		ms_sampling_wait_for_expected();
	return in;
}

/* In the head, before the next window: C was called for another reason, which is frequent where
 * code is new, or allocates. */
static bool keeps_counting(struct ms_runtime_thread *t)
{
	return ms_sampling_is_counting_exits(t) && !ms_sampling_get_state(t)->called &&
	       !__atomic_load_n(&ms_sampling_windows.open, __ATOMIC_RELAXED) &&
	       (t->lane.cursor < t->limit || ms_sampling_skip_spinning(t));
}

/* In the head: enters a window, or continues to the next one. */
static bool continue_head(struct ms_runtime_thread *t)
{
	bool window, goes_on, waits;

	if (t->sampled.inside)
		ms_sampling_leave_window(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	uint32_t bell = ms_sampling_read_bell(), number = ms_sampling_windows.number;
	if (ms_sampling_is_counting_exits(t))
		ms_sampling_add_counted_step(t);
	else if (ms_sampling_get_state(t)->runs_natively)
		ms_sampling_add_native_time(t, ms_sampling_get_arrival_time(t));
	window = ms_sampling_windows.open
			 ? !ms_sampling_windows.closing
			 : ms_sampling_gap.position >= ms_sampling_windows.plan.next &&
				   ms_sampling_is_window_opener(t);
	waits = !window && ms_sampling_is_too_far_ahead();
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	if (waits)
		ms_sampling_wait_for_window(number, bell);
	if (window) {
		ms_sampling_stop_counting(t);
		if (try_enter_window(t))
			return true;
	}
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	goes_on = ms_sampling_continue_counting(t, ms_sampling_windows.plan.next);
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	return goes_on;
}

/* Checks whether the window has its number of references. */
static void check_window_length(struct ms_runtime_thread *t)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	add_references(t);
	if (ms_sampling_windows.in.references >= ms_sampling_windows.plan.length)
		ms_sampling_windows.closing = true;
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
	if (ms_runtime_config.lane_per_thread)
		ms_sampling_wait_for_slow_threads(t, ms_sampling_windows.plan.length / PACE_PART);
}

/* With several threads, one that allocates all the time never reaches the end of a chunk, as each
 * block ends one: the references in these chunks have been counted. */
static void check_window_length_rarely(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (t->sampled.inside &&
	    s->references - s->reported > ms_sampling_windows.plan.length / PACE_PART)
		check_window_length(t);
}

/* The thread is about to make a system call that must be seen: a process that is created natively
 * would not be followed, and a signal of memspy would reach the program. */
static bool must_stay_traced(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	if (s->checks_left == 0 ||
	    (t->sampled.inside ? t->stopped : !ms_sampling_is_probing_speed(t) || !t->uses_scratch))
		return false;
	s->checks_left--;
	return true;
}

bool ms_sampling_may_continue(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	bool joins = s->called || s->windows == ms_sampling_windows.number + 1;

	check_window_length_rarely(t);
	if (t->sampled.inside && !__atomic_load_n(&ms_sampling_windows.closing, __ATOMIC_RELAXED) &&
	    !t->stopped)
		return true;
	if (must_stay_traced(t))
		return true;
	if (ms_sampling_is_counting_allowed(t))
		return keeps_counting(t) || continue_head(t);
	ms_sampling_stop_counting(t);
	ms_sampling_gap.is_counting = false;
	if (t->sampled.inside)
		return false;
	if (s->traced_for_syscall && s->checks_left != 0 && t->stopped && !t->uses_scratch)
		return true;
	if (ms_sampling_is_probing_speed(t) && t->uses_scratch &&
	    !(s->called && ms_sampling_windows.open) && !ms_sampling_is_speed_probe_over(t))
		return true;
	if (ms_sampling_is_probing_speed(t))
		ms_sampling_end_speed_probe(t, ms_sampling_windows.exits);
	else if (s->has_timer && !ms_runtime_is_one_window() &&
		 (s->checks_left != 0 || !(joins && ms_sampling_windows.open)) &&
		 !ms_sampling_is_head() && ms_sampling_begin_speed_probe(t))
		return true;
	s->called = false;
	return s->has_timer && !t->stopped && try_enter_window(t);
}

void ms_sampling_handle_full_chunk(struct ms_runtime_thread *t)
{
	ms_sampling_get_state(t)->failed_windows = 0;
	if (t->uses_scratch) {
		ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING); /* others may read its progress */
		if (t->lane.cursor >= ms_runtime_get_scratch_limit(t))
			ms_runtime_finish_full_chunk(t);
		ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
		if (ms_sampling_is_probing_speed(t)) {
			ms_sampling_set_segment_limit(t);
		} else {
			ms_runtime_check_reader();
			ms_sampling_set_count_limit(t);
		}
	} else if (!t->sampled.inside || t->stopped) {
		ms_runtime_finish_full_chunk(t);
	} else {
		count(t);
		if (t->lane.cursor >= ms_sampling_get_chunk_limit(t))
			ms_runtime_finish_full_chunk(t);
		ms_sampling_set_progress_limit(t, ms_sampling_windows.plan.length);
		check_window_length(t);
	}
}

/* In the head only code that cannot be translated runs natively: the thread returns soon. */
void ms_sampling_handle_window_end(struct ms_runtime_thread *t, bool too_soon)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint8_t failed = s->failed_windows;

	s->failed_windows = !too_soon ? 0 : failed < MAX_FAILED_WINDOWS ? failed + 1 : failed;
	if (!ms_sampling_is_counting_allowed(t))
		ms_sampling_gap.is_counting = false;
	ms_sampling_stop_counting(t);
	if (ms_sampling_is_probing_speed(t))
		ms_sampling_end_speed_probe(t, ms_sampling_windows.exits);
	if (t->sampled.inside)
		ms_sampling_leave_window(t);
	s->runs_natively = true;
	if (ms_sampling_is_head() || ms_sampling_gap.is_counting)
		ms_sampling_arm_at_least(t, 0);
	else if (!ms_runtime_is_one_window() && s->traced_for_syscall)
		ms_sampling_arm_at_least(t, s->probe_interval);
	else if (!ms_runtime_is_one_window())
		ms_sampling_arm_next_probe(t);
	else if (ms_runtime_active)
		ms_tracer_schedule_reopen(t);
	s->traced_for_syscall = false;
}

/* The time to get there was not the program's. */
void ms_sampling_begin_native_time(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	s->native_since = ms_runtime_read_cpu_clock();
	ms_sampling_begin_sampled_time(t, s->native_since);
}

void ms_sampling_cancel_native_time(struct ms_runtime_thread *t)
{
	ms_sampling_get_state(t)->runs_natively = false;
}

bool ms_sampling_is_window_closing(void)
{
	return __atomic_load_n(&ms_sampling_windows.closing, __ATOMIC_RELAXED);
}

bool ms_sampling_is_outside_window(const struct ms_runtime_thread *t)
{
	return ms_runtime_config.period != 0 && !ms_runtime_is_one_window() && !t->sampled.inside;
}

void ms_sampling_leave_for_syscall(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	s->left_for_syscall = t->sampled.inside;
	s->joined_before = ms_sampling_count_joined();
	if (t->sampled.inside)
		ms_sampling_leave_window(t);
}

void ms_sampling_publish_event(struct ms_runtime_thread *t)
{
	if (ms_sampling_is_outside_window(t) && ms_runtime_config.lane_per_thread)
		ms_runtime_end_chunk(t);
}

void ms_sampling_handle_wakeups(struct ms_runtime_thread *t, uint64_t threads)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	enum { MOST = 64 };

	if (s->left_for_syscall && s->windows == ms_sampling_windows.number + 1 &&
	    !ms_sampling_is_window_closing())
		ms_sampling_expect_woken_threads(s->joined_before,
						 (uint32_t)(threads < MOST ? threads : MOST));
}
