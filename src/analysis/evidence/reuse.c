/* analysis/evidence/reuse.c - see reuse.h. */
#include "analysis/evidence/reuse.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

struct reuse_cost {
	double misses; /* of the first level */
	double stall;
};

/* Costs of source lines, and of each with one data structure (MS_NONE: with all). */
struct reuse_costs {
	struct ms_map numbers;
	MS_VEC(struct reuse_cost) at;
};

static struct reuse_cost *get_cost(struct reuse_costs *costs, uint32_t line, uint32_t data)
{
	uint32_t *number = ms_map_at(&costs->numbers, line, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)costs->at.n;
		*ms_vec_add(&costs->at) = (struct reuse_cost){ 0, 0 };
	}
	return &costs->at.at[*number];
}

static void add_cost(struct reuse_costs *costs, uint32_t line, uint32_t data, double misses,
		     double stall)
{
	struct reuse_cost *cost = get_cost(costs, line, data);

	cost->misses += misses;
	cost->stall += stall;
}

static void add_costs(struct reuse_costs *costs, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct ms_summary_rows rows = { 0, 0 };

	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_summary_cell_counts c =
			ms_summary_cell_counts(run, &summary->cost, i, &rows);
		uint32_t line = run->sites.at[c.cell->site].line;
		double misses = 0, stall = (double)c.stall.cycles;

		for (size_t k = 0; k < c.n; k++)
			if (c.misses[k].level == 0)
				misses += (double)ms_summary_miss_count(&c.misses[k]);
		add_cost(costs, line, c.cell->data, misses, stall);
		add_cost(costs, line, MS_NONE, misses, stall);
	}
}

static double find_compute(const struct ms_summary *summary, uint32_t line)
{
	for (size_t i = 0; i < summary->lines.at.n; i++)
		if (summary->lines.at.at[i].line == line)
			return (double)summary->lines.at.at[i].counts.compute;
	return 0;
}

/* A later line of the same function; what an earlier one uses again is the next outer iteration. */
static bool follows(const struct ms_run *run, const struct ms_run_reuse *reuse)
{
	const struct ms_run_line *from = &run->lines.at[reuse->from_line],
				 *to = &run->lines.at[reuse->to_line];

	return from->code == to->code && from->line > 0 && from->line < to->line;
}

static void add_reuse(struct ms_evidence_reuses *reuses, const struct ms_summary *summary,
		      struct reuse_costs *costs, const struct ms_run_reuse *reuse)
{
	struct reuse_cost own = *get_cost(costs, reuse->to_line, reuse->data),
			  all = *get_cost(costs, reuse->to_line, MS_NONE);

	if (own.misses <= 0)
		return;
	double share = fmin(reuse->count / own.misses, 1);

	*ms_vec_add(&reuses->at) = (struct ms_evidence_reuse){
		.follows = follows(summary->run, reuse),
		.data = reuse->data,
		.code = summary->run->lines.at[reuse->to_line].code,
		.from_line = reuse->from_line,
		.to_line = reuse->to_line,
		.misses = share * own.misses,
		.share = share,
		.bytes = exp2(reuse->log2_bytes / reuse->count),
		.stall = share * own.stall,
		.compute = find_compute(summary, reuse->to_line) / all.misses,
	};
}

static int by_misses(const void *a, const void *b)
{
	const struct ms_evidence_reuse *x = a, *y = b;

	if (x->misses != y->misses)
		return x->misses < y->misses ? 1 : -1;
	if (x->to_line != y->to_line)
		return x->to_line > y->to_line ? 1 : -1;
	return (x->from_line > y->from_line) - (x->from_line < y->from_line);
}

void ms_evidence_reuses_make(struct ms_evidence_reuses *reuses, const struct ms_summary *summary)
{
	const struct ms_run *run = summary->run;
	struct reuse_costs costs = { .numbers = MS_MAP_INIT };

	*reuses = (struct ms_evidence_reuses){ .at = MS_VEC_INIT };
	if (run->reuses.n == 0)
		return;
	add_costs(&costs, summary);
	for (size_t i = 0; i < run->reuses.n; i++)
		if (run->reuses.at[i].from_line != run->reuses.at[i].to_line &&
		    run->reuses.at[i].count > 0)
			add_reuse(reuses, summary, &costs, &run->reuses.at[i]);
	if (reuses->at.n > 0)
		qsort(reuses->at.at, reuses->at.n, sizeof(*reuses->at.at), by_misses);
	ms_map_free(&costs.numbers);
	ms_vec_free(&costs.at);
}

void ms_evidence_reuses_free(struct ms_evidence_reuses *reuses)
{
	ms_vec_free(&reuses->at);
}
