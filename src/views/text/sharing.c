/* views/text/sharing.c - the lines that processors fight over, as text. */
#include "views/sharing.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/describe/describe.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/text/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"

enum { LINES_SHOWN = 8, ACCESSES_SHOWN = 24, NAME_LEAST = 14 };

/* Text without room for everything leaves out the largest first. */
enum { DROP_DATA = 1, DROP_TRUE, DROP_CODE, DROP_PEER, DROP_CAUSED, DROP_NODES, DROP_PER_MISS };

static void put_set(struct ms_table *table, const struct ms_run *run,
		    const struct ms_sharing_processors *set)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_sharing_processors_text(set, run, &text);
	ms_table_text(table, ms_arena_strdup(&table->arena, ms_text_get(&text)));
	ms_text_free(&text);
}

static void put_nodes(struct ms_table *table, const struct ms_run *run,
		      const struct ms_sharing_processors *set)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_sharing_processors_nodes(set, run, &text);
	ms_table_text(table, ms_arena_strdup(&table->arena, ms_text_get(&text)));
	ms_text_free(&text);
}

/* "workers.c:12"; code without lines: "libc.so.6+0x9a10c". */
static const char *place(struct ms_arena *arena, const struct ms_run *run,
			 const struct ms_run_site *site)
{
	const struct ms_run_line *line = &run->lines.at[site->line];
	const char *path = line->file ? line->file : run->codes.at[line->code].module;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (line->file == NULL)
		return ms_arena_printf(arena, "%s+0x%" PRIx64, name, site->offset);
	return ms_arena_printf(arena, "%s:%" PRIu32, name, line->line);
}

/* --- how far misses of a sampled run may be off --- */

static void ranges(const struct ms_views_text_page *page, const struct ms_run *run,
		   const struct ms_sharing_intervals *w)
{
	static const char *const names[] = { "misses", "false sharing", "true sharing" };
	const struct ms_intervals_bounds bounds[] = { w->misses, w->falsely, w->truly };

	if (run->samplings.n > 0)
		ms_views_text_ranges(page, names, bounds, MS_COUNT(bounds));
}

/* A cell of the row below a row. */
static void put_within(struct ms_table *table, const char *text)
{
	ms_table_text(table, text);
	ms_table_style(table, MS_STYLE_DIM);
}

static void explain_within(const struct ms_views_text_page *page, const struct ms_run *run)
{
	if (run->samplings.n == 0)
		return;
	fputc('\n', page->out);
	ms_views_text_wrap(
		page, "",
		"Cycles have no interval: windows do not show whose cache answered. \"-\": "
		"windows have seen less than ten of them, or there are too few windows.");
}

static void put_nothing(struct ms_table *table, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		ms_table_text(table, NULL);
}

/* --- in all --- */

static void totals(const struct ms_views_text_page *page, const struct ms_sharing *s)
{
	static const char *const names[] = { "False sharing", "True sharing" };
	const struct ms_sharing_counts *c = &s->total;
	const uint64_t misses[] = { c->falsely, c->truly };
	const uint64_t cycles[] = { c->false_stall, c->stall - c->false_stall };
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_views_text_title(page, "SHARING");
	ms_views_text_line(page, "Misses because another processor had written the line: %s",
			   ms_format_count(c->truly + c->falsely, count));
	ms_views_text_parts(page, names, misses, MS_COUNT(misses));
	ranges(page, s->whole.run, &s->within);
	ms_views_text_line(page, "Their memory stall time: %s cycles, %s of all",
			   ms_format_count(c->stall, count),
			   ms_views_text_rate(&arena, c->stall,
					      ms_summary_rw_sum(s->whole.total.counts.stall)));
	ms_views_text_parts(page, names, cycles, MS_COUNT(cycles));
	ms_arena_free(&arena);
}

/* --- by data --- */

static void data_row(struct ms_table *table, const struct ms_sharing_counts *c, uint32_t tenths)
{
	ms_table_share(table, tenths, 0);
	ms_table_count(table, c->stall);
	ms_table_count(table, c->false_stall);
	ms_table_count(table, c->truly + c->falsely);
	ms_table_count(table, c->falsely);
	ms_table_count(table, c->truly);
}

