/* views/text/occupancy.c - which data holds how much of a cache level, and when, as text. */
#include "views/evictions.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/evictions/occupancy.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/text/page.h"
#include "views/text/parts.h"

/* A time line is at most so wide; names may shrink to this. */
enum { BARS_MOST = 32, NAME_LEAST = 12, FIGURE = 5 };
/* Text without room for everything leaves out the largest first. */
enum { DROP_BARS = 1, DROP_END, DROP_LINES };
/* Parts that shares are rounded from: lines are not whole on average. */
#define PARTS 4096.0

static const char *name_of(const struct ms_evictions_occupants *o,
			   const struct ms_evictions_occupant *at, struct ms_arena *arena)
{
	return at->data != MS_NONE ? o->run->data.at[at->data].name
				   : ms_arena_printf(arena, "other (%zu)", o->others);
}

static size_t slices_a_bar(const struct ms_evictions_occupants *o)
{
	return o->slices > BARS_MOST ? (o->slices + BARS_MOST - 1) / BARS_MOST : 1;
}

/* Adds a bar in eighths of a line's height, or the tenths as a digit; for 0 a blank or a dot. */
static void add_bar(struct ms_text *text, double share, bool bars)
{
	static const char *const eighths[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	unsigned steps = bars ? 8 : 10, step = (unsigned)(share * steps);

	if (!(share > 0)) {
		ms_text_add(text, bars ? " " : ".");
		return;
	}
	if (step >= steps)
		step = steps - 1;
	if (bars)
		ms_text_add(text, eighths[step]);
	else
		ms_text_addf(text, "%u", step);
}

static const char *time_line(const struct ms_evictions_occupants *o, const double *slices,
			     bool bars, struct ms_arena *arena)
{
	size_t each = slices_a_bar(o);
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < o->slices; i += each) {
		size_t n = o->slices - i < each ? o->slices - i : each;
		double sum = 0;

		for (size_t k = 0; k < n; k++)
			sum += slices[i + k];
		add_bar(&text, o->lines > 0 ? sum / (double)n / (double)o->lines : 0, bars);
	}
	const char *line = ms_arena_strdup(arena, ms_text_get(&text));
	ms_text_free(&text);
	return line;
}

static void put_share(struct ms_table *table, uint64_t part, uint64_t whole)
{
	ms_table_share(table, ms_summary_share_tenths(part, whole), 0);
}

static void data_row(struct ms_table *table, const struct ms_evictions_occupants *o,
		     const struct ms_evictions_occupant *at, uint32_t tenths, bool bars)
{
	ms_table_share(table, tenths, 0);
	if (at->data != MS_NONE)
		put_share(table, at->peak, o->lines);
	else
		ms_table_none(table);
	put_share(table, at->lines, o->lines);
	ms_table_count(table, ms_round_u64(at->mean));
	ms_table_text(table, at->timed ? time_line(o, at->slices, bars, &table->arena) : NULL);
	ms_table_text(table, name_of(o, at, &table->arena));
}

static void empty_row(struct ms_table *table, const struct ms_evictions_occupants *o,
		      uint32_t tenths, bool bars)
{
	uint64_t used = 0;

	for (size_t i = 0; i < o->at.n; i++)
		used += o->at.at[i].lines;
	ms_table_share(table, tenths, 0);
	ms_table_none(table);
	put_share(table, used < o->lines ? o->lines - used : 0, o->lines);
	ms_table_count(table, ms_round_u64(o->empty));
	ms_table_text(table, time_line(o, o->empty_slices, bars, &table->arena));
	ms_table_text(table, "empty");
}

