#include "views/diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/text/page.h"

/* --- cells --- */

/* Names of code differ at their end, all others at their beginning. */
static void name_column(struct ms_table *t, enum ms_utf8_cut cut)
{
	ms_table_column(t, (struct ms_table_column){ "", "", false, 16, cut });
}

static void count_cell(struct ms_table *t, double value)
{
	ms_table_count(t, ms_round_u64(value));
}

/* "+1.2M", "-380": what came and what went. */
static void signed_cell(struct ms_table *t, double value)
{
	char text[MS_NUM_TEXT];

	if (ms_round_u64(fabs(value)) == 0)
		ms_table_text(t, "0");
	else
		ms_table_text(t, ms_arena_printf(&t->arena, "%c%s", value < 0 ? '-' : '+',
						 ms_format_count(ms_round_u64(fabs(value)), text)));
}

/* Shares and changes that are shown in per cent. */
static const double MOST = 10;

static void percent_cell(struct ms_table *t, double share, bool with_sign)
{
	char times[MS_NUM_TEXT];

	/* Beyond ten times, per cent are not read any more; shares of a change that is next to
	 * nothing mean nothing. */
	if (!isfinite(share) || (!with_sign && fabs(share) > MOST))
		ms_table_none(t);
	else if (with_sign && share > MOST)
		ms_table_text(t, ms_arena_printf(&t->arena, "x%s",
						 ms_format_count(ms_round_u64(1 + share), times)));
	else if (!with_sign && fabs(share) < 0.0005)
		ms_table_text(t, "0.0");
	else
		ms_table_text(
			t, ms_arena_printf(&t->arena, with_sign ? "%+.1f%%" : "%.1f", 100 * share));
}

/* Better is less: all figures are costs. What may be noise is neither. */
static enum ms_style style_of(const struct ms_diff_change *change, double share)
{
	if (!change->clear)
		return MS_STYLE_DIM;
	if (ms_diff_change_amount(change) <= 0 || !(fabs(share) >= 0.01))
		return MS_STYLE_PLAIN;
	return fabs(share) >= 0.1 ? MS_STYLE_HOT : MS_STYLE_WARM;
}

/* Of a change: before, after, by how much, relative, and how much noise there is. */
static void change_cells(struct ms_table *t, const struct ms_diff_change *c, bool noisy,
			 enum ms_style style)
{
	count_cell(t, c->before);
	ms_table_style(t, style);
	count_cell(t, c->after);
	ms_table_style(t, style);
	signed_cell(t, ms_diff_change_amount(c));
	ms_table_style(t, style);
	percent_cell(t, ms_diff_change_rate(c), true);
	ms_table_style(t, style);
	if (!noisy)
		return;
	if (isfinite(c->noise))
		ms_table_text(t, ms_arena_printf(&t->arena, "%s%s", c->clear ? "" : "~",
						 ms_format_count(ms_round_u64(c->noise),
								 (char[MS_NUM_TEXT]){ 0 })));
	else if (isinf(c->noise))
		ms_table_text(t, "~"); /* windows may have missed any number */
	else
		ms_table_none(t);
	ms_table_style(t, style);
}

static void change_columns(struct ms_table *t, bool noisy)
{
	ms_views_text_number_column(t, "Before", 1);
	ms_views_text_number_column(t, "After", 0);
	ms_views_text_number_column(t, "Change", 0);
	ms_views_text_number_column(t, "Rel.", 3);
	if (noisy)
		ms_views_text_number_column(t, "Noise", 2);
}

/* --- parts of the page --- */

/* A relative change that is none. */
static const double SAME = 0.0005;

static const char *side_names(const struct ms_diff *diff, unsigned side, struct ms_arena *arena)
{
	const char *names = "";

	for (size_t i = 0; i < diff->sides[side].n; i++)
		names = ms_arena_printf(arena, "%s%s@%" PRId64, names, i > 0 ? ", " : "",
					diff->sides[side].runs[i]->id);
	return names;
}

