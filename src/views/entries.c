/* views/entries.c - lists of entries as tables, for text and CSV: both read ms_metric_table. */
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/metric/metric.h"
#include "analysis/summary/inclusive_rows.h"
#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/table.h"
#include "views/data_use.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/shared.h"
#include "views/text/page.h"
#include "views/views.h"

struct ms_summary_entries *ms_views_list_by(struct ms_summary *summary, enum ms_views_by by)
{
	struct ms_summary_entries *const lists[] = {
		[MS_VIEWS_BY_MATRIX] = &summary->bins,
		[MS_VIEWS_BY_CODE] = &summary->code,
		[MS_VIEWS_BY_DATA] = &summary->data,
		[MS_VIEWS_BY_LINE] = &summary->lines,
		[MS_VIEWS_BY_BIN] = &summary->bins,
		[MS_VIEWS_BY_PROCESSOR] = &summary->processors,
		[MS_VIEWS_BY_PATH] = &summary->code, /* callers.h lists paths */
	};

	return lists[by];
}

/* Text without room for everything leaves out figures of higher levels before all others. */
enum { HIGHER_LEVELS = 8 };

/* What shares are shares of: stall cycles, or references in a run without any. */
static uint64_t weight(const struct ms_summary *whole, const struct ms_summary_entry *entry)
{
	bool stalls = ms_summary_rw_sum(whole->total.counts.stall) > 0;

	return ms_summary_rw_sum(stalls ? entry->counts.stall : entry->counts.references);
}

/* Rows of nothing are left to the rest, if there are others, and several of them. */
static bool has_rows_of_nothing(const struct ms_summary *whole,
				const struct ms_summary_entries *entries)
{
	size_t rows = 0, nothing = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		rows += entries->at.at[i].counts.used;
		nothing += entries->at.at[i].counts.used && weight(whole, &entries->at.at[i]) == 0;
	}
	return nothing > 1 && nothing < rows;
}

/* How many of the entries, which are sorted by what they cost themselves, are within the limits. */
static size_t limit(const struct ms_summary *whole, const struct ms_summary_entries *entries,
		    const struct ms_views_options *options, size_t top, double threshold)
{
	size_t n = 0;

	/* A threshold of 0 asks for all rows. */
	bool folds = options->threshold != 0 && has_rows_of_nothing(whole, entries);
	while (n < entries->at.n && n < top && entries->at.at[n].counts.used &&
	       (!folds || weight(whole, &entries->at.at[n]) > 0) &&
	       ms_summary_share(weight(whole, &entries->at.at[n]), weight(whole, &whole->total)) >=
		       threshold)
		n++;
	return n;
}

/* Moves the chosen entries before all others; both keep their order. */
static void move_chosen(struct ms_summary_entries *entries, const bool *chosen)
{
	size_t n = entries->at.n, first = 0, last = 0;
	struct ms_summary_entry *others = ms_alloc((n + 1) * sizeof(*others));

	for (size_t i = 0; i < n; i++)
		if (chosen[i])
			entries->at.at[first++] = entries->at.at[i];
		else
			others[last++] = entries->at.at[i];
	memcpy(&entries->at.at[first], others, last * sizeof(*others));
	ms_free(others);
}

/* Adds entries that cost little themselves, but much with all that they call. */
static size_t add_inclusive(const struct ms_summary *whole, struct ms_summary_entries *entries,
			    const struct ms_views_options *options, size_t shown)
{
	double share = options->threshold >= 0 ? options->threshold : MS_SUMMARY_INCLUSIVE_LEAST;
	bool *chosen = ms_alloc((entries->at.n + 1) * sizeof(*chosen));

	for (size_t i = 0; i < entries->at.n; i++)
		chosen[i] = i < shown;
	size_t n = ms_summary_choose_inclusive(entries, weight(whole, &whole->total), share,
					       MS_VIEWS_TOP, chosen);
	if (n > 0)
		move_chosen(entries, chosen);
	ms_free(chosen);
	return shown + n;
}

