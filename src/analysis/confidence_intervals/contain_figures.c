/*
 * analysis/confidence_intervals/contain_figures.c - the figures of an entry are in its intervals.
 *
 * Figures are whole numbers, rounded cell by cell; intervals are made of what windows have seen.
 * Where all of it was seen, and an interval has no width, rounding alone would have the figure
 * outside.
 */
#include <math.h>

#include "analysis/confidence_intervals/intervals_priv.h"

static void contain(struct ms_intervals_bounds *b, double figure)
{
	if (isnan(b->low) || isnan(b->high) || isnan(figure))
		return;
	b->low = figure < b->low ? figure : b->low;
	b->high = figure > b->high ? figure : b->high;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : NAN;
}

void ms_intervals_contain(struct ms_intervals_entry *e, const struct ms_summary *whole,
			  const struct ms_summary_counts *counts)
{
	const struct ms_summary_counts *all = &whole->total.counts;
	uint64_t references = ms_summary_rw_sum(counts->references),
		 stall = ms_summary_rw_sum(counts->stall);

	/* With --misses-only, the references of data are not known. */
	if (references > 0)
		contain(&e->references, ratio(references, ms_summary_rw_sum(all->references)));
	contain(&e->stall, ratio(stall, ms_summary_rw_sum(all->stall)));
	contain(&e->cycles, (double)stall);
	contain(&e->average, ratio(stall, references));
	for (size_t i = 0; i < whole->run->levels.n; i++) {
		struct ms_intervals_level *l = &e->levels[i];
		uint64_t misses = ms_summary_rw_sum(counts->levels[i].misses);

		contain(&l->misses, (double)misses);
		contain(&l->rate, ratio(misses, references));
		contain(&l->share, ratio(misses, ms_summary_rw_sum(all->levels[i].misses)));
		for (int k = 0; k < MS_CAUSES; k++)
			contain(&l->causes[k], (double)counts->levels[i].causes[k]);
	}
}
