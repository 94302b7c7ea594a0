#include "analysis/confidence_intervals/miss_rate_estimators.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/part_weights.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/ratio_interval.h"

const char *const ms_intervals_estimator_names[MS_ESTIMATORS] = {
	[MS_ESTIMATE_RUN] = "run",
	[MS_ESTIMATE_STITCHED] = "stitched",
	[MS_ESTIMATE_HALF] = "half",
	[MS_ESTIMATE_DEAD] = "dead",
	[MS_ESTIMATE_DATA_DEAD] = "data-dead",
};

/* A data with fewer says nothing of its own. */
enum { FEW_GENERATIONS = 8 };

double ms_intervals_dead_mu(double dead_share, double frames, double accessed)
{
	if (!(accessed > 0))
		return NAN;
	double mu = accessed < frames ? (dead_share * frames - (frames - accessed)) / accessed
				      : dead_share;

	return mu < 0 ? 0 : mu > 1 ? 1 : mu;
}

/* --- one level --- */

struct rate_level_sums {
	double x[MS_RUN_PARTS_MOST]; /* references, by part */
	double low[MS_RUN_PARTS_MOST];
	double high[MS_RUN_PARTS_MOST];
	/* Each with its weight: references, known misses, unknown references. */
	double n, known, all_unknown;
	double stitched; /* unknown references that miss */
	double misses;   /* that the run has ... */
	double taken;    /* ... of these, of lines that others had taken away */
	/* Of those known: surely such, by part; and such as far as was seen, with what is unknown.
	 */
	double lost_low[MS_RUN_PARTS_MOST];
	double lost_high[MS_RUN_PARTS_MOST];
	double surely_lost, maybe_lost;
	double dead, whole;
	double *unknown; /* by data */
	const double *cells;
};

/* One flag for each cell. */
static bool *choose(const struct ms_run *run, const bool *code, const bool *data)
{
	bool *chosen = ms_alloc(run->cells.n + 1);

	for (size_t i = 0; i < run->cells.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];
		uint32_t line = run->sites.at[cell->site].line;

		chosen[i] = (code == NULL || code[run->lines.at[line].code]) &&
			    (data == NULL || data[cell->data]);
	}
	return chosen;
}

static void add_references(const struct ms_run *run, const bool *chosen, struct rate_level_sums *s,
			   struct ms_intervals_level_estimate *e)
{
	bool by_sets = ms_intervals_has_sampled_sets(run);
	double all = 0;

	for (size_t i = 0; i < run->sampled_references.n; i++) {
		const struct ms_run_sampled_reference *r = &run->sampled_references.at[i];

		if (!chosen[r->cell])
			continue;
		e->references += r->references;
		if (by_sets)
			continue;
		s->x[r->part] += s->cells[r->cell] * (double)r->references;
		s->n += ms_intervals_part_weight(run, r->part) * s->cells[r->cell] *
			(double)r->references;
	}
	for (size_t i = 0; i < run->cells.n && by_sets; i++)
		all += chosen[i] ? (double)run->cells.at[i].references : 0;
	if (!by_sets)
		return;
	ms_intervals_spread_evenly(run, ms_intervals_used_parts(run), all, s->x);
	s->n = all / run->samplings.at[0].scale;
}

static void add_up(const struct ms_run *run, const bool *chosen, uint32_t level,
		   struct rate_level_sums *s, struct ms_intervals_level_estimate *e)
{
	add_references(run, chosen, s, e);
	for (size_t i = 0; i < run->sampled_misses.n; i++) {
		const struct ms_run_sampled_miss *m = &run->sampled_misses.at[i];
		uint64_t unknown = m->unknown_hits + m->unknown_misses;

		if (m->level != level || !chosen[m->cell])
			continue;
		double cell = s->cells[m->cell],
		       weight = cell * ms_intervals_part_weight(run, m->part);

		e->known += m->known;
		e->unknown += unknown;
		s->known += weight * (double)m->known;
		s->all_unknown += weight * (double)unknown;
		s->stitched += weight * (double)m->unknown_misses;
		s->low[m->part] += cell * (double)m->known;
		s->high[m->part] += cell * (double)(m->known + unknown);
		s->lost_low[m->part] += cell * (double)m->surely_lost;
		s->lost_high[m->part] += cell * (double)(m->lost + unknown);
		s->surely_lost += weight * (double)m->surely_lost;
		s->maybe_lost += weight * (double)(m->lost + unknown);
		s->unknown[run->cells.at[m->cell].data] += weight * (double)unknown;
	}
	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];

		for (unsigned c = 0; c < MS_CAUSES && m->level == level && chosen[m->cell]; c++)
			s->misses += (double)m->causes[c];
		if (m->level == level && chosen[m->cell])
			s->taken += (double)m->causes[MS_CAUSE_INVALIDATED];
	}
	for (size_t i = 0; i < run->sampled_lives.n; i++) {
		const struct ms_run_sampled_life *l = &run->sampled_lives.at[i];

		if (l->level != level)
			continue;
		e->generations += l->generations;
		s->dead += (double)l->dead;
		s->whole += (double)l->whole;
	}
}