size_t ms_views_choose(const struct ms_summary *whole, struct ms_summary_entries *entries,
		       const struct ms_views_options *options, bool everything_by_default)
{
	size_t top = options->top ? options->top : everything_by_default ? SIZE_MAX : MS_VIEWS_TOP;
	double threshold = options->threshold >= 0 ? options->threshold
			   : everything_by_default ? 0
						   : MS_VIEWS_THRESHOLD;

	/* In another order than that of stall, what is small stands anywhere. */
	bool ordered = entries->at.n > 0 && entries->at.at[0].kind == MS_ENTRY_PROCESSOR;
	if (ordered && options->top == 0)
		top = SIZE_MAX;
	if (ordered || options->sort != NULL || (everything_by_default && threshold <= 0))
		return entries->at.n < top ? entries->at.n : top;
	size_t shown = limit(whole, entries, options, top, threshold);

	return options->top == 0 ? add_inclusive(whole, entries, options, shown) : shown;
}

/* Figures of data in all code are not those of data in the selected code. */
static bool is_selected(const struct ms_metric *metric,
			const struct ms_summary_selection *selection)
{
	return metric->only != MS_ONLY_INTRINSIC || selection == NULL || selection->code == NULL;
}

static bool has_column(const struct ms_table *table, const struct ms_run *run,
		       const struct ms_summary_selection *selection, const struct ms_metric *metric,
		       enum ms_summary_entry_kind kind)
{
	if ((metric->kinds & kind) == 0 || !is_selected(metric, selection) ||
	    (!metric->per_level && !ms_metric_applies(metric, run, kind, 0)))
		return false;
	if (table->mode == MS_TABLE_CSV)
		return true;
	/* Time of joined runs is shown as it was measured. */
	if (metric->unit == MS_UNIT_CYCLES && ms_run_has_measured_time(run))
		return false;
	return metric->head != NULL &&
	       (metric->only != MS_ONLY_PARALLEL_TEXT || run->processors > 1);
}

static void add_column(struct ms_table *table, const struct ms_run *run,
		       const struct ms_metric *metric, size_t level)
{
	struct ms_table_column column = { metric->head, metric->key, metric->unit != MS_UNIT_TEXT,
					  0, MS_CUT_START };

	if (metric->per_level) {
		column.head = ms_arena_printf(&table->arena, "%s %s", run->levels.at[level].name,
					      metric->head ? metric->head : "");
		column.key = ms_arena_printf(&table->arena, "%s_%s", run->levels.at[level].name,
					     metric->key);
	}
	if (metric->unit == MS_UNIT_TEXT)
		column.least = 18;
	ms_table_column(table, column);
	if (metric->drop > 0)
		ms_table_may_drop(table,
				  metric->drop + (level > 0 ? HIGHER_LEVELS + (unsigned)level : 0));
	if (table->mode == MS_TABLE_CSV && ms_metric_has_interval(metric, run))
		for (int end = 0; end < 2; end++) {
			struct ms_table_column bound = column;

			bound.key = ms_arena_printf(&table->arena, "%s_%s", column.key,
						    end == 0 ? "low" : "high");
			ms_table_column(table, bound);
		}
}

static size_t levels_of(const struct ms_run *run, const struct ms_metric *metric)
{
	return metric->per_level ? run->levels.n : 1;
}

static void add_columns(struct ms_table *table, const struct ms_run *run,
			const struct ms_summary_selection *selection,
			enum ms_summary_entry_kind kind)
{
	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++)
		for (size_t i = 0;
		     has_column(table, run, selection, m, kind) && i < levels_of(run, m); i++)
			if (!m->per_level || ms_metric_applies(m, run, kind, i))
				add_column(table, run, m, i);
}

static void add_text(struct ms_table *table, const struct ms_metric *metric, const char *text)
{
	bool code = strcmp(metric->key, "code") == 0 || strcmp(metric->key, "name") == 0;

	if (table->mode == MS_TABLE_TEXT && code)
		text = ms_views_text_code_name(&table->arena, text);
	ms_table_text(table, text);
}

