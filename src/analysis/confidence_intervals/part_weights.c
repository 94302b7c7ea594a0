#include "analysis/confidence_intervals/part_weights.h"

#include <math.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/ratio_interval.h"

double ms_intervals_part_weight(const struct ms_run *run, uint32_t part)
{
	uint32_t first = 0;

	for (size_t i = 1; i < run->samplings.n; i++) {
		first += run->samplings.at[i].parts;
		if (part < first)
			return run->samplings.at[i].scale / run->samplings.at[0].scale;
	}
	return 1;
}

bool ms_intervals_has_sampled_sets(const struct ms_run *run)
{
	return run->samplings.n == 1 && run->samplings.at[0].sets > 1 &&
	       run->samplings.at[0].ratio >= 1;
}

uint64_t ms_intervals_used_parts(const struct ms_run *run)
{
	uint64_t used = 0;

	for (size_t i = 0; i < run->sampled_references.n; i++)
		used |= UINT64_C(1) << run->sampled_references.at[i].part;
	return used;
}

void ms_intervals_spread_evenly(const struct ms_run *run, uint64_t used, double references,
				double *by_part)
{
	double each = references / run->samplings.at[0].scale / __builtin_popcountll(used);

	for (uint32_t p = 0; p < MS_RUN_PARTS_MOST; p++)
		by_part[p] += used >> p & 1 ? each : 0;
}

/* Misses of references that are on a line that is seen and on one that is not are those of cells
 * that have no other: what they count is what the run has made of them (estimate/set_weights.c). */
static void weigh_crossing(const struct ms_run *run, double *factors)
{
	double *seen = ms_alloc((run->cells.n + 1) * sizeof(*seen));

	for (size_t i = 0; i < run->sampled_misses.n; i++)
		if (run->sampled_misses.at[i].level == 0)
			seen[run->sampled_misses.at[i].cell] +=
				run->samplings.at[0].scale *
				(double)run->sampled_misses.at[i].known;
	for (size_t i = 0; i < run->sampled_references.n; i++)
		seen[run->sampled_references.at[i].cell] = 0;
	for (size_t i = 0; i < run->cells.n; i++)
		factors[i] = seen[i] > 0 ? 0 : 1;
	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];

		if (m->level == 0 && seen[m->cell] > 0)
			factors[m->cell] += (double)ms_summary_miss_count(m) / seen[m->cell];
	}
	ms_free(seen);
}

double *ms_intervals_cell_factors(const struct ms_run *run)
{
	double *factors = ms_alloc((run->cells.n + 1) * sizeof(*factors));
	bool counted = false;

	if (ms_intervals_has_sampled_sets(run)) {
		weigh_crossing(run, factors);
		return factors;
	}
	for (size_t i = 0; i < run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];

		factors[r->cell] += run->samplings.at[0].scale *
				    ms_intervals_part_weight(run, r->part) * (double)r->references;
	}
	/* Counts are rounded: a difference of up to 1 is not significant. */
	for (size_t i = 0; i < run->cells.n; i++)
		counted |= factors[i] > 0 &&
			   fabs((double)run->cells.at[i].references - factors[i]) > 1;
	/* If so, small cells have factors, too: there may be many of them. */
	for (size_t i = 0; i < run->cells.n; i++)
		factors[i] = counted && factors[i] > 0
				     ? (double)run->cells.at[i].references / factors[i]
				     : 1;
	return factors;
}

double ms_intervals_unobserved(const struct ms_run *run)
{
	return run->samplings.at[0].scale > 1 ? 3 : 0;
}

double ms_intervals_longest_gap(const struct ms_run *run)
{
	const struct ms_run_sampling *s = &run->samplings.at[0];
	double unseen = s->scale > 1 ? 1 - 1 / s->scale : 0;
	double distance = s->windows > 0 ? 1 / (double)s->windows : 1;

	if (s->ratio >= 1)
		return 0;
	return distance < unseen ? distance : unseen;
}

double ms_intervals_unseen_sharing(const struct ms_run *run)
{
	static const double most = 0.99; /* nothing was seen of them */
	double alone = run->samplings.at[0].alone;

	return 1 / (1 - (alone < most ? alone : most));
}

double *ms_intervals_unit_factors(const struct ms_run *run, const double *cells)
{
	double *ones = ms_alloc((run->cells.n + 1) * sizeof(*ones));
	bool differ = false;

	for (size_t i = 0; i < run->cells.n; i++) {
		differ |= cells[i] != 1;
		ones[i] = 1;
	}
	if (differ && !ms_intervals_has_sampled_sets(run))
		return ones;
	ms_free(ones);
	return NULL;
}

enum { SIDE = 4, PARTS = SIDE * SIDE };

/* Windows have rows of parts, and groups of sets columns (engine/windows/window_simulation.c): an
 * estimate is off by what either differ by. */
static double spread_of_both(const struct ms_run_sampling *s, const double *y, const double *x)
{
	double ys[2][SIDE] = { { 0 } }, xs[2][SIDE] = { { 0 } };

	for (uint32_t p = 0; p < PARTS; p++) {
		ys[0][p / SIDE] += y[p];
		xs[0][p / SIDE] += x[p];
		ys[1][p % SIDE] += y[p];
		xs[1][p % SIDE] += x[p];
	}
	const struct ms_ratio_stratum windows = { ys[0], xs[0], SIDE, s->time_scale };
	const struct ms_ratio_stratum sets = { ys[1], xs[1], SIDE, (double)s->sets };

	return hypot(ms_ratio_spread(&windows, 1), ms_ratio_spread(&sets, 1));
}

double ms_intervals_half_width(const struct ms_run *run, const double *y, const double *x)
{
	struct ms_ratio_stratum strata[MS_RUN_PARTS_MOST];
	const struct ms_run_sampling *all = &run->samplings.at[0];
	size_t n = 0, first = 0;

	if (run->samplings.n == 1 && all->sets > 1 && all->ratio < 1 && all->parts == PARTS)
		return spread_of_both(all, y, x);
	if (run->samplings.n == 1)
		strata[n++] = (struct ms_ratio_stratum){ y, x, all->parts, all->scale };
	for (size_t i = 1; i < run->samplings.n && n < MS_COUNT(strata); i++) {
		const struct ms_run_sampling *s = &run->samplings.at[i];

		strata[n++] = (struct ms_ratio_stratum){ y + first, x + first, s->parts, s->scale };
		first += s->parts;
	}
	return ms_ratio_spread(strata, n);
}
