/* views/export/csv.c - every point of a run, as CSV. */
#include "views/export/export_priv.h"

#include <math.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/intervals.h"
#include "views/keys.h"

static void column(struct ms_table *t, const char *key)
{
	ms_table_column(t, (struct ms_table_column){ .key = key });
}

/* What samples of the real machine contain, by the unit of their source. */
static const char *const sampled[][3] = { [MS_RUN_NO_UNIT] = { "events" },
					  [MS_RUN_CYCLES] = { "events", "latency" },
					  [MS_RUN_NANOSECONDS] = { "samples", "stall_ns" } };

static void columns(struct ms_table *t, const struct ms_run *run)
{
	static const char *const keys[] = { "module",  "code", "file", "line",
					    "inlined", "data", "type", "kind" };
	static const char *const all[] = { "reads", "writes", "stall_cycles", NULL };
	const char *const *simulated = run->misses_only ? all + 2 : all;

	for (size_t i = 0; i < MS_COUNT(keys); i++)
		column(t, keys[i]);
	for (const char *const *key = ms_run_is_measured(run) ? sampled[run->hardware.at[0].unit]
							      : simulated;
	     *key != NULL; key++)
		ms_views_count_column(t, run, *key);
	for (size_t i = 0; i < run->levels.n; i++) {
		const char *name = run->levels.at[i].name;

		ms_views_count_column(t, run, ms_arena_printf(&t->arena, "%s_read_misses", name));
		ms_views_count_column(t, run, ms_arena_printf(&t->arena, "%s_write_misses", name));
		for (int k = 0; k < MS_CAUSES; k++)
			ms_views_count_column(
				t, run,
				ms_arena_printf(&t->arena, "%s_%s", name, ms_views_cause_keys[k]));
	}
	if (ms_run_has_measured_time(run)) {
		column(t, "stall_ns");
		column(t, "estimated_cycles");
	}
}

static const struct ms_intervals_bounds unknown = { NAN, NAN };

/* Reads, or writes; what no window contains has no interval. */
static void half(struct ms_table *t, const struct ms_summary *whole, const struct ms_lines_point *p,
		 const struct ms_intervals_entry *e, enum ms_summary_rw rw)
{
	bool known = e != NULL && e->rw[rw].misses != NULL;

	ms_views_count_cells(t, whole->run, p->counts.references[rw],
			     known ? ms_intervals_references(whole, e->rw[rw].references)
				   : unknown);
}

static void level(struct ms_table *t, const struct ms_run *run, const struct ms_lines_point *p,
		  const struct ms_intervals_entry *e, size_t number)
{
	const struct ms_summary_level_counts *l = &p->counts.levels[number];

	for (unsigned rw = 0; rw < MS_RW; rw++)
		ms_views_count_cells(
			t, run, l->misses[rw],
			e != NULL && e->rw[rw].misses != NULL ? e->rw[rw].misses[number] : unknown);
	for (int k = 0; k < MS_CAUSES; k++)
		ms_views_count_cells(t, run, l->causes[k],
				     e != NULL ? e->levels[number].causes[k] : unknown);
}

/* e: NULL, it has no intervals. */
static void row(struct ms_table *t, const struct ms_summary *whole, const struct ms_lines_point *p,
		const struct ms_intervals_entry *e)
{
	const struct ms_run *run = whole->run;
	const struct ms_run_line *line = &run->lines.at[p->line];
	const struct ms_run_code *code = &run->codes.at[line->code];
	const struct ms_run_data *data = &run->data.at[p->data];

	ms_table_text(t, code->module);
	ms_table_text(t, code->name);
	ms_table_text(t, line->file);
	ms_table_count(t, line->line);
	ms_table_text(t, p->inlined);
	ms_table_text(t, data->name);
	ms_table_text(t, data->type);
	ms_table_text(t, ms_run_data_kind_word(data->kind));
	if (ms_run_is_measured(run)) {
		ms_table_count(t, ms_summary_rw_sum(p->counts.references));
	} else if (!run->misses_only) {
		half(t, whole, p, e, MS_READS);
		half(t, whole, p, e, MS_WRITES);
	}
	if (!ms_run_is_measured(run) || run->hardware.at[0].unit != MS_RUN_NO_UNIT)
		ms_views_count_cells(t, run, ms_summary_rw_sum(p->counts.stall),
				     e != NULL ? e->cycles : unknown);
	for (size_t i = 0; i < run->levels.n; i++)
		level(t, run, p, e, i);
	if (whole->cost.measured) {
		ms_table_count(t, p->counts.samples.latency);
		ms_table_count(t, ms_summary_rw_sum(p->counts.estimated.stall));
	}
}

MS_EXPORT(csv)
{
	struct ms_table table;
	struct ms_intervals intervals;

	(void)options;
	(void)err;
	ms_lines_points_intervals(points, &intervals);
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	columns(&table, points->run);
	for (size_t i = 0; i < points->at.n; i++)
		if (points->run->data.at[points->at.at[i].data].kind != MS_DATA_ANY)
			row(&table, &points->summary, &points->at.at[i],
			    ms_intervals_at(&intervals, points->at.at[i].key));
	ms_table_close(&table);
	ms_intervals_free(&intervals);
	return MS_OK;
}
