/*
 * estimate/scale.c - the factors by which windows, or sampled sets, are extrapolated to the whole
 * program, from what the stream reports about them.
 */
#include "estimate/scale.h"

#include <math.h>

#include "base/num.h"

/* What is known of the windows of a program, and how they were chosen. */
struct window_source {
	const struct ms_estimate_windows *windows;
	const struct ms_stream_sampling *sampling;
};

void ms_estimate_free_windows(struct ms_estimate_windows *windows)
{
	ms_vec_free(&windows->outside);
	ms_vec_free(&windows->concurrency.threads);
	for (unsigned i = 0; i < MS_COUNT(windows->strata); i++)
		ms_vec_free(&windows->strata[i].gaps);
}

void ms_estimate_add_window(struct ms_wire_window *sum, const struct ms_wire_window *more)
{
	uint64_t *into[] = { &sum->references, &sum->instructions, &sum->nanoseconds };
	const uint64_t from[] = { more->references, more->instructions, more->nanoseconds };

	for (unsigned i = 0; i < MS_COUNT(into); i++)
		*into[i] = *into[i] == MS_WIRE_NOT_KNOWN || from[i] == MS_WIRE_NOT_KNOWN
				   ? MS_WIRE_NOT_KNOWN
				   : *into[i] + from[i];
}

struct ms_estimate_covered ms_estimate_covered(const struct ms_estimate_windows *windows, bool head,
					       double total)
{
	static const double least = 0.001; /* an estimate that is off must not yield none */
	double in = 0, unsampled = 0;

	for (uint32_t i = 0; i <= windows->stratum; i++) {
		const struct ms_estimate_sums *s = &windows->strata[i];
		double inside =
			s->in.references != MS_WIRE_NOT_KNOWN ? (double)s->in.references : 0;

		unsampled += (double)s->counted + (head && i == 0 ? inside : 0);
		in += head && i == 0 ? 0 : inside;
	}
	return (struct ms_estimate_covered){
		.native = fmax(least, 1 - (in + unsampled) / fmax(total, 1)),
		.sampled = fmax(least, 1 - unsampled / fmax(total, 1)),
	};
}

static bool is_counted(const struct ms_estimate_sums *s)
{
	return s->in.references != MS_WIRE_NOT_KNOWN && s->out.references != MS_WIRE_NOT_KNOWN;
}

struct ms_estimate_parts ms_estimate_find_parts(const struct ms_stream_sampling *sampling,
						uint32_t stratum)
{
	enum { LATER = 4 }; /* for windows that are rarer, and for those that are not any more */
	const uint32_t head = sampling->head != 0;
	const struct ms_estimate_parts parts[] = {
		{ 0, 1 },
		{ head, MS_ENGINE_WINDOWS_PARTS - 2 * LATER - head },
		{ MS_ENGINE_WINDOWS_PARTS - 2 * LATER, LATER },
		{ MS_ENGINE_WINDOWS_PARTS - LATER, LATER },
	};

	if (!ms_stream_sampling_is_planned(sampling))
		return (struct ms_estimate_parts){ 0, MS_ENGINE_WINDOWS_PARTS };
	return parts[stratum + 1 - head];
}

/* The last one may not have come to its end, and where only some sets are seen, it is the only one:
 * then nothing better is known than what was seen of them. */
static double in_windows(const struct ms_estimate_sums *s,
			 const struct ms_stream_sampling *sampling, double seen)
{
	double reported = (double)s->in.references, seen_all = seen * (double)sampling->sets.every;

	return (sampling->sets.every == 1 || s->open) && seen_all > reported ? seen_all : reported;
}

/* By the best figure that is known: references outside windows, instructions outside windows, time,
 * or the requested ratio. */
static double time_scale(const struct ms_estimate_sums *s,
			 const struct ms_stream_sampling *sampling, double seen)
{
	double in = in_windows(s, sampling, seen), time = (double)s->in.nanoseconds;

	if (is_counted(s) && in > 0)
		return 1 + (double)s->out.references / in;
	if (s->in.instructions != MS_WIRE_NOT_KNOWN && s->out.instructions != MS_WIRE_NOT_KNOWN &&
	    s->in.instructions > 0)
		return 1 + (double)s->out.instructions / (double)s->in.instructions;
	if (s->in.references == s->in.nanoseconds)
		time = in;
	if (s->in.nanoseconds != MS_WIRE_NOT_KNOWN && s->out.nanoseconds != MS_WIRE_NOT_KNOWN &&
	    time > 0)
		return 1 + (double)s->out.nanoseconds / time;
	return 1 / sampling->ratio;
}

