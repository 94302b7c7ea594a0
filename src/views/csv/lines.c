/* views/csv/lines.c - lines of source as CSV; docs/formats/lines-json.md describes it. */
#include "views/lines.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "analysis/source_lines/line_use.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/shared.h"
#include "views/source.h"

struct csv_writer {
	const struct ms_lines *lines;
	const struct ms_views_lines_options *options;
	struct ms_views_lines_intervals within;
	struct ms_lines_use use;
};

static void level_column(struct ms_table *table, const struct ms_run_level *level, const char *key)
{
	ms_table_column(table,
			(struct ms_table_column){
				.key = ms_arena_printf(&table->arena, "%s_%s", level->name, key) });
}

/* Of a sampled run: both ends of the interval of the column just added. */
static void end_columns(struct ms_table *table, const struct ms_run *run)
{
	const char *key = table->columns.at[table->columns.n - 1].key;

	for (int end = 0; end < 2 && run->samplings.n > 0; end++)
		ms_table_column(table, (struct ms_table_column){
					       .key = ms_arena_printf(&table->arena, "%s_%s", key,
								      end == 0 ? "low" : "high") });
}

static void csv_columns(struct ms_table *table, const struct ms_run *run)
{
	static const char *const keys[] = { "file",         "line", "code",      "code_count",
					    "inlined_into", "data", "data_count" };
	static const struct {
		const char *key;
		bool within;
	} figures[] = { { "stall_share", true },    { "stall_cycles", true },
			{ "compute_cycles", true }, { "references", true },
			{ "reads", true },          { "writes", true } };
	static const char *const level_keys[] = { "misses", "first", "replacement",
						  "invalidation" };
	static const char *const joined[] = { "stall_ns",   "compute_ns",      "share_low",
					      "share_high", "estimated_share", "disagrees" };
	static const char *const use_keys[] = { "used_bytes", "used_bytes_low", "used_bytes_high",
						"written_bytes" };

	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
	if (ms_run_is_measured(run))
		ms_views_figure_columns(table, run);
	for (size_t i = 0; i < MS_COUNT(figures) && !ms_run_is_measured(run); i++) {
		ms_table_column(table, (struct ms_table_column){ .key = figures[i].key });
		if (figures[i].within)
			end_columns(table, run);
	}
	for (size_t i = 0; i < run->levels.n; i++) {
		for (size_t k = 0; k < MS_COUNT(level_keys); k++) {
			level_column(table, &run->levels.at[i], level_keys[k]);
			end_columns(table, run);
		}
		if (run->levels.at[i].prefetch > 0)
			level_column(table, &run->levels.at[i], "covered");
	}
	for (size_t i = 0; i < MS_COUNT(joined) && ms_run_has_measured_time(run); i++)
		ms_table_column(table, (struct ms_table_column){ .key = joined[i] });
	for (size_t i = 0; i < run->levels.n; i++)
		for (size_t k = 0;
		     k < MS_COUNT(use_keys) && ms_line_use_is_observed(run, (uint32_t)i); k++)
			level_column(table, &run->levels.at[i], use_keys[k]);
	ms_table_column(table, (struct ms_table_column){ .key = "text" });
}

static void csv_measured(struct ms_table *table, const struct ms_summary *whole,
			 const struct ms_summary_counts *c)
{
	struct ms_measured_comparison compared = ms_measured_compare(whole, c);

	ms_table_count(table, c->samples.latency);
	ms_table_count(table, c->samples.compute);
	ms_table_real(table, compared.share.low, 0);
	ms_table_real(table, compared.share.high, 0);
	ms_table_real(table, compared.estimated, 0);
	ms_table_text(table, ms_measured_verdict_word(compared.verdict));
}

static void csv_ends(struct ms_table *table, const struct ms_run *run,
		     struct ms_intervals_bounds bounds, bool share)
{
	const double ends[] = { bounds.low, bounds.high };

