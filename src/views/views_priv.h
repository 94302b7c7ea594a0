/* views/views_priv.h - what the views share. */
#ifndef MS_VIEWS_VIEWS_PRIV_H
#define MS_VIEWS_VIEWS_PRIV_H

#include "base/json.h"
#include "base/table.h"
#include "views/views.h"

enum { MS_VIEW_TOP = 12, MS_VIEW_SCHEMA = 1 };
#define MS_VIEW_THRESHOLD 0.001

/* What a run does not know that only looked up misses; a sentence for all views. */
#define MS_VIEW_MISSES_ONLY                                                               \
	"references and miss rates of data, as hits were not looked up (--misses-only); " \
	"those of code and lines are known"

/* The list that --by asks for; the matrix is made of bins. */
struct ms_entries *ms_view_list(struct ms_summary *summary, enum ms_view_by by);
/* How many of the (sorted) entries are within the limits; without references none is. */
size_t ms_view_limit(const struct ms_summary *whole, const struct ms_entries *entries,
		     const struct ms_view_options *options, bool everything_by_default);

/* How many processors there are up to the last one that was used. */
size_t ms_view_used(const struct ms_summary *summary);

/*
 * A table of entries, one column a metric. whole is what shares refer to; shown of the entries get
 * a row each, text adds one for the rest; a column of shares adds up to total_tenths. selection:
 * what the entries are part of (NULL: the run). Of a sampled run each row has another one in text,
 * with the interval of each figure below it; CSV has two columns behind the figure.
 */
void ms_view_entries(const struct ms_summary *whole, const struct ms_entries *entries, size_t shown,
		     const struct ms_selection *selection, uint32_t total_tenths,
		     struct ms_table *table);

/*
 * Figures of lines of source in a run sampled on the real machine: the columns of ms_metrics that
 * only such runs have. Each tells how many they are; none in a simulated run.
 */
size_t ms_view_figure_columns(struct ms_table *table, const struct ms_run *run);
size_t ms_view_figures(struct ms_table *table, const struct ms_summary *whole,
		       const struct ms_counts *counts, uint32_t tenths);
size_t ms_view_no_figures(struct ms_table *table, const struct ms_run *run);

/* Parts of JSON: a share of nothing is null. */
void ms_view_json_read_write(struct ms_json *json, const char *key, const uint64_t counts[MS_RW]);
void ms_view_json_levels(struct ms_json *json, const struct ms_run *run,
			 const struct ms_counts *counts);
void ms_view_json_share(struct ms_json *json, const char *key, uint64_t part, uint64_t whole);
/* Opens the object "run" with what tells this run from others; ms_json_end() closes it. */
void ms_view_json_run(struct ms_json *json, const struct ms_run *run);
/* The outermost object, with the version of what is in it; and "run" in it, likewise open. */
void ms_view_json_begin(struct ms_json *json, FILE *out);
void ms_view_json_begin_run(struct ms_json *json, const struct ms_run *run, FILE *out);
/* References, levels, stall and its share: what every entry has. */
void ms_view_json_counts(struct ms_json *json, const struct ms_summary *whole,
			 const struct ms_counts *counts);
struct ms_entry_intervals;
struct ms_bounds;
/* Of a sampled run: "low" and "high" of the figure before; of others nothing. */
void ms_view_json_bounds(struct ms_json *json, const struct ms_run *run, struct ms_bounds bounds);
/* An interval as an object; null: nothing can be told. */
void ms_view_json_between(struct ms_json *json, const char *key, struct ms_bounds bounds);
/* Of a sampled run: how far these counts may be off; NULL: nothing is written. */
void ms_view_json_intervals(struct ms_json *json, const struct ms_run *run,
			    const struct ms_counts *counts,
			    const struct ms_entry_intervals *intervals);