double ms_estimate_total_refs(const struct ms_estimate_sums *s,
			      const struct ms_stream_sampling *sampling, double seen)
{
	if (is_counted(s))
		return in_windows(s, sampling, seen) + (double)s->out.references;
	if (s->in.references == s->in.nanoseconds && s->out.nanoseconds != MS_WIRE_NOT_KNOWN)
		return in_windows(s, sampling, seen) + (double)s->out.nanoseconds;
	if (s->in.references != MS_WIRE_NOT_KNOWN)
		return time_scale(s, sampling, seen) * (double)s->in.references;
	return time_scale(s, sampling, seen) * seen * (double)sampling->sets.every;
}

static void add_total(struct ms_estimate_stratum *into, const struct ms_estimate_stratum *more)
{
	into->total += more->total;
	into->low += more->low;
	into->high += more->high;
}

/* A stratum without simulated references is joined to the one before it, or else after it. */
static void join_empty(struct ms_estimate_scale *scale)
{
	struct ms_estimate_stratum before = { .total = 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < scale->strata; i++) {
		struct ms_estimate_stratum *s = &scale->stratum[i];

		if (s->seen == 0 && n > 0)
			add_total(&scale->stratum[n - 1], s);
		else if (s->seen == 0)
			add_total(&before, s);
		if (s->seen == 0)
			continue;
		add_total(s, &before);
		before = (struct ms_estimate_stratum){ .total = 0 };
		scale->stratum[n++] = *s;
	}
	scale->strata = n;
}

/* Where some sets are seen all the time: as many times as there are of them, and longer than it was
 * followed. */
static double by_sets(const struct ms_estimate_scale *scale, const struct window_source *c,
		      double seen)
{
	const struct ms_estimate_sums *sums = &c->windows->strata[0];
	double every = (double)c->sampling->sets.every;
	double in = sums->in.references == MS_WIRE_NOT_KNOWN ? seen * every
							     : in_windows(sums, c->sampling, seen);

	return in > 0 ? every * scale->total / in : every;
}

static void finish_stratum(struct ms_estimate_scale *scale, struct ms_estimate_stratum *s)
{
	s->counts = s->total > (double)s->seen ? s->total / (double)s->seen : 1;
	for (uint32_t p = 0; p < s->parts.n; p++)
		scale->by_part[s->parts.first + p] = s->counts;
}

static void add_seen(struct ms_estimate_stratum *s, const struct ms_engine_windows_totals *sampled)
{
	for (size_t i = 0; i < sampled->references.n; i++)
		if (sampled->references.at[i].part - s->parts.first < s->parts.n)
			s->seen += sampled->references.at[i].references;
}

/*
 * References are not counted where a program runs natively between windows. Over the programs of
 * `make bench`, the true number is at least this part of the estimate by time. With few windows,
 * much of the code was new to the tracer when it was timed, and the true number may be twice as
 * large. The same holds for a short program with any number of windows, unless its start was
 * counted, so that its code had been translated. Threads that contend for a line are slower
 * together than the one that is timed. docs/design/sampling.md has the figures.
 */
static const double least_by_time = 0.85, least_of_threads = 0.5, few_windows = 8;
static const double new_code = 10e6; /* references before a window whose timing is meaningful */

static double few_of(const struct window_source *c, unsigned stratum, double by_time)
{
	bool begins =
		stratum == 0 && c->sampling->head == 0 && c->windows->strata[stratum].counted == 0;
	double n = (double)c->windows->strata[stratum].gaps.n;

	return 1 + few_windows / (1 + (begins && by_time / new_code < n ? by_time / new_code : n));
}

static double sum_by_time(const struct ms_estimate_sums *s)
{
	double by_time = 0;

	for (size_t i = 0; i < s->gaps.n; i++)
		by_time += s->gaps.at[i].by_time;
	return by_time;
}

/* The references between windows that were not counted. */
static struct ms_estimate_interval between_windows(const struct window_source *c, unsigned stratum)
{
	const struct ms_estimate_sums *s = &c->windows->strata[stratum];
	const struct ms_estimate_gap_range range = {
		.least = c->windows->has_threads ? least_of_threads : least_by_time,
		.few = few_of(c, stratum, sum_by_time(s)),
		.threads = c->windows->has_threads,
	};
	struct ms_estimate_interval estimate =
		ms_estimate_between_windows(s->gaps.at, s->gaps.n, &range);

	if (s->gaps.n <= 1)
		estimate.low = 0;
	return estimate;
}

/*
 * A front-end that counts reports two things at the program's end: the references after the last
 * window, and how often each exit was taken outside windows. Both are missing if the program was
 * killed. It had not reached its next window, so at most the largest distance of two windows is
 * missing.
 */
static double most_after_last(const struct window_source *c)
{
	const struct ms_estimate_sums *s = &c->windows->strata[c->windows->stratum];
	double period = s->period != 0 ? (double)s->period
				       : (double)c->sampling->window / c->sampling->ratio;

	if (c->windows->outside.n > 0 || !s->counts || s->counted == 0)
		return 0;
	return 2 * (ms_stream_sampling_is_planned(c->sampling)
			    ? period
			    : (double)ms_wire_shorter((uint64_t)period, c->sampling->halved,
						      c->windows->closed));
}

