/* name/sampled_rows.c - adds the rows about sampling to the run. */
#include <stdlib.h>

#include "base/num.h"
#include "name/name_priv.h"

static void add_levels(const struct ms_engine_windows_totals *s, struct ms_run *run)
{
	for (uint32_t l = 0; l < s->levels.n; l++)
		*ms_vec_add(&run->sampled_levels) =
			(struct ms_run_sampled_level){ l, s->levels.at[l].frames,
						       s->levels.at[l].unknown };
}

static int by_level_data(const void *a, const void *b)
{
	const struct ms_run_sampled_life *x = a, *y = b;
	int c = ms_cmp_u64(x->level, y->level);

	return c != 0 ? c : ms_cmp_u64(x->data, y->data);
}

static void add_lives(const struct ms_engine_windows_totals *s, struct ms_run *run,
		      struct ms_name_state *naming)
{
	for (size_t i = 0; i < s->lives.n; i++) {
		const struct ms_engine_windows_total_life *l = &s->lives.at[i];

		*ms_vec_add(&run->sampled_lives) =
			(struct ms_run_sampled_life){ l->level, ms_name_data(naming, l->data),
						      l->generations, l->dead, l->whole };
	}
	if (run->sampled_lives.n > 1)
		qsort(run->sampled_lives.at, run->sampled_lives.n, sizeof(*run->sampled_lives.at),
		      by_level_data);
}

/* Of these parts nothing was left out before, so what was never seen was never used: it is known to
 * have missed. */
void ms_name_add_sampled_counts(struct ms_name_state *n)
{
	const struct ms_engine_windows_totals *s = &n->sampled;
	const struct ms_stream_sampling *sampling = n->from.sampling;
	struct ms_run *run = n->run;
	uint32_t parts = sampling->ratio >= 1  ? MS_ENGINE_WINDOWS_PARTS
			 : sampling->head != 0 ? 1
					       : 0;

	ms_vec_reserve(&run->sampled_references, s->references.n);
	ms_vec_reserve(&run->sampled_misses, s->counts.n);
	for (size_t i = 0; i < s->references.n; i++)
		*ms_vec_add(&run->sampled_references) =
			(struct ms_run_sampled_reference){ s->references.at[i].cell,
							   s->references.at[i].part,
							   s->references.at[i].references };
	for (size_t i = 0; i < s->counts.n; i++) {
		const struct ms_engine_windows_total_count *count = &s->counts.at[i];
		bool all = count->part < parts;

		*ms_vec_add(&run->sampled_misses) = (struct ms_run_sampled_miss){
			.cell = count->cell,
			.level = count->level,
			.part = count->part,
			.known = all ? count->known + count->unknown_misses : count->known,
			.unknown_hits = all ? 0 : count->unknown_hits,
			.unknown_misses = all ? 0 : count->unknown_misses,
			.unseen_known = all ? count->unseen_known + count->unseen_unknown
					    : count->unseen_known,
			.unseen_unknown = all ? 0 : count->unseen_unknown,
			.lost = count->lost,
			.surely_lost = count->surely_lost,
		};
	}
}

/* The last stratum also gets the parts that belong to none. */
static void add_stratum(const struct ms_estimate_scale *scale, unsigned i,
			const struct ms_run_sampling *all, struct ms_run *run)
{
	const struct ms_estimate_stratum *s = &scale->stratum[i];
	struct ms_run_sampling row = *all;

	row.ratio = 1 / s->counts;
	row.window = s->window;
	row.windows = 0;
	row.references = s->seen;
	row.total = s->total;
	row.total_low = s->low;
	row.total_high = s->high;
	row.scale = s->counts;
	row.time_scale = s->time;
	row.parts = (i + 1 < scale->strata ? scale->stratum[i + 1].parts.first
					   : MS_ENGINE_WINDOWS_PARTS) -
		    (i > 0 ? s->parts.first : 0);
	*ms_vec_add(&run->samplings) = row;
}

/* Counting between windows serialises threads, so time in which one thread runs alone is known. */
static double alone(const struct ms_name_state *n)
{
	const struct ms_estimate_concurrency *t = &n->from.windows->concurrency;

	return n->from.processors > 1 && !n->scale.exact && t->references > 0
		       ? t->alone / t->references
		       : 0;
}

void ms_name_add_sampling(struct ms_name_state *n)
{
	const struct ms_engine_windows_totals *s = &n->sampled;
	const struct ms_estimate_scale *scale = &n->scale;
	struct ms_run *run = n->run;
	const struct ms_stream_sampling *sampling = n->from.sampling;
	bool windows = sampling->ratio < 1;
	struct ms_run_sampling row = {
		.ratio = sampling->ratio,
		.window = windows ? sampling->window : 0,
		.sets = sampling->sets.every,
		.seed = sampling->seed,
		.windows = s->windows,
		.references = n->seen,
		.total = scale->total,
		.total_low = scale->low,
		.total_high = scale->high,
		.exact = scale->exact,
		.scale = scale->counts,
		.time_scale = scale->time,
		.parts = MS_ENGINE_WINDOWS_PARTS,
		.wanted = sampling->wanted,
		.alone = alone(n),
	};

	if (scale->strata == 1 && scale->stratum[0].counts == 1)
		row.ratio = 1; /* the program was not longer than its head */
	*ms_vec_add(&run->samplings) = row;
	for (unsigned i = 0; i < scale->strata && scale->strata > 1; i++)
		add_stratum(scale, i, &row, run);
	add_levels(s, run);
	add_lives(s, run, n);
}