/* Unknown references that miss, by each data's own dead time. */
static double data_misses(const struct ms_run *run, uint32_t level, const struct rate_level_sums *s,
			  double mu)
{
	double misses = 0, left = 0, share = s->dead / s->whole;

	for (size_t d = 0; d < run->data.n; d++)
		left += s->unknown[d];
	for (size_t i = 0; i < run->sampled_lives.n; i++) {
		const struct ms_run_sampled_life *l = &run->sampled_lives.at[i];

		if (l->level != level || l->generations < FEW_GENERATIONS || l->whole == 0)
			continue;
		/* As much as windows not coming to all lines has changed it for all data. */
		double own = (double)l->dead / (double)l->whole * (share > 0 ? mu / share : 1);

		misses += (own > 1 ? 1 : own) * s->unknown[l->data];
		left -= s->unknown[l->data];
	}
	return misses + mu * left;
}

static void guess(const struct ms_run *run, uint32_t level, const struct rate_level_sums *s,
		  struct ms_intervals_level_estimate *e)
{
	const struct ms_run_sampled_level *about = &run->sampled_levels.at[level];
	const struct ms_run_sampling *sampling = &run->samplings.at[0];
	double windows = sampling->windows > 0 ? (double)sampling->windows : 1;
	double n = s->n, u = s->all_unknown;
	double mu = s->whole > 0 ? ms_intervals_dead_mu(s->dead / s->whole, (double)about->frames,
							(double)about->unknown / windows)
				 : NAN;
	double misses[MS_ESTIMATORS] = {
		[MS_ESTIMATE_RUN] = s->misses / sampling->scale - s->known,
		[MS_ESTIMATE_STITCHED] = s->stitched,
		[MS_ESTIMATE_HALF] = 0.5 * u,
		[MS_ESTIMATE_DEAD] = mu * u,
		[MS_ESTIMATE_DATA_DEAD] = isnan(mu) ? NAN : data_misses(run, level, s, mu),
	};

	e->generations_each =
		about->frames > 0 ? (double)e->generations / (windows * (double)about->frames) : 0;
	for (unsigned i = 0; i < MS_ESTIMATORS; i++) {
		if (e->unknown == 0)
			misses[i] = i == MS_ESTIMATE_RUN ? misses[i] : 0;
		e->rate[i] = n > 0 ? (s->known + misses[i]) / n : NAN;
		e->mu[i] = u > 0 ? misses[i] / u : NAN;
	}
}

static void bound(const struct ms_run *run, const struct rate_level_sums *s,
		  struct ms_intervals_level_estimate *e)
{
	e->low = s->known / s->n - ms_intervals_half_width(run, s->low, s->x);
	e->high = (s->known + s->all_unknown + ms_intervals_unobserved(run)) / s->n +
		  ms_intervals_half_width(run, s->high, s->x);
	if (e->low < 0)
		e->low = 0;
	if (e->high > 1)
		e->high = 1;
	e->error = (e->high - e->low) / 2;
	e->lost = s->taken / run->samplings.at[0].scale / s->n;
	e->lost_low = s->surely_lost / s->n - ms_intervals_half_width(run, s->lost_low, s->x);
	e->lost_high = s->maybe_lost / s->n + ms_intervals_half_width(run, s->lost_high, s->x);
	if (e->lost_low < 0)
		e->lost_low = 0;
	double more = (s->surely_lost / s->n + ms_intervals_half_width(run, s->lost_low, s->x)) *
		      (ms_intervals_unseen_sharing(run) - 1);

