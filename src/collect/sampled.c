#include "collect/sampled.h"

#include <stdlib.h>

#include "base/num.h"
#include "collect/collect_priv.h"

void ms_sampled_add(struct ms_wire_window *sum, const struct ms_wire_window *more)
{
	uint64_t *into[] = { &sum->references, &sum->instructions, &sum->nanoseconds };
	const uint64_t from[] = { more->references, more->instructions, more->nanoseconds };

	for (unsigned i = 0; i < MS_COUNT(into); i++)
		*into[i] = *into[i] == MS_WIRE_NOT_KNOWN || from[i] == MS_WIRE_NOT_KNOWN
				   ? MS_WIRE_NOT_KNOWN
				   : *into[i] + from[i];
}

static bool is_counted(const struct sampled_sums *s)
{
	return s->in.references != MS_WIRE_NOT_KNOWN && s->out.references != MS_WIRE_NOT_KNOWN;
}

struct sampled_parts ms_sampled_parts(const struct ms_stream_sampling *sampling, uint32_t stratum)
{
	enum { LATER = 4 }; /* for windows that are rarer, and for those that are not any more */
	const uint32_t head = sampling->head != 0;
	const struct sampled_parts parts[] = {
		{ 0, 1 },
		{ head, MS_ENGINE_WINDOWS_PARTS - 2 * LATER - head },
		{ MS_ENGINE_WINDOWS_PARTS - 2 * LATER, LATER },
		{ MS_ENGINE_WINDOWS_PARTS - LATER, LATER },
	};

	if (!ms_stream_sampling_is_planned(sampling))
		return (struct sampled_parts){ 0, MS_ENGINE_WINDOWS_PARTS };
	return parts[stratum + 1 - head];
}

/* The last one may not have come to its end, and where only some sets are seen, it is the only one:
 * then nothing better is known than what was seen of them. */
static double in_windows(const struct sampled_sums *s, const struct ms_stream_sampling *sampling,
			 double seen)
{
	double told = (double)s->in.references, met = seen * (double)sampling->sets.every;

	return (sampling->sets.every == 1 || s->open) && met > told ? met : told;
}

/* What is known best: references left out, instructions left out, time, or how it was meant. */
static double time_scale(const struct sampled_sums *s, const struct ms_stream_sampling *sampling,
			 double seen)
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

double ms_sampled_total(const struct sampled_sums *s, const struct ms_stream_sampling *sampling,
			double seen)
{
	if (is_counted(s))
		return in_windows(s, sampling, seen) + (double)s->out.references;
	if (s->in.references == s->in.nanoseconds && s->out.nanoseconds != MS_WIRE_NOT_KNOWN)
		return in_windows(s, sampling, seen) + (double)s->out.nanoseconds;
	if (s->in.references != MS_WIRE_NOT_KNOWN)
		return time_scale(s, sampling, seen) * (double)s->in.references;
	return time_scale(s, sampling, seen) * seen * (double)sampling->sets.every;
}

static void add_total(struct sampled_stratum *into, const struct sampled_stratum *more)
{
	into->total += more->total;
	into->low += more->low;
	into->high += more->high;
}

/* A stratum without simulated references is joined to the one before it, or else after it. */
static void join_empty(struct sampled_scale *scale)
{
	struct sampled_stratum before = { .total = 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < scale->strata; i++) {
		struct sampled_stratum *s = &scale->stratum[i];

		if (s->seen == 0 && n > 0)
			add_total(&scale->stratum[n - 1], s);
		else if (s->seen == 0)
			add_total(&before, s);
		if (s->seen == 0)
			continue;
		add_total(s, &before);
		before = (struct sampled_stratum){ .total = 0 };
		scale->stratum[n++] = *s;
	}
	scale->strata = n;
}

/* Where some sets are seen all the time: as many times as there are of them, and longer than it was
 * followed. */
static double by_sets(const struct sampled_scale *scale, const struct collector *c, double seen)
{
	const struct sampled_sums *sums = &c->windows.strata[0];
	double every = (double)c->setup.sampling->sets.every;
	double in = sums->in.references == MS_WIRE_NOT_KNOWN
			    ? seen * every
			    : in_windows(sums, c->setup.sampling, seen);

	return in > 0 ? every * scale->total / in : every;
}

