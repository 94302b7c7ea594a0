/*
 * speed_probe.c - measures the speed of a thread of a sampled program: it runs for a short while in
 * code that is translated but only counts.
 *
 * A speed probe is timed by segments. A segment in which C had to be called, because code was
 * translated or linked, is far too slow, and not used.
 */
#include "sampling/speed_probe.h"

#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "sampling/between_windows.h"
#include "sampling/native_samples.h"
#include "sampling/sampling.h"
#include "signals/cpu_timer.h"
#include "tracer/spin_loops.h"
#include "tracer/tracer.h"
#include "tracer/work_time.h"

enum {
	PROBE_REFS = 12 * 1024, /* references, at least */
	PROBE_PART = 10,        /* or this part of a window */
	SEGMENTS = 8,   /* that a speed probe should have, with a first one that is not used ... */
	ENOUGH = 6,     /* ... and so many that were not disturbed */
	FEW = 3,        /* of these: others are used, too */
	STUB_COST = 50, /* ns, about, of C that C cannot measure itself */
	FEW_EXITS = 50, /* exits per 1024 references: loops, which hide their cost */
	MANY_EXITS = 100, /* other code, which MS_RUNTIME_COUNTING_EXIT_COST slows down */
	FORK_MEMORY = 16, /* speed probes over which the time to create processes is averaged */
};

static struct {
	uint64_t read_cost; /* cost of reading the clock */
	/* The start, by the wall clock and by the processor's counter. */
	uint64_t began, began_count;
} clocks;

static uint64_t segment_length(void)
{
	uint64_t share = ms_runtime_config.window / PROBE_PART;

	return (share > PROBE_REFS ? share : PROBE_REFS) / SEGMENTS;
}

void ms_sampling_set_segment_limit(struct ms_runtime_thread *t)
{
	uint64_t left = ms_sampling_get_state(t)->segment_to - ms_runtime_count_scratch_words(t);
	uint64_t next = t->lane.cursor + left * 8, limit = ms_runtime_get_scratch_limit(t);

	t->limit = next < limit ? next : limit;
}

/* Of the processor's counter, in 1024 ns. */
static uint64_t get_ticks(void)
{
	uint64_t time = ms_runtime_read_wall_clock() - clocks.began,
		 counts = ms_runtime_read_counter() - clocks.began_count;

	return time > 0 && counts > time / 1024 ? counts / (time / 1024 + 1) : 1024;
}

static void begin_segment(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	struct ms_tracer_work_time *work = ms_tracer_get_work_time(t);

	s->segment_from = ms_runtime_count_scratch_words(t);
	s->segment_to = s->segment_from + segment_length();
	work->disturbed = false;
	work->ticks = work->calls = s->fork_time = 0;
	ms_sampling_set_segment_limit(t);
	if (work->since != 0) /* the rest of it does not belong to the new segment either */
		work->since = ms_runtime_read_counter();
	s->segment_began = ms_runtime_read_cpu_clock();
}

/* The minimum so far: just after its start, a program may be half as fast as soon afterwards. */
static void measure_clock_read(void)
{
	uint64_t before = ms_runtime_read_cpu_clock(), time = ms_runtime_read_cpu_clock() - before;

	if (time < __atomic_load_n(&clocks.read_cost, __ATOMIC_RELAXED))
		__atomic_store_n(&clocks.read_cost, time, __ATOMIC_RELAXED);
}

uint64_t ms_sampling_get_arrival_time(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t came = s->arrived_at;

	s->arrived_at = 0;
	return came != 0 ? came : ms_runtime_read_cpu_clock();
}

bool ms_sampling_begin_speed_probe(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t now;

	if (!ms_runtime_use_scratch_lane(t, true))
		return false;
	now = ms_sampling_get_arrival_time(t);
	measure_clock_read();
	t->sampled.code = MS_TRACER_CODE_COUNTS_REFS;
	s->native_time += now - s->native_since;
	s->segments = s->clean = 0;
	s->is_spinning = ms_tracer_is_in_spin_loop(t);
	ms_tracer_get_work_time(t)->since = 0;
	ms_tracer_get_work_time(t)->is_timed = true;
	begin_segment(t);
	return true;
}

/* Enough has been measured, or there is no room for more. */
bool ms_sampling_is_speed_probe_over(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	struct ms_tracer_work_time *work = ms_tracer_get_work_time(t);
	struct ms_sampling_segment *segment = &s->segment[s->segments];
	uint64_t references, time, works, tracer_time;

	if (s->traced_for_syscall && s->checks_left == 0)
		return true;
	if (ms_runtime_count_scratch_words(t) < s->segment_to)
		return false;
	references = ms_runtime_count_scratch_words(t) - s->segment_from;
	time = ms_runtime_read_cpu_clock() - s->segment_began;
	works = ms_tracer_count_work_ticks(work) * 1024 / get_ticks();
	tracer_time = clocks.read_cost + works + work->calls * STUB_COST;
	if (tracer_time >= time - time / 8) {
		work->disturbed = true;
		/* If the thread had to wait for a processor meanwhile, the time is unknown. */
		tracer_time = works <= time ? time - time / 8 : 0;
	}
	time -= tracer_time;
	time -= s->fork_time < time ? s->fork_time : time - 1;
	*segment = (struct ms_sampling_segment){ (uint32_t)references, (uint32_t)time,
						 (uint32_t)s->fork_time, !work->disturbed };
	s->clean += s->segments++ > 0 && segment->clean;
	if (s->clean >= ENOUGH || s->segments == MS_SAMPLING_MAX_SEGMENTS)
		return true;
	begin_segment(t);
	return false;
}

