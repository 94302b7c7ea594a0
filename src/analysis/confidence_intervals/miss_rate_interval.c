/* analysis/confidence_intervals/miss_rate_interval.c - the interval of the miss rate of some cells,
 * as intervals.c has it. */
#include <math.h>

#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/confidence_intervals/part_weights.h"
#include "base/mem.h"

struct miss_rate_sums {
	double misses[MS_RUN_PARTS_MOST];
	double references[MS_RUN_PARTS_MOST];
	struct ms_intervals_unknown_refs unknown;
	double all_unknown; /* of cells that were not chosen, too */
};

static void add_references(const struct ms_run *run, const struct ms_intervals_strata *strata,
			   const double *cells, const bool *chosen, struct miss_rate_sums *s)
{
	for (size_t i = 0, to; i < run->sampled_references.n; i = to) {
		const struct ms_run_sampled_reference *r = run->sampled_references.at;
		double by_part[MS_RUN_PARTS_MOST] = { 0 };

		for (to = i; to < run->sampled_references.n && r[to].cell == r[i].cell; to++)
			by_part[r[to].part] += cells[r[i].cell] * (double)r[to].references;
		ms_intervals_strata_references(strata, r[i].cell, by_part);
		for (uint32_t p = 0; p < MS_RUN_PARTS_MOST && chosen[r[i].cell]; p++)
			s->references[p] += by_part[p];
	}
}

static void add_unknown(struct ms_intervals_unknown_refs *into,
			const struct ms_intervals_unknown_refs *u)
{
	into->seen_before += u->seen_before;
	into->seen_before_misses += u->seen_before_misses;
	into->between_only += u->between_only;
	into->between_only_misses += u->between_only_misses;
	into->first += u->first;
}

static void add_misses(const struct ms_run *run, const struct ms_intervals_strata *strata,
		       const double *cells, const bool *chosen, uint32_t level,
		       struct miss_rate_sums *s)
{
	const struct ms_run_sampled_miss *at = run->sampled_misses.at;
	size_t figure = 0;

	for (size_t i = 0, to; i < run->sampled_misses.n; i = to) {
		uint32_t cell = at[i].cell;
		size_t end;

		for (to = i; to < run->sampled_misses.n && at[to].cell == cell;)
			to++;
		while (figure < run->misses.n && run->misses.at[figure].cell < cell)
			figure++;
		for (end = figure; end < run->misses.n && run->misses.at[end].cell == cell;)
			end++;
		const struct ms_intervals_cell_rows rows = { at + i, to - i,
							     run->misses.at + figure,
							     end - figure };
		struct ms_intervals_cell_level one;

		ms_intervals_cell_level(run, &rows, cells[cell], level, &one);
		s->all_unknown += ms_intervals_unknown_refs_count(&one.unknown);
		if (!chosen[cell])
			continue;
		ms_intervals_strata_misses(strata, cell, one.misses);
		add_unknown(&s->unknown, &one.unknown);
		for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++)
			s->misses[p] += one.misses[p];
	}
}

static double sum(const struct ms_run *run, const double *by_part)
{
	double all = 0;

	for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++)
		all += ms_intervals_part_weight(run, p) * by_part[p];
	return all;
}

bool ms_intervals_is_modelled(const struct ms_run *run)
{
	return run->processors == 1 && run->samplings.at[0].sets <= 1;
}

bool ms_intervals_is_counted(const struct ms_run *run, const double *ones)
{
	return ms_intervals_is_modelled(run) && ones != NULL && run->samplings.n == 1;
}

struct ms_intervals_bounds ms_intervals_miss_rate(const struct ms_run *run, const bool *chosen,
						  uint32_t level, const double *cells, bool counted)
{
	static const double quantile = 1.96;
	struct miss_rate_sums s = { .all_unknown = 0 };
	struct ms_intervals_strata *strata =
		counted ? ms_intervals_strata_open(run, cells, ms_intervals_parts(run)) : NULL;

	add_references(run, strata, cells, chosen, &s);
	add_misses(run, strata, cells, chosen, level, &s);
	ms_intervals_strata_close(strata);
	double n = sum(run, s.references), rate = sum(run, s.misses) / n;
	struct ms_intervals_unknown_total about =
		ms_intervals_unknown_level(run, level, s.all_unknown);
	double error = quantile * ms_intervals_unknown_refs_error(&s.unknown, &about) / n;
	double off = hypot(ms_intervals_half_width(run, s.misses, s.references), error);

	if (!(n > 0))
		return (struct ms_intervals_bounds){ NAN, NAN };
	return (struct ms_intervals_bounds){
		fmax(0, rate - off), fmin(1, rate + off + ms_intervals_unobserved(run) / n)
	};
}