/* The program may have been killed anywhere: on average half-way between two windows. */
static void add_after_last(struct ms_estimate_scale *scale, const struct window_source *c)
{
	struct ms_estimate_stratum *last = &scale->stratum[c->windows->stratum];
	double most = most_after_last(c), usual = most / 4;

	if (last->total > 0)
		last->time *= 1 + usual / last->total;
	last->total += usual;
	last->high += most;
	scale->exact &= !(most > 0);
}

static void size_stratum(struct ms_estimate_stratum *s, const struct window_source *c,
			 unsigned stratum)
{
	const struct ms_estimate_interval gaps = between_windows(c, stratum);
	struct ms_estimate_sums sums = c->windows->strata[stratum];

	if (sums.gaps.n > 0)
		sums.out.nanoseconds +=
			ms_round_u64(gaps.references) - ms_round_u64(sum_by_time(&sums));
	s->time = time_scale(&sums, c->sampling, (double)s->seen);
	s->total = ms_estimate_total_refs(&sums, c->sampling, (double)s->seen);
	s->low = s->total - gaps.references + gaps.low;
	s->high = s->total - gaps.references + gaps.high;
}

/* How often spin loops iterate is a matter of timing: from never to as often as they did. */
static void add_spin_loops(struct ms_estimate_scale *scale, const struct window_source *c)
{
	struct ms_estimate_stratum *last = &scale->stratum[c->windows->stratum];
	const uint64_t outside = c->windows->wait_outside, not_counted = c->windows->wait_skipped;
	double skipped = (double)not_counted;
	/* References that were not counted are recorded for the block where the loop was detected,
	 * not for each block of the loop: only the sums are meaningful. */
	double counted = outside > not_counted ? (double)(outside - not_counted) : 0;

	last->low -= counted < last->low ? counted : last->low;
	last->high += skipped;
	scale->exact &= !(skipped > 0);
}

static void add_totals(struct ms_estimate_scale *scale, const struct window_source *c)
{
	add_after_last(scale, c);
	add_spin_loops(scale, c);
	for (unsigned i = 0; i < scale->strata; i++) {
		scale->total += scale->stratum[i].total;
		scale->low += scale->stratum[i].low;
		scale->high += scale->stratum[i].high;
	}
}

struct ms_estimate_scale ms_estimate_find_scale(const struct ms_estimate_windows *windows,
						const struct ms_stream_sampling *sampling,
						const struct ms_engine_windows_totals *sampled,
						uint64_t seen)
{
	const struct window_source source = { windows, sampling }, *c = &source;
	struct ms_estimate_scale scale = { .exact = true, .strata = c->windows->stratum + 1 };
	double in = 0, meant;

	for (unsigned i = 0; i < scale.strata; i++)
		scale.exact &= is_counted(&c->windows->strata[i]);
	for (unsigned i = 0; i < scale.strata; i++) {
		struct ms_estimate_stratum *s = &scale.stratum[i];

		s->parts = ms_estimate_find_parts(c->sampling, i);
		s->window = c->windows->strata[i].window != 0 ? c->windows->strata[i].window
							      : c->sampling->window;
		add_seen(s, sampled);
		size_stratum(s, c, i);
	}
	add_totals(&scale, c);
	meant = scale.stratum[0].time;
	join_empty(&scale);
	for (unsigned i = 0; i < scale.strata; i++) {
		finish_stratum(&scale, &scale.stratum[i]);
		in += scale.stratum[i].total / scale.stratum[i].time;
	}
	scale.counts = ms_stream_sampling_is_by_sets(c->sampling) ? by_sets(&scale, c, (double)seen)
		       : seen > 0                                 ? scale.total / (double)seen
								  : meant;
	scale.references = seen > 0 ? scale.total / (double)seen : scale.counts;
	if (scale.counts < 1)
		scale.counts = 1; /* a stream that is wrong about itself */
	scale.time = scale.strata > 1 && in > 0 ? scale.total / in : meant;
	return scale;
}

uint64_t ms_estimate_scale_count(uint64_t n, double scale)
{
	return ms_round_u64((double)n * scale);
}

void ms_estimate_set_refs(struct ms_estimate_windows *windows,
			  const struct ms_stream_sampling *sampling, uint64_t refs)
{
	struct ms_estimate_sums *all = &windows->strata[0];

	if (!ms_estimate_lacks_refs(windows, sampling) || refs == 0)
		return; /* 0: the front-end reports them at the end, but was killed before */
	all->in.references = all->in.nanoseconds = refs;
	if (all->out.nanoseconds == 0) /* there was no time in which it was not followed */
		all->out.references = 0;
	all->open = false;
}

bool ms_estimate_lacks_refs(const struct ms_estimate_windows *windows,
			    const struct ms_stream_sampling *sampling)
{
	return ms_stream_sampling_is_by_sets(sampling) && windows->strata[0].in.references == 0;
}
