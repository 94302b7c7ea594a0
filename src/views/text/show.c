/* views/text/show.c - everything about a bin as text: Figure 3 of the paper. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/describe/describe.h"
#include "analysis/evictions/occupancy.h"
#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/text/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"
#include "views/views.h"

enum { REPLACERS_SHOWN = 8, DATA_SHOWN = 4, NAMES_SHOWN = 6, PROCESSORS_SHOWN = 16 };

/* "a, b, c and 4 more" of the chosen entries; `all` where everything is chosen. */
static void add_names(struct ms_text *out, const struct ms_summary_entries *entries,
		      const bool *chosen, const char *all)
{
	size_t n = 0;

	if (chosen == NULL) {
		ms_text_add(out, all);
		return;
	}
	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (!chosen[e->kind == MS_ENTRY_DATA ? e->data : e->code])
			continue;
		if (n++ < NAMES_SHOWN)
			ms_text_addf(out, "%s%s", n > 1 ? ", " : "", e->name);
	}
	if (n > NAMES_SHOWN)
		ms_text_addf(out, " and %zu more", n - NAMES_SHOWN);
}

static void times(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
		  const char *code, const struct ms_intervals_entry *own, struct ms_arena *arena)
{
	const struct ms_summary_counts *part = &d->part.total.counts,
				       *whole = &d->whole.total.counts;
	const struct ms_intervals_bounds none = { NAN, NAN };
	char count[MS_NUM_TEXT];

	ms_views_text_cycles(page, &d->whole, d->code,
			     ms_arena_printf(arena, "Elapsed time in %s", code), d->elapsed_compute,
			     d->elapsed_stall);
	ms_views_text_fold(
		page, "Memory stall time in bin: %s %s%s%s",
		ms_format_count(ms_summary_rw_sum(part->stall), count),
		ms_views_text_time_unit(d->part.run),
		ms_views_text_milliseconds(arena, d->part.run, ms_summary_rw_sum(part->stall)),
		ms_views_text_interval(arena, own != NULL ? own->cycles : none));
	ms_views_text_fold(page, "Percentage of total memory stall time: %s%s",
			   ms_views_text_rate(arena, ms_summary_rw_sum(part->stall),
					      ms_summary_rw_sum(whole->stall)),
			   ms_views_text_share_interval(arena, own != NULL ? own->stall : none));
	ms_views_text_measured_share(page, &d->whole, part);
	for (size_t i = 0; i < d->part.run->levels.n; i++)
		ms_views_text_fold(
			page, "Percentage of total %s misses: %s%s", d->part.run->levels.at[i].name,
			ms_views_text_rate(arena, ms_summary_rw_sum(part->levels[i].misses),
					   ms_summary_rw_sum(whole->levels[i].misses)),
			ms_views_text_share_interval(arena,
						     own != NULL ? own->levels[i].share : none));
	if (!ms_summary_knows_references(d->part.run, part))
		return;
	ms_views_text_fold(
		page, "Percentage of total references: %s%s",
		ms_views_text_rate(arena, ms_summary_rw_sum(part->references),
				   ms_summary_rw_sum(whole->references)),
		ms_views_text_share_interval(arena, own != NULL ? own->references : none));
}

/* cycles, each: how far they may be off. */
static void average(const struct ms_views_text_page *page, const char *what, uint64_t stall,
		    uint64_t references, struct ms_intervals_bounds cycles,
		    struct ms_intervals_bounds each)
{
	struct ms_arena arena = MS_ARENA_INIT;
	char count[MS_NUM_TEXT];

	ms_format_count(stall, count);
	if (references == 0)
		ms_views_text_line(page, "  %s: %s", what, count);
	else
		ms_views_text_fold(page, "  %s: %s%s   Average per reference: %.1f%s", what, count,
				   ms_views_text_interval(&arena, cycles),
				   ms_summary_share(stall, references),
				   each.low < each.high ? ms_arena_printf(&arena, " (%.1f to %.1f)",
									  each.low, each.high)
							: "");
	ms_arena_free(&arena);
}