static void table_of(const struct ms_views_text_page *page, const struct ms_evictions_occupants *o,
		     bool bars)
{
	struct ms_table table;

	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	uint64_t *parts = ms_arena_take(&table.arena, (o->at.n + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(&table.arena, (o->at.n + 1) * sizeof(*tenths));
	for (size_t i = 0; i < o->at.n; i++)
		parts[i] = ms_round_u64(o->at.at[i].mean * PARTS);
	parts[o->at.n] = ms_round_u64(o->empty * PARTS);
	ms_summary_share_list(parts, o->at.n + 1, MS_WHOLE, tenths);
	ms_views_text_number_column(&table, "Mean %", 0);
	ms_views_text_number_column(&table, "Peak %", 0);
	ms_views_text_number_column(&table, "End %", DROP_END);
	ms_views_text_number_column(&table, "Lines", DROP_LINES);
	ms_views_text_words_column(&table, "Over the run", 0, MS_CUT_START, DROP_BARS);
	ms_views_text_words_column(&table, "Data", NAME_LEAST, MS_CUT_START, 0);
	for (size_t i = 0; i < o->at.n; i++)
		data_row(&table, o, &o->at.at[i], tenths[i], bars);
	if (parts[o->at.n] > 0)
		empty_row(&table, o, tenths[o->at.n], bars);
	ms_table_close(&table);
}

static void explain(const struct ms_views_text_page *page, const struct ms_evictions_occupants *o,
		    bool bars)
{
	struct ms_arena arena = MS_ARENA_INIT;
	size_t bars_n = (o->slices + slices_a_bar(o) - 1) / slices_a_bar(o);
	char lines[MS_NUM_TEXT];

	ms_views_text_wrap(
		page, "",
		ms_arena_printf(&arena, "Of %s line%s, over %zu slice%s of the run: %s.",
				ms_format_count(o->lines, lines), o->lines == 1 ? "" : "s", bars_n,
				bars_n == 1 ? "" : "s",
				bars ? "a full bar is the whole level"
				     : "0 is below 10% of the level, 9 is 90% and more, a dot "
				       "is nothing"));
	ms_arena_free(&arena);
}

/* Columns that fit: those with the highest mean, then the others, then what is empty. */
static size_t columns_of(const struct ms_views_text_page *page,
			 const struct ms_evictions_occupants *o)
{
	size_t room = page->width > 30 ? (page->width - 30) / (NAME_LEAST + 2) : 1;
	size_t own = o->others > 0 ? o->at.n - 1 : o->at.n;

	return own < room ? own : room;
}

static void slice_row(struct ms_table *table, const struct ms_evictions_occupants *o,
		      uint32_t slice, size_t columns)
{
	uint64_t *parts = ms_arena_take(&table->arena, (columns + 2) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(&table->arena, (columns + 2) * sizeof(*tenths));
	uint64_t to = (slice + 1) * o->run->slice_steps;
	double others = 0;

	for (size_t i = 0; i < o->at.n; i++) {
		if (i < columns)
			parts[i] = ms_round_u64(o->at.at[i].slices[slice] * PARTS);
		else
			others += o->at.at[i].slices[slice];
	}
	parts[columns] = ms_round_u64(others * PARTS);
	parts[columns + 1] = ms_round_u64(o->empty_slices[slice] * PARTS);
	ms_summary_share_list(parts, columns + 2, MS_WHOLE, tenths);
	put_share(table, to < o->run->steps ? to : o->run->steps, o->run->steps);
	for (size_t i = 0; i < columns + 2; i++) {
		if (parts[i] > 0)
			ms_table_share(table, tenths[i], 0);
		else
			ms_table_text(table, "");
	}
}

static void slices_of(const struct ms_views_text_page *page, const struct ms_evictions_occupants *o)
{
	size_t columns = columns_of(page, o);
	struct ms_table table;

	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_text_number_column(&table, "Until %", 0);
	for (size_t i = 0; i < columns; i++)
		ms_table_column(&table,
				(struct ms_table_column){ name_of(o, &o->at.at[i], &table.arena),
							  "", true, FIGURE, MS_CUT_START });
	ms_views_text_number_column(&table, "other", 0);
	ms_views_text_number_column(&table, "empty", 0);
	for (uint32_t i = 0; i < o->slices; i++)
		slice_row(&table, o, i, columns);
	ms_table_close(&table);
}

void ms_views_text_occupancy(const struct ms_evictions *e, const struct ms_views_options *options,
			     bool timeline, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	uint32_t level = e->level != MS_NONE ? e->level : e->worst;
	const struct ms_run *run = e->whole.run;
	struct ms_evictions_occupants o;

	ms_views_text_run(&page, &e->whole);
	fputc('\n', out);
	if (ms_views_text_no_windows(&page, run) ||
	    ms_views_text_is_of_single_runs(&page, run, "Contents of caches"))
		return;
	if (run->levels.n == 0) {
		ms_views_text_line(&page, "This run simulated no caches.");
		return;
	}
	ms_evictions_occupants_make(&o, e, level, options->top ? options->top : MS_VIEWS_TOP,
				    options->threshold >= 0 ? options->threshold
							    : MS_VIEWS_THRESHOLD);
	if (!o.known) {
		ms_views_text_wrap(
			&page, "",
			"This run has not recorded which data was in the caches: an older memspy "
			"made it. Run the program again.");
	} else if (timeline) {
		ms_views_text_title(&page,
				    "CACHE CONTENTS BY DATA in %s over time: per cent of its lines",
				    run->levels.at[level].name);
		slices_of(&page, &o);
	} else {
		ms_views_text_title(&page, "CACHE CONTENTS BY DATA in %s: per cent of its lines",
				    run->levels.at[level].name);
		table_of(&page, &o, options->bars);
		explain(&page, &o, options->bars);
	}
	ms_views_text_findings(&page, &e->whole, NULL, options);
	if (o.known && run->id > 0)
		ms_views_text_next(&page, options, "memspy evictions%s%s @%" PRId64,
				   e->level != MS_NONE ? " --level " : "",
				   e->level != MS_NONE ? run->levels.at[level].name : "", run->id);
	ms_evictions_occupants_free(&o);
}