/* runs.c: likewise what a run and the list of runs both have. */
void ms_view_json_texts(struct ms_json *json, const char *key, const char *const *at, size_t n);
void ms_view_json_tags(struct ms_json *json, const char *first, const char *const *more, size_t n);
void ms_view_json_dirty(struct ms_json *json, const char *commit, bool dirty);
void ms_view_json_relation(struct ms_json *json, int64_t parent, uint32_t relation);
/* Adds "checkpoint": of a run that was saved before its program had ended. */
void ms_view_json_checkpoint(struct ms_json *json, const struct ms_run_checkpoint *checkpoint);

/* hardware.c: runs sampled on the real machine. */
struct ms_page;
/* How it was sampled; instead of the machine that was simulated. */
void ms_page_hardware(const struct ms_page *page, const struct ms_run *run);
/* What a phase of such a run has: its columns, and the figures of one. */
void ms_page_phase_columns(struct ms_table *table, const struct ms_run *run);
void ms_page_phase(struct ms_table *table, const struct ms_run *run, size_t phase);
/* Of the whole run, or of the cells of some code and data (a flag each; NULL: all). */
void ms_page_hardware_counts(const struct ms_page *page, const struct ms_summary *whole,
			     const struct ms_counts *counts, const bool *code, const bool *data);
/* How sure the shares of a matrix are, which has no room for each. */
void ms_page_intervals(const struct ms_page *page, const struct ms_summary *summary);
/* How long events waited, as bars. */
void ms_page_histogram(const struct ms_page *page, const struct ms_run *run, const bool *code,
		       const bool *data);
/* hardware_json.c: the object "hardware" of a run, what an entry has, and its answers and buckets.
 */
void ms_view_json_compute(struct ms_json *json, const struct ms_run *run,
			  const struct ms_counts *counts);
void ms_view_json_hardware(struct ms_json *json, const struct ms_run *run);
void ms_view_json_samples(struct ms_json *json, const struct ms_summary *whole,
			  const struct ms_counts *counts);
void ms_view_json_phase(struct ms_json *json, const struct ms_run *run, size_t phase);
void ms_view_json_answers(struct ms_json *json, const struct ms_run *run, const bool *code,
			  const bool *data);

struct ms_evictions;
/* occupancy.c: the array "occupancy", of the levels that were asked for. */
void ms_occupancy_json(struct ms_json *json, const struct ms_evictions *evictions);

/* Parts of the text view. */
struct ms_page {
	FILE *out;
	size_t width;
	bool colour;
};

struct ms_page ms_page_of(const struct ms_view_options *options, FILE *out);
void ms_page_title(const struct ms_page *page, const char *fmt, ...) MS_PRINTF(2, 3);
/* A line of text from anywhere, made safe to show and cut to the page's width. */
void ms_page_line(const struct ms_page *page, const char *fmt, ...) MS_PRINTF(2, 3);
/* Likewise, but what is too long goes on in the next line: a figure at its end must be seen. */
void ms_page_fold(const struct ms_page *page, const char *fmt, ...) MS_PRINTF(2, 3);
/* Text behind a label, on as many lines as it needs; what has no blanks is cut. */
void ms_page_wrap(const struct ms_page *page, const char *label, const char *text);
void ms_page_run(const struct ms_page *page, const struct ms_summary *summary);
/* Whether there is nothing to be shown of a sampled run, as no window opened; says so. */
bool ms_page_unseen(const struct ms_page *page, const struct ms_run *run);
/* Of a sampled run, a line: between what each level's miss rate lies. For views without totals. */
void ms_page_rates(const struct ms_page *page, const struct ms_run *run);
/* References, and misses of every level with their causes. */
/* code, data: whose the counts are, a flag for each of the run; NULL: all. whole: of the run. */
void ms_page_counts(const struct ms_page *page, const struct ms_summary *whole, const bool *code,
		    const bool *data, const struct ms_counts *counts);
/* within.c: intervals in a table, "12.3K-14.5K" and "4.1-5.0" (each times so much); "": the figure
 * is known; "-": nothing can be told. And what the row of them is called. */
