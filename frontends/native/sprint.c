/*
 * sprint.c - measures the speed of a thread of a sampled program: it runs for a short while in code
 * that is translated but only counts.
 *
 * A sprint is timed by segments. A segment in which C had to be called, because code was translated
 * or linked, is far too slow, and not used.
 */
#include "sprint.h"

#include "gap.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sys.h"
#include "timer.h"
#include "tracer.h"
#include "wait_loops.h"

enum {
	SPRINT = 12 * 1024, /* references, at least */
	SPRINT_SHARE = 10,  /* or this part of a window */
	SEGMENTS = 8,       /* that a sprint should have, with a first one that is not used ... */
	ENOUGH = 6,         /* ... and so many that were not disturbed */
	FEW = 3,            /* of these: others are used, too */
	GLUE = 50,          /* ns, about, of C that C cannot measure itself */
	FEW_EXITS = 50,     /* exits per 1024 references: loops, which hide their cost */
	MANY_EXITS = 100,   /* other code, which MS_COUNTS_EXIT slows down */
	FORKED = 16,        /* sprints over which the time to create processes is averaged */
};

static struct {
	uint64_t look; /* cost of reading the clock */
	/* The start, by the wall clock and by the processor's counter. */
	uint64_t began, began_count;
} clocks;

static uint64_t segment_length(void)
{
	uint64_t share = ms_config.window / SPRINT_SHARE;

	return (share > SPRINT ? share : SPRINT) / SEGMENTS;
}

void ms_sprint_step(struct ms_thread *t)
{
	uint64_t left = t->sampled.segment_to - ms_lane_aside_words(t);
	uint64_t next = t->lane.cursor + left * 8, limit = ms_lane_aside_limit(t);

	t->limit = next < limit ? next : limit;
}

/* Of the processor's counter, in 1024 ns. */
static uint64_t ticks(void)
{
	uint64_t time = ms_timer_wall() - clocks.began, counts = ms_counter() - clocks.began_count;

	return time > 0 && counts > time / 1024 ? counts / (time / 1024 + 1) : 1024;
}

static void begin_segment(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;

	s->segment_from = ms_lane_aside_words(t);
	s->segment_to = s->segment_from + segment_length();
	s->disturbed = false;
	s->own = s->calls = s->forked = 0;
	ms_sprint_step(t);
	if (s->works_since != 0) /* the rest of it does not belong to the new segment either */
		s->works_since = ms_counter();
	s->segment_began = ms_timer_cpu();
}

/* The minimum so far: just after its start, a program may be half as fast as soon afterwards. */
static void look_at_clock(void)
{
	uint64_t before = ms_timer_cpu(), time = ms_timer_cpu() - before;

	if (time < __atomic_load_n(&clocks.look, __ATOMIC_RELAXED))
		__atomic_store_n(&clocks.look, time, __ATOMIC_RELAXED);
}

uint64_t ms_sprint_now(struct ms_thread *t)
{
	uint64_t came = t->sampled.came;

	t->sampled.came = 0;
	return came != 0 ? came : ms_timer_cpu();
}

bool ms_sprint_begin(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;
	uint64_t now;

	if (!ms_lane_aside(t, true))
		return false;
	now = ms_sprint_now(t);
	look_at_clock();
	s->code = MS_CODE_COUNTS;
	s->native += now - s->left;
	s->segments = s->clean = 0;
	s->waits = ms_wait_loop_holds(t);
	s->works_since = 0;
	begin_segment(t);
	return true;
}

static uint64_t own_ticks(const struct ms_sampled *s)
{
	return s->own + (s->works_since != 0 ? ms_counter() - s->works_since : 0);
}

/* Enough has been measured, or there is no room for more. */
bool ms_sprint_is_over(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;
	struct ms_segment *segment = &s->segment[s->segments];
	uint64_t references, time, works, own;

	if (s->escorted && s->kept == 0)
		return true;
	if (ms_lane_aside_words(t) < s->segment_to)
		return false;
	references = ms_lane_aside_words(t) - s->segment_from;
	time = ms_timer_cpu() - s->segment_began;
	works = own_ticks(s) * 1024 / ticks();
	own = clocks.look + works + s->calls * GLUE;
	if (own >= time - time / 8) {
		s->disturbed = true;
		/* If the thread had to wait for a processor meanwhile, the time is unknown. */
		own = works <= time ? time - time / 8 : 0;
	}
	time -= own;
	time -= s->forked < time ? s->forked : time - 1;
	*segment = (struct ms_segment){ (uint32_t)references, (uint32_t)time, (uint32_t)s->forked,
					!s->disturbed };
	s->clean += s->segments++ > 0 && segment->clean;
	if (s->clean >= ENOUGH || s->segments == MS_SAMPLE_SEGMENTS)
		return true;
	begin_segment(t);
	return false;
}

/* Uses the segments that were not disturbed; if they are few, those that were disturbed least. */
static void choose_segments(struct ms_sampled *s)
{
	uint32_t wanted = s->segments / 3;

	s->segment[0].clean = false;
	for (uint32_t i = 0; s->clean < FEW && i < s->segments; i++)
		s->segment[i].clean = false;
	for (; s->clean < FEW && wanted > 0; wanted--) {
		struct ms_segment *best = NULL;

		for (uint32_t i = 1; i < s->segments; i++) {
			struct ms_segment *at = &s->segment[i];

			if (!at->clean &&
			    (best == NULL || (uint64_t)at->time * best->references <
						     (uint64_t)best->time * at->references))
				best = at;
		}
		if (best != NULL)
			best->clean = true;
	}
}