	if (more > 0) {
		e->lost_high += more;
		e->high = e->high + more < 1 ? e->high + more : 1;
		e->error = (e->high - e->low) / 2;
	}
	if (e->lost_high > e->high)
		e->lost_high = e->high;
}

/* Where execution counts replace the references: joins the interval by windows alone. Both are 95 %
 * intervals; neither includes code that is in no window. */
static void bound_by_windows(const struct ms_run *run, const bool *chosen, uint32_t level,
			     const double *ones, struct ms_intervals_level_estimate *e)
{
	struct rate_level_sums s = { .unknown = ms_alloc((run->data.n + 1) * sizeof(double)),
				     .cells = ones };
	struct ms_intervals_level_estimate windows_only = { .references = 0 };

	add_up(run, chosen, level, &s, &windows_only);
	bound(run, &s, &windows_only);
	e->low = windows_only.low < e->low ? windows_only.low : e->low;
	e->high = windows_only.high > e->high ? windows_only.high : e->high;
	e->error = (e->high - e->low) / 2;
	e->lost_low = windows_only.lost_low < e->lost_low ? windows_only.lost_low : e->lost_low;
	e->lost_high =
		windows_only.lost_high > e->lost_high ? windows_only.lost_high : e->lost_high;
	ms_free(s.unknown);
}

/* Unknown references are as the run has them, with the error of that. */
static void bound_modelled(const struct ms_run *run, const bool *chosen, uint32_t level,
			   const double *cells, const double *ones, bool counted,
			   struct ms_intervals_level_estimate *e)
{
	struct ms_intervals_bounds b = ms_intervals_miss_rate(run, chosen, level, cells, counted);

	if (ones != NULL && !counted) {
		struct ms_intervals_bounds unweighted =
			ms_intervals_miss_rate(run, chosen, level, ones, false);

		b = (struct ms_intervals_bounds){ fmin(b.low, unweighted.low),
						  fmax(b.high, unweighted.high) };
	}
	e->low = b.low;
	e->high = b.high;
}

/* The run's figures are whole numbers, rounded cell by cell (contain_figures.c). */
static void contain(double figure, double *low, double *high)
{
	*low = figure < *low ? figure : *low;
	*high = figure > *high ? figure : *high;
}

uint64_t ms_intervals_mean_window(const struct ms_run_sampling *s)
{
	return s->windows > 0
		       ? ms_round_u64((double)s->references * (double)s->sets / (double)s->windows)
		       : s->window;
}

void ms_intervals_estimates_make(struct ms_intervals_estimates *estimates, const struct ms_run *run,
				 const bool *code, const bool *data)
{
	bool *chosen = choose(run, code, data);
	double *cells = ms_intervals_cell_factors(run),
	       *ones = ms_intervals_unit_factors(run, cells);
	bool counted = code == NULL && data == NULL && ms_intervals_is_counted(run, ones);

	*estimates = (struct ms_intervals_estimates){ MS_VEC_INIT };
	for (uint32_t l = 0; l < run->levels.n; l++) {
		struct ms_intervals_level_estimate e = { .references = 0 };
		struct rate_level_sums s = { .unknown =
						     ms_alloc((run->data.n + 1) * sizeof(double)),
					     .cells = cells };

		add_up(run, chosen, l, &s, &e);
		guess(run, l, &s, &e);
		bound(run, &s, &e);
		if (ones != NULL && !counted)
			bound_by_windows(run, chosen, l, ones, &e);
		if (ms_intervals_is_modelled(run))
			bound_modelled(run, chosen, l, cells, ones, counted, &e);
		contain(e.rate[MS_ESTIMATE_RUN], &e.low, &e.high);
		contain(e.lost, &e.lost_low, &e.lost_high);
		e.error = (e.high - e.low) / 2;
		*ms_vec_add(&estimates->levels) = e;
		ms_free(s.unknown);
	}
	ms_free(chosen);
	ms_free(cells);
	ms_free(ones);
}

void ms_intervals_estimates_free(struct ms_intervals_estimates *estimates)
{
	ms_vec_free(&estimates->levels);
}
