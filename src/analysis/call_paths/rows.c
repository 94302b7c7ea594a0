/* analysis/call_paths/rows.c - costs by path, line and data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/map.h"

bool ms_paths_are_known(const struct ms_run *run)
{
	return run->path_misses.n > 0;
}

/* All paths of a line and data together. */
struct line_cost {
	uint64_t stall;
	double weight; /* of its rows: latencies of misses */
	uint64_t left; /* stall that no row has yet */
	double weight_left;
};

struct line_costs {
	struct ms_map number; /* (line, data) */
	MS_VEC(struct line_cost) at;
};

static struct line_cost *cost_at(struct line_costs *costs, uint32_t line, uint32_t data)
{
	uint32_t *number = ms_map_at(&costs->number, line, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)costs->at.n;
		ms_vec_add(&costs->at);
	}
	return &costs->at.at[*number];
}

static void add_cells(struct line_costs *costs, const struct ms_summary *s)
{
	struct ms_summary_rows at = { 0, 0 };

	for (size_t i = 0; i < s->run->cells.n; i++) {
		struct ms_summary_cell_counts cell =
			ms_summary_cell_counts(s->run, &s->cost, i, &at);
		const struct ms_run_site *site = &s->run->sites.at[cell.cell->site];
		struct line_cost *cost = cost_at(costs, site->line, cell.cell->data);

		cost->stall += cell.stall.cycles;
		cost->left = cost->stall;
	}
}

/* The latencies of the misses, of which each counts for the last level that it missed. */
static double weight_of(const struct ms_summary *s, const struct ms_paths_row *row)
{
	double weight = 0;

	if (ms_run_is_measured(s->run))
		return (double)row->misses[MS_PATH_LATENCY];
	for (size_t l = 0; l < s->run->levels.n; l++) {
		uint64_t further = l + 1 < s->run->levels.n ? row->misses[l + 1] : 0;

		if (row->misses[l] > further)
			weight += (double)(row->misses[l] - further) * (double)s->cost.answer.at[l];
	}
	return weight;
}

static void add_rows(struct ms_paths_rows *rows)
{
	const struct ms_run *run = rows->run;

	for (size_t i = 0; i < run->path_misses.n; i++) {
		const struct ms_run_path_miss *m = &run->path_misses.at[i];
		struct ms_paths_row *row = rows->at.n > 0 ? &rows->at.at[rows->at.n - 1] : NULL;

		if (row == NULL || row->path != m->path || row->line != m->line ||
		    row->data != m->data) {
			row = ms_vec_add(&rows->at);
			*row = (struct ms_paths_row){
				m->path, m->line, m->data, 0,
				ms_arena_take(&rows->arena, (run->levels.n + 1) * sizeof(uint64_t))
			};
		}
		row->misses[m->level] += m->misses;
	}
}

/* Each row takes its share of what is left, so that nothing is left after the last one. */
static void share_stall(struct ms_paths_rows *rows, const struct ms_summary *s,
			struct line_costs *costs)
{
	for (size_t i = 0; i < rows->at.n; i++) {
		struct ms_paths_row *row = &rows->at.at[i];
		struct line_cost *cost = cost_at(costs, row->line, row->data);

		cost->weight += weight_of(s, row);
		cost->weight_left = cost->weight;
	}
	for (size_t i = 0; i < rows->at.n; i++) {
		struct ms_paths_row *row = &rows->at.at[i];
		struct line_cost *cost = cost_at(costs, row->line, row->data);
		double weight = weight_of(s, row);
		double share = cost->weight_left > 0 ? weight / cost->weight_left : 1;

		row->stall = share >= 1 ? cost->left : (uint64_t)((double)cost->left * share + 0.5);
		cost->left -= row->stall;
		cost->weight_left -= weight;
		rows->stall += row->stall;
	}
}

/* Of a run without call paths: how a run with them is made. */
static const char *remedy_of(const struct ms_run *run)
{
	if (run->levels.n == 0 && run->hardware.n > 0)
		return "samples that the kernel takes have none; 'memspy sample --event timer' and "
		       "'memspy run --call-paths' record them";
	if (run->samplings.n > 0 && run->samplings.at[0].sets > 1)
		return "'memspy run --call-paths' records them, without --sample-sets, which this "
		       "run has";
	return "'memspy run --call-paths' records them";
}

int ms_paths_make_rows(struct ms_paths_rows *rows, const struct ms_summary *summary,
		       struct ms_err *err)
{
	struct line_costs costs = { MS_MAP_INIT, MS_VEC_INIT };

	*rows = (struct ms_paths_rows){ .run = summary->run };
	if (!ms_paths_are_known(summary->run))
		return ms_fail(err, MS_EUSAGE, "run %" PRId64 " has no call paths; %s",
			       summary->run->id, remedy_of(summary->run));
	add_cells(&costs, summary);
	add_rows(rows);
	share_stall(rows, summary, &costs);
	ms_map_free(&costs.number);
	ms_vec_free(&costs.at);
	return MS_OK;
}

void ms_paths_free_rows(struct ms_paths_rows *rows)
{
	ms_vec_free(&rows->at);
	ms_arena_free(&rows->arena);
}

/* --- whole paths --- */

static int by_stall(const void *a, const void *b)
{
	const struct ms_paths_leaf *x = a, *y = b;

	if (x->stall != y->stall)
		return x->stall > y->stall ? -1 : 1;
	if (x->misses[0] != y->misses[0])
		return x->misses[0] > y->misses[0] ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

void ms_paths_sort_leaves(struct ms_paths_leaves *leaves)
{
	if (leaves->at.n > 0)
		qsort(leaves->at.at, leaves->at.n, sizeof(*leaves->at.at), by_stall);
}

void ms_paths_list_leaves(struct ms_paths_leaves *leaves, const struct ms_paths_rows *rows,
			  const bool *data)
{
	const struct ms_run *run = rows->run;
	struct ms_map number = MS_MAP_INIT;

	*leaves = (struct ms_paths_leaves){ .arena = MS_ARENA_INIT };
	for (size_t i = 0; i < rows->at.n; i++) {
		const struct ms_paths_row *row = &rows->at.at[i];
		uint32_t code = run->lines.at[row->line].code;

		if (data != NULL && !data[row->data])
			continue;
		uint32_t *at = ms_map_at(&number, row->path, code);
		if (*at == MS_MAP_NONE) {
			*at = (uint32_t)leaves->at.n;
			*ms_vec_add(&leaves->at) = (struct ms_paths_leaf){
				.path = row->path,
				.code = code,
				.misses = ms_arena_take(&leaves->arena,
							(run->levels.n + 1) * sizeof(uint64_t)),
			};
		}
		struct ms_paths_leaf *leaf = &leaves->at.at[*at];
		leaf->stall += row->stall;
		for (size_t l = 0; l < run->levels.n; l++)
			leaf->misses[l] += row->misses[l];
	}
	ms_map_free(&number);
	ms_paths_sort_leaves(leaves);
}

void ms_paths_free_leaves(struct ms_paths_leaves *leaves)
{
	ms_vec_free(&leaves->at);
	ms_arena_free(&leaves->arena);
}