static void stalls(const struct ms_views_text_page *page, const struct ms_run *run,
		   const struct ms_summary_counts *c, const struct ms_intervals_entry *own)
{
	static const struct {
		const char *name;
		enum ms_summary_rw rw;
	} halves[] = { { "Reads", MS_READS }, { "Writes", MS_WRITES } };
	const struct ms_intervals_bounds none = { NAN, NAN };

	ms_views_text_line(page, "Memory stall time (%s):", ms_views_text_time_unit(run));
	average(page, "Total", ms_summary_rw_sum(c->stall), ms_summary_rw_sum(c->references),
		own != NULL ? own->cycles : none, own != NULL ? own->average : none);
	for (size_t i = 0; i < MS_COUNT(halves); i++) {
		enum ms_summary_rw rw = halves[i].rw;
		bool known = own != NULL && own->rw[rw].misses != NULL;

		average(page, halves[i].name, c->stall[rw], c->references[rw],
			known ? own->rw[rw].cycles : none, known ? own->rw[rw].average : none);
	}
}

/* Of a sampled run: the count of a share, with its interval. */
static const char *replacer_interval(const struct ms_summary_detail *d,
				     const struct ms_intervals_entry *intervals,
				     const struct ms_summary_evictor *r, size_t n, size_t i,
				     struct ms_arena *arena)
{
	const struct ms_run *run = d->part.run;
	struct ms_intervals_bounds b =
		ms_intervals_effect_evictor(run, intervals, &d->part.total.counts, &r[i],
					    ms_intervals_unknown_evictions(run, r, n, r[i].level));
	const char *within = ms_views_text_range(arena, b);
	char count[MS_NUM_TEXT];

	if (within == NULL)
		return "";
	return ms_arena_printf(arena, "   %s (95%% interval: %s)",
			       ms_format_count(r[i].count, count), within);
}

