/*
 * analysis/diff/speedup.c - predicts from the timing model how much faster a program has become:
 * the ratio of the total estimated times; of jobs, those of the slowest ranks. What ranks of MPI
 * take to poll for each other is no work, and varies from run to run.
 */
#include <math.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/diff_priv.h"

/* Times of several processors add up to work, not to elapsed time. */
static bool are_timed(const struct ms_diff_side *side)
{
	for (size_t i = 0; i < side->n; i++)
		if ((!ms_run_is_timed(side->runs[i]) && !ms_run_has_measured_time(side->runs[i])) ||
		    side->runs[i]->processors > 1)
			return false;
	return true;
}

static bool are_measured(const struct ms_diff_side *side)
{
	for (size_t i = 0; i < side->n; i++)
		if (!ms_run_has_measured_time(side->runs[i]))
			return false;
	return true;
}

/* All runs of a side have the clock of its first. */
static double milliseconds(const struct ms_diff_side *side, double cycles)
{
	uint32_t clock = side->runs[0]->clock_mhz;

	if (clock == 0 && ms_run_has_measured_time(side->runs[0]))
		clock = 1000; /* a cycle is a nanosecond */
	return clock > 0 ? cycles / (1000.0 * clock) : NAN;
}

static double ratio(double before, double after)
{
	return after > 0 ? before / after : INFINITY;
}

static bool is_exact(const struct ms_diff_side *side)
{
	return side->n == 1 && side->runs[0]->samplings.n == 0 &&
	       !ms_run_has_measured_time(side->runs[0]);
}

/* The error of the ratio, relative to it. That of the difference is known: one side has it, or both
 * contribute alike. */
static double relative_error(const struct ms_diff *diff, const struct ms_diff_change *c)
{
	double before = c->noise / c->before, after = c->noise / c->after;

	if (is_exact(&diff->sides[0]))
		return after;
	return is_exact(&diff->sides[1]) ? before : hypot(before, after) / M_SQRT2;
}

static double slowest_rank(const struct ms_diff_side *side)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < side->n; i++) {
		const struct ms_run *run = side->runs[i];
		uint64_t slowest = 0;

		for (size_t k = 0; k < run->rank_rows.n; k++) {
			const struct ms_run_rank *r = &run->rank_rows.at[k];

			if (r->state == MS_RANK_MERGED && r->compute + r->stall > slowest)
				slowest = r->compute + r->stall;
		}
		sum += slowest;
	}
	return (double)sum / (double)side->n;
}

/* Without what functions of MPI take that poll. */
static struct ms_diff_change work_change(const struct ms_diff *diff)
{
	const struct ms_diff_rows *codes = &diff->lists[MS_DIFF_CODE];
	struct ms_diff_change c = diff->total.changes[MS_DIFF_CYCLES];

	for (size_t i = 0; i < codes->at.n; i++) {
		const struct ms_diff_row *row = &codes->at.at[i];

		if (row->is_mpi_waiting) {
			c.before -= row->changes[MS_DIFF_CYCLES].before;
			c.after -= row->changes[MS_DIFF_CYCLES].after;
		}
	}
	return c;
}

static struct ms_diff_change time_change(const struct ms_diff *diff)
{
	double before = slowest_rank(&diff->sides[0]), after = slowest_rank(&diff->sides[1]);

	return before > 0 && after > 0
		       ? (struct ms_diff_change){ .before = before, .after = after, .noise = NAN }
		       : work_change(diff);
}

struct ms_diff_speedup ms_diff_predict_speedup(const struct ms_diff *diff)
{
	const struct ms_diff_change change = time_change(diff), *c = &change;
	/* A measured and an estimated time are not compared. */
	bool before = are_measured(&diff->sides[0]), after = are_measured(&diff->sides[1]);
	struct ms_diff_speedup s = { .known = are_timed(&diff->sides[0]) &&
					      are_timed(&diff->sides[1]) && before == after &&
					      c->before > 0 && c->after > 0,
				     .measured = before };

	if (!s.known)
		return s;
	s.milliseconds[0] = milliseconds(&diff->sides[0], c->before);
	s.milliseconds[1] = milliseconds(&diff->sides[1], c->after);
	s.times = ratio(c->before, c->after);
	if (isfinite(s.milliseconds[0]) && isfinite(s.milliseconds[1]))
		s.times = ratio(s.milliseconds[0], s.milliseconds[1]);
	s.low = s.high = NAN;
	if (diff->noisy && isfinite(c->noise)) {
		double error = relative_error(diff, c);

		s.low = s.times / (1 + error);
		s.high = s.times * (1 + error);
	}
	return s;
}