static void finish_stratum(struct sampled_scale *scale, struct sampled_stratum *s)
{
	s->counts = s->total > (double)s->seen ? s->total / (double)s->seen : 1;
	for (uint32_t p = 0; p < s->parts.n; p++)
		scale->by_part[s->parts.first + p] = s->counts;
}

static void add_seen(struct sampled_stratum *s, const struct ms_engine_windows_totals *sampled)
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
static const double least_told = 0.85, least_of_threads = 0.5, few_windows = 8;
static const double new_code = 10e6; /* references before a window whose timing is meaningful */

static double few_of(const struct collector *c, unsigned stratum, double told)
{
	bool begins = stratum == 0 && c->setup.sampling->head == 0 &&
		      c->windows.strata[stratum].counted == 0;
	double n = (double)c->windows.strata[stratum].gaps.n;

	return 1 + few_windows / (1 + (begins && told / new_code < n ? told / new_code : n));
}

static double told_by_time(const struct sampled_sums *s)
{
	double told = 0;

	for (size_t i = 0; i < s->gaps.n; i++)
		told += s->gaps.at[i].told;
	return told;
}

/* The references between windows that were not counted. */
static struct gaps_estimate between_windows(const struct collector *c, unsigned stratum)
{
	const struct sampled_sums *s = &c->windows.strata[stratum];
	const struct gaps_range range = {
		.least = c->windows.has_threads ? least_of_threads : least_told,
		.few = few_of(c, stratum, told_by_time(s)),
		.threads = c->windows.has_threads,
	};
	struct gaps_estimate estimate = ms_gaps_estimate(s->gaps.at, s->gaps.n, &range);

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
static double most_behind(const struct collector *c)
{
	const struct sampled_sums *s = &c->windows.strata[c->windows.stratum];
	double period = s->period != 0
				? (double)s->period
				: (double)c->setup.sampling->window / c->setup.sampling->ratio;

	if (c->windows.outside.n > 0 || !s->counts || s->counted == 0)
		return 0;
	return 2 * (ms_stream_sampling_is_planned(c->setup.sampling)
			    ? period
			    : (double)ms_wire_shorter((uint64_t)period, c->setup.sampling->halved,
						      c->plan.closed));
}

/* The program may have been killed anywhere: on average half-way between two windows. */
static void add_behind(struct sampled_scale *scale, const struct collector *c)
{
	struct sampled_stratum *last = &scale->stratum[c->windows.stratum];
	double most = most_behind(c), usual = most / 4;

	if (last->total > 0)
		last->time *= 1 + usual / last->total;
	last->total += usual;
	last->high += most;
	scale->exact &= !(most > 0);
}

static void size_stratum(struct sampled_stratum *s, const struct collector *c, unsigned stratum)
{
	const struct gaps_estimate gaps = between_windows(c, stratum);
	struct sampled_sums sums = c->windows.strata[stratum];

	if (sums.gaps.n > 0)
		sums.out.nanoseconds +=
			ms_round_u64(gaps.references) - ms_round_u64(told_by_time(&sums));
	s->time = time_scale(&sums, c->setup.sampling, (double)s->seen);
	s->total = ms_sampled_total(&sums, c->setup.sampling, (double)s->seen);
	s->low = s->total - gaps.references + gaps.low;
	s->high = s->total - gaps.references + gaps.high;
}

/* How often loops that wait go round is a matter of timing: from never to as often as they did. */
static void add_wait_loops(struct sampled_scale *scale, const struct collector *c)
{
	struct sampled_stratum *last = &scale->stratum[c->windows.stratum];
	double skipped = (double)ms_wait_loops_skipped(c);
	double counted = (double)ms_wait_loops_counted(c);

	last->low -= counted < last->low ? counted : last->low;
	last->high += skipped;
	scale->exact &= !(skipped > 0);
}

static void add_totals(struct sampled_scale *scale, const struct collector *c)
{
	add_behind(scale, c);
	add_wait_loops(scale, c);
	for (unsigned i = 0; i < scale->strata; i++) {
		scale->total += scale->stratum[i].total;
		scale->low += scale->stratum[i].low;
		scale->high += scale->stratum[i].high;
	}
}

struct sampled_scale ms_sampled_scale(const struct collector *c,
				      const struct ms_engine_windows_totals *sampled, uint64_t seen)
{
	struct sampled_scale scale = { .exact = true, .strata = c->windows.stratum + 1 };
	double in = 0, meant;

	for (unsigned i = 0; i < scale.strata; i++)
		scale.exact &= is_counted(&c->windows.strata[i]);
	for (unsigned i = 0; i < scale.strata; i++) {
		struct sampled_stratum *s = &scale.stratum[i];

		s->parts = ms_sampled_parts(c->setup.sampling, i);
		s->window = c->windows.strata[i].window != 0 ? c->windows.strata[i].window
							     : c->setup.sampling->window;
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
	scale.counts = ms_sampling_is_by_sets(c->setup.sampling) ? by_sets(&scale, c, (double)seen)
		       : seen > 0                                ? scale.total / (double)seen
								 : meant;
	scale.references = seen > 0 ? scale.total / (double)seen : scale.counts;
	if (scale.counts < 1)
		scale.counts = 1; /* a stream that is wrong about itself */
	scale.time = scale.strata > 1 && in > 0 ? scale.total / in : meant;
	return scale;
}

uint64_t ms_sampled_times(uint64_t n, double scale)
{
	return ms_round_u64((double)n * scale);
}

/* --- rows --- */

static void add_levels(const struct ms_engine_windows_totals *s, struct ms_run *run)
{
	for (uint32_t l = 0; l < s->levels.n; l++)
		*ms_vec_add(&run->sampled_levels) =
			(struct ms_run_sampled_level){ l, s->levels.at[l].frames,
						       s->levels.at[l].unknown };
}

static int by_level_data(const void *a, const void *b)
{
	const struct ms_run_sampled_life *x = a, *y = b;
	int c = ms_cmp_u64(x->level, y->level);

	return c != 0 ? c : ms_cmp_u64(x->data, y->data);
}

static void add_lives(const struct ms_engine_windows_totals *s, struct ms_run *run,
		      struct naming *naming)
{
	for (size_t i = 0; i < s->lives.n; i++) {
		const struct ms_engine_windows_total_life *l = &s->lives.at[i];

		*ms_vec_add(&run->sampled_lives) =
			(struct ms_run_sampled_life){ l->level, ms_result_data(naming, l->data),
						      l->generations, l->dead, l->whole };
	}
	if (run->sampled_lives.n > 1)
		qsort(run->sampled_lives.at, run->sampled_lives.n, sizeof(*run->sampled_lives.at),
		      by_level_data);
}

/* Of these parts nothing was left out before, so what was never seen was never used: it is known to
 * have missed. */
void ms_result_sampled_counts(const struct collector *c, const struct ms_engine_windows_totals *s,
			      struct ms_run *run)
{
	const struct ms_stream_sampling *sampling = c->setup.sampling;
	uint32_t parts = sampling->ratio >= 1  ? MS_ENGINE_WINDOWS_PARTS
			 : sampling->head != 0 ? 1
					       : 0;

	ms_vec_reserve(&run->sampled_references, s->references.n);
	ms_vec_reserve(&run->sampled_misses, s->counts.n);
	for (size_t i = 0; i < s->references.n; i++)
		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ s->references.at[i].cell,
							   s->references.at[i].part,
							   s->references.at[i].references };
	for (size_t i = 0; i < s->counts.n; i++) {
		const struct ms_engine_windows_total_count *count = &s->counts.at[i];
		bool all = count->part < parts;

		*ms_vec_add(&run->sampled_misses) = (struct ms_run_sampled_miss){
			.cell = count->cell,
			.level = count->level,
			.part = count->part,
			.known = all ? count->known + count->unknown_misses : count->known,
			.unknown_hits = all ? 0 : count->unknown_hits,
			.unknown_misses = all ? 0 : count->unknown_misses,
			.unseen_known = all ? count->unseen_known + count->unseen_unknown
					    : count->unseen_known,
			.unseen_unknown = all ? 0 : count->unseen_unknown,
			.lost = count->lost,
			.surely_lost = count->surely_lost,
		};
	}
}

/* The last stratum also gets the parts that belong to none. */
static void add_stratum(const struct sampled_scale *scale, unsigned i,
			const struct ms_run_sampling *all, struct ms_run *run)
{
	const struct sampled_stratum *s = &scale->stratum[i];
	struct ms_run_sampling row = *all;

	row.ratio = 1 / s->counts;
	row.window = s->window;
	row.windows = 0;
	row.references = s->seen;
	row.total = s->total;
	row.total_low = s->low;
	row.total_high = s->high;
	row.scale = s->counts;
	row.time_scale = s->time;
	row.parts = (i + 1 < scale->strata ? scale->stratum[i + 1].parts.first
					   : MS_ENGINE_WINDOWS_PARTS) -
		    (i > 0 ? s->parts.first : 0);
	*ms_vec_add(&run->samplings) = row;
}

/* Whoever counts between windows lets threads take turns: what is alone there was alone. */
static double alone(const struct collector *c, const struct sampled_scale *scale)
{
	const struct sampled_together *t = &c->windows.concurrency;

	return c->setup.machines[0]->processors > 1 && !scale->exact && t->references > 0
		       ? t->alone / t->references
		       : 0;
}

void ms_result_sampled(struct collector *c, const struct ms_engine_windows_totals *s,
		       const struct sampled_scale *scale, uint64_t seen, struct ms_run *run,
		       struct naming *naming)
{
	const struct ms_stream_sampling *sampling = c->setup.sampling;
	bool windows = sampling->ratio < 1;
	struct ms_run_sampling row = {
		.ratio = sampling->ratio,
		.window = windows ? sampling->window : 0,
		.sets = sampling->sets.every,
		.seed = sampling->seed,
		.windows = s->windows,
		.references = seen,
		.total = scale->total,
		.total_low = scale->low,
		.total_high = scale->high,
		.exact = scale->exact,
		.scale = scale->counts,
		.time_scale = scale->time,
		.parts = MS_ENGINE_WINDOWS_PARTS,
		.wanted = sampling->wanted,
		.alone = alone(c, scale),
	};