#define MS_VIEW_INTERVAL "  95% interval"
const char *ms_view_range(struct ms_arena *arena, struct ms_bounds bounds);
const char *ms_view_real_range(struct ms_arena *arena, struct ms_bounds bounds, double times);
/* In CSV: a column of a count and, of a sampled run, two behind it, KEY_low and KEY_high; and the
 * cells of these. */
void ms_view_count_column(struct ms_table *table, const struct ms_run *run, const char *key);
void ms_view_count_within(struct ms_table *table, const struct ms_run *run, uint64_t count,
			  struct ms_bounds bounds);
/* "12.3K to 14.5K"; NULL: nothing is known. */
const char *ms_page_within(struct ms_arena *arena, struct ms_bounds bounds);
/* Of a sampled run, a line: how far the causes of misses may be off; intervals may be NULL. */
void ms_page_causes_within(const struct ms_page *page, const struct ms_level_counts *counts,
			   const struct ms_entry_intervals *intervals, size_t level);
/* A line: "95% intervals: NAME 12.3K to 14.5K, ...", of those that have one; or none at all. */
void ms_page_ranges(const struct ms_page *page, const char *const *names,
		    const struct ms_bounds *bounds, size_t n);
/* Behind a figure: "   95% interval: 12.3K to 14.5K", "... 1.2% to 3.4%"; "": it has none. */
const char *ms_page_behind(struct ms_arena *arena, struct ms_bounds bounds);
const char *ms_page_behind_share(struct ms_arena *arena, struct ms_bounds bounds);
/* Compute and stall cycles: "WHAT: 649.0M cycles" and the two parts of it; of this code (a flag for
 * each of the run; NULL: all). */
void ms_page_cycles(const struct ms_page *page, const struct ms_summary *whole, const bool *code,
		    const char *what, uint64_t compute, uint64_t stall);
/* "Reads: 19.9M (74.8%)   Writes: 6.70M (25.2%)"; of nothing there are no percentages. */
void ms_page_parts(const struct ms_page *page, const char *const *names, const uint64_t *parts,
		   size_t n);
struct ms_interval;
/* Likewise, each share with half of its interval; within: NULL, without. */
void ms_page_parts_within(const struct ms_page *page, const char *const *names,
			  const uint64_t *parts, const struct ms_interval *within, size_t n);
/* The same divided by the processors that were busy; nothing where there is only one. */
void ms_page_normalised(const struct ms_page *page, const struct ms_run *run,
			const struct ms_counts *counts);
/* "2 processors were never used.", where some were not. */
void ms_page_unused(const struct ms_page *page, const struct ms_summary *summary);
const char *ms_page_percent(struct ms_arena *arena, uint32_t tenths);
/* part of whole, to the nearest; "-" where the whole is nothing. */
const char *ms_page_rate(struct ms_arena *arena, uint64_t part, uint64_t whole);
/* The paper's Figure 2: shares of code and data, with its title. */
void ms_page_matrix(const struct ms_page *page, const struct ms_summary *summary,
		    const struct ms_view_options *options);
void ms_page_reasons(const struct ms_page *page, const struct ms_summary *summary);
void ms_page_next(const struct ms_page *page, const struct ms_view_options *options,
		  const char *fmt, ...) MS_PRINTF(3, 4);
/* Next: the same once more on the same machine, with an option; what was imported is no program. */
void ms_page_again(const struct ms_page *page, const struct ms_view_options *options,
		   const struct ms_run *run, const char *option);
/* The name of code without a long list of parameters: its end is what tells it from others. */
const char *ms_page_code_name(struct ms_arena *arena, const char *name);
/* Of a line of the run: "workers.c:12 count"; of code without lines its name alone. */
const char *ms_page_source(struct ms_arena *arena, const struct ms_run *run, uint32_t line);

/* The rows of the tables in views.h. */
ms_report_writer ms_text_report, ms_json_report, ms_csv_report;
ms_show_writer ms_text_show, ms_json_show, ms_csv_show;
ms_runs_writer ms_text_runs, ms_json_runs, ms_csv_runs;

#endif