static void data_within(struct ms_table *table, const struct ms_run *run,
			const struct ms_sharing_intervals *w)
{
	if (run->samplings.n == 0)
		return;
	put_nothing(table, 3);
	put_within(table, ms_views_range(&table->arena, w->misses));
	put_within(table, ms_views_range(&table->arena, w->falsely));
	put_within(table, ms_views_range(&table->arena, w->truly));
	put_nothing(table, 3);
	put_within(table, MS_VIEWS_INTERVAL);
}

static void data_columns(struct ms_table *table)
{
	ms_views_text_number_column(table, "Stall %", 0);
	ms_views_text_number_column(table, "Stall", DROP_CODE);
	ms_views_text_number_column(table, "of it false", 0);
	ms_views_text_number_column(table, "Misses", DROP_CODE);
	ms_views_text_number_column(table, "False", 0);
	ms_views_text_number_column(table, "True", DROP_TRUE);
	ms_views_text_number_column(table, "Lines", DROP_NODES);
	ms_views_text_words_column(table, "Written by", 6, MS_CUT_END, DROP_CAUSED);
	ms_views_text_words_column(table, "Missed by", 6, MS_CUT_END, DROP_CAUSED);
	ms_views_text_words_column(table, "Data", NAME_LEAST, MS_CUT_END, 0);
}

