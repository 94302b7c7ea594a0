/* views/text/report.c - the report as text: Figure 2 of the paper. */
#include <inttypes.h>
#include <string.h>

#include "analysis/confidence_intervals/phases.h"
#include "analysis/describe/describe.h"
#include "analysis/hints/hints.h"
#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/table.h"
#include "views/callers.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"
#include "views/views.h"

/* The others are added up; --by processor shows them all. */
enum { PROCESSORS_SHOWN = 16 };

static size_t at_most(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

static void totals(const struct ms_views_text_page *page, const struct ms_summary *s)
{
	const struct ms_summary_counts *c = &s->total.counts;

	ms_views_text_title(page, "TOTAL APPLICATION STATISTICS");
	if (ms_run_is_measured(s->run)) {
		ms_views_text_hardware_counts(page, s, c, NULL, NULL);
		return;
	}
	const char *what =
		s->run->processors > 1 ? "Execution time of all processors" : "Execution time";

	if (ms_run_has_measured_time(s->run))
		ms_views_text_measured_time(page, s, what, c);
	else
		ms_views_text_cycles(page, s, NULL, what, c->compute, ms_summary_rw_sum(c->stall));
	ms_views_text_normalised(page, s->run, c);
	ms_views_text_timing(page, s, c);
	ms_views_text_counts(page, s, NULL, NULL, c);
}

/* Only of runs with several. */
static void processors(const struct ms_views_text_page *page, const struct ms_summary *s)
{
	struct ms_table table;

	if (s->run->processors == 1)
		return;
	ms_views_text_title(page, "PROCESSORS");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_entries(s, &s->processors, at_most(ms_views_used_processors(s), PROCESSORS_SHOWN),
			 NULL, MS_WHOLE, &table);
	ms_table_close(&table);
	ms_views_text_unused_processors(page, s);
	fputc('\n', page->out);
}

static void phase_ranges(struct ms_table *table, const struct ms_run *run,
			 const struct ms_intervals_phase *within)
{
	if (within == NULL)
		return;
	ms_table_text(table, MS_VIEWS_INTERVAL);
	ms_table_style(table, MS_STYLE_DIM);
	ms_table_text(table, "");
	ms_table_text(table, ms_views_range(&table->arena, within->references));
	ms_table_style(table, MS_STYLE_DIM);
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_table_text(table, ms_views_range(&table->arena, within->misses[i]));
		ms_table_style(table, MS_STYLE_DIM);
	}
}

/* Only where the program has marked any. */
static void phases(const struct ms_views_text_page *page, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	const struct ms_intervals_phase *within;
	const char *unknown = NULL;
	struct ms_table table;
	size_t at = 0;

	if (run->phases.n == 0)
		return;
	ms_views_text_title(page, "PHASES");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_table_column(&table, (struct ms_table_column){ "Phase", "", false, 16, MS_CUT_END });
	ms_table_column(&table, (struct ms_table_column){ "Times", "", true, 0, MS_CUT_END });
	if (ms_run_is_measured(run))
		ms_views_text_phase_columns(&table, run);
	else
		ms_table_column(&table,
				(struct ms_table_column){ "References", "", true, 0, MS_CUT_END });
	for (size_t l = 0; l < run->levels.n; l++)
		ms_table_column(&table,
				(struct ms_table_column){ ms_arena_printf(&table.arena, "%s misses",
									  run->levels.at[l].name),
							  "", true, 0, MS_CUT_END });
	within = ms_intervals_of_phases(s, &table.arena);
	for (uint32_t i = 0; i < run->phases.n; i++) {
		ms_table_text(&table, run->phases.at[i].name);
		ms_table_count(&table, run->phases.at[i].times);
		ms_table_count(&table, run->phases.at[i].references);
		if (ms_run_is_measured(run)) {
			ms_views_text_phase(&table, run, i);
			continue;
		}
		for (; at < run->phase_misses.n && run->phase_misses.at[at].phase == i; at++)
			ms_table_count(&table, run->phase_misses.at[at].misses);
		phase_ranges(&table, run, within != NULL ? &within[i] : NULL);
	}
	if (within != NULL && run->samplings.at[0].sets > 1)
		unknown =
			"no interval: which references of a phase went to other sets is not known";
	ms_table_close(&table);
	if (unknown != NULL)
		ms_views_text_line(page, "%s", unknown);
	fputc('\n', page->out);
}