/* "Before:  @1, @2 (base), ./matmul 295, 2026-11-15T10:31:02Z" */
static void head_line(const struct ms_views_text_page *page, const struct ms_diff *diff,
		      unsigned side)
{
	const struct ms_run *run = diff->sides[side].runs[diff->sides[side].n - 1];
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, side_names(diff, side, &arena));
	if (run->tag != NULL)
		ms_text_addf(&text, " (%s)", run->tag);
	ms_text_add(&text, ", ");
	ms_describe_command(&text, run->program, run->argv.at, run->argv.n);
	ms_text_addf(&text, ", %s", run->started);
	if (run->git_commit != NULL)
		ms_text_addf(&text, ", commit %.7s%s", run->git_commit, run->git_dirty ? "+" : "");
	if (run->note != NULL && run->note[0] != '\0')
		ms_text_addf(&text, ": %s", run->note);
	ms_views_text_wrap(page, side == 0 ? "Before:  " : "After:   ", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}

/* "Predicted speedup: 1.83 (46.0 ms before, 25.1 ms after; by the timing model)" */
static void speedup(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	struct ms_diff_speedup s = ms_diff_predict_speedup(diff);
	struct ms_text text = MS_TEXT_INIT;

	if (!s.known)
		return;
	ms_text_addf(&text, "%.3g (", s.times);
	if (isfinite(s.milliseconds[0]) && isfinite(s.milliseconds[1]))
		ms_text_addf(&text, "%.4g ms before, %.4g ms after; ", s.milliseconds[0],
			     s.milliseconds[1]);
	if (isfinite(s.low) && isfinite(s.high))
		ms_text_addf(&text, "95%% interval: %.3g to %.3g, ", s.low, s.high);
	ms_text_add(&text, s.measured ? "measured)" : "by the timing model)");
	ms_views_text_wrap(page, s.measured ? "Speedup: " : "Predicted speedup: ", text.at);
	ms_text_free(&text);
}

/* "Verdict: better: memory stall cycles -63.4% (1.80G before, 658.6M after)" */
static void verdict(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	const struct ms_diff_change *c = ms_diff_row_change(diff, &diff->total);
	double rate = ms_diff_change_rate(c), amount = ms_diff_change_amount(c);
	char before[MS_NUM_TEXT], after[MS_NUM_TEXT];
	struct ms_text text = MS_TEXT_INIT;
	const char *word = amount < 0 ? "better" : "worse";

	if (!c->clear)
		word = "no clear change";
	else if (amount == 0 || fabs(rate) < SAME)
		word = "no change";
	ms_text_addf(&text, "%s: %s ", word, diff->metrics.at[diff->metric].text);
	if (isfinite(rate) && rate <= MOST)
		ms_text_addf(&text, "%+.1f%% ", 100 * rate);
	else if (isfinite(rate))
		ms_text_addf(&text, "x%s ", ms_format_count(ms_round_u64(1 + rate), before));
	ms_text_addf(&text, "(%s before, %s after)",
		     ms_format_count(ms_round_u64(c->before), before),
		     ms_format_count(ms_round_u64(c->after), after));
	ms_views_text_wrap(page, "Verdict: ", text.at);
	ms_text_free(&text);
}

static void head(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	verdict(page, diff);
	head_line(page, diff, 0);
	head_line(page, diff, 1);
	for (size_t i = 0; i < diff->remarks.n; i++)
		ms_views_text_wrap(page, i == 0 ? "Note:    " : "         ", diff->remarks.at[i]);
	speedup(page, diff);
	fputc('\n', page->out);
}

static void totals(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	struct ms_table t;

	ms_views_text_title(page, "TOTALS");
	ms_table_open(&t, page->out, MS_TABLE_TEXT, page->width, page->colour);
	name_column(&t, MS_CUT_END);
	change_columns(&t, diff->noisy);
	for (size_t i = 0; i < diff->metrics.n; i++) {
		const struct ms_diff_change *c = &diff->total.changes[i];

		ms_table_text(&t, diff->metrics.at[i].text);
		change_cells(&t, c, diff->noisy, style_of(c, ms_diff_change_rate(c)));
	}
	ms_table_close(&t);
	fputc('\n', page->out);
}

static bool is_shown(const struct ms_diff *diff, const struct ms_diff_row *row,
		     const struct ms_views_options *o)
{
	double threshold = o->threshold >= 0 ? o->threshold : MS_VIEWS_THRESHOLD;
	double all = fabs(ms_diff_change_amount(ms_diff_row_change(diff, &diff->total)));
	double by = fabs(ms_diff_change_amount(ms_diff_row_change(diff, row)));

	return by > 0 && by >= threshold * all;
}

