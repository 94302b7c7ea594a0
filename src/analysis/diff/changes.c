/* analysis/diff/changes.c - how a figure changes from one side to the other, and the noise of that.
 */
#include <math.h>

#include "analysis/diff/diff_priv.h"
#include "analysis/measured/measured.h"
#include "base/num.h"
#include "base/ratio_interval.h"

/* Of one figure over the runs of a side: how many, their mean, and the sum of squares around it. */
struct side_spread {
	double n;
	double mean;
	double squares;
};

static struct side_spread spread_of(const struct ms_diff_builder *d, unsigned side,
				    const double *values, size_t figure)
{
	struct side_spread s = { 0, 0, 0 };

	for (size_t r = 0; r < d->runs.n; r++)
		if (d->runs.at[r].side == side) {
			s.n++;
			s.mean += values[r * d->figures + figure];
		}
	s.mean /= s.n;
	for (size_t r = 0; r < d->runs.n; r++)
		if (d->runs.at[r].side == side) {
			double off = values[r * d->figures + figure] - s.mean;

			s.squares += off * off;
		}
	return s;
}

/*
 * The errors of the two runs may differ, so they add up. An entry that is in windows of one run
 * only may have occurred any number of times in the other; so may an entry that is in too few
 * windows.
 */
static double windows_noise(const struct ms_diff_builder *d, const double *values, size_t figure)
{
	double noise = 0, most = 0;

	for (size_t r = 0; r < d->runs.n; r++)
		most = fmax(most, values[r * d->figures + figure]);
	for (size_t r = 0; r < d->runs.n; r++) {
		const double *v = values + r * d->figures;
		double off = v[d->plain + MS_DIFF_VARIANCES + figure];
		bool observed = (v[figure] != 0 || off != 0 || most == 0) && !isnan(off);

		noise += d->runs.at[r].run->samplings.n > 0 && !observed ? INFINITY : off;
	}
	return d->diff->noisy ? noise : NAN;
}

/*
 * For single runs, the variance comes from their samples alone: it is the sum of the squares of the
 * samples' weights.
 */
static double sampled_noise(const struct ms_diff_builder *d, const double *values, size_t figure)
{
	size_t of = figure == MS_DIFF_STALL ? MS_DIFF_STALL_VARIANCE : MS_DIFF_REFERENCES_VARIANCE;
	double variance = 0;

	if (!ms_run_is_measured(d->runs.at[0].run))
		return windows_noise(d, values, figure);
	if (!d->diff->noisy || (figure != MS_DIFF_STALL && figure != MS_DIFF_REFERENCES))
		return NAN;
	for (size_t r = 0; r < d->runs.n; r++)
		variance += values[r * d->figures + d->plain + of];
	return MS_NORMAL_95 * sqrt(variance);
}

/* Both sides are taken to be equally noisy: one of them may be a single run. */
struct ms_diff_change ms_diff_make_change(const struct ms_diff_builder *d, const double *values,
					  size_t figure)
{
	struct side_spread a = spread_of(d, 0, values, figure), b = spread_of(d, 1, values, figure);
	struct ms_diff_change change = { a.mean, b.mean, NAN, true };
	double freedom = a.n + b.n - 2;

	if (freedom < 1)
		change.noise = sampled_noise(d, values, figure);
	else
		change.noise = ms_ratio_quantile((size_t)freedom) *
			       sqrt((a.squares + b.squares) / freedom * (1 / a.n + 1 / b.n));
	change.clear = !(fabs(b.mean - a.mean) <= change.noise);
	return change;
}

double ms_diff_change_amount(const struct ms_diff_change *change)
{
	return change->after - change->before;
}

double ms_diff_change_rate(const struct ms_diff_change *change)
{
	return change->before != 0 ? ms_diff_change_amount(change) / change->before : NAN;
}

double ms_diff_change_share(const struct ms_diff_change *change, double all)
{
	double by = ms_diff_change_amount(change);

	if (all == 0)
		return NAN;
	return by != 0 ? by / all : 0; /* no -0 */
}
