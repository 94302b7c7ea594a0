/* views/diff_json.c - a comparison for programs; docs/formats/diff-json.md describes it. */
#include <inttypes.h>
#include <math.h>

#include "views/diff.h"
#include "views/views_priv.h"

static const char *const cause_keys[MS_CAUSES] = { [MS_CAUSE_FIRST] = "first",
						   [MS_CAUSE_REPLACED] = "replacement",
						   [MS_CAUSE_INVALIDATED] = "invalidation" };

static const char *const presence_keys[] = {
	[MS_DIFF_BOTH] = "both", [MS_DIFF_APPEARED] = "appeared", [MS_DIFF_GONE] = "gone"
};

/* --- JSON --- */

static void change(struct ms_json *j, const char *key, const struct ms_change *c, double all)
{
	ms_json_object(j, key);
	ms_json_real(j, "before", c->before);
	ms_json_real(j, "after", c->after);
	ms_json_real(j, "change", ms_change_by(c));
	ms_json_real(j, "relative", ms_change_rate(c));
	ms_json_real(j, "share", ms_change_share(c, all));
	ms_json_real(j, "noise", c->noise);
	ms_json_bool(j, "clear", c->clear);
	ms_json_end(j);
}

static void metrics(struct ms_json *j, const struct ms_diff *diff, const struct ms_diff_row *row)
{
	ms_json_object(j, "metrics");
	for (size_t i = 0; i < diff->metrics.n; i++)
		if (ms_diff_has(diff, row, i))
			change(j, diff->metrics.at[i].key, &row->changes[i],
			       ms_change_by(&diff->total.changes[i]));
	ms_json_end(j);
}

