/* views/json/diff.c - two runs compared, as JSON; docs/formats/diff-json.md describes it. */
#include "views/diff.h"

#include <math.h>

#include "base/json.h"
#include "views/json/parts.h"
#include "views/keys.h"

static void change(struct ms_json *j, const char *key, const struct ms_diff_change *c, double all)
{
	ms_json_object(j, key);
	ms_json_real(j, "before", c->before);
	ms_json_real(j, "after", c->after);
	ms_json_real(j, "change", ms_diff_change_amount(c));
	ms_json_real(j, "relative", ms_diff_change_rate(c));
	ms_json_real(j, "share", ms_diff_change_share(c, all));
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
			       ms_diff_change_amount(&diff->total.changes[i]));
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
			change(j, ms_views_cause_keys[k], &row->causes[i * MS_CAUSES + k],
			       ms_diff_change_amount(&diff->total.changes[first + i]));
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
		ms_views_json_tags(j, run->tag, run->tags.at, run->tags.n);
		ms_json_text(j, "note", run->note);
		ms_json_text(j, "started", run->started);
		ms_json_text(j, "program", run->program);
		ms_views_json_texts(j, "argv", run->argv.at, run->argv.n);
		ms_json_text(j, "machine", run->machine);
		ms_json_text(j, "build_id", run->build_id);
		ms_json_text(j, "git_commit", run->git_commit);
		ms_views_json_dirty(j, run->git_commit, run->git_dirty != 0);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* What a row is; fields that its list does not have are left out. */
static void about(struct ms_json *j, enum ms_diff_list_kind by, const struct ms_diff_row *row)
{
	ms_json_text(j, "name", row->name);
	ms_json_text(j, "old_name", row->old_name);
	ms_json_text(j, "presence", ms_views_presence_keys[row->presence]);
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

static void rows(struct ms_json *j, const struct ms_diff *diff, enum ms_diff_list_kind by,
		 const char *key, size_t top)
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

static void real_or_null(struct ms_json *j, const char *key, double value)
{
	if (isfinite(value))
		ms_json_real(j, key, value);
	else
		ms_json_null(j, key);
}

/* Only of runs with an out-of-order core. */
static void speedup(struct ms_json *j, const struct ms_diff *diff)
{
	struct ms_diff_speedup s = ms_diff_predict_speedup(diff);

	if (!s.known)
		return;
	ms_json_object(j, "speedup");
	ms_json_real(j, "times", s.times);
	if (s.measured)
		ms_json_bool(j, "measured", true);
	real_or_null(j, "low", s.low);
	real_or_null(j, "high", s.high);
	real_or_null(j, "before_ms", s.milliseconds[0]);
	real_or_null(j, "after_ms", s.milliseconds[1]);
	ms_json_end(j);
}

void ms_views_json_diff(const struct ms_diff *diff, const struct ms_views_diff_list *what,
			const struct ms_views_options *o, FILE *out)
{
	struct ms_json j;

	(void)what;
	ms_views_json_begin(&j, out);
	side(&j, "before", &diff->sides[0]);
	side(&j, "after", &diff->sides[1]);
	ms_views_json_texts(&j, "remarks", diff->remarks.at, diff->remarks.n);
	speedup(&j, diff);
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
