/*
 * gap.c - what lies between the windows of a sampled program.
 *
 * In its head all threads count, each for itself, and look now and then how far they have come
 * together. Behind it they run natively, and all that is known is how fast they are in sprints, and
 * for how long they have run. So it is, too, where code of the head cannot be translated.
 */
#include "gap.h"

#include "counted.h"
#include "sprint.h"
#include "sys.h"
#include "wait_loops.h"

enum {
	USUAL_SPEED = 2048,
	/* References until a thread looks again whether it still waits: the loop is left within far
	 * fewer than a thread makes between two waits. */
	IN_WAIT_LOOP = 256,
};

struct ms_gap ms_gap;

/* --- estimated --- */

uint64_t ms_gap_speed(void)
{
	uint64_t usual = ms_gap.nanoseconds > 0 ? ms_gap.references * 1024 / ms_gap.nanoseconds : 0;

	return usual > 0 ? usual : USUAL_SPEED;
}

/* A thread that comes back from a system call has been traced all along. */
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

/* No lock: the thread that it waits for may want it, all the time. */
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
	if (!t->aside) /* the program wanted nothing to be seen, and that is what it got */
		ms_gap.counted = false;
	ms_lock(MS_LOCK_SAMPLE);
	ms_gap_take_counted(t);
	ms_counted_end(t);
	ms_gap.counting--;
	ms_unlock(MS_LOCK_SAMPLE);
}

/* What time says of threads that wait in loops is not what they do when they are recorded. */
static uint64_t end_of_counting(void)
{
	return ms_wait_loops_exist() ? UINT64_MAX : ms_config.counted;
}

bool ms_gap_is_counted(const struct ms_thread *t)
{
	return ms_gap.counted && ms_gap.position < end_of_counting() &&
	       t->stopped == ms_gap_tallies(t) && t->stopped == t->aside;
}

/* Of several threads each does its part, and looks again. Nothing may be left: a window closes, and
 * one that sleeps is inside. */
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
	enum { MOST_GUESSED = 64 }; /* part of all */

	return ms_gap.counted && ms_gap.guessed <= ms_gap.position / MOST_GUESSED;
}
