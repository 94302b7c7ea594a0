/*
 * estimate/set_refs.c - the references of each site, with sampled sets during the whole run.
 *
 * The simulated references do not show how often code was executed: a stack line that all functions
 * use is either in a sampled set or not. But the number of references of each instruction is
 * counted. The simulated references give their data and the share of them that missed.
 */
#include "base/mem.h"
#include "base/num.h"
#include "estimate/set_weights.h"

void ms_estimate_balance_refs(const struct ms_engine_totals *totals, double scale, double total,
			      double *refs, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < totals->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &totals->cells.at[i];

		if (refs[cell->site] < (double)cell->references)
			refs[cell->site] += scale * (double)cell->references;
	}
	for (size_t i = 0; i < n; i++)
		sum += refs[i];
	for (size_t i = 0; i < n && sum > 0; i++)
		refs[i] *= total / sum;
}

/* References of each cell that did not miss: only these may be reduced. */
static uint64_t *hits_of(const struct ms_engine_totals *totals)
{
	uint64_t *hits = ms_alloc((totals->cells.n + 1) * sizeof(*hits));

	for (size_t i = 0; i < totals->cells.n; i++)
		hits[i] = totals->cells.at[i].references;
	for (size_t i = 0; i < totals->misses.n; i++) {
		const struct ms_engine_total_miss *miss = &totals->misses.at[i];
		uint64_t n = 0, all = totals->cells.at[miss->cell].references;

		for (unsigned cause = 0; cause < MS_ENGINE_MISS_CAUSES; cause++)
			n += miss->causes[cause];
		n = n < all ? all - n : 0;
		hits[miss->cell] = n < hits[miss->cell] ? n : hits[miss->cell];
	}
	return hits;
}

/* Subtracts `more` references from all cells, in proportion to their hits. */
static void take_from_all(struct ms_engine_totals *totals, double more)
{
	uint64_t *hits = hits_of(totals);
	double sum = 0, owed = 0;

	for (size_t i = 0; i < totals->cells.n; i++)
		sum += (double)hits[i];
	for (size_t i = 0; i < totals->cells.n && sum > more; i++) {
		owed += more * (double)hits[i] / sum;
		uint64_t taken = ms_round_u64(owed < (double)hits[i] ? owed : (double)hits[i]);
		totals->cells.at[i].references -= taken;
		owed -= (double)taken;
	}
	ms_free(hits);
}

/*
 * Numbers are rounded, and a site that was executed once may have missed in a set that represents
 * many. So the sum may differ from the total. The cell with the most references absorbs the
 * difference, or all cells do where it is too large for one.
 */
static void level_out(struct ms_engine_totals *totals, double total)
{
	struct ms_engine_total_cell *most = NULL;
	double more = -total;

	for (size_t i = 0; i < totals->cells.n; i++) {
		struct ms_engine_total_cell *cell = &totals->cells.at[i];

		more += (double)cell->references;
		if (most == NULL || cell->references > most->references)
			most = cell;
	}
	if (most != NULL && (double)most->references > 2 * more)
		most->references = ms_round_u64((double)most->references - more);
	else if (most != NULL)
		take_from_all(totals, more);
}

void ms_estimate_add_unseen_sites(struct ms_engine_totals *totals, const double *made, size_t n,
				  double total, uint32_t unseen_data)
{
	bool *seen = ms_alloc(n + 1);

	for (size_t i = 0; i < totals->cells.n; i++)
		seen[totals->cells.at[i].site] = true;
	for (uint32_t i = 0; i < n; i++)
		if (!seen[i] && made[i] >= 0.5)
			*ms_vec_add(&totals->cells) = (struct ms_engine_total_cell){
				.site = i, .data = unseen_data, .references = ms_round_u64(made[i])
			};
	level_out(totals, total);
	ms_free(seen);
}