static size_t shown_rows(const struct ms_diff *diff, const struct ms_diff_rows *rows,
			 const struct ms_views_options *o, size_t top)
{
	size_t n = 0;

	while (n < rows->at.n && n < top && is_shown(diff, &rows->at.at[n], o))
		n++;
	return n;
}

/* "Y (was Matrix.X)", "+ cache" for what has appeared, "- list" for what is gone. */
static const char *row_name(struct ms_table *t, const struct ms_diff_row *row)
{
	static const char *const marks[] = {
		[MS_DIFF_BOTH] = "", [MS_DIFF_APPEARED] = "+ ", [MS_DIFF_GONE] = "- "
	};
	const char *name = row->name;

	if (row->data != NULL && row->code != NULL)
		name = ms_arena_printf(&t->arena, "%s in %s", row->data,
				       ms_views_text_code_name(&t->arena, row->code));
	else if (row->data == NULL && row->file == NULL)
		name = ms_views_text_code_name(&t->arena, row->name);
	if (row->file != NULL && row->old_line != 0 && row->old_line != row->line)
		return ms_arena_printf(&t->arena, "%s (was line %u)", name, row->old_line);
	if (row->old_name != NULL && row->file == NULL)
		return ms_arena_printf(&t->arena, "%s (was %s)", name, row->old_name);
	return ms_arena_printf(&t->arena, "%s%s", marks[row->presence], name);
}

static void add_rest(struct ms_table *t, const struct ms_diff *diff,
		     const struct ms_diff_rows *rows, size_t shown)
{
	struct ms_diff_change rest = { 0, 0, NAN, true };
	double all = ms_diff_change_amount(ms_diff_row_change(diff, &diff->total));

	for (size_t i = shown; i < rows->at.n; i++) {
		const struct ms_diff_change *c = ms_diff_row_change(diff, &rows->at.at[i]);

		rest.before += c->before;
		rest.after += c->after;
	}
	ms_table_text(t, ms_arena_printf(&t->arena, "rest (%zu)", rows->at.n - shown));
	change_cells(t, &rest, diff->noisy, MS_STYLE_PLAIN);
	percent_cell(t, ms_diff_change_share(&rest, all), false);
}

static void list(const struct ms_views_text_page *page, const struct ms_diff *diff,
		 enum ms_diff_list_kind by, const struct ms_views_options *o, size_t top)
{
	static const char *const titles[] = { [MS_DIFF_BIN] = "BIN",
					      [MS_DIFF_DATA] = "DATA",
					      [MS_DIFF_CODE] = "CODE",
					      [MS_DIFF_LINE] = "LINE" };
	const struct ms_diff_rows *rows = &diff->lists[by];
	size_t n = shown_rows(diff, rows, o, top);
	struct ms_table t;

	ms_views_text_title(page, "CHANGES BY %s: %s", titles[by],
			    diff->metrics.at[diff->metric].text);
	if (n == 0) {
		ms_views_text_line(page, "Nothing has changed.");
		fputc('\n', page->out);
		return;
	}
	ms_table_open(&t, page->out, MS_TABLE_TEXT, page->width, page->colour);
	name_column(&t, by == MS_DIFF_CODE ? MS_CUT_START : MS_CUT_END);
	change_columns(&t, diff->noisy);
	ms_views_text_number_column(&t, "Share %", 0);
	for (size_t i = 0; i < n; i++) {
		const struct ms_diff_row *row = &rows->at.at[i];
		const struct ms_diff_change *c = ms_diff_row_change(diff, row);
		double share = ms_diff_share(diff, row);
		enum ms_style style = style_of(c, share);

		ms_table_text(&t, row_name(&t, row));
		ms_table_style(&t, style);
		change_cells(&t, c, diff->noisy, style);
		percent_cell(&t, share, false);
		ms_table_style(&t, style);
	}
	if (n < rows->at.n)
		add_rest(&t, diff, rows, n);
	ms_table_close(&t);
	fputc('\n', page->out);
}

static const char *const cause_names[MS_CAUSES] = { [MS_CAUSE_FIRST] = "first use",
						    [MS_CAUSE_REPLACED] = "replacement",
						    [MS_CAUSE_INVALIDATED] = "invalidation" };

