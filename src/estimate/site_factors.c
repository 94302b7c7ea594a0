/*
 * estimate/site_factors.c - uses execution counts of the whole program, where they are known.
 *
 * Under Valgrind and in a replay, executions between windows are counted one by one. Windows differ
 * mostly in which code they contain, not in what it does. So the number of references of each site
 * comes from the execution counts, and windows only contribute the share of them that misses
 * (post-stratification).
 *
 * A site that occurs in no window has no factor of its own: it is treated like the average site. A
 * window may end just after the first executions of a site, which would then represent too much. So
 * the factor of a site is limited to `most`, and to its reciprocal.
 */
#include "base/mem.h"
#include "estimate/extrapolate.h"

static const double most = 16;

/* The references of a site that were simulated. */
struct simulated {
	double seen;
	double weighted; /* the same, as windows count them */
};

static double factor_of(const struct simulated *m, const struct ms_estimate_executions *e,
			double scale)
{
	double factor = e->in > 0 && m->weighted > 0
				? m->seen * (1 + e->out / e->in) / (m->weighted * scale)
				: 1;

	return factor > most ? most : factor < 1 / most ? 1 / most : factor;
}

/* All references together are as many as before. */
static void balance(const struct simulated *sites, double *factors, size_t n)
{
	double before = 0, after = 0;

	for (size_t i = 0; i < n; i++) {
		before += sites[i].weighted;
		after += sites[i].weighted * factors[i];
	}
	for (size_t i = 0; i < n && after > 0; i++)
		factors[i] *= before / after;
}

double *ms_estimate_site_factors(const struct ms_estimate_executions *executions, size_t n,
				 const struct ms_engine_totals *totals, const double *weights,
				 double scale)
{
	struct simulated *sites = ms_alloc((n + 1) * sizeof(*sites));
	double *factors = ms_alloc((n + 1) * sizeof(*factors));

	for (size_t i = 0; i < totals->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &totals->cells.at[i];

		sites[cell->site].seen += (double)cell->references;
		sites[cell->site].weighted += weights[i] * (double)cell->references;
	}
	for (size_t i = 0; i < n; i++)
		factors[i] = factor_of(&sites[i], &executions[i], scale);
	balance(sites, factors, n);
	ms_free(sites);
	return factors;
}