static enum ms_style heat(uint32_t tenths)
{
	return tenths >= 100 ? MS_STYLE_HOT : tenths >= 10 ? MS_STYLE_WARM : MS_STYLE_PLAIN;
}

static void add_value(struct ms_table *table, const struct ms_metric *metric,
		      struct ms_metric_value value, uint32_t tenths)
{
	if (!value.known) {
		ms_table_none(table);
		return;
	}
	switch (metric->unit) {
	case MS_UNIT_TEXT:
		add_text(table, metric, value.text);
		break;
	case MS_UNIT_COUNT:
	case MS_UNIT_CYCLES:
		ms_table_count(table, value.count);
		break;
	case MS_UNIT_NANOSECONDS:
		ms_table_nanoseconds(table, value.count);
		break;
	case MS_UNIT_BYTES:
		ms_table_size(table, value.count);
		break;
	case MS_UNIT_SHARE:
		ms_table_share(table, tenths, value.real);
		ms_table_style(table, heat(tenths));
		break;
	case MS_UNIT_RATE:
		ms_table_real(table, table->mode == MS_TABLE_CSV ? value.real : value.real * 100,
			      1);
		break;
	case MS_UNIT_REAL:
		ms_table_real(table, value.real, 1);
		break;
	}
}

/* --- how far figures may be off --- */

/* One end of an interval in CSV, in the unit of its figure. */
static void add_end(struct ms_table *table, const struct ms_metric *metric, double end)
{
	if (isnan(end))
		ms_table_none(table);
	else if (metric->unit == MS_UNIT_COUNT || metric->unit == MS_UNIT_CYCLES)
		ms_table_count(table, ms_round_u64(end));
	else
		ms_table_real(table, end, 0);
}

static const char *range_of(struct ms_arena *arena, const struct ms_metric *metric,
			    struct ms_intervals_bounds bounds)
{
	if (metric->unit == MS_UNIT_COUNT || metric->unit == MS_UNIT_CYCLES)
		return ms_views_range(arena, bounds);
	return ms_views_real_range(arena, bounds, metric->unit == MS_UNIT_REAL ? 1 : 100);
}

/* An entry, with what it is called where it is the rest, and its intervals. */
struct row {
	const struct ms_summary_entry *entry;
	const char *label;
	uint32_t tenths; /* of its share */
	const struct ms_intervals_entry *own;
	const struct ms_summary_selection *selection; /* NULL: all */
};

/* Of a share that was measured, in text; false: it is another figure. */
static bool add_error(struct ms_table *table, const struct ms_summary *whole,
		      const struct ms_metric *m, const struct ms_summary_entry *entry)
{
	bool events = strcmp(m->key, "event_error") == 0;

	if (table->mode != MS_TABLE_TEXT || (!events && strcmp(m->key, "share_error") != 0))
		return false;
	struct ms_measured_share s = events ? ms_measured_event_share(whole, &entry->counts)
					    : ms_measured_stall_share(whole, &entry->counts);
	if (!isfinite(s.share))
		return false;
	ms_table_text(table, ms_views_share_error(&table->arena, s));
	return true;
}

/* The rest has sums but no name, place or module: its label stands where the first text would. */
static void add_figure(struct ms_table *table, const struct ms_summary *whole,
		       const struct ms_metric *m, size_t level, struct row *row)
{
	if (add_error(table, whole, m, row->entry))
		return;
	if (row->label == NULL || m->unit != MS_UNIT_TEXT) {
		add_value(table, m, m->value(whole, row->entry, level), row->tenths);
	} else {
		ms_table_text(table, row->label);
		ms_table_style(table, MS_STYLE_DIM);
		row->label = "";
	}
	if (table->mode != MS_TABLE_CSV || !ms_metric_has_interval(m, whole->run))
		return;
	struct ms_intervals_bounds b = ms_metric_interval(m, whole, row->entry, row->own, level);
	add_end(table, m, b.low);
	add_end(table, m, b.high);
}