/* Shares of the run's stall time; what is not shown is added up. */
static void by_data(const struct ms_views_text_page *page, const struct ms_sharing *s, size_t top)
{
	const struct ms_run *run = s->whole.run;
	size_t shown = s->data.n < top ? s->data.n : top;
	struct ms_sharing_counts rest = { .truly = 0 };
	struct ms_table table;

	ms_views_text_title(page, "BY DATA, false sharing first");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	uint64_t *parts = ms_arena_take(&table.arena, (shown + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(&table.arena, (shown + 1) * sizeof(*tenths));
	for (size_t i = 0; i < s->data.n; i++) {
		if (i >= shown)
			ms_sharing_counts_add(&rest, &s->data.at[i].counts);
		parts[i < shown ? i : shown] += s->data.at[i].counts.stall;
	}
	ms_summary_share_list(
		parts, shown + 1,
		ms_summary_share_tenths(s->total.stall,
					ms_summary_rw_sum(s->whole.total.counts.stall)),
		tenths);
	data_columns(&table);
	for (size_t i = 0; i < shown; i++) {
		const struct ms_sharing_data *d = &s->data.at[i];

		data_row(&table, &d->counts, tenths[i]);
		ms_table_count(&table, d->lines);
		put_set(&table, run, &d->writers);
		put_set(&table, run, &d->missers);
		ms_table_text(&table, run->data.at[d->data].name);
		data_within(&table, run, &d->within);
	}
	if (shown < s->data.n) {
		data_row(&table, &rest, tenths[shown]);
		put_nothing(&table, 3);
		ms_table_text(&table,
			      ms_arena_printf(&table.arena, "rest (%zu)", s->data.n - shown));
	}
	ms_table_close(&table);
	fputc('\n', page->out);
}

/* --- by code --- */

static void pair_row(struct ms_table *table, const struct ms_run *run,
		     const struct ms_sharing_pair *pair)
{
	const char *data = run->data.at[pair->data].name;

	if (pair->data != pair->writer_data)
		data = ms_arena_printf(&table->arena, "%s, written %s", data,
				       run->data.at[pair->writer_data].name);
	ms_table_count(table, pair->counts.stall);
	ms_table_count(table, pair->counts.truly + pair->counts.falsely);
	ms_table_count(table, pair->counts.falsely);
	ms_table_text(table, ms_views_text_line_name(&table->arena, run, pair->line));
	put_set(table, run, &pair->missers);
	ms_table_text(table, ms_views_text_line_name(&table->arena, run, pair->writer_line));
	put_set(table, run, &pair->writers);
	ms_table_text(table, data);
	if (run->samplings.n == 0)
		return;
	put_nothing(table, 1);
	put_within(table, ms_views_range(&table->arena, pair->within.misses));
	put_within(table, ms_views_range(&table->arena, pair->within.falsely));
	put_within(table, MS_VIEWS_INTERVAL);
	put_nothing(table, 4);
}

static void by_code(const struct ms_views_text_page *page, const struct ms_sharing *s, size_t top)
{
	size_t shown = s->pairs.n < top ? s->pairs.n : top;
	struct ms_sharing_counts rest = { .truly = 0 };
	struct ms_table table;

	ms_views_text_title(page, "BY CODE, false sharing first");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_text_number_column(&table, "Stall", 0);
	ms_views_text_number_column(&table, "Misses", DROP_CAUSED);
	ms_views_text_number_column(&table, "False", 0);
	ms_views_text_words_column(&table, "Missed in", 16, MS_CUT_END, 0);
	ms_views_text_words_column(&table, "by", 6, MS_CUT_END, DROP_CODE);
	ms_views_text_words_column(&table, "Written in", 16, MS_CUT_END, 0);
	ms_views_text_words_column(&table, "by", 6, MS_CUT_END, DROP_CODE);
	ms_views_text_words_column(&table, "Data", NAME_LEAST, MS_CUT_END, 0);
	for (size_t i = 0; i < s->pairs.n; i++) {
		if (i < shown)
			pair_row(&table, s->whole.run, &s->pairs.at[i]);
		else
			ms_sharing_counts_add(&rest, &s->pairs.at[i].counts);
	}
	if (shown < s->pairs.n) {
		ms_table_count(&table, rest.stall);
		ms_table_count(&table, rest.truly + rest.falsely);
		ms_table_count(&table, rest.falsely);
		ms_table_text(&table,
			      ms_arena_printf(&table.arena, "rest (%zu)", s->pairs.n - shown));
		put_nothing(&table, 4);
	}
	ms_table_close(&table);
	fputc('\n', page->out);
}

/* --- line by line --- */

/* of_data: with a column for the data that the bytes belong to. */
static void access_columns(struct ms_table *table, const struct ms_run *run, bool of_data)
{
	ms_views_text_number_column(table, "Offset", 0);
	ms_views_text_words_column(table, "Field", 16, MS_CUT_END, 0);
	ms_views_text_words_column(table, "Access", 0, MS_CUT_END, DROP_DATA);
	ms_views_text_words_column(table, "Proc.", 6, MS_CUT_END, 0);
	if (run->nodes > 1)
		ms_views_text_words_column(table, "Nodes", 0, MS_CUT_END, DROP_NODES);
	ms_views_text_number_column(table, "Stall", 0);
	ms_views_text_number_column(table, "Misses", 0);
	ms_views_text_number_column(table, "False", 0);
	ms_views_text_number_column(table, "Peer", DROP_PEER);
	if (run->nodes > 1)
		ms_views_text_number_column(table, "far", DROP_PER_MISS);
	ms_views_text_number_column(table, "Cycles", DROP_PER_MISS);
	ms_views_text_number_column(table, "Causes", DROP_TRUE);
	ms_views_text_number_column(table, "false", DROP_CAUSED);
	ms_views_text_words_column(table, "Line", 14, MS_CUT_END, 0);
	ms_views_text_words_column(table, "Function", 8, MS_CUT_END, DROP_CODE);
	if (of_data)
		ms_views_text_words_column(table, "Data", 8, MS_CUT_END, DROP_DATA);
}

static void access_row(struct ms_table *table, const struct ms_run *run,
		       const struct ms_sharing_access *a, bool of_data)
{
	const struct ms_run_site *site = &run->sites.at[a->site];
	const struct ms_run_line *line = &run->lines.at[site->line];
	uint64_t misses = a->missed.truly + a->missed.falsely;

	ms_table_text(table, ms_arena_printf(&table->arena, "%" PRIu32, a->offset));
	if (a->field != NULL)
		ms_table_text(table, a->field);
	else if (a->object != MS_NO_OFFSET)
		ms_table_text(table, ms_arena_printf(&table->arena, "+%" PRIu64, a->object));
	else
		ms_table_text(table, NULL);
	ms_table_text(table, ms_arena_printf(&table->arena, "%s %" PRIu32,
					     ms_run_site_kind_word(site->kind), site->size));
	put_set(table, run, &a->processors);
	if (run->nodes > 1)
		put_nodes(table, run, &a->processors);
	ms_table_count(table, a->missed.stall);
	ms_table_count(table, misses);
	ms_table_count(table, a->missed.falsely);
	ms_table_count(table, a->missed.peer);
	if (run->nodes > 1)
		ms_table_count(table, a->missed.far_peer);
	if (misses > 0)
		ms_table_real(table, ms_summary_share(a->missed.stall, misses), 1);
	else
		ms_table_none(table);
	ms_table_count(table, a->caused_truly + a->caused_falsely);
	ms_table_count(table, a->caused_falsely);
	ms_table_text(table, place(&table->arena, run, site));
	ms_table_text(table,
		      ms_views_text_code_name(&table->arena, run->codes.at[line->code].name));
	if (of_data)
		ms_table_text(table, run->data.at[a->data].name);
}

/* An access that only causes misses of other processors has no misses, and no interval. */
static void access_within(struct ms_table *table, const struct ms_run *run,
			  const struct ms_sharing_access *a)
{
	size_t nodes = run->nodes > 1 ? 1 : 0;

	if (run->samplings.n == 0 || a->missed.truly + a->missed.falsely == 0)
		return;
	put_nothing(table, 1);
	put_within(table, MS_VIEWS_INTERVAL);
	put_nothing(table, 3 + nodes);
	put_within(table, ms_views_range(&table->arena, a->within.misses));
	put_within(table, ms_views_range(&table->arena, a->within.falsely));
	/* To the end of the row. */
	while (table->cells.n % table->columns.n != 0)
		put_nothing(table, 1);
}

static void line_title(const struct ms_views_text_page *page, const struct ms_sharing *s,
		       size_t number_of)
{
	const struct ms_run *run = s->whole.run;
	const struct ms_sharing_line *line = &s->lines.at[number_of];
	const struct ms_run_data *data = &run->data.at[line->data];
	struct ms_arena arena = MS_ARENA_INIT;
	const char *more =
		line->n_data > 1 ? ms_arena_printf(&arena, " and %zu more", line->n_data - 1) : "";

	if (line->line == MS_NO_OFFSET)
		ms_views_text_title(page, "%zu. Other lines, not kept apart: %s%s", number_of + 1,
				    data->name, more);
	else
		ms_views_text_title(page, "%zu. Line 0x%" PRIx64 ": %s%s (%s%s%s)", number_of + 1,
				    line->line, data->name, more, ms_run_data_kind_word(data->kind),
				    data->type ? ", " : "", data->type ? data->type : "");
	ms_arena_free(&arena);
}

static void one_line(const struct ms_views_text_page *page, const struct ms_sharing *s,
		     size_t number_of)
{
	const struct ms_run *run = s->whole.run;
	const struct ms_sharing_line *line = &s->lines.at[number_of];
	const struct ms_sharing_counts *c = &line->counts;
	size_t shown = line->accesses.n < ACCESSES_SHOWN ? line->accesses.n : ACCESSES_SHOWN;
	char stall[MS_NUM_TEXT], misses[MS_NUM_TEXT];
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_table table;

	fputc('\n', page->out);
	line_title(page, s, number_of);
	ms_views_text_wrap(
		page, "   ",
		ms_arena_printf(&arena, "%s stall cycles (%s of all), %s miss%s, %s false",
				ms_format_count(c->stall, stall),
				ms_views_text_rate(&arena, c->stall,
						   ms_summary_rw_sum(s->whole.total.counts.stall)),
				ms_format_count(c->truly + c->falsely, misses),
				c->truly + c->falsely == 1 ? "" : "es",
				ms_views_text_rate(&arena, c->falsely, c->truly + c->falsely)));
	ranges(page, run, &line->within);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	table.indent = 2;
	access_columns(&table, run, line->n_data > 1);
	for (size_t i = 0; i < shown; i++) {
		access_row(&table, run, &line->accesses.at[i], line->n_data > 1);
		access_within(&table, run, &line->accesses.at[i]);
	}
	ms_table_close(&table);
	if (shown < line->accesses.n)
		ms_views_text_line(page, "  and %zu more; --json has them all",
				   line->accesses.n - shown);
	ms_arena_free(&arena);
}

static void rest_of_lines(const struct ms_views_text_page *page, const struct ms_sharing *s,
			  size_t shown)
{
	struct ms_sharing_counts rest = { .truly = 0 };
	char stall[MS_NUM_TEXT], misses[MS_NUM_TEXT], falsely[MS_NUM_TEXT];
	struct ms_arena arena = MS_ARENA_INIT;

	if (shown == s->lines.n)
		return;
	for (size_t i = shown; i < s->lines.n; i++)
		ms_sharing_counts_add(&rest, &s->lines.at[i].counts);
	fputc('\n', page->out);
	ms_views_text_wrap(
		page, "",
		ms_arena_printf(&arena, "Other lines (%zu): %s stall cycles, misses: %s, false: %s",
				s->lines.n - shown, ms_format_count(rest.stall, stall),
				ms_format_count(rest.truly + rest.falsely, misses),
				ms_format_count(rest.falsely, falsely)));
	ms_arena_free(&arena);
}

/* --- nothing to show --- */

static void one_processor(const struct ms_views_text_page *page, const struct ms_run *run,
			  const struct ms_views_options *options)
{
	ms_views_text_wrap(
		page, "",
		"This run simulated one processor, so no line is invalidated by another. To "
		"see what threads share, simulate several.");
	ms_views_text_run_findings(page, run, options);
	ms_views_text_next_run_with(page, options, run, "--processors 4");
}

static void next(const struct ms_views_text_page *page, const struct ms_sharing *s,
		 const struct ms_views_options *options)
{
	const struct ms_run *run = s->whole.run;
	struct ms_text data = MS_TEXT_INIT;

	if (run->id == 0 || s->data.n == 0)
		return;
	ms_summary_add_data_word(&data, run, run->data.at[s->data.at[0].data].name);
	ms_views_text_next(page, options, "memspy show --data %s @%" PRId64, data.at, run->id);
	ms_text_free(&data);
}

/* About the data that is shown. */
static void findings(const struct ms_views_text_page *page, const struct ms_sharing *s,
		     const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	bool *data = ms_arena_take(&arena, (s->whole.run->data.n + 1) * sizeof(*data));

	for (size_t i = 0; i < s->data.n; i++)
		data[s->data.at[i].data] = true;
	ms_views_text_findings(page, &s->whole,
			       s->data.n > 0 ? &(struct ms_summary_selection){ NULL, data } : NULL,
			       options);
	ms_arena_free(&arena);
}

static void lines(const struct ms_views_text_page *page, const struct ms_sharing *s,
		  const struct ms_views_options *options)
{
	size_t top = options->top ? options->top : LINES_SHOWN;
	size_t shown = s->lines.n < top ? s->lines.n : top;

	if (s->lines.n == 0 && !ms_run_is_sum(s->whole.run)) {
		ms_views_text_wrap(
			page, "",
			"No processor invalidated a line of another one here; memspy threads "
			"shows which of them had anything to do.");
		return;
	}
	by_data(page, s, options->top ? options->top : MS_VIEWS_TOP);
	by_code(page, s, options->top ? options->top : MS_VIEWS_TOP);
	if (ms_views_text_is_of_single_runs(page, s->whole.run, "Cache lines"))
		return;
	ms_views_text_title(page, "CACHE LINES, false sharing first");
	ms_views_text_wrap(
		page, "",
		"Misses: because others had written the line; False: and not what was wanted. "
		"Causes: misses of others, by what is written here.");
	for (size_t i = 0; i < shown; i++)
		one_line(page, s, i);
	rest_of_lines(page, s, shown);
	explain_within(page, s->whole.run);
}

void ms_views_text_sharing(const struct ms_sharing *s, const struct ms_views_options *options,
			   FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);

	ms_views_text_run(&page, &s->whole);
	fputc('\n', out);
	if (s->whole.run->processors == 1) {
		one_processor(&page, s->whole.run, options);
		return;
	}
	totals(&page, s);
	fputc('\n', out);
	lines(&page, s, options);
	findings(&page, s, options);
	next(&page, s, options);
}