/* Uses the segments that were not disturbed; if they are few, those that were disturbed least. */
static void choose_segments(struct ms_sampling_thread *s)
{
	uint32_t wanted = s->segments / 3;

	s->segment[0].clean = false;
	for (uint32_t i = 0; s->clean < FEW && i < s->segments; i++)
		s->segment[i].clean = false;
	for (; s->clean < FEW && wanted > 0; wanted--) {
		struct ms_sampling_segment *best = NULL;

		for (uint32_t i = 1; i < s->segments; i++) {
			struct ms_sampling_segment *at = &s->segment[i];

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
 * error of all this (src/collect/events/windows.c).
 */
static uint64_t estimate_counting_cost(uint64_t references, uint64_t all_exits)
{
	uint64_t exits = all_exits < MANY_EXITS ? all_exits : MANY_EXITS;

	if (exits <= FEW_EXITS)
		return 0;
	return references * all_exits / 1024 * MS_RUNTIME_COUNTING_EXIT_COST / 1024 *
	       (exits - FEW_EXITS) / (MANY_EXITS - FEW_EXITS);
}

/* In the head all such calls were seen: the first speed probe after it may contain none by chance.
 */
static void use_fork_time_of_head(struct ms_sampling_thread *s)
{
	uint64_t time = ms_sampling_gap.position * 1024 / s->speed;

	if (s->weights != 0 ||
	    (ms_runtime_config.counted_refs == 0 && ms_runtime_config.head_refs == 0) || time == 0)
		return;
	s->weights = FORK_MEMORY * 1024 / 2;
	s->fork_time_each = s->weights * (ms_sampling_gap.fork_time * 1024 / time);
}

/*
 * The creation of a process has no references, and takes as long as a hundred thousand: a speed
 * probe contains one such call, or none, or two. So the time is averaged over several speed probes,
 * per 1024 ns of all other time. If the timer also expires in calls, speed probes with more of them
 * are correspondingly more frequent, and get a smaller weight.
 */
static void add_fork_times(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t references = 0, forked = 0, time, each, weight;

	for (uint32_t i = 0; i < s->segments; i++) {
		references += s->segment[i].references;
		forked += s->segment[i].fork_time;
	}
	time = references * 1024 / s->speed;
	if (time == 0)
		return;
	use_fork_time_of_head(s);
	each = forked * 1024 / time;
	weight = ms_signals_timer_spares_syscalls(t) ? 1024 : 1024 * 1024 / (1024 + each) + 1;
	s->weights += weight - s->weights / FORK_MEMORY;
	s->fork_time_each += weight * each - s->fork_time_each / FORK_MEMORY;
}

/*
 * The time that the thread ran natively since the last speed probe is assumed to have the speed of
 * this one. So the faster the code in a speed probe is, the likelier the program reaches its next
 * window in it. That compensates for speed probes hitting slow code more often, even where fast and
 * slow code alternate faster than speed probes. (A mean of speeds would not.)
 */
static void update_speed(struct ms_runtime_thread *t, uint64_t exits)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);
	uint64_t references = 0, time = 0, tracer_time;

	s->timed.stretches += s->segments;
	s->timed.undisturbed += s->clean;
	choose_segments(s);
	for (uint32_t i = 0; i < s->segments; i++) {
		references += s->segment[i].clean ? s->segment[i].references : 0;
		time += s->segment[i].clean ? s->segment[i].time : 0;
	}
	tracer_time = estimate_counting_cost(references, exits);
	time -= tracer_time < time / 2 ? tracer_time : time / 2;
	if (references * 1024 < time || time == 0)
		return;
	s->speed = references * 1024 / time;
	add_fork_times(t);
}

/* The thread waits for another one: all the time since the last speed probe counts as waiting. */
static void skip_spinning(struct ms_runtime_thread *t)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	ms_tracer_skip_spin_refs(t, ms_sampling_estimate_references(t, s->native_time) +
					    ms_runtime_count_scratch_words(t));
	s->speed = 0;
}

void ms_sampling_end_speed_probe(struct ms_runtime_thread *t, uint64_t exits)
{
	struct ms_sampling_thread *s = ms_sampling_get_state(t);

	bool waits = s->is_spinning && ms_tracer_is_in_spin_loop(t);

	if (!s->traced_for_syscall) /* that is not a randomly chosen point */
		update_speed(t, exits);
	ms_sampling_add_traced_time(t, ms_runtime_count_scratch_words(t));
	if (waits)
		skip_spinning(t);
	else
		s->probed_refs += ms_runtime_count_scratch_words(t);
	ms_runtime_use_scratch_lane(t, false);
	t->sampled.code = MS_TRACER_CODE_RECORDS;
	ms_tracer_get_work_time(t)->is_timed = false;
	s->native_since = ms_runtime_read_cpu_clock();
}

uint64_t ms_sampling_estimate_references(const struct ms_runtime_thread *t, uint64_t time)
{
	const struct ms_sampling_thread *s = ms_sampling_get_state(t);

	uint64_t each = s->weights > 0 ? s->fork_time_each / s->weights : 0;

	return time * s->speed / (1024 + each);
}

void ms_sampling_add_fork_time(struct ms_runtime_thread *t, uint64_t nanoseconds)
{
	ms_sampling_get_state(t)->fork_time += nanoseconds;
	__atomic_fetch_add(&ms_sampling_gap.fork_time, nanoseconds, __ATOMIC_RELAXED);
}

void ms_sampling_start_speed_probes(void)
{
	enum { LOOKS = 100 };

	clocks.began = ms_runtime_read_wall_clock();
	clocks.began_count = ms_runtime_read_counter();
	clocks.read_cost = UINT64_MAX;
	for (int i = 0; i < LOOKS; i++)
		measure_clock_read();
}