/* Below its figure in text. */
static void add_range(struct ms_table *table, const struct ms_summary *whole,
		      const struct ms_metric *m, size_t level, struct row *row)
{
	if (m->unit == MS_UNIT_TEXT) {
		ms_table_text(table, row->label);
		row->label = "";
	} else if (!ms_metric_has_interval(m, whole->run)) {
		ms_table_text(table, "");
	} else {
		ms_table_text(table,
			      range_of(&table->arena, m,
				       ms_metric_interval(m, whole, row->entry, row->own, level)));
	}
	ms_table_style(table, MS_STYLE_DIM);
}

typedef void add_function(struct ms_table *table, const struct ms_summary *whole,
			  const struct ms_metric *metric, size_t level, struct row *row);

static void add_cells(struct ms_table *table, const struct ms_summary *whole, struct row row,
		      add_function *add)
{
	const struct ms_run *run = whole->run;
	enum ms_summary_entry_kind kind = row.entry->kind;

	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++)
		for (size_t i = 0;
		     has_column(table, run, row.selection, m, kind) && i < levels_of(run, m); i++)
			if (!m->per_level || ms_metric_applies(m, run, kind, i))
				add(table, whole, m, i, &row);
}

static void add_row(struct ms_table *table, const struct ms_summary *whole, struct row row)
{
	add_cells(table, whole, row, add_figure);
	if (table->mode != MS_TABLE_TEXT || row.own == NULL)
		return;
	row.label = MS_VIEWS_INTERVAL;
	add_cells(table, whole, row, add_range);
}

/* Adds up what is not shown; returns how many of them have references. */
static size_t add_rest(const struct ms_summary *whole, const struct ms_summary_entries *entries,
		       size_t shown, struct ms_summary_entry *rest, struct ms_arena *arena)
{
	size_t levels = whole->run->levels.n, n = 0;

	*rest = (struct ms_summary_entry){
		.kind = entries->at.at[0].kind,
		.code = MS_NONE,
		.data = MS_NONE,
		.line = MS_NONE,
		.processor = MS_NONE,
	};
	rest->counts.levels = ms_arena_take(arena, levels * sizeof(*rest->counts.levels));
	for (size_t i = shown; i < entries->at.n; i++) {
		ms_summary_add_counts(&rest->counts, &entries->at.at[i].counts, levels);
		n += entries->at.at[i].counts.used;
	}
	return n;
}

static enum ms_summary_entry_kind kind_of(const struct ms_summary_entries *entries)
{
	return entries->at.n > 0 ? entries->at.at[0].kind : MS_ENTRY_BIN;
}

/* Only CSV has room, and only of data in all code. */
static bool has_use(const struct ms_table *table, const struct ms_summary_entries *entries,
		    const struct ms_summary_selection *selection)
{
	return table->mode == MS_TABLE_CSV && kind_of(entries) == MS_ENTRY_DATA &&
	       (selection == NULL || selection->code == NULL);
}

/* use: NULL: the table does not have it. */
static void add_rows(struct ms_table *table, const struct ms_summary *whole,
		     const struct ms_summary_entries *entries, size_t shown,
		     const struct ms_summary_selection *selection, const uint32_t *tenths,
		     const struct ms_views_data_use *use)
{
	enum ms_summary_entry_kind kind = kind_of(entries);
	struct ms_intervals intervals;

	ms_intervals_by_kind(&intervals, whole, kind, selection);
	if (table->mode == MS_TABLE_CSV) /* text has no columns of them */
		ms_intervals_split_rw(&intervals, whole, kind, selection);
	for (size_t i = 0; i < shown; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		add_row(table, whole,
			(struct row){ e, NULL, tenths[i], ms_intervals_of(&intervals, e),
				      selection });
		if (use != NULL)
			ms_views_data_use_cells(table, use, e->data);
	}
	ms_intervals_free(&intervals);
}

