/* name/occupancy.c - stores the occupancy of each level by data in the run. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "name/name_priv.h"

/* Data has a time line of its own if it had this share of a level once; at most so many have. */
enum { LEAST_SHARE = 100, MOST_LINES_OF_TIME = 32 };

static int by_sum(const void *a, const void *b)
{
	const struct ms_engine_total_occupancy *const *x = a, *const *y = b;
	int order = ms_cmp_u64((*y)->sum, (*x)->sum);

	return order != 0 ? order : ms_cmp_u64((*x)->data, (*y)->data);
}

/* Which rows of a level, n from `at` on, have a time line of their own. */
static void choose_stays(const struct ms_run *run, const struct ms_engine_total_occupancy *at,
			 size_t n, bool *own)
{
	const struct ms_engine_total_occupancy **sorted = ms_alloc((n + 1) * sizeof(*sorted));
	size_t chosen = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &at[i];
	qsort(sorted, n, sizeof(*sorted), by_sum);
	for (size_t i = 0; i < n && chosen < MOST_LINES_OF_TIME; i++) {
		if (sorted[i]->peak * LEAST_SHARE < ms_run_cache_lines(run, at->level))
			continue;
		own[sorted[i] - at] = true;
		chosen++;
	}
	ms_free(sorted);
}

/* Steps of a slice; the last one ends with the run. */
static double slice_length(const struct ms_engine_totals *t, uint32_t slice)
{
	uint64_t from = slice * t->slice, left = t->steps - from;

	return (double)(left < t->slice ? left : t->slice);
}

/* Adds the residences of one level; *stay is advanced past them. */
static void add_stays(struct ms_run *run, struct ms_name_state *n, const struct ms_engine_totals *t,
		      const struct ms_engine_total_occupancy *at, size_t rows, const bool *own,
		      size_t *stay)
{
	uint64_t others[MS_RUN_SLICES_MOST] = { 0 }, came[MS_RUN_SLICES_MOST] = { 0 };

	for (size_t i = 0; i < rows; i++) {
		for (; *stay < t->stays.n && t->stays.at[*stay].level == at->level &&
		       t->stays.at[*stay].data == at[i].data;
		     ++*stay) {
			const struct ms_engine_total_residence *s = &t->stays.at[*stay];

			if (!own[i]) {
				others[s->slice] += s->sum;
				came[s->slice] += s->came;
				continue;
			}
			*ms_vec_add(&run->stays) =
				(struct ms_run_stay){ s->level, ms_name_data(n, s->data), s->slice,
						      (double)s->sum / slice_length(t, s->slice),
						      s->came };
		}
	}
	for (uint32_t i = 0; i < MS_RUN_SLICES_MOST; i++)
		if (others[i] > 0 || came[i] > 0)
			*ms_vec_add(&run->stays) =
				(struct ms_run_stay){ at->level, MS_NONE, i,
						      (double)others[i] / slice_length(t, i),
						      came[i] };
}

static int by_level_data(const void *a, const void *b)
{
	const struct ms_run_occupancy *x = a, *y = b;
	int order = ms_cmp_u64(x->level, y->level);

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

void ms_name_add_occupancy(const struct ms_engine_totals *t, struct ms_run *run,
			   struct ms_name_state *n)
{
	bool *own = ms_alloc(t->occupancy.n + 1);
	size_t stay = 0;

	run->steps = t->steps;
	run->slice_steps = t->slice;
	for (size_t i = 0, to; i < t->occupancy.n; i = to) {
		const struct ms_engine_total_occupancy *at = &t->occupancy.at[i];

		for (to = i; to < t->occupancy.n && t->occupancy.at[to].level == at->level; to++) {
			const struct ms_engine_total_occupancy *o = &t->occupancy.at[to];

			*ms_vec_add(&run->occupancy) =
				(struct ms_run_occupancy){ o->level, ms_name_data(n, o->data),
							   o->lines, o->peak,
							   (double)o->sum / (double)t->steps };
		}
		choose_stays(run, at, to - i, own + i);
		add_stays(run, n, t, at, to - i, own + i, &stay);
	}
	if (run->occupancy.n > 1)
		qsort(run->occupancy.at, run->occupancy.n, sizeof(*run->occupancy.at),
		      by_level_data);
	ms_free(own);
}
