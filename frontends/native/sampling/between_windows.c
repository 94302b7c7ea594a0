/*
 * between_windows.c - the number of references between the windows of a sampled program.
 *
 * In the counted start every thread counts its own references, and regularly checks the sum of all
 * threads. Afterwards threads run natively, and the number is estimated from their speed in speed
 * probes and their CPU time. The same applies where code of the counted start cannot be translated.
 */
#include "sampling/between_windows.h"

#include "heap/heap.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sampling/alloc_rate.h"
#include "sampling/counted_start.h"
#include "sampling/sampling.h"
#include "sampling/speed_probe.h"
#include "tracer/spin_loops.h"
#include "wire/wire.h"

enum {
	USUAL_SPEED = 2048,
	/* References until a thread checks again whether it still waits. This is much less than
	 * what a thread makes between two waits, so that the end of the loop is noticed early. */
	SPIN_CHECK_REFS = 256,
};

struct ms_sampling_gap ms_sampling_gap;

/* --- estimated --- */

uint64_t ms_sampling_get_native_speed(void)
{
	uint64_t usual = ms_sampling_gap.nanoseconds > 0
				 ? ms_sampling_gap.references * 1024 / ms_sampling_gap.nanoseconds
				 : 0;

	return usual > 0 ? usual : USUAL_SPEED;
}

/* A thread that returns from a system call was traced all the time. */
void ms_sampling_add_native_time(struct ms_runtime_thread *t, uint64_t now)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t time = s->native_time +
			(s->runs_natively && now > s->native_since ? now - s->native_since : 0);
	uint64_t references = ms_sampling_estimate_references(t, time);

	ms_sampling_gap.nanoseconds += time;
	ms_sampling_gap.references += references;
	ms_sampling_gap.speed_probes++;
	references += s->probed_refs;
	s->native_since = now;
	s->native_time = s->probed_refs = 0;
	ms_sampling_gap.timing_since_window.stretches += s->timed.stretches;
	ms_sampling_gap.timing_since_window.undisturbed += s->timed.undisturbed;
	s->timed = (struct ms_wire_timed){ 0, 0 };
	s->runs_natively = false;
	ms_sampling_gap.estimated_since_window += references;
	ms_sampling_gap.estimated += references;
	ms_sampling_gap.refs_since_window += references;
	ms_sampling_gap.position += references;
}

/* --- counted --- */

void ms_sampling_add_counted(struct ms_runtime_thread *t)
{
	uint64_t references = ms_sampling_take_new_count(t);

	ms_sampling_get_state(t)->counted += references;
	ms_sampling_gap.refs_since_window += references;
	ms_sampling_gap.position += references;
}

/* Takes no lock: the thread that it waits for may need the lock all the time. */
bool ms_sampling_skip_spinning(struct ms_runtime_thread *t)
{
	if (!ms_sampling_is_counting_exits(t) || !ms_sampling_get_state(t)->is_spinning ||
	    !ms_tracer_is_in_spin_loop(t))
		return false;
	ms_tracer_skip_spin_refs(t, ms_sampling_take_new_count(t));
	ms_sampling_count_until(t, SPIN_CHECK_REFS);
	ms_runtime_syscall(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
	return true;
}

void ms_sampling_add_counted_step(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	bool waited = s->is_spinning;

	s->is_spinning = ms_tracer_is_in_spin_loop(t);
	if (waited && s->is_spinning)
		ms_tracer_skip_spin_refs(t, ms_sampling_take_new_count(t));
	else
		ms_sampling_add_counted(t);
}

void ms_sampling_stop_counting(struct ms_runtime_thread *t)
{
	if (!ms_sampling_is_counting_exits(t))
		return;
	if (!t->uses_scratch) /* otherwise the program has switched counting off itself */
		ms_sampling_gap.is_counting = false;
	ms_runtime_lock(MS_RUNTIME_LOCK_SAMPLING);
	ms_sampling_add_counted(t);
	ms_sampling_end_counting(t);
	ms_sampling_gap.counting_threads--;
	ms_runtime_unlock(MS_RUNTIME_LOCK_SAMPLING);
}

/*
 * Counting makes programs that allocate all the time several times slower: their code is large, and
 * each block calls C. But allocations tell how many references they make (docs/design/
 * sampling-totals.md). So, after the counted start, they run natively.
 */
void ms_sampling_decide_counting(void)
{
	enum { BATCHES = 32 };

	if (!ms_sampling_gap.is_counting || ms_sampling_gap.decided ||
	    ms_runtime_config.counted_least == 0)
		return;
	ms_sampling_add_alloc_batch(&ms_sampling_gap.rate, ms_sampling_gap.position,
				    ms_heap_count_blocks(),
				    ms_runtime_config.counted_least / BATCHES);
	if (ms_sampling_gap.position < ms_runtime_config.counted_least)
		return;
	ms_sampling_gap.decided = true;
	ms_sampling_gap.rate_suffices = ms_sampling_is_alloc_rate_steady(&ms_sampling_gap.rate);
}

/* The CPU time of threads in spin loops does not represent what they do when they are recorded, so
 * counting does not end. */
static uint64_t end_of_counting(void)
{
	if (ms_tracer_have_spin_loops())
		return UINT64_MAX;
	return ms_sampling_gap.rate_suffices ? 0 : ms_runtime_config.counted_refs;
}

bool ms_sampling_is_counting_allowed(const struct ms_runtime_thread *t)
{
	return ms_sampling_gap.is_counting && ms_sampling_gap.position < end_of_counting() &&
	       t->stopped == ms_sampling_is_counting_exits(t) && t->stopped == t->uses_scratch;
}

/* Each of several threads makes its share, and checks again. The rest may be zero: a window is
 * closing, and a thread that sleeps is still inside. */
static uint64_t get_counting_part(const struct ms_runtime_thread *t, uint64_t next)
{
	enum { LEAST = 2048 };
	uint64_t end = next < end_of_counting() ? next : end_of_counting();
	uint64_t left = end > ms_sampling_gap.position ? end - ms_sampling_gap.position : 0;
	uint64_t part = ms_sampling_gap.counting_threads > 1
				? left / ms_sampling_gap.counting_threads
				: left;

	if (ms_tracer_have_spin_loops() && t->lane_number != 0)
		return ms_sampling_get_state(t)->is_spinning ? SPIN_CHECK_REFS : LEAST;
	return part == 0 || (ms_sampling_gap.counting_threads > 1 && part < LEAST) ? LEAST : part;
}

bool ms_sampling_continue_counting(struct ms_runtime_thread *t, uint64_t next)
{
	ms_sampling_get_state(t)->called = false;
	if (ms_sampling_is_counting_exits(t)) {
		ms_sampling_count_until(t, get_counting_part(t, next));
		return true;
	}
	ms_sampling_gap.counting_threads++;
	if (ms_sampling_begin_counting(t, get_counting_part(t, next)))
		return true;
	ms_sampling_gap.counting_threads--;
	ms_sampling_gap.is_counting = false;
	return false;
}

bool ms_sampling_is_count_complete(void)
{
	enum { MAX_ESTIMATED_PART = 64 }; /* divisor: at most 1/64 of all references */

	return ms_sampling_gap.is_counting &&
	       ms_sampling_gap.estimated <= ms_sampling_gap.position / MAX_ESTIMATED_PART;
}