static void causes(struct ms_json *j, const struct ms_diff *diff, const struct ms_diff_row *row)
{
	size_t first = diff->metrics.n - diff->levels.n;

	ms_json_array(j, "causes");
	for (size_t i = 0; i < diff->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "level", diff->levels.at[i]);
		for (size_t k = 0; k < MS_CAUSES; k++)
			change(j, cause_keys[k], &row->causes[i * MS_CAUSES + k],
			       ms_change_by(&diff->total.changes[first + i]));
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void side(struct ms_json *j, const char *key, const struct ms_diff_side *s)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < s->n; i++) {
		const struct ms_run *run = s->runs[i];

		ms_json_object(j, NULL);
		ms_json_i64(j, "id", run->id);
		ms_view_json_tags(j, run->tag, run->tags.at, run->tags.n);
		ms_json_text(j, "note", run->note);
		ms_json_text(j, "started", run->started);
		ms_json_text(j, "program", run->program);
		ms_view_json_texts(j, "argv", run->argv.at, run->argv.n);
		ms_json_text(j, "machine", run->machine);
		ms_json_text(j, "build_id", run->build_id);
		ms_json_text(j, "git_commit", run->git_commit);
		ms_view_json_dirty(j, run->git_commit, run->git_dirty != 0);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* What a row is; fields that its list does not have are left out. */
static void about(struct ms_json *j, enum ms_diff_by by, const struct ms_diff_row *row)
{
	ms_json_text(j, "name", row->name);
	ms_json_text(j, "old_name", row->old_name);
	ms_json_text(j, "presence", presence_keys[row->presence]);
	if (by != MS_DIFF_DATA)
		ms_json_text(j, "code", row->code);
	if (by == MS_DIFF_DATA || by == MS_DIFF_BIN) {
		ms_json_text(j, "data", row->data);
		ms_json_text(j, "type", row->type);
	}
	if (by == MS_DIFF_LINE) {
		ms_json_text(j, "file", row->file);
		ms_json_u64(j, "line", row->line);
		ms_json_u64(j, "old_line", row->old_line);
	}
}

static void rows(struct ms_json *j, const struct ms_diff *diff, enum ms_diff_by by, const char *key,
		 size_t top)
{
	const struct ms_diff_rows *list = &diff->lists[by];

	ms_json_array(j, key);
	for (size_t i = 0; i < list->at.n && (top == 0 || i < top); i++) {
		ms_json_object(j, NULL);
		about(j, by, &list->at.at[i]);
		metrics(j, diff, &list->at.at[i]);
		causes(j, diff, &list->at.at[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
}

void ms_diff_json(const struct ms_diff *diff, const struct ms_diff_view *what,
		  const struct ms_view_options *o, FILE *out)
{
	struct ms_json j;

	(void)what;
	ms_view_json_begin(&j, out);
	side(&j, "before", &diff->sides[0]);
	side(&j, "after", &diff->sides[1]);
	ms_view_json_texts(&j, "remarks", diff->remarks.at, diff->remarks.n);
	ms_json_text(&j, "metric", diff->metrics.at[diff->metric].key);
	ms_json_object(&j, "total");
	metrics(&j, diff, &diff->total);
	causes(&j, diff, &diff->total);
	ms_json_end(&j);
	rows(&j, diff, MS_DIFF_BIN, "bins", o->top);
	rows(&j, diff, MS_DIFF_DATA, "data", o->top);
	rows(&j, diff, MS_DIFF_CODE, "code", o->top);
	rows(&j, diff, MS_DIFF_LINE, "lines", o->top);
	ms_json_end(&j);
}

/* --- CSV --- */

static void key_columns(struct ms_table *t, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ms_table_column(t, (struct ms_table_column){ .key = keys[i] });
}

static void real_cell(struct ms_table *t, double value)
{
	if (isfinite(value))
		ms_table_real(t, value, 0);
	else
		ms_table_none(t);
}

static void change_cells(struct ms_table *t, const struct ms_change *c, double all)
{
	real_cell(t, c->before);
	real_cell(t, c->after);
	real_cell(t, ms_change_by(c));
	real_cell(t, ms_change_rate(c));
	real_cell(t, ms_change_share(c, all));
	real_cell(t, c->noise);
	ms_table_text(t, c->clear ? "1" : "0");
}

#define CHANGE_KEYS "before", "after", "change", "relative", "share", "noise", "clear"

static void csv_causes(struct ms_table *t, const struct ms_diff *diff)
{
	static const char *const keys[] = { "level", "cause", CHANGE_KEYS };
	size_t first = diff->metrics.n - diff->levels.n;

	key_columns(t, keys, MS_COUNT(keys));
	for (size_t i = 0; i < diff->levels.n; i++)
		for (size_t k = 0; k < MS_CAUSES; k++) {
			ms_table_text(t, diff->levels.at[i]);
			ms_table_text(t, cause_keys[k]);
			change_cells(t, &diff->total.causes[i * MS_CAUSES + k],
				     ms_change_by(&diff->total.changes[first + i]));
		}
}

static void csv_rows(struct ms_table *t, const struct ms_diff *diff, enum ms_diff_by by, size_t top)
{
	static const char *const keys[] = {
		"name", "old_name", "presence", "code",     "data",
		"type", "file",     "line",     "old_line", CHANGE_KEYS
	};
	const struct ms_diff_rows *list = &diff->lists[by];
	double all = ms_change_by(ms_diff_change(diff, &diff->total));

	key_columns(t, keys, MS_COUNT(keys));
	for (size_t i = 0; i < list->at.n && (top == 0 || i < top); i++) {
		const struct ms_diff_row *row = &list->at.at[i];

		ms_table_text(t, row->name);
		ms_table_text(t, row->old_name);
		ms_table_text(t, presence_keys[row->presence]);
		ms_table_text(t, row->code);
		ms_table_text(t, row->data);
		ms_table_text(t, row->type);
		ms_table_text(t, row->file);
		if (by == MS_DIFF_LINE) {
			ms_table_count(t, row->line);
			ms_table_count(t, row->old_line);
		} else {
			ms_table_none(t);
			ms_table_none(t);
		}
		change_cells(t, ms_diff_change(diff, row), all);
	}
}

void ms_diff_csv(const struct ms_diff *diff, const struct ms_diff_view *what,
		 const struct ms_view_options *o, FILE *out)
{
	struct ms_table t;

	ms_table_open(&t, out, MS_TABLE_CSV, 0, false);
	if (what->cause)
		csv_causes(&t, diff);
	else
		csv_rows(&t, diff, what->all ? MS_DIFF_BIN : what->by, o->top);
	ms_table_close(&t);
}