/*
 * The cost of counting at the ends of blocks, in ns. Loops, which end seldom, hide it. It matters
 * most for fast code, which would otherwise be taken for slower than it is compared with code that
 * waits for memory, and so get too few windows. Blocks are assumed to end as often as in the
 * previous window. The effect on overlapping cache misses is unknown; the report has the possible
 * error of all this (collect/sampled.c).
 */
static uint64_t spent(uint64_t references, uint64_t all_exits)
{
	uint64_t exits = all_exits < MANY_EXITS ? all_exits : MANY_EXITS;

	if (exits <= FEW_EXITS)
		return 0;
	return references * all_exits / 1024 * MS_COUNTS_EXIT / 1024 * (exits - FEW_EXITS) /
	       (MANY_EXITS - FEW_EXITS);
}

/* In the head all such calls were seen: the first sprint after it may contain none by chance. */
static void take_head(struct ms_sampled *s)
{
	uint64_t time = ms_gap.position * 1024 / s->speed;

	if (s->weights != 0 || (ms_config.counted == 0 && ms_config.head == 0) || time == 0)
		return;
	s->weights = FORKED * 1024 / 2;
	s->forked_each = s->weights * (ms_gap.forked * 1024 / time);
}

/*
 * The creation of a process has no references, and takes as long as a hundred thousand: a sprint
 * contains one such call, or none, or two. So the time is averaged over several sprints, per 1024
 * ns of all other time. If the timer also expires in calls, sprints with more of them are
 * correspondingly more frequent, and get a smaller weight.
 */
static void take_forks(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;
	uint64_t references = 0, forked = 0, time, each, weight;

	for (uint32_t i = 0; i < s->segments; i++) {
		references += s->segment[i].references;
		forked += s->segment[i].forked;
	}
	time = references * 1024 / s->speed;
	if (time == 0)
		return;
	take_head(s);
	each = forked * 1024 / time;
	weight = ms_timer_spares_calls(t) ? 1024 : 1024 * 1024 / (1024 + each) + 1;
	s->weights += weight - s->weights / FORKED;
	s->forked_each += weight * each - s->forked_each / FORKED;
}

/*
 * The time that the thread ran natively since the last sprint is assumed to have the speed of this
 * one. So the faster the code in a sprint is, the likelier the program reaches its next window in
 * it. That compensates for sprints hitting slow code more often, even where fast and slow code
 * alternate faster than sprints. (A mean of speeds would not.)
 */
static void take_speed(struct ms_thread *t, uint64_t exits)
{
	struct ms_sampled *s = &t->sampled;
	uint64_t references = 0, time = 0, own;

	s->timed.stretches += s->segments;
	s->timed.undisturbed += s->clean;
	choose_segments(s);
	for (uint32_t i = 0; i < s->segments; i++) {
		references += s->segment[i].clean ? s->segment[i].references : 0;
		time += s->segment[i].clean ? s->segment[i].time : 0;
	}
	own = spent(references, exits);
	time -= own < time / 2 ? own : time / 2;
	if (references * 1024 < time || time == 0)
		return;
	s->speed = references * 1024 / time;
	take_forks(t);
}

/* The thread waits for another one: all the time since the last sprint counts as waiting. */
static void skip_wait(struct ms_thread *t)
{
	struct ms_sampled *s = &t->sampled;

	ms_wait_loop_skip(t, ms_sprint_references(t, s->native) + ms_lane_aside_words(t));
	s->speed = 0;
}

void ms_sprint_end(struct ms_thread *t, uint64_t exits)
{
	struct ms_sampled *s = &t->sampled;

	bool waits = s->waits && ms_wait_loop_holds(t);

	if (!s->escorted) /* that is not a randomly chosen point */
		take_speed(t, exits);
	if (waits)
		skip_wait(t);
	else
		s->sprinted += ms_lane_aside_words(t);
	ms_lane_aside(t, false);
	s->code = MS_CODE_RECORDS;
	s->left = ms_timer_cpu();
}

uint64_t ms_sprint_references(const struct ms_thread *t, uint64_t time)
{
	const struct ms_sampled *s = &t->sampled;

	uint64_t each = s->weights > 0 ? s->forked_each / s->weights : 0;

	return time * s->speed / (1024 + each);
}

/* --- the tracer's own time --- */

void ms_sample_disturb(struct ms_thread *t)
{
	t->sampled.disturbed = true;
}

void ms_sample_works(struct ms_thread *t)
{
	t->sampled.works_since = ms_counter();
	t->sampled.calls++;
}

void ms_sample_worked(struct ms_thread *t)
{
	t->sampled.own = own_ticks(&t->sampled);
	t->sampled.works_since = 0;
}

void ms_sample_not_own(struct ms_thread *t, uint64_t since)
{
	t->sampled.own -= ms_counter() - since;
}

void ms_sample_forks(struct ms_thread *t, uint64_t nanoseconds)
{
	t->sampled.forked += nanoseconds;
	__atomic_fetch_add(&ms_gap.forked, nanoseconds, __ATOMIC_RELAXED);
}

void ms_sprint_start(void)
{
	enum { LOOKS = 100 };

	clocks.began = ms_timer_wall();
	clocks.began_count = ms_counter();
	clocks.look = UINT64_MAX;
	for (int i = 0; i < LOOKS; i++)
		look_at_clock();
}
