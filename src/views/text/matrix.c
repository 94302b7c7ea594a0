/*
 * views/text/matrix.c - the matrix of code and data as text: Figure 2 of the paper. Of a sampled
 * run the interval of each share stands below it, as in a browser.
 */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/inclusive_rows.h"
#include "analysis/summary/matrix.h"
#include "base/mem.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"
#include "views/views.h"

/* Columns that a table of names and figures may shrink to; "12.3-100.0". */
enum { CODE_LEAST = 20, DATA_LEAST = 10, FIGURE = 5, RANGE = 10 };

static size_t at_most(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

/* Columns that the matrix needs when every name is cut as far as it may be. */
static size_t least_width(const struct ms_summary_matrix *m, bool sampled, struct ms_arena *arena)
{
	size_t widest = strlen(sampled ? MS_VIEWS_INTERVAL : "Code"), sum = 0;
	size_t figure = sampled ? RANGE : FIGURE;

	for (size_t r = 0; r < m->rows; r++) {
		const char *name = m->code[r] ? ms_views_text_code_name(arena, m->code[r]->name)
					      : "rest (1234)";
		size_t w = at_most(ms_utf8_width(name), CODE_LEAST);

		widest = w > widest ? w : widest;
	}
	for (size_t c = 0; c < m->columns; c++) {
		size_t w = m->data[c] ? at_most(ms_utf8_width(m->data[c]->name), DATA_LEAST)
				      : DATA_LEAST;

		sum += 2 + (w > figure ? w : figure);
	}
	return widest + (m->has_inclusive ? 2 + FIGURE : 0) + 2 + figure + sum;
}

/* The matrix with as many columns as the page has room for. Figures are rounded before, so that
 * they do not depend on it. */
static void fit_matrix(struct ms_summary_matrix *m, const struct ms_views_text_page *page,
		       const struct ms_summary *s, const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_summary_matrix_limits limits = { .rows = options->top ? options->top
									: MS_VIEWS_TOP };

	limits.columns = limits.rows;
	limits.inclusive_rows = options->top ? 0 : MS_VIEWS_TOP;
	limits.threshold = options->threshold >= 0 ? options->threshold : MS_VIEWS_THRESHOLD;
	limits.inclusive_threshold =
		options->threshold >= 0 ? options->threshold : MS_SUMMARY_INCLUSIVE_LEAST;
	ms_summary_matrix_make(m, s, limits);
	while (m->columns > 2 && least_width(m, s->run->samplings.n > 0, &arena) > page->width)
		ms_summary_matrix_narrow(m);
	ms_arena_free(&arena);
}

static enum ms_style heat(uint32_t tenths)
{
	return tenths >= 100 ? MS_STYLE_HOT : tenths >= 10 ? MS_STYLE_WARM : MS_STYLE_PLAIN;
}

static void figure(struct ms_table *table, uint32_t tenths, enum ms_style style)
{
	ms_table_share(table, tenths, 0);
	ms_table_style(table, style);
}

static void matrix_columns(struct ms_table *table, const struct ms_summary_matrix *m)
{
	ms_table_column(table,
			(struct ms_table_column){ "Code", "", false, CODE_LEAST, MS_CUT_START });
	ms_table_column(table, (struct ms_table_column){ "Tot.%", "", true, 0, MS_CUT_END });
	if (m->has_inclusive)
		ms_table_column(table,
				(struct ms_table_column){ "Incl.%", "", true, 0, MS_CUT_END });
	for (size_t c = 0; c < m->columns; c++) {
		const char *head =
			m->data[c] ? m->data[c]->name
				   : ms_arena_printf(&table->arena, "rest (%zu)", m->data_in_rest);

		/* The variable stands last in "Matrix.Y", the function first in "main (a.c:7)". */
		enum ms_utf8_cut cut = strstr(head, " (") != NULL ? MS_CUT_END : MS_CUT_START;
		ms_table_column(table, (struct ms_table_column){ head, "", true, DATA_LEAST, cut });
	}
}

/* --- how far shares may be off --- */

/* Of rows, of columns, and of bins: the key is the number of the row or column, or both. */
struct within {
	bool sampled;
	bool by_references;
	struct ms_intervals rows, columns, bins;
};

/* Where each code or data of the run stands; what is not shown alone, in the rest. */
static uint32_t *places(const struct ms_summary_entry *const *entries, size_t n, size_t all,
			bool data)
{
	uint32_t *at = ms_alloc((all + 1) * sizeof(*at));

	for (size_t i = 0; i < all; i++)
		at[i] = n > 0 && entries[n - 1] == NULL ? (uint32_t)n - 1 : MS_NONE;
	for (size_t i = 0; i < n; i++)
		if (entries[i] != NULL)
			at[data ? entries[i]->data : entries[i]->code] = (uint32_t)i;
	return at;
}

static uint64_t bin_key(uint64_t row, uint64_t column)
{
	return row << 32 | column;
}

static void make_within(struct within *w, const struct ms_summary *s,
			const struct ms_summary_matrix *m)
{
	const struct ms_run *run = s->run;
	uint32_t *rows = places(m->code, m->rows, run->codes.n, false);
	uint32_t *columns = places(m->data, m->columns, run->data.n, true);
	uint64_t *keys[3];

	*w = (struct within){ .sampled = run->samplings.n > 0, .by_references = m->by_references };
	for (size_t k = 0; k < MS_COUNT(keys); k++)
		keys[k] = ms_alloc((run->cells.n + 1) * sizeof(*keys[k]));
	for (size_t i = 0; i < run->cells.n; i++) {
		uint32_t line = run->sites.at[run->cells.at[i].site].line;
		uint32_t row = rows[run->lines.at[line].code];
		uint32_t column = columns[run->cells.at[i].data];

		keys[0][i] = row == MS_NONE ? MS_NO_KEY : row;
		keys[1][i] = column == MS_NONE ? MS_NO_KEY : column;
		keys[2][i] = row == MS_NONE || column == MS_NONE ? MS_NO_KEY : bin_key(row, column);
	}
	ms_intervals_make(&w->rows, s, keys[0], MS_ENTRY_CODE);
	ms_intervals_make(&w->columns, s, keys[1], MS_ENTRY_DATA);
	ms_intervals_make(&w->bins, s, keys[2], MS_ENTRY_BIN);
	for (size_t k = 0; k < MS_COUNT(keys); k++)
		ms_free(keys[k]);
	ms_free(rows);
	ms_free(columns);
}

static void free_within(struct within *w)
{
	ms_intervals_free(&w->rows);
	ms_intervals_free(&w->columns);
	ms_intervals_free(&w->bins);
}

static const char *range(const struct within *w, const struct ms_intervals *intervals, uint64_t key,
			 struct ms_arena *arena)
{
	const struct ms_intervals_entry *own = ms_intervals_at(intervals, key);

	return own != NULL ? ms_views_real_range(
				     arena, w->by_references ? own->references : own->stall, 100)
			   : "";
}

/*
 * The first is of the row's total, the others of its columns. Figures that are known exactly (a
 * share of 100 %) need no row of intervals.
 */
static void put_ranges(struct ms_table *table, const struct ms_summary_matrix *m,
		       const char *const *texts)
{
	size_t n = m->columns + 1;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= texts[i][0] != '\0';
	if (!any)
		return;
	ms_table_text(table, MS_VIEWS_INTERVAL);
	ms_table_style(table, MS_STYLE_DIM);
	for (size_t i = 0; i < n; i++) {
		ms_table_text(table, texts[i]);
		ms_table_style(table, MS_STYLE_DIM);
		if (i == 0 && m->has_inclusive)
			ms_table_text(table, ""); /* intervals of paths are not known */
	}
}

static void total_ranges(struct ms_table *table, const struct ms_summary_matrix *m,
			 const struct within *w)
{
	const char **texts = ms_arena_take(&table->arena, (m->columns + 1) * sizeof(*texts));

	texts[0] = "";
	for (size_t c = 0; c < m->columns; c++)
		texts[1 + c] = range(w, &w->columns, c, &table->arena);
	put_ranges(table, m, texts);
}

static void row_ranges(struct ms_table *table, const struct ms_summary_matrix *m,
		       const struct within *w, size_t row)
{
	const char **texts = ms_arena_take(&table->arena, (m->columns + 1) * sizeof(*texts));

	texts[0] = range(w, &w->rows, row, &table->arena);
	for (size_t c = 0; c < m->columns; c++)
		texts[1 + c] = range(w, &w->bins, bin_key(row, c), &table->arena);
	put_ranges(table, m, texts);
}

/* --- the table --- */

static void total_row(struct ms_table *table, const struct ms_summary_matrix *m)
{
	uint32_t sum = 0;

	for (size_t c = 0; c < m->columns; c++)
		sum += m->column_tenths[c];
	ms_table_text(table, "total");
	figure(table, sum, MS_STYLE_PLAIN);
	if (m->has_inclusive)
		ms_table_text(table, "");
	for (size_t c = 0; c < m->columns; c++)
		figure(table, m->column_tenths[c], MS_STYLE_PLAIN);
}

static void code_row(struct ms_table *table, const struct ms_summary_matrix *m, size_t r)
{
	if (m->code[r] != NULL)
		ms_table_text(table, ms_views_text_code_name(&table->arena, m->code[r]->name));
	else
		ms_table_text(table, ms_arena_printf(&table->arena, "rest (%zu)", m->code_in_rest));
	figure(table, m->row_tenths[r], MS_STYLE_PLAIN);
	if (m->has_inclusive && m->code[r] != NULL)
		figure(table, m->inclusive_tenths[r], MS_STYLE_PLAIN);
	else if (m->has_inclusive)
		ms_table_text(table, "");
	for (size_t c = 0; c < m->columns; c++) {
		size_t at = r * m->columns + c;

		if (m->any[at])
			figure(table, m->tenths[at], heat(m->tenths[at]));
		else
			ms_table_text(table, "");
	}
}

static void matrix_rows(struct ms_table *table, const struct ms_summary_matrix *m,
			const struct within *w)
{
	total_row(table, m);
	if (w->sampled)
		total_ranges(table, m, w);
	for (size_t r = 0; r < m->rows; r++) {
		code_row(table, m, r);
		if (w->sampled)
			row_ranges(table, m, w, r);
	}
}

/* What the matrix shows the shares of. */
static const char *total_of(const struct ms_run *run, const struct ms_summary_matrix *m)
{
	static const char *const sampled[MS_RUN_UNITS] = { [MS_RUN_NO_UNIT] = "PAGE FAULTS",
							   [MS_RUN_CYCLES] = "LATENCY",
							   [MS_RUN_NANOSECONDS] =
								   "MEMORY STALL TIME" };

	if (ms_run_is_measured(run))
		return sampled[run->hardware.at[0].unit];
	return m->by_references ? "REFERENCES (nothing stalls in this run)" : "MEMORY STALL TIME";
}

static void put_matrix(const struct ms_views_text_page *page, const struct ms_summary *s,
		       const struct ms_views_options *options)
{
	struct ms_summary_matrix m;
	struct ms_table table;
	struct within within;

	fit_matrix(&m, page, s, options);
	ms_views_text_title(page, "PERCENTAGE OF TOTAL %s, by code and data", total_of(s->run, &m));
	if (m.total == 0) {
		ms_views_text_line(page, "There are no %s in this run.",
				   ms_run_is_measured(s->run) ? "samples of memory" : "references");
	} else {
		ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
		matrix_columns(&table, &m);
		make_within(&within, s, &m);
		matrix_rows(&table, &m, &within);
		free_within(&within);
		ms_table_close(&table);
		ms_views_text_widest_interval(page, s);
		ms_views_text_disagreements(page, s, &s->bins);
	}
	ms_summary_matrix_free(&m);
}

void ms_views_text_matrix(const struct ms_views_text_page *page, const struct ms_summary *s,
			  const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_paths_folded folded;

	if (options->shows_system || !ms_paths_are_known(s->run)) {
		put_matrix(page, s, options);
		return;
	}
	ms_paths_fold_system(&folded, s);
	put_matrix(page, &folded.summary, options);
	if (folded.stall > 0)
		ms_views_text_fold(page,
				   "Folded into their callers: functions of the C library and the "
				   "C++ runtime, %s (--no-fold-system shows them)",
				   ms_views_text_rate(&arena, folded.stall,
						      ms_summary_rw_sum(s->total.counts.stall)));
	ms_paths_free_folded(&folded);
	ms_arena_free(&arena);
}
