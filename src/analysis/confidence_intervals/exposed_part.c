/*
 * analysis/confidence_intervals/exposed_part.c - intervals of the stall time of an out-of-order
 * core, from those of the latency of its misses.
 *
 * The part of the latency that is exposed was observed in some batches of windows. When a window
 * opens, caches, TLB and prefetchers have not the state that they have in the whole program there,
 * and their first misses are not those of the program. Parts of the windows do not differ by that:
 * it is an error of the model. Its standard error was measured against whole simulations
 * (docs/design/sampling-intervals.md).
 */
#include <math.h>

#include "analysis/confidence_intervals/part_weights.h"

/* Of a part p that is exposed, in sqrt(p (1 - p)); and of that of first uses of lines, of which
 * windows have simulated others than the program has. */
static const double part_error = 0.05, first_error = 0.25;
/* Of an entry that is a part of the run, beside the root of how small a part it is. */
static const double entry_error = 2;
static const double quantile = 1.96;

static double exposed_ratio(const struct ms_run *run, const struct ms_summary_counts *c)
{
	uint64_t latency = ms_summary_latency(c, run->levels.n);

	return latency > 0 ? (double)ms_summary_rw_sum(c->stall) / (double)latency : 0;
}

/* Cycles that the processor would wait if it could hide nothing. */
static double most_stall(const struct ms_run *run, const struct ms_summary_counts *c)
{
	return (double)(ms_summary_latency(c, run->levels.n) + c->timing.walk_cycles +
			c->timing.bandwidth_cycles);
}

static double deviation(double exposed, double all)
{
	double part = all > 0 ? fmin(exposed / all, 1) : 0;

	return sqrt(part * (1 - part)) * all;
}

/* Of the exposed cycles of first uses, which the memory answers. */
static double first_use_deviation(const struct ms_run *run, const struct ms_summary_counts *c)
{
	const struct ms_summary_level_counts *last = &c->levels[run->levels.n - 1];
	uint64_t misses = ms_summary_rw_sum(last->misses);
	double first = misses > 0 ? (double)last->causes[MS_CAUSE_FIRST] / (double)misses : 0;
	const struct ms_summary_level_cycles *cycles = &last->cycles;

	return first *
	       deviation((double)cycles->exposed,
			 (double)(cycles->exposed + cycles->prefetched + cycles->overlapped));
}

/* Half the width of the 95 % interval of the entry's stall cycles, of this error alone. */
static double exposed_error(const struct ms_summary *whole, const struct ms_summary_counts *c)
{
	const struct ms_run *run = whole->run;
	double own = most_stall(run, c), all = most_stall(run, &whole->total.counts);
	double factor =
		own > 0 && own < all ? fmin(entry_error * sqrt(all / own), 1 / part_error) : 1;

	return quantile * hypot(fmin(factor * part_error, 1) *
					deviation((double)ms_summary_rw_sum(c->stall), own),
				fmin(factor * first_error, 1) * first_use_deviation(run, c));
}

static void scale(struct ms_intervals_bounds *b, double factor, double most)
{
	b->low *= factor;
	b->high = b->high * factor > most ? most : b->high * factor;
}

/* Both errors are independent. */
static void widen(struct ms_intervals_bounds *b, double figure, double error, double most)
{
	double low = figure - hypot(figure - b->low, error),
	       high = figure + hypot(b->high - figure, error);

	if (isnan(b->low) || isnan(b->high))
		return;
	*b = (struct ms_intervals_bounds){ low > 0 ? low : 0, high < most ? high : most };
}

/* In the share of an entry, its own error moves both, that of the others the whole. */
static double share_error(double share, double own, double all)
{
	double others = all > own ? sqrt(all * all - own * own) : 0;

	return hypot((1 - share) * own, share * others);
}

void ms_intervals_expose(const struct ms_summary *whole, const struct ms_summary_counts *figures,
			 struct ms_intervals_entry *e)
{
	const struct ms_summary_counts *total = &whole->total.counts;
	double own = exposed_ratio(whole->run, figures), all = exposed_ratio(whole->run, total);

	if (!ms_run_is_timed(whole->run))
		return;
	double stall = (double)ms_summary_rw_sum(figures->stall),
	       total_stall = (double)ms_summary_rw_sum(total->stall),
	       references = (double)ms_summary_rw_sum(figures->references);
	double error = exposed_error(whole, figures);
	bool is_whole = stall >= total_stall;

	scale(&e->cycles, own, INFINITY);
	scale(&e->average, own, INFINITY);
	widen(&e->cycles, stall, error, INFINITY);
	if (references > 0)
		widen(&e->average, stall / references, error / references, INFINITY);
	if (!(all > 0))
		return;
	scale(&e->stall, own / all, 1);
	if (total_stall > 0 && !is_whole)
		widen(&e->stall, stall / total_stall,
		      share_error(stall / total_stall, error, exposed_error(whole, total)) /
			      total_stall,
		      1);
}