/* One level's replacers; those after the first few are added up, and what has no replacer. */
static void level_replacers(const struct ms_views_text_page *page,
			    const struct ms_summary_detail *d, uint32_t level,
			    const struct ms_summary_evictor *r, size_t n, struct ms_arena *arena,
			    const struct ms_intervals_entry *intervals)
{
	uint64_t total = d->part.total.counts.levels[level].causes[MS_CAUSE_REPLACED], sum = 0;
	size_t shown = n < REPLACERS_SHOWN ? n : REPLACERS_SHOWN;
	uint64_t *parts = ms_arena_take(arena, (shown + 2) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(arena, (shown + 2) * sizeof(*tenths));

	for (size_t i = 0; i < n; i++) {
		parts[i < shown ? i : shown] += r[i].count;
		sum += r[i].count;
	}
	parts[shown + 1] = total > sum ? total - sum : 0;
	ms_summary_share_list(parts, shown + 2, MS_WHOLE, tenths);
	ms_views_text_line(page,
			   "Causes of replacements in %s:", d->part.run->levels.at[level].name);
	for (size_t i = 0; i < shown; i++)
		ms_views_text_line(page, "  %s: %s%s", d->part.run->data.at[r[i].data].name,
				   ms_views_text_percent(arena, tenths[i]),
				   replacer_interval(d, intervals, r, n, i, arena));
	if (n > shown)
		ms_views_text_line(page, "  rest (%zu): %s", n - shown,
				   ms_views_text_percent(arena, tenths[shown]));
	if (parts[shown + 1] > 0)
		ms_views_text_line(page, "  not recorded: %s",
				   ms_views_text_percent(arena, tenths[shown + 1]));
}

static void replacers(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
		      const struct ms_intervals_entry *own, struct ms_arena *arena)
{
	size_t i = 0;

	for (uint32_t level = 0; level < d->part.run->levels.n; level++) {
		size_t first = i;

		while (i < d->replaced_by.n && d->replaced_by.at[i].level == level)
			i++;
		if (i > first)
			level_replacers(page, d, level, d->replaced_by.at + first, i - first, arena,
					own);
	}
}

/* Likewise of a share of the invalidation misses of the first level. */
static const char *invalidator_interval(const struct ms_summary_detail *d,
					const struct ms_intervals_entry *own,
					const struct ms_summary_invalidator *by,
					struct ms_arena *arena)
{
	const struct ms_run *run = d->part.run;
	uint64_t n = by->truly + by->falsely;
	char count[MS_NUM_TEXT];

	if (own == NULL)
		return "";
	const char *within = ms_views_text_range(
		arena, ms_intervals_effect_part(
			       (double)n,
			       (double)d->part.total.counts.levels[0].causes[MS_CAUSE_INVALIDATED],
			       own->levels[0].causes[MS_CAUSE_INVALIDATED],
			       ms_intervals_effect_scale(run)));
	if (within == NULL)
		return "";
	return ms_arena_printf(arena, "   %s (95%% interval: %s)", ms_format_count(n, count),
			       within);
}

/* Code, data and processor that invalidated the lines. A reference counts once, however many levels
 * it missed. */
static void invalidators(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
			 const struct ms_intervals_entry *own, struct ms_arena *arena)
{
	const struct ms_run *run = d->part.run;
	size_t n = d->invalidated_by.n, shown = n < REPLACERS_SHOWN ? n : REPLACERS_SHOWN;
	uint64_t *parts = ms_arena_take(arena, (shown + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(arena, (shown + 1) * sizeof(*tenths));

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		parts[i < shown ? i : shown] +=
			d->invalidated_by.at[i].truly + d->invalidated_by.at[i].falsely;
	ms_summary_share_list(parts, shown + 1, MS_WHOLE, tenths);
	ms_views_text_line(page, "Causes of invalidations:");
	for (size_t i = 0; i < shown; i++) {
		const struct ms_summary_invalidator *by = &d->invalidated_by.at[i];

		ms_views_text_fold(
			page, "  %s (%s of it false): processor %" PRIu32 " writing %s in %s%s",
			ms_views_text_percent(arena, tenths[i]),
			ms_views_text_rate(arena, by->falsely, by->falsely + by->truly),
			by->processor, run->data.at[by->data].name,
			ms_views_text_code_name(arena, run->codes.at[by->code].name),
			invalidator_interval(d, own, by, arena));
	}
	if (n > shown)
		ms_views_text_line(page, "  %s: rest (%zu)",
				   ms_views_text_percent(arena, tenths[shown]), n - shown);
}

/* The allocation call path; false when there is none. */
static bool frames(const struct ms_views_text_page *page, const struct ms_run *run, uint32_t data)
{
	size_t n;
	const struct ms_run_frame *f = ms_describe_call_path(run, data, &n);

	for (size_t i = 0; i < n; i++, f++) {
		const char *how = f->depth == 0 ? "allocated in" : "  called from";
		const char *path = f->file ? f->file : f->module;
		const char *slash = strrchr(path, '/');
		const char *name = slash ? slash + 1 : path;

		if (f->file != NULL)
			ms_views_text_line(page, "    %s %s (%s:%" PRIu32 ")", how, f->function,
					   name, f->line);
		else
			ms_views_text_line(page, "    %s %s (%s+0x%" PRIx64 ")", how, f->function,
					   name, f->offset);
	}
	return n > 0;
}

/* "in the caches on average: 88.0% of L1 (at most 97.1%), 8.3% of LL (at most 8.3%)". */
static void put_occupancy(const struct ms_views_text_page *page, const struct ms_run *run,
			  uint32_t data)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;

	for (uint32_t level = 0; level < run->levels.n; level++) {
		const struct ms_run_occupancy *o = ms_evictions_occupancy_of(run, level, data);
		uint64_t lines = ms_run_cache_lines(run, level);

		if (o != NULL && lines > 0)
			ms_text_addf(&text, "%s%s of %s (at most %s)", text.n > 0 ? ", " : "",
				     ms_views_text_rate(&arena, ms_round_u64(o->mean * 1000),
							lines * 1000),
				     run->levels.at[level].name,
				     ms_views_text_rate(&arena, o->peak, lines));
	}
	if (text.n > 0)
		ms_views_text_wrap(page, "    in the caches on average: ", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}

static void one_data(const struct ms_views_text_page *page, const struct ms_run *run, uint32_t i)
{
	const struct ms_run_data *data = &run->data.at[i];
	char objects[MS_NUM_TEXT], bytes[MS_NUM_TEXT], peak[MS_NUM_TEXT], largest[MS_NUM_TEXT];
	char mean[MS_NUM_TEXT];

	ms_views_text_line(page, "  %s: %s%s%s", data->name, ms_run_data_kind_word(data->kind),
			   data->type ? ", type " : "", data->type ? data->type : "");
	if (data->reason != NULL)
		ms_views_text_line(page, "    why unattributed: %s", data->reason);
	if (data->objects == 1)
		ms_views_text_line(page, "    1 object of %s", ms_format_size(data->bytes, bytes));
	else if (data->objects > 1)
		ms_views_text_line(
			page,
			"    %s objects, %s in all, at most %s at a time, largest %s, mean %s",
			ms_format_count(data->objects, objects), ms_format_size(data->bytes, bytes),
			ms_format_size(data->peak_bytes, peak),
			ms_format_size(data->largest, largest),
			ms_format_size(data->bytes / data->objects, mean));
	put_occupancy(page, run, i);
	if (!frames(page, run, i) && strcmp(data->full_name, data->name) != 0)
		ms_views_text_line(page, "    %s", data->full_name);
}

static void about_data(const struct ms_views_text_page *page, const struct ms_summary_detail *d)
{
	size_t n = 0;

	ms_views_text_title(page, "DATA");
	for (size_t i = 0; i < d->part.data.at.n; i++) {
		const struct ms_summary_entry *entry = &d->part.data.at.at[i];

		if (d->data != NULL ? !d->data[entry->data] : !entry->counts.used)
			continue;
		if (n++ < DATA_SHOWN)
			one_data(page, d->part.run, entry->data);
	}
	if (n > DATA_SHOWN)
		ms_views_text_line(page, "  and %zu more", n - DATA_SHOWN);
}

static void list(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
		 const char *title, struct ms_summary_entries *entries,
		 const struct ms_views_options *options)
{
	const struct ms_summary_counts *part = &d->part.total.counts,
				       *whole = &d->whole.total.counts;
	struct ms_views_options all = *options;
	struct ms_table table;

	if (entries->at.n == 0)
		return;
	if (all.threshold < 0)
		all.threshold = 0; /* what is small in the run may be all there is of the bin */
	fputc('\n', page->out);
	ms_views_text_title(page, "%s", title);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_entries(&d->whole, entries, ms_views_choose(&d->whole, entries, &all, false),
			 &(struct ms_summary_selection){ d->code, d->data },
			 ms_summary_rw_sum(whole->stall) > 0
				 ? ms_summary_share_tenths(ms_summary_rw_sum(part->stall),
							   ms_summary_rw_sum(whole->stall))
				 : ms_summary_share_tenths(ms_summary_rw_sum(part->references),
							   ms_summary_rw_sum(whole->references)),
			 &table);
	ms_table_close(&table);
}

/* --by processor lists them all. */
static void processors(const struct ms_views_text_page *page, struct ms_summary_detail *d,
		       const struct ms_views_options *options)
{
	struct ms_views_options few = *options;
	size_t used = ms_views_used_processors(&d->part);

	if (few.top == 0)
		few.top = used < PROCESSORS_SHOWN ? used : PROCESSORS_SHOWN;
	list(page, d, "PROCESSORS", &d->part.processors, &few);
}

static void lists(const struct ms_views_text_page *page, struct ms_summary_detail *d,
		  const struct ms_views_options *options)
{
	static const char *const titles[] = { [MS_VIEWS_BY_MATRIX] = "LINES",
					      [MS_VIEWS_BY_CODE] = "CODE",
					      [MS_VIEWS_BY_DATA] = "DATA, in figures",
					      [MS_VIEWS_BY_LINE] = "LINES",
					      [MS_VIEWS_BY_BIN] = "BINS",
					      [MS_VIEWS_BY_PROCESSOR] = "PROCESSORS",
					      [MS_VIEWS_BY_PATH] = "CODE" };
	enum ms_views_by by = options->by == MS_VIEWS_BY_MATRIX ? MS_VIEWS_BY_LINE : options->by;

	if (d->part.bins.at.n > 1 && by != MS_VIEWS_BY_BIN)
		list(page, d, "BINS", &d->part.bins, options);
	if (d->part.run->processors > 1 && by != MS_VIEWS_BY_PROCESSOR)
		processors(page, d, options);
	list(page, d, titles[by], ms_views_list_by(&d->part, by), options);
}

/*
 * From one bin to what invalidates or evicts its lines, and where; from several to the
 * worst of them.
 */
static void next(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
		 const struct ms_views_options *options)
{
	struct ms_text word = MS_TEXT_INIT;
	const struct ms_run *run = d->part.run;
	char id[32] = "";

	if (run->id > 0)
		snprintf(id, sizeof(id), " @%" PRId64, run->id);
	if (d->part.bins.at.n > 1) {
		ms_text_add(&word, "--data ");
		ms_summary_add_data_word(&word, run, run->data.at[d->part.bins.at.at[0].data].name);
		ms_text_add(&word, " --code ");
		ms_summary_add_code_word(&word, run,
					 run->codes.at[d->part.bins.at.at[0].code].name);
		ms_views_text_next(page, options, "memspy show %s%s", word.at, id);
	} else if (d->invalidated_by.n > 0) {
		ms_summary_add_data_word(&word, run, run->data.at[d->part.bins.at.at[0].data].name);
		ms_views_text_next(page, options, "memspy sharing --data %s%s", word.at, id);
	} else if (d->replaced_by.n > 0) {
		ms_summary_add_data_word(&word, run, run->data.at[d->part.bins.at.at[0].data].name);
		ms_views_text_next(page, options, "memspy evictions --of %s%s", word.at, id);
	} else {
		ms_views_text_next(page, options, "memspy report --by line%s", id);
	}
	ms_text_free(&word);
}

static void simulated(const struct ms_views_text_page *page, const struct ms_summary_detail *d,
		      const char *code, struct ms_arena *arena)
{
	const struct ms_summary_selection selection = { d->code, d->data };
	struct ms_intervals intervals;

	ms_intervals_by_kind(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	ms_intervals_split_rw(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, 0);
	times(page, d, code, own, arena);
	ms_views_text_timing(page, &d->whole, &d->part.total.counts);
	ms_views_text_counts(page, &d->whole, d->code, d->data, &d->part.total.counts);
	ms_views_text_cache_sets(page, d->part.run, d->data);
	ms_views_text_line_use(page, d->part.run, d->code, d->data);
	if (d->code == NULL)
		ms_views_text_intrinsic(page, d->part.run, d->data);
	stalls(page, d->part.run, &d->part.total.counts, own);
	replacers(page, d, own, arena);
	invalidators(page, d, own, arena);
	ms_intervals_free(&intervals);
}

static void sampled(const struct ms_views_text_page *page, const struct ms_summary_detail *d)
{
	ms_views_text_hardware_counts(page, &d->whole, &d->part.total.counts, d->code, d->data);
	ms_views_text_histogram(page, d->part.run, d->code, d->data);
}

int ms_views_text_show(struct ms_summary_detail *d, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text code = MS_TEXT_INIT, data = MS_TEXT_INIT;
	enum ms_views_by by = options->by == MS_VIEWS_BY_MATRIX ? MS_VIEWS_BY_LINE : options->by;

	MS_TRY(ms_metric_sort(&d->whole, ms_views_list_by(&d->part, by), options->sort, err));
	add_names(&code, &d->part.code, d->code, "all code");
	add_names(&data, &d->part.data, d->data, "all data");
	ms_views_text_run(&page, &d->whole);
	fputc('\n', out);
	ms_views_text_title(&page, "DETAILED OUTPUT: %s in %s", data.at, code.at);
	if (ms_run_is_measured(d->part.run))
		sampled(&page, d);
	else
		simulated(&page, d, code.at, &arena);
	fputc('\n', out);
	about_data(&page, d);
	lists(&page, d, options);
	ms_views_text_findings(&page, &d->whole, &(struct ms_summary_selection){ d->code, d->data },
			       options);
	next(&page, d, options);
	ms_text_free(&code);
	ms_text_free(&data);
	ms_arena_free(&arena);
	return MS_OK;
}
