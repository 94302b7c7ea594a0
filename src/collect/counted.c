/*
 * collect/counted.c - uses execution counts of the whole program, where they are known.
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
#include "collect/collect_priv.h"

static const double most = 16;

/* Executions that reached a site's reference: in windows, and outside of them. */
struct met {
	double in, out;
	double seen;     /* references */
	double weighted; /* the same, as windows count them */
};

static uint64_t in_windows(const struct collector *c, const struct ms_engine *engine,
			   uint32_t block, uint32_t exit)
{
	uint32_t processors =
		c->setup.machines[0]->processors > 1 ? c->setup.machines[0]->processors : 1;
	uint64_t n = 0;
	double weighted;

	for (uint32_t p = 0; p < processors; p++)
		n += ms_engine_count_exits(engine, p, block, exit, &weighted);
	return n;
}

static void add_blocks(const struct collector *c, const struct ms_engine *engine, struct met *sites,
		       size_t n)
{
	size_t exit = 0;

	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(c->binding.binder, b);

		for (uint32_t e = 0; e < block->exits; e++, exit++) {
			uint64_t in = in_windows(c, engine, b, e);
			uint64_t out =
				exit < c->windows.outside.n ? c->windows.outside.at[exit] : 0;

			for (uint32_t r = 0; in + out > 0 && r < block->exit_refs[e]; r++) {
				if (block->ref[r].site >= n)
					continue;
				sites[block->ref[r].site].in += (double)in;
				sites[block->ref[r].site].out += (double)out;
			}
		}
	}
}

static double factor_of(const struct met *m, double scale)
{
	double factor = m->in > 0 && m->weighted > 0
				? m->seen * (1 + m->out / m->in) / (m->weighted * scale)
				: 1;

	return factor > most ? most : factor < 1 / most ? 1 / most : factor;
}

/* All references together are as many as before. */
static void balance(const struct met *sites, double *factors, size_t n)
{
	double before = 0, after = 0;

	for (size_t i = 0; i < n; i++) {
		before += sites[i].weighted;
		after += sites[i].weighted * factors[i];
	}
	for (size_t i = 0; i < n && after > 0; i++)
		factors[i] *= before / after;
}

double *ms_counted_sites(const struct collector *c, const struct ms_engine *engine,
			 const struct ms_engine_totals *totals, const double *weights, double scale)
{
	size_t n = 0;

	if (c->windows.outside.n == 0)
		return NULL;
	for (size_t i = 0; i < totals->cells.n; i++)
		if (totals->cells.at[i].site >= n)
			n = totals->cells.at[i].site + (size_t)1;

	struct met *sites = ms_alloc((n + 1) * sizeof(*sites));
	double *factors = ms_alloc((n + 1) * sizeof(*factors));

	for (size_t i = 0; i < totals->cells.n; i++) {
		const struct ms_engine_total_bin *cell = &totals->cells.at[i];

		sites[cell->site].seen += (double)cell->references;
		sites[cell->site].weighted += weights[i] * (double)cell->references;
	}
	add_blocks(c, engine, sites, n);
	for (size_t i = 0; i < n; i++)
		factors[i] = factor_of(&sites[i], scale / (double)c->setup.sampling->sets.every);
	balance(sites, factors, n);
	ms_free(sites);
	return factors;
}

/* --- where some sets are seen all the time --- */

void ms_sampled_made(struct collector *c, const struct ms_engine *engine)
{
	struct ms_wire_window *in = &c->windows.strata[0].in;
	uint64_t made = 0;

	if (c->setup.sampling->sets.every == 1 || c->setup.sampling->ratio < 1 ||
	    in->references != 0)
		return;
	for (uint32_t b = 0; b < ms_bins_blocks(c->binding.binder); b++) {
		const struct ms_bins_bound_block *block = ms_bins_block_at(c->binding.binder, b);

		for (uint32_t e = 0; e < block->exits; e++)
			made += block->exit_made[e] * in_windows(c, engine, b, e);
	}
	if (made == 0) /* the front-end reports the number at the end, but was killed before */
		return;
	in->references = in->nanoseconds = made;
	if (c->windows.strata[0].out.nanoseconds ==
	    0) /* there was no time in which it was not followed */
		c->windows.strata[0].out.references = 0;
	c->windows.strata[0].open = false;
}