static void list(const struct ms_views_text_page *page, struct ms_summary *s,
		 const struct ms_views_options *options)
{
	static const char *const titles[] = {
		[MS_VIEWS_BY_MATRIX] = "BIN", [MS_VIEWS_BY_CODE] = "CODE",
		[MS_VIEWS_BY_DATA] = "DATA",  [MS_VIEWS_BY_LINE] = "LINE",
		[MS_VIEWS_BY_BIN] = "BIN",    [MS_VIEWS_BY_PROCESSOR] = "PROCESSOR",
		[MS_VIEWS_BY_PATH] = "PATH",
	};
	struct ms_summary_entries *entries = ms_views_list_by(s, options->by);
	struct ms_table table;

	ms_views_text_title(page, "BY %s", titles[options->by]);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_entries(s, entries, ms_views_choose(s, entries, options, false), NULL, MS_WHOLE,
			 &table);
	ms_table_close(&table);
	if (options->by != MS_VIEWS_BY_PROCESSOR)
		ms_views_text_disagreements(page, s, entries);
}

static void hints(const struct ms_views_text_page *page, const struct ms_summary *s)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *found[MS_HINTS_MOST];
	size_t n = ms_hints_find(s, &arena, found);

	for (size_t i = 0; i < n; i++) {
		fputc('\n', page->out);
		ms_views_text_wrap(page, "Hint: ", found[i]);
	}
	ms_arena_free(&arena);
}

/* Misses that would not be, if data lay in other lines. */
static bool shares_falsely(const struct ms_summary *s)
{
	const struct ms_summary_level_counts *first = s->total.counts.levels;

	return s->run->processors > 1 && s->run->levels.n > 0 && first->falsely > 0 &&
	       first->falsely >= ms_summary_rw_sum(first->misses) / 10;
}

/* The child process that costs more than the program itself, and the most; 0: none. Only a run that
 * was just made has them. */
static int64_t costliest_child(const struct ms_summary *s)
{
	uint64_t most = s->total.counts.compute + ms_summary_rw_sum(s->total.counts.stall);
	int64_t id = 0;

	for (size_t i = 0; i < s->run->children.n; i++)
		if (s->run->children.at[i].cost > most) {
			most = s->run->children.at[i].cost;
			id = s->run->children.at[i].id;
		}
	return id;
}

/* The worst bin, as the command that shows all about it. */
static void next_bin(const struct ms_views_text_page *page, const struct ms_summary *s,
		     const struct ms_views_options *options, size_t worst_code, size_t worst_data)
{
	struct ms_text data = MS_TEXT_INIT, code = MS_TEXT_INIT;

	if (s->run->id == 0)
		return; /* it was not kept: nothing can be asked of it later */
	if (costliest_child(s) != 0) {
		ms_views_text_next(page, options, "memspy report @%" PRId64, costliest_child(s));
		return;
	}
	if (worst_code == MS_NONE) {
		ms_views_text_next(page, options, "memspy runs");
		return;
	}
	if (s->run->pmus.n > 0) {
		ms_views_text_next(page, options, "memspy pmu @%" PRId64, s->run->id);
		return;
	}
	if (shares_falsely(s)) {
		ms_views_text_next(page, options, "memspy sharing @%" PRId64, s->run->id);
		return;
	}
	ms_summary_add_data_word(&data, s->run, s->run->data.at[worst_data].name);
	ms_summary_add_code_word(&code, s->run, s->run->codes.at[worst_code].name);
	if (ms_paths_are_known(s->run) && ms_paths_is_system(s->run, (uint32_t)worst_code)) {
		ms_views_text_next(page, options, "memspy callers %s @%" PRId64, code.at,
				   s->run->id);
		ms_text_free(&data);
		ms_text_free(&code);
		return;
	}
	ms_views_text_next(page, options, "memspy show --data %s --code %s @%" PRId64, data.at,
			   code.at, s->run->id);
	ms_text_free(&data);
	ms_text_free(&code);
}

int ms_views_text_report(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
			 struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	size_t worst_code = MS_NONE, worst_data = MS_NONE;

	if (s->bins.at.n > 0) { /* sorting by something else moves it */
		worst_code = s->bins.at.at[0].code;
		worst_data = s->bins.at.at[0].data;
	}
	MS_TRY(ms_metric_sort(s, ms_views_list_by(s, options->by), options->sort, err));
	ms_views_text_run(&page, s);
	fputc('\n', out);
	if (ms_views_text_no_windows(&page, s->run))
		return MS_OK;
	totals(&page, s);
	fputc('\n', out);
	if (options->by != MS_VIEWS_BY_PROCESSOR)
		processors(&page, s);
	phases(&page, s);
	if (options->by == MS_VIEWS_BY_PATH)
		MS_TRY(ms_views_text_path_list(s, options, out, err));
	else if (options->by == MS_VIEWS_BY_MATRIX && options->sort == NULL)
		ms_views_text_matrix(&page, s, options);
	else
		list(&page, s, options);
	fputc('\n', out);
	ms_views_text_reasons(&page, s);
	hints(&page, s);
	ms_views_text_findings(&page, s, NULL, options);
	next_bin(&page, s, options, worst_code, worst_data);
	return MS_OK;
}