static void add_rest_row(struct ms_table *table, const struct ms_summary *whole,
			 const struct ms_summary_entries *entries, size_t shown,
			 const struct ms_summary_selection *selection, struct row row)
{
	struct ms_intervals intervals;

	ms_intervals_rest(&intervals, whole, kind_of(entries), selection, entries->at.at, shown);
	row.own = ms_intervals_at(&intervals, 0);
	add_row(table, whole, row);
	ms_intervals_free(&intervals);
}

void ms_views_entries(const struct ms_summary *whole, const struct ms_summary_entries *entries,
		      size_t shown, const struct ms_summary_selection *selection,
		      uint32_t total_tenths, struct ms_table *table)
{
	struct ms_summary_entry rest = { .kind = kind_of(entries) };
	size_t in_rest = entries->at.n ? add_rest(whole, entries, shown, &rest, &table->arena) : 0;
	uint64_t *parts = ms_arena_take(&table->arena, (shown + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(&table->arena, (shown + 1) * sizeof(*tenths));

	for (size_t i = 0; i < shown; i++)
		parts[i] = weight(whole, &entries->at.at[i]);
	parts[shown] = weight(whole, &rest);
	ms_summary_share_list(parts, shown + 1, total_tenths, tenths);

	add_columns(table, whole->run, selection, kind_of(entries));
	if (has_use(table, entries, selection)) {
		struct ms_views_data_use use;

		ms_views_data_use_make(&use, whole->run);
		ms_views_data_use_columns(table, &use);
		add_rows(table, whole, entries, shown, selection, tenths, &use);
		ms_views_data_use_free(&use);
	} else {
		add_rows(table, whole, entries, shown, selection, tenths, NULL);
	}
	if (in_rest > 0 && table->mode == MS_TABLE_TEXT) {
		const char *label = ms_arena_printf(&table->arena, "rest (%zu)", in_rest);

		add_rest_row(table, whole, entries, shown, selection,
			     (struct row){ &rest, label, tenths[shown], NULL, selection });
	}
}

/* --- figures of lines of source, where the real machine was sampled --- */

static bool is_figure(const struct ms_table *table, const struct ms_run *run,
		      const struct ms_metric *metric)
{
	return metric->only != MS_ONLY_ANY && !metric->per_level &&
	       has_column(table, run, NULL, metric, MS_ENTRY_LINE);
}

size_t ms_views_figure_columns(struct ms_table *table, const struct ms_run *run)
{
	size_t n = 0;

	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++)
		if (is_figure(table, run, m)) {
			add_column(table, run, m, 0);
			n++;
		}
	return n;
}

size_t ms_views_figures(struct ms_table *table, const struct ms_summary *whole,
			const struct ms_summary_counts *counts, uint32_t tenths)
{
	struct ms_summary_entry entry = { .kind = MS_ENTRY_LINE, .counts = *counts };
	size_t n = 0;

	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++)
		if (is_figure(table, whole->run, m)) {
			add_value(table, m, m->value(whole, &entry, 0), tenths);
			n++;
		}
	return n;
}

size_t ms_views_no_figures(struct ms_table *table, const struct ms_run *run)
{
	size_t n = 0;

	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++)
		if (is_figure(table, run, m)) {
			ms_table_text(table, "");
			n++;
		}
	return n;
}

bool ms_views_is_used_processor(const struct ms_summary_entry *processor)
{
	return processor->counts.instructions > 0 || processor->counts.used;
}

size_t ms_views_used_processors(const struct ms_summary *summary)
{
	size_t n = summary->processors.at.n;

	while (n > 1 && !ms_views_is_used_processor(&summary->processors.at.at[n - 1]))
		n--;
	return n;
}

void ms_views_put_rank(struct ms_table *table, uint32_t rank)
{
	if (rank > 0)
		ms_table_count(table, rank);
	else
		ms_table_none(table);
}
