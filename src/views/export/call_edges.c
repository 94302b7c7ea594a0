#include "views/export/call_edges.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"

struct edge_builder {
	struct ms_export_edges *edges;
	const struct ms_run *run;
	const struct ms_export_paths *paths;
	struct ms_map number;                    /* (line, code) */
	struct ms_map counted;                   /* (edge, row): recursion counts once */
	struct ms_map reads;                     /* (line, data) to lines_points: shares of reads */
	MS_VEC(struct ms_summary_counts) totals; /* of a line and data */
	struct ms_arena arena;
};

static uint32_t edge_at(struct edge_builder *b, uint32_t line, uint32_t code)
{
	uint32_t *number = ms_map_at(&b->number, line, code);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)b->edges->at.n;
		struct ms_export_edge *edge = ms_vec_add(&b->edges->at);
		edge->line = line;
		edge->code = code;
		edge->costs.levels = ms_arena_take(
			&b->edges->arena, (b->run->levels.n + 1) * sizeof(*edge->costs.levels));
	}
	return *number;
}

static struct ms_summary_counts *totals_at(struct edge_builder *b, uint32_t line, uint32_t data)
{
	uint32_t *number = ms_map_at(&b->reads, line, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)b->totals.n;
		struct ms_summary_counts *counts = ms_vec_add(&b->totals);
		counts->levels =
			ms_arena_take(&b->arena, (b->run->levels.n + 1) * sizeof(*counts->levels));
	}
	return &b->totals.at[*number];
}

/* Reads and writes of a row are in the ratio of all misses of its line and data. */
static void add_row(struct edge_builder *b, uint32_t edge, const struct ms_paths_row *row)
{
	struct ms_summary_counts *to = &b->edges->at.at[edge].costs;
	const struct ms_summary_counts *all = totals_at(b, row->line, row->data);

	to->stall[MS_READS] += row->stall;
	for (size_t l = 0; l < b->run->levels.n; l++) {
		uint64_t misses = ms_summary_rw_sum(all->levels[l].misses), reads = 0;

		if (misses > 0)
			reads = (uint64_t)((double)row->misses[l] *
						   (double)all->levels[l].misses[MS_READS] /
						   (double)misses +
					   0.5);
		to->levels[l].misses[MS_READS] += reads;
		to->levels[l].misses[MS_WRITES] += row->misses[l] - reads;
	}
}

static void add_calls(struct edge_builder *b, uint32_t number)
{
	const struct ms_paths_row *row = &b->paths->rows.at.at[number];
	uint32_t called = b->run->lines.at[row->line].code;

	for (uint32_t path = row->path; b->run->paths.at[path].line != MS_NONE;
	     path = b->run->paths.at[path].parent) {
		uint32_t line = b->run->paths.at[path].line, edge = edge_at(b, line, called);
		uint32_t *seen = ms_map_at(&b->counted, edge, number);

		if (*seen == MS_MAP_NONE)
			add_row(b, edge, row);
		*seen = 0;
		called = b->run->lines.at[line].code;
	}
}

static int by_caller(const void *a, const void *b, void *of)
{
	const struct ms_run *run = of;
	const struct ms_export_edge *x = a, *y = b;
	int order = ms_cmp_u64(run->lines.at[x->line].code, run->lines.at[y->line].code);

	if (order == 0)
		order = ms_cmp_u64(x->line, y->line);
	return order != 0 ? order : ms_cmp_u64(x->code, y->code);
}

void ms_export_find_edges(struct ms_export_edges *edges, const struct ms_lines_points *points)
{
	struct ms_export_paths paths;
	struct edge_builder b = { .edges = edges, .run = points->run, .paths = &paths };

	*edges = (struct ms_export_edges){ .arena = MS_ARENA_INIT };
	ms_export_open_paths(&paths, points);
	for (size_t i = 0; i < points->at.n && paths.are_known; i++)
		ms_summary_add_counts(totals_at(&b, points->at.at[i].line, points->at.at[i].data),
				      &points->at.at[i].counts, points->run->levels.n);
	for (uint32_t i = 0; paths.are_known && i < paths.rows.at.n; i++)
		add_calls(&b, i);
	if (edges->at.n > 0)
		qsort_r(edges->at.at, edges->at.n, sizeof(*edges->at.at), by_caller,
			(void *)points->run);
	ms_export_close_paths(&paths);
	ms_map_free(&b.number);
	ms_map_free(&b.counted);
	ms_map_free(&b.reads);
	ms_vec_free(&b.totals);
	ms_arena_free(&b.arena);
}

void ms_export_free_edges(struct ms_export_edges *edges)
{
	ms_vec_free(&edges->at);
	ms_arena_free(&edges->arena);
}
