/*
 * name/optimal.c - adds to the run how many misses of each data structure no replacement avoids,
 * and how many lines its touched bytes would fill.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "estimate/optimal.h"
#include "name/name_priv.h"

/* Misses of data at a level, by cause. */
struct causes {
	uint64_t first, replaced;
};

/* What was observed of one data structure of the run: data of the engine can be one there. */
struct observed {
	struct ms_engine_optimal_parts *parts; /* by level */
	struct ms_engine_total_curve curve;
};

static void add_groups(uint64_t to[MS_ENGINE_LINE_GROUPS],
		       const uint64_t more[MS_ENGINE_LINE_GROUPS])
{
	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		to[g] += more[g];
}

static void add_parts(struct ms_engine_optimal_parts *to,
		      const struct ms_engine_optimal_parts *more)
{
	to->observed += more->observed;
	add_groups(to->replaced, more->replaced);
	for (unsigned k = 0; k < MS_ENGINE_OPTIMAL; k++)
		add_groups(to->misses[k], more->misses[k]);
}

/* By data and level of the run. */
static struct causes *count_causes(const struct ms_run *run)
{
	struct causes *causes = ms_alloc((run->data.n * run->levels.n + 1) * sizeof(*causes));

	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];
		struct causes *of = &causes[run->cells.at[m->cell].data * run->levels.n + m->level];

		of->first += m->causes[MS_CAUSE_FIRST];
		of->replaced += m->causes[MS_CAUSE_REPLACED];
	}
	return causes;
}

static struct observed *collect(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	const struct ms_run *run = n->run;

	/* Without references (--misses-only), data may have no number yet. */
	for (size_t i = 0; i < t->optimal.n; i++)
		ms_name_number_data(n, t->optimal.at[i].data);
	for (size_t i = 0; i < t->curves.n; i++)
		ms_name_number_data(n, t->curves.at[i].data);
	struct observed *by_data = ms_alloc((run->data.n + 1) * sizeof(*by_data));
	for (size_t i = 0; i < t->optimal.n; i++) {
		struct observed *o = &by_data[ms_name_number_data(n, t->optimal.at[i].data)];

		if (o->parts == NULL)
			o->parts = ms_alloc(run->levels.n * sizeof(*o->parts));
		add_parts(&o->parts[t->optimal.at[i].level], &t->optimal.at[i].parts);
	}
	for (size_t i = 0; i < t->curves.n; i++) {
		const struct ms_engine_total_curve *c = &t->curves.at[i];
		struct observed *o = &by_data[ms_name_number_data(n, c->data)];

		add_groups(o->curve.touched_lines, c->touched_lines);
		add_groups(o->curve.touched_bytes, c->touched_bytes);
	}
	return by_data;
}

static void add_row(struct ms_run *run, uint32_t data, uint32_t level,
		    const struct observed *observed, const struct causes *causes, bool all_lines)
{
	static const struct ms_engine_optimal_parts none;
	struct ms_estimate_range optimal, least;

	if (!ms_estimate_optimal(observed->parts != NULL ? &observed->parts[level] : &none,
				 causes->first, causes->replaced, &optimal))
		return;
	least = ms_estimate_floor(&observed->curve, all_lines, causes->first,
				  run->levels.at[level].line);
	*ms_vec_add(&run->optimal) = (struct ms_run_optimal){
		.data = data,
		.level = level,
		.misses = optimal.value,
		.low = optimal.low,
		.high = optimal.high,
		.least = least.value,
		.least_low = least.low,
		.least_high = least.high,
	};
}

void ms_name_add_optimal(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	struct ms_run *run = n->run;

	if (t->optimal.n == 0)
		return;
	struct observed *by_data = collect(n, t);
	struct causes *causes = count_causes(run);

	for (uint32_t data = 0; data < run->data.n; data++)
		for (uint32_t level = 0; level < run->levels.n; level++) {
			const struct causes *of = &causes[data * run->levels.n + level];

			if (of->first + of->replaced > 0)
				add_row(run, data, level, &by_data[data], of, t->all_lines);
		}
	for (uint32_t data = 0; data < run->data.n; data++)
		ms_free(by_data[data].parts);
	ms_free(by_data);
	ms_free(causes);
}
