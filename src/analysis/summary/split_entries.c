/*
 * analysis/summary/split_entries.c - the measured stall of each entry of a joined run, split by the
 * causes that were simulated.
 *
 * A bin is split by its own simulation. Functions, data and the total are the sums of their bins,
 * so that what is unexplained in a bin is unexplained there as well. Lines are split on their own.
 * Samples do not know simulated processors: with several, each has the share of the measured time
 * that it has of the simulated one.
 */
#include "analysis/summary/summary.h"
#include "base/num.h"

static void split_list(const struct ms_summary *s, struct ms_summary_entries *entries)
{
	for (size_t i = 0; i < entries->at.n; i++)
		ms_summary_split_measured(&entries->at.at[i].counts, &s->total.counts,
					  s->run->levels.n);
}

static void clear_list(struct ms_summary_entries *entries, size_t levels)
{
	for (size_t i = 0; i < entries->at.n; i++)
		ms_summary_clear_parts(&entries->at.at[i].counts, levels);
}

static void add_bins(struct ms_summary *s, const uint32_t *reason_of)
{
	size_t levels = s->run->levels.n;

	clear_list(&s->code, levels);
	clear_list(&s->data, levels);
	clear_list(&s->reasons, levels);
	ms_summary_clear_parts(&s->total.counts, levels);
	for (size_t i = 0; i < s->bins.at.n; i++) {
		struct ms_summary_entry *bin = &s->bins.at.at[i];
		uint32_t reason = reason_of[bin->data];

		ms_summary_add_parts(&s->total.counts, &bin->counts, levels);
		ms_summary_add_parts(&s->code.at.at[bin->code].counts, &bin->counts, levels);
		ms_summary_add_parts(&s->data.at.at[bin->data].counts, &bin->counts, levels);
		if (reason != MS_NONE)
			ms_summary_add_parts(&s->reasons.at.at[reason].counts, &bin->counts,
					     levels);
	}
}

/* `part` of `of` belongs to a processor: so much of what was measured. */
static uint64_t share_of(uint64_t measured, uint64_t part, uint64_t of)
{
	return of > 0 ? ms_round_u64((double)measured * ((double)part / (double)of)) : 0;
}

static void split_processors(struct ms_summary *s)
{
	const struct ms_summary_counts *total = &s->total.counts;
	uint64_t stall = ms_summary_rw_sum(total->estimated.stall);

	for (size_t p = 0; p < s->processors.at.n; p++) {
		struct ms_summary_counts *c = &s->processors.at.at[p].counts;

		for (int rw = 0; rw < MS_RW && s->processors.at.n > 1; rw++)
			c->stall[rw] = share_of(ms_summary_rw_sum(total->stall),
						c->estimated.stall[rw], stall);
		if (s->processors.at.n > 1)
			c->compute = share_of(total->compute, c->estimated.compute,
					      total->estimated.compute);
	}
	split_list(s, &s->processors);
}

void ms_summary_split_entries(struct ms_summary *s, const uint32_t *reason_of)
{
	split_list(s, &s->bins);
	split_list(s, &s->lines);
	add_bins(s, reason_of);
	split_processors(s);
}