	if (scale->strata == 1 && scale->stratum[0].counts == 1)
		row.ratio = 1; /* the program was not longer than its head */
	*ms_vec_add(&run->samplings) = row;
	for (unsigned i = 0; i < scale->strata && scale->strata > 1; i++)
		add_stratum(scale, i, &row, run);
	add_levels(s, run);
	add_lives(s, run, naming);
}

/* --- whether, and which sets --- */

const char *ms_collect_no_sampling(const struct ms_machine *machine, bool sets)
{
	if (machine->processors > 1 && sets)
		return "of several processors windows are sampled, not sets";
	return ms_engine_windows_supports(machine)
		       ? NULL
		       : "it has levels that are not plain (LRU, write back, neither inclusive nor "
			 "exclusive, no prefetcher), which are simulated whole only";
}

struct ms_stream_sampler_sets ms_collect_set_groups(const struct ms_machine *const *machines,
						    size_t n)
{
	enum { MOST_BITS = 14 }; /* the limit of front-ends */
	struct ms_stream_sampler_sets common = { 0, UINT64_MAX, 1 };
	uint32_t end = 64;

	for (size_t i = 0; i < n; i++) {
		struct ms_engine_windows_sets sets = ms_engine_find_set_groups(machines[i]);
		uint32_t top = sets.shift + (uint32_t)__builtin_popcountll(sets.mask);

		if (sets.shift > common.shift)
			common.shift = sets.shift;
		if (top < end)
			end = top;
	}
	if (end > common.shift + MOST_BITS)
		end = common.shift + MOST_BITS;
	common.mask = end > common.shift ? (UINT64_C(1) << (end - common.shift)) - 1 : 0;
	return common;
}