	for (size_t i = 0; i < MS_COUNT(ends) && run->samplings.n > 0; i++)
		if (isnan(ends[i]))
			ms_table_none(table);
		else if (share)
			ms_table_real(table, ends[i], 0);
		else
			ms_table_count(table, ms_round_u64(ends[i]));
}

static void csv_level(struct ms_table *table, const struct ms_run *run, size_t level,
		      const struct ms_summary_level_counts *c, const struct ms_intervals_entry *own)
{
	const struct ms_intervals_bounds none = { NAN, NAN };

	ms_table_count(table, ms_summary_rw_sum(c->misses));
	csv_ends(table, run, own != NULL ? own->levels[level].misses : none, false);
	for (int k = 0; k < MS_CAUSES; k++) {
		ms_table_count(table, c->causes[k]);
		csv_ends(table, run, own != NULL ? own->levels[level].causes[k] : none, false);
	}
	if (run->levels.at[level].prefetch > 0)
		ms_table_count(table, c->covered);
}

static void csv_figures(struct ms_table *table, const struct ms_lines *lines,
			const struct ms_summary_counts *c, const struct ms_intervals_entry *own)
{
	const struct ms_run *run = lines->whole.run;
	const struct ms_intervals_bounds none = { NAN, NAN };
	uint64_t stall = ms_summary_rw_sum(lines->whole.total.counts.stall);

	if (ms_run_is_measured(run)) {
		ms_views_figures(table, &lines->whole, c, 0);
		return;
	}
	if (stall > 0)
		ms_table_share(table, 0, ms_summary_share(ms_summary_rw_sum(c->stall), stall));
	else
		ms_table_none(table);
	csv_ends(table, run, own != NULL ? own->stall : none, true);
	ms_table_count(table, ms_summary_rw_sum(c->stall));
	csv_ends(table, run, own != NULL ? own->cycles : none, false);
	ms_table_count(table, c->compute);
	csv_ends(table, run, own != NULL ? own->compute : none, false);
	ms_table_count(table, ms_summary_rw_sum(c->references));
	csv_ends(table, run,
		 own != NULL ? ms_intervals_references(&lines->whole, own->references) : none,
		 false);
	for (int rw = 0; rw < MS_RW; rw++) {
		const struct ms_intervals_rw *half = own != NULL ? &own->rw[rw] : NULL;

		ms_table_count(table, c->references[rw]);
		csv_ends(table, run,
			 half != NULL && half->misses != NULL
				 ? ms_intervals_references(&lines->whole, half->references)
				 : none,
			 false);
	}
	for (size_t i = 0; i < run->levels.n; i++)
		csv_level(table, run, i, &c->levels[i], own);
	if (lines->whole.cost.measured)
		csv_measured(table, &lines->whole, c);
}

/* Bytes used of the lines that a line of source fetched. `of` NULL: a sum, which has none. */
static void csv_use(struct ms_table *table, const struct csv_writer *w,
		    const struct ms_lines_line *of)
{
	for (size_t level = 0; level < w->use.levels; level++) {
		const struct ms_line_use *use =
			of != NULL ? ms_lines_use_at(&w->use, level, of) : NULL;
		const double fetched[] = { use ? use->used : 0, use ? use->low : 0,
					   use ? use->high : 0 };

		if (w->use.by_place[level] == NULL)
			continue;
		for (size_t i = 0; i < MS_COUNT(fetched); i++)
			if (use != NULL && use->lines > 0)
				ms_table_real(table, fetched[i], 1);
			else
				ms_table_none(table);
		if (use != NULL && use->written_lines > 0)
			ms_table_real(table, use->written, 1);
		else
			ms_table_none(table);
	}
}