/* Misses of a row by level and cause; shares are of the change of that level's misses in all. */
static void causes(const struct ms_views_text_page *page, const struct ms_diff *diff,
		   const struct ms_diff_row *row)
{
	struct ms_table t;

	ms_table_open(&t, page->out, MS_TABLE_TEXT, page->width, page->colour);
	name_column(&t, MS_CUT_END);
	change_columns(&t, diff->noisy);
	ms_views_text_number_column(&t, "Share %", 0);
	for (size_t i = 0; i < diff->levels.n; i++) {
		double all = ms_diff_change_amount(
			&diff->total.changes[diff->metrics.n - diff->levels.n + i]);

		for (size_t k = 0; k < MS_CAUSES; k++) {
			const struct ms_diff_change *c = &row->causes[i * MS_CAUSES + k];
			double share = ms_diff_change_share(c, all);

			if (c->before == 0 && c->after == 0)
				continue;
			ms_table_text(&t, ms_arena_printf(&t.arena, "%s, %s", diff->levels.at[i],
							  cause_names[k]));
			change_cells(&t, c, diff->noisy, style_of(c, share));
			percent_cell(&t, share, false);
		}
	}
	ms_table_close(&t);
	fputc('\n', page->out);
}

/* The bin that has changed the most, and why. */
static void main_change(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	const struct ms_diff_rows *bins = &diff->lists[MS_DIFF_BIN];
	double share = bins->at.n > 0 ? ms_diff_share(diff, &bins->at.at[0]) : NAN;

	if (diff->levels.n == 0 || bins->at.n == 0 ||
	    ms_diff_change_amount(ms_diff_row_change(diff, &bins->at.at[0])) == 0)
		return;
	const struct ms_diff_row *row = &bins->at.at[0];
	ms_views_text_title(page, "MISSES OF %s IN %s, by cause%s", row->data, row->code,
			    isfinite(share) ? "" : " (the largest change)");
	causes(page, diff, row);
}

static void legend(const struct ms_views_text_page *page, const struct ms_diff *diff)
{
	ms_views_text_wrap(
		page, "",
		diff->noisy ? "Share: of the change in all. +: appeared, -: gone. Noise: half "
			      "of the change's 95% interval (\"-\": not known); ~: the change may "
			      "be noise."
			    : "Share: of the change in all. +: appeared, -: gone.");
}

/* What to look at now: the bin that has changed the most, as it is after the change. */
static void next(const struct ms_views_text_page *page, const struct ms_diff *diff,
		 const struct ms_views_options *o)
{
	const struct ms_diff_rows *bins = &diff->lists[MS_DIFF_BIN];
	const struct ms_diff_side *after = &diff->sides[1];
	struct ms_text data = MS_TEXT_INIT, code = MS_TEXT_INIT;

	if (bins->at.n == 0 || bins->at.at[0].presence == MS_DIFF_GONE)
		return;
	const struct ms_run *run = after->runs[after->n - 1];

	ms_summary_add_data_word(&data, run, bins->at.at[0].data);
	ms_summary_add_code_word(&code, run, bins->at.at[0].code);
	ms_views_text_next(page, o, "memspy show --data %s --code %s @%" PRId64, data.at, code.at,
			   run->id);
	ms_text_free(&data);
	ms_text_free(&code);
}

void ms_views_text_diff(const struct ms_diff *diff, const struct ms_views_diff_list *what,
			const struct ms_views_options *o, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(o, out);
	size_t top = o->top ? o->top : MS_VIEWS_TOP;

	head(&page, diff);
	if (what->all)
		totals(&page, diff);
	if (what->cause || what->all) {
		if (what->all)
			list(&page, diff, MS_DIFF_BIN, o, top);
		else
			ms_views_text_title(&page, "CHANGES BY CAUSE: misses");
		if (what->all)
			main_change(&page, diff);
		else
			causes(&page, diff, &diff->total);
	}
	if (what->all)
		list(&page, diff, MS_DIFF_LINE, o, o->top ? o->top : MS_VIEWS_TOP / 2);
	else if (!what->cause)
		list(&page, diff, what->by, o, top);
	legend(&page, diff);
	if (what->all)
		next(&page, diff, o);
}
