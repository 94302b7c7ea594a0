/*
 * gap.c - the number of references between the windows of a sampled program.
 *
 * In the counted start every thread counts its own references, and regularly checks the sum of all
 * threads. Afterwards threads run natively, and the number is estimated from their speed in sprints
 * and their CPU time. The same applies where code of the counted start cannot be translated.
 */
#include "gap.h"

#include "counted.h"
#include "heap/heap.h"
#include "runtime/config.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sprint.h"
#include "sys.h"
#include "wait_loops.h"
#include "wire/wire.h"

enum {
	USUAL_SPEED = 2048,
	/* References until a thread checks again whether it still waits. This is much less than
	 * what a thread makes between two waits, so that the end of the loop is noticed early. */
	IN_WAIT_LOOP = 256,
};

struct ms_gap ms_gap;

/* --- estimated --- */

uint64_t ms_gap_speed(void)
{
	uint64_t usual = ms_gap.nanoseconds > 0 ? ms_gap.references * 1024 / ms_gap.nanoseconds : 0;

	return usual > 0 ? usual : USUAL_SPEED;
}

/* A thread that returns from a system call was traced all the time. */
void ms_gap_take_time(struct ms_thread *t, uint64_t now)
{
	struct ms_sampled *s = &t->sampled;
	uint64_t time = s->native + (s->natively && now > s->left ? now - s->left : 0);
	uint64_t references = ms_sprint_references(t, time);

	ms_gap.nanoseconds += time;
	ms_gap.references += references;
	ms_gap.sprints++;
	references += s->sprinted;
	s->left = now;
	s->native = s->sprinted = 0;
	ms_gap.since_timed.stretches += s->timed.stretches;
	ms_gap.since_timed.undisturbed += s->timed.undisturbed;
	s->timed = (struct ms_wire_timed){ 0, 0 };
	s->natively = false;
	ms_gap.since_guessed += references;
	ms_gap.guessed += references;
	ms_gap.since += references;
	ms_gap.position += references;
}

/* --- counted --- */

void ms_gap_take_counted(struct ms_thread *t)
{
	uint64_t references = ms_counted_more(t);

	ms_gap.since += references;
	ms_gap.position += references;
}

/* Takes no lock: the thread that it waits for may need the lock all the time. */
bool ms_gap_waits_on(struct ms_thread *t)
{
	if (!ms_gap_tallies(t) || !t->sampled.waits || !ms_wait_loop_holds(t))
		return false;
	ms_wait_loop_skip(t, ms_counted_more(t));
	ms_counted_until(t, IN_WAIT_LOOP);
	ms_sys(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
	return true;
}

void ms_gap_take_step(struct ms_thread *t)
{
	bool waited = t->sampled.waits;

	t->sampled.waits = ms_wait_loop_holds(t);
	if (waited && t->sampled.waits)
		ms_wait_loop_skip(t, ms_counted_more(t));
	else
		ms_gap_take_counted(t);
}

void ms_gap_stop_counting(struct ms_thread *t)
{
	if (!ms_gap_tallies(t))
		return;
	if (!t->aside) /* otherwise the program has switched counting off itself */
		ms_gap.counted = false;
	ms_lock(MS_LOCK_SAMPLE);
	ms_gap_take_counted(t);
	ms_counted_end(t);
	ms_gap.counting--;
	ms_unlock(MS_LOCK_SAMPLE);
}

/*
 * Counting makes programs that allocate all the time several times slower: their code is large, and
 * each block calls C. But allocations tell how many references they make (docs/design/
 * sampling-totals.md). So, after the counted start, they run natively.
 */
void ms_gap_decide(void)
{
	enum { BATCHES = 32 };

	if (!ms_gap.counted || ms_gap.decided || ms_config.counted_least == 0)
		return;
	ms_alloc_rate_add(&ms_gap.rate, ms_gap.position, ms_heap_blocks(),
			  ms_config.counted_least / BATCHES);
	if (ms_gap.position < ms_config.counted_least)
		return;
	ms_gap.decided = true;
	ms_gap.rate_suffices = ms_alloc_rate_is_steady(&ms_gap.rate);
}

/* The CPU time of threads in wait loops does not represent what they do when they are recorded, so
 * counting does not end. */
static uint64_t end_of_counting(void)
{
	if (ms_wait_loops_exist())
		return UINT64_MAX;
	return ms_gap.rate_suffices ? 0 : ms_config.counted;
}

bool ms_gap_is_counted(const struct ms_thread *t)
{
	return ms_gap.counted && ms_gap.position < end_of_counting() &&
	       t->stopped == ms_gap_tallies(t) && t->stopped == t->aside;
}

/* Each of several threads makes its share, and checks again. The rest may be zero: a window is
 * closing, and a thread that sleeps is still inside. */
static uint64_t part_until(const struct ms_thread *t, uint64_t next)
{
	enum { LEAST = 2048 };
	uint64_t end = next < end_of_counting() ? next : end_of_counting();
	uint64_t left = end > ms_gap.position ? end - ms_gap.position : 0;
	uint64_t part = ms_gap.counting > 1 ? left / ms_gap.counting : left;

	if (ms_wait_loops_exist() && t->lane_number != 0)
		return t->sampled.waits ? IN_WAIT_LOOP : LEAST;
	return part == 0 || (ms_gap.counting > 1 && part < LEAST) ? LEAST : part;
}

bool ms_gap_count_on(struct ms_thread *t, uint64_t next)
{
	t->sampled.called = false;
	if (ms_gap_tallies(t)) {
		ms_counted_until(t, part_until(t, next));
		return true;
	}
	ms_gap.counting++;
	if (ms_counted_begin(t, part_until(t, next)))
		return true;
	ms_gap.counting--;
	ms_gap.counted = false;
	return false;
}

bool ms_gap_is_known(void)
{
	enum { MOST_GUESSED = 64 }; /* divisor: at most 1/64 of all references */

	return ms_gap.counted && ms_gap.guessed <= ms_gap.position / MOST_GUESSED;
}
