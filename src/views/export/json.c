/* views/export/json.c - every point of a run, as JSON. */
#include "views/export/export_priv.h"

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"

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
		ms_json_text(j, "kind", ms_run_data_kind_word(d->kind));
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
	if (!ms_run_is_measured(s->run))
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

static void put_points(struct ms_json *j, const struct ms_lines_points *points)
{
	struct ms_intervals intervals;

	ms_lines_points_intervals(points, &intervals);
	ms_json_array(j, "points");
	for (size_t i = 0; i < points->at.n; i++) {
		const struct ms_lines_point *p = &points->at.at[i];

		ms_json_object(j, NULL);
		ms_json_u64(j, "line", p->line);
		ms_json_u64(j, "data", p->data);
		ms_json_text(j, "inlined", p->inlined);
		ms_views_json_counts(j, &points->summary, &p->counts);
		ms_views_json_intervals(j, points->run, &p->counts,
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
	ms_views_json_begin_run(&j, points->run, out);
	ms_json_end(&j);
	levels(&j, points->run);
	codes(&j, points->run);
	data(&j, points->run);
	lines(&j, &points->summary);
	put_points(&j, points);
	ms_json_end(&j);
	return MS_OK;
}