static void csv_parts(struct ms_table *table, const struct ms_lines *lines,
		      const struct ms_lines_line *line)
{
	const struct ms_run *run = lines->whole.run;
	const struct ms_lines_parts *code = &line->code, *data = &line->data;
	struct ms_text into = MS_TEXT_INIT;

	for (size_t i = 0; i < line->inlined_into.n; i++)
		ms_text_addf(&into, "%s%s", i > 0 ? "; " : "", line->inlined_into.at[i]);
	ms_table_text(table, code->at.n ? run->codes.at[code->at.at[0].of].name : NULL);
	ms_table_count(table, code->at.n);
	ms_table_text(table, ms_text_get(&into));
	ms_table_text(table, data->at.n ? run->data.at[data->at.at[0].of].name : NULL);
	ms_table_count(table, data->at.n);
	ms_text_free(&into);
}

static void csv_line(struct ms_table *table, const struct csv_writer *w, const char *file,
		     const struct ms_lines_line *line, const char *text,
		     const struct ms_intervals_entry *own)
{
	ms_table_text(table, file);
	if (line->number > 0)
		ms_table_count(table, line->number);
	else
		ms_table_none(table);
	csv_parts(table, w->lines, line);
	csv_figures(table, w->lines, &line->counts, own);
	csv_use(table, w, line);
	ms_table_text(table, text);
}

/* What is added up: a name in the place of a file, or a file without a line. */
static void csv_sum(struct ms_table *table, const struct csv_writer *w, const char *name,
		    const struct ms_summary_counts *counts_of, const struct ms_intervals_entry *own)
{
	if (ms_summary_counts_empty(counts_of))
		return;
	ms_table_text(table, name);
	for (int i = 0; i < 6; i++)
		ms_table_none(table);
	csv_figures(table, w->lines, counts_of, own);
	csv_use(table, w, NULL);
	ms_table_none(table);
}

static void csv_file(struct ms_table *table, const struct csv_writer *w,
		     const struct ms_lines_file *file)
{
	const struct ms_lines *lines = w->lines;
	struct ms_text text = MS_TEXT_INIT;
	struct ms_views_source source;

	ms_views_lines_source(&source, lines, file, w->options);
	for (size_t i = file->first; i < file->first + file->n; i++) {
		const struct ms_lines_line *line = &lines->lines.at[i];

		if (!line->shown)
			continue;
		bool known = ms_views_source_line(&source, line->number, &text);
		csv_line(table, w, file->path, line, known ? ms_text_get(&text) : NULL,
			 ms_intervals_at(&w->within.lines, line->place));
	}
	csv_sum(table, w, file->path, &file->rest.counts,
		ms_intervals_at(&w->within.rests, (uint64_t)(file - lines->files.at)));
	ms_text_free(&text);
	ms_views_source_free(&source);
}

void ms_views_csv_lines(struct ms_lines *lines, const struct ms_views_lines_options *options,
			FILE *out)
{
	struct ms_table table;
	struct csv_writer w = { .lines = lines, .options = options };

	ms_views_lines_limit(lines, &options->view);
	ms_views_lines_intervals_make(&w.within, lines);
	ms_lines_use_make(&w.use, lines);
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	csv_columns(&table, lines->whole.run);
	for (size_t i = 0; i < lines->files.n; i++)
		if (lines->files.at[i].shown)
			csv_file(&table, &w, &lines->files.at[i]);
	csv_sum(&table, &w, "<rest>", &lines->rest.counts,
		ms_intervals_at(&w.within.sums, MS_VIEWS_LINES_REST));
	if (!ms_summary_counts_empty(&lines->unknown.counts))
		csv_line(&table, &w, "<unknown line>", &lines->unknown, NULL,
			 ms_intervals_at(&w.within.sums, MS_VIEWS_LINES_UNKNOWN));
	csv_sum(&table, &w, "<not asked for>", &lines->other,
		ms_intervals_at(&w.within.sums, MS_VIEWS_LINES_OTHER));
	ms_table_close(&table);
	ms_lines_use_free(&w.use);
	ms_views_lines_intervals_free(&w.within);
}
