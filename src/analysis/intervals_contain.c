/*
 * analysis/intervals_contain.c - the figures of an entry are in its intervals.
 *
 * Figures are whole numbers, rounded cell by cell; intervals are made of what windows have seen.
 * Where all of it was seen, and an interval has no width, rounding alone would have the figure
 * outside.
 */
#include <math.h>

#include "analysis/intervals_priv.h"

static void contain(struct ms_bounds *b, double figure)
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

void ms_intervals_contain(struct ms_entry_intervals *e, const struct ms_summary *whole,
			  const struct ms_counts *counts)
{
	const struct ms_counts *all = &whole->total.counts;
	uint64_t references = ms_both(counts->references), stall = ms_both(counts->stall);

	/* Of data they are not known where only misses were looked up. */
	if (references > 0)
		contain(&e->references, ratio(references, ms_both(all->references)));
	contain(&e->stall, ratio(stall, ms_both(all->stall)));
	contain(&e->cycles, (double)stall);
	contain(&e->average, ratio(stall, references));
	for (size_t i = 0; i < whole->run->levels.n; i++) {
		struct ms_level_intervals *l = &e->levels[i];
		uint64_t misses = ms_both(counts->levels[i].misses);

		contain(&l->misses, (double)misses);
		contain(&l->rate, ratio(misses, references));
		contain(&l->share, ratio(misses, ms_both(all->levels[i].misses)));
		for (int k = 0; k < MS_CAUSES; k++)
			contain(&l->causes[k], (double)counts->levels[i].causes[k]);
	}
}
