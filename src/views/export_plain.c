/* views/export_plain.c - every point of a run, as CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "analysis/hardware.h"
#include "base/num.h"
#include "run/words.h"
#include "views/export_priv.h"
#include "views/views_priv.h"

static const char *const cause_keys[MS_CAUSES] = { [MS_CAUSE_FIRST] = "first",
						   [MS_CAUSE_REPLACED] = "replacement",
						   [MS_CAUSE_INVALIDATED] = "invalidation" };

/* --- CSV --- */

static void column(struct ms_table *t, const char *key)
{
	ms_table_column(t, (struct ms_table_column){ .key = key });
}

/* What samples of the real machine tell, by the unit of their source. */
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
	for (const char *const *key = ms_hardware_run(run) ? sampled[run->hardware.at[0].unit]
							   : simulated;
	     *key != NULL; key++)
		ms_view_count_column(t, run, *key);
	for (size_t i = 0; i < run->levels.n; i++) {
		const char *name = run->levels.at[i].name;

		ms_view_count_column(t, run, ms_arena_printf(&t->arena, "%s_read_misses", name));
		ms_view_count_column(t, run, ms_arena_printf(&t->arena, "%s_write_misses", name));
		for (int k = 0; k < MS_CAUSES; k++)
			ms_view_count_column(
				t, run, ms_arena_printf(&t->arena, "%s_%s", name, cause_keys[k]));
	}
}

static const struct ms_bounds nobody_knows = { NAN, NAN };

/* Reads, or writes; what windows have not met has no interval. */
static void half(struct ms_table *t, const struct ms_summary *whole, const struct ms_point *p,
		 const struct ms_entry_intervals *e, enum ms_rw rw)
{
	bool known = e != NULL && e->rw[rw].misses != NULL;

	ms_view_count_within(t, whole->run, p->counts.references[rw],
			     known ? ms_intervals_references(whole, e->rw[rw].references)
				   : nobody_knows);
}

static void level(struct ms_table *t, const struct ms_run *run, const struct ms_point *p,
		  const struct ms_entry_intervals *e, size_t number)
{
	const struct ms_level_counts *l = &p->counts.levels[number];

	for (unsigned rw = 0; rw < MS_RW; rw++)
		ms_view_count_within(t, run, l->misses[rw],
				     e != NULL && e->rw[rw].misses != NULL
					     ? e->rw[rw].misses[number]
					     : nobody_knows);
	for (int k = 0; k < MS_CAUSES; k++)
		ms_view_count_within(t, run, l->causes[k],
				     e != NULL ? e->levels[number].causes[k] : nobody_knows);
}

/* e: NULL, it has no intervals. */
static void row(struct ms_table *t, const struct ms_summary *whole, const struct ms_point *p,
		const struct ms_entry_intervals *e)
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
	ms_table_text(t, ms_data_kind_word(data->kind));
	if (ms_hardware_run(run)) {
		ms_table_count(t, ms_both(p->counts.references));
	} else if (!run->misses_only) {
		half(t, whole, p, e, MS_READS);
		half(t, whole, p, e, MS_WRITES);
	}
	if (!ms_hardware_run(run) || run->hardware.at[0].unit != MS_RUN_NO_UNIT)
		ms_view_count_within(t, run, ms_both(p->counts.stall),
				     e != NULL ? e->cycles : nobody_knows);
	for (size_t i = 0; i < run->levels.n; i++)
		level(t, run, p, e, i);
}

MS_EXPORT(csv)
{
	struct ms_table table;
	struct ms_intervals intervals;

	(void)options;
	(void)err;
	ms_points_intervals(points, &intervals);
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

/* --- JSON --- */

static void levels(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_level *l = &run->levels.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", l->name);
		ms_json_u64(j, "size", l->size);
		ms_json_u64(j, "ways", l->ways);
		ms_json_u64(j, "line", l->line);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void codes(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "code");
	for (size_t i = 0; i < run->codes.n; i++) {
		const struct ms_run_code *c = &run->codes.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", c->name);
		ms_json_text(j, "module", c->module);
		ms_json_text(j, "file", c->file);
		ms_json_u64(j, "line", c->line);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void data(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "data");
	for (size_t i = 0; i < run->data.n; i++) {
		const struct ms_run_data *d = &run->data.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", d->name);
		ms_json_text(j, "full_name", d->full_name);
		ms_json_text(j, "kind", ms_data_kind_word(d->kind));
		ms_json_text(j, "type", d->type);
		ms_json_u64(j, "objects", d->objects);
		ms_json_u64(j, "bytes", d->bytes);
		ms_json_u64(j, "peak_bytes", d->peak_bytes);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static uint64_t line_time(const struct ms_run *run, uint32_t line)
{
	for (size_t i = 0; i < run->hardware_computes.n; i++)
		if (run->hardware_computes.at[i].line == line)
			return run->hardware_computes.at[i].time;
	return 0;
}

/* Instructions of a simulation; a timer's time. */
static void line_compute(struct ms_json *j, const struct ms_summary *s, size_t line)
{
	if (!ms_hardware_run(s->run))
		ms_json_u64(j, "instructions", s->run->lines.at[line].instructions);
	else if (s->run->hardware.at[0].unit == MS_RUN_NANOSECONDS)
		ms_json_u64(j, "compute_ns", line_time(s->run, (uint32_t)line));
}

static void lines(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;

	ms_json_array(j, "lines");
	for (size_t i = 0; i < run->lines.n; i++) {
		const struct ms_run_line *l = &run->lines.at[i];

		ms_json_object(j, NULL);
		ms_json_u64(j, "code", l->code);
		ms_json_text(j, "file", l->file);
		ms_json_u64(j, "line", l->line);
		line_compute(j, s, i);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void put_points(struct ms_json *j, const struct ms_points *points)
{
	struct ms_intervals intervals;

	ms_points_intervals(points, &intervals);
	ms_json_array(j, "points");
	for (size_t i = 0; i < points->at.n; i++) {
		const struct ms_point *p = &points->at.at[i];

		ms_json_object(j, NULL);
		ms_json_u64(j, "line", p->line);
		ms_json_u64(j, "data", p->data);
		ms_json_text(j, "inlined", p->inlined);
		ms_view_json_counts(j, &points->summary, &p->counts);
		ms_view_json_intervals(j, points->run, &p->counts,
				       ms_intervals_at(&intervals, p->key));
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_intervals_free(&intervals);
}

MS_EXPORT(json)
{
	struct ms_json j;

	(void)options;
	(void)err;
	ms_view_json_begin_run(&j, points->run, out);
	ms_json_end(&j);
	levels(&j, points->run);
	codes(&j, points->run);
	data(&j, points->run);
	lines(&j, &points->summary);
	put_points(&j, points);
	ms_json_end(&j);
	return MS_OK;
}
