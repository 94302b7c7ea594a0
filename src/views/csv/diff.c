/* views/csv/diff.c - two runs compared, as CSV; docs/formats/diff-json.md describes it. */
#include "views/diff.h"

#include <math.h>

#include "base/table.h"
#include "views/keys.h"

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

static void change_cells(struct ms_table *t, const struct ms_diff_change *c, double all)
{
	real_cell(t, c->before);
	real_cell(t, c->after);
	real_cell(t, ms_diff_change_amount(c));
	real_cell(t, ms_diff_change_rate(c));
	real_cell(t, ms_diff_change_share(c, all));
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
			ms_table_text(t, ms_views_cause_keys[k]);
			change_cells(t, &diff->total.causes[i * MS_CAUSES + k],
				     ms_diff_change_amount(&diff->total.changes[first + i]));
		}
}

static void csv_rows(struct ms_table *t, const struct ms_diff *diff, enum ms_diff_list_kind by,
		     size_t top)
{
	static const char *const keys[] = {
		"name", "old_name", "presence", "code",     "data",
		"type", "file",     "line",     "old_line", CHANGE_KEYS
	};
	const struct ms_diff_rows *list = &diff->lists[by];
	double all = ms_diff_change_amount(ms_diff_row_change(diff, &diff->total));

	key_columns(t, keys, MS_COUNT(keys));
	for (size_t i = 0; i < list->at.n && (top == 0 || i < top); i++) {
		const struct ms_diff_row *row = &list->at.at[i];

		ms_table_text(t, row->name);
		ms_table_text(t, row->old_name);
		ms_table_text(t, ms_views_presence_keys[row->presence]);
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
		change_cells(t, ms_diff_row_change(diff, row), all);
	}
}

void ms_views_csv_diff(const struct ms_diff *diff, const struct ms_views_diff_list *what,
		       const struct ms_views_options *o, FILE *out)
{
	struct ms_table t;

	ms_table_open(&t, out, MS_TABLE_CSV, 0, false);
	if (what->cause)
		csv_causes(&t, diff);
	else
		csv_rows(&t, diff, what->all ? MS_DIFF_BIN : what->by, o->top);
	ms_table_close(&t);
}
