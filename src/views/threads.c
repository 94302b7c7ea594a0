/* views/threads.c - tables of threads, functions and processors, for text and CSV. */
#include "views/shared.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/intervals.h"
#include "views/text/page.h"
#include "views/threads.h"

enum { NAME_LEAST = 18 };

/* The list that --by names; threads where it names none. */
struct ms_threads_times *ms_views_threads_chosen(struct ms_threads *t, enum ms_views_threads_by by)
{
	return by == MS_VIEWS_THREADS_CODE        ? &t->code
	       : by == MS_VIEWS_THREADS_PROCESSOR ? &t->processors
						  : &t->threads;
}

static enum ms_threads_time_kind kind_of(const struct ms_threads *t,
					 const struct ms_threads_times *times)
{
	return times == &t->code         ? MS_TIME_CODE
	       : times == &t->processors ? MS_TIME_PROCESSOR
					 : MS_TIME_THREAD;
}

/* Reasons for which no thread waited have no column in text. */
static bool any(const struct ms_threads *t, const struct ms_threads_times *times,
		const struct ms_threads_metric *m)
{
	for (size_t i = 0; i < times->at.n; i++)
		if (m->value(t, &times->at.at[i]).count > 0)
			return true;
	return false;
}

static bool has_column(const struct ms_table *table, const struct ms_threads *t,
		       const struct ms_threads_times *times, const struct ms_threads_metric *m)
{
	if ((m->kinds & (unsigned)kind_of(t, times)) == 0)
		return false;
	return table->mode == MS_TABLE_CSV || (m->head != NULL && (!m->reason || any(t, times, m)));
}

/* Of a sampled run: both ends of the figure's interval. */
static void add_end_columns(struct ms_table *table, const struct ms_threads_metric *m)
{
	static const char *const ends[] = { "low", "high" };

	for (size_t i = 0; i < MS_COUNT(ends); i++)
		ms_table_column(table, (struct ms_table_column){
					       .key = ms_arena_printf(&table->arena, "%s_%s",
								      m->key, ends[i]) });
}

static void add_columns(struct ms_table *table, const struct ms_threads *t,
			const struct ms_threads_times *times)
{
	for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++) {
		bool words = m->unit == MS_UNIT_TEXT;

		if (!has_column(table, t, times, m))
			continue;
		ms_table_column(table,
				(struct ms_table_column){ m->head, m->key, !words,
							  words ? NAME_LEAST : 0, MS_CUT_END });
		if (m->drop > 0)
			ms_table_may_drop(table, m->drop);
		if (table->mode == MS_TABLE_CSV && ms_threads_metric_has_interval(m, t->whole.run))
			add_end_columns(table, m);
	}
}

static void add_value(struct ms_table *table, const struct ms_threads_metric *m,
		      struct ms_metric_value value, uint32_t tenths)
{
	bool csv = table->mode == MS_TABLE_CSV;

	if (!value.known)
		ms_table_none(table);
	else if (m->unit == MS_UNIT_TEXT)
		ms_table_text(table, csv ? value.text
					 : ms_views_text_code_name(&table->arena, value.text));
	else if (m->unit == MS_UNIT_SHARE)
		ms_table_share(table, tenths, value.real);
	else if (m->unit == MS_UNIT_RATE)
		ms_table_real(table, csv ? value.real : value.real * 100, 1);
	else if (m->unit == MS_UNIT_REAL)
		ms_table_real(table, value.real, 1);
	else
		ms_table_count(table, value.count);
}

/* Whether sums have this figure, too; they have no numbers, names and ends of threads. */
static bool adds_up(const struct ms_threads_metric *m)
{
	return m->unit == MS_UNIT_CYCLES || m->unit == MS_UNIT_SHARE ||
	       strcmp(m->key, "references") == 0;
}

static void add_ends(struct ms_table *table, struct ms_intervals_bounds b)
{
	const double ends[] = { b.low, b.high };

	for (size_t i = 0; i < MS_COUNT(ends); i++)
		if (isnan(ends[i]))
			ms_table_none(table);
		else
			ms_table_count(table, ms_round_u64(ends[i]));
}

/* label: of what is added up; where its name would stand, or the number of what has none. */
static void add_row(struct ms_table *table, const struct ms_threads *t,
		    const struct ms_threads_times *times, const struct ms_threads_time *time,
		    const char *label, uint32_t tenths)
{
	const char *at = time->kind == MS_TIME_PROCESSOR ? "processor" : "name";

	for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++) {
		if (!has_column(table, t, times, m))
			continue;
		if (label == NULL || adds_up(m))
			add_value(table, m, m->value(t, time), tenths);
		else
			ms_table_text(table, strcmp(m->key, at) == 0 ? label : NULL);
		if (table->mode == MS_TABLE_CSV && ms_threads_metric_has_interval(m, t->whole.run))
			add_ends(table, ms_threads_metric_interval(m, time));
	}
}

/* Of a sampled run, in text: the intervals below their figures. */
static void add_ranges(struct ms_table *table, const struct ms_threads *t,
		       const struct ms_threads_times *times, const struct ms_threads_time *time)
{
	const char *at = time->kind == MS_TIME_PROCESSOR ? "processor" : "name";

	if (t->whole.run->samplings.n == 0 || table->mode == MS_TABLE_CSV ||
	    time->compute + time->stall + time->references == 0)
		return;
	for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++) {
		if (!has_column(table, t, times, m))
			continue;
		if (ms_threads_metric_has_interval(m, t->whole.run))
			ms_table_text(table, ms_views_range(&table->arena,
							    ms_threads_metric_interval(m, time)));
		else
			ms_table_text(table, strcmp(m->key, at) == 0 ? MS_VIEWS_INTERVAL : "");
		ms_table_style(table, MS_STYLE_DIM);
	}
}

/* Shares of normalised time that add up as printed. */
static uint32_t *shares(struct ms_arena *arena, const struct ms_threads_times *times, size_t shown)
{
	uint64_t *parts = ms_arena_take(arena, (shown + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(arena, (shown + 1) * sizeof(*tenths));

	for (size_t i = 0; i < times->at.n; i++) {
		double normalised = times->at.at[i].normalised;

		parts[i < shown ? i : shown] += ms_round_u64(normalised);
	}
	ms_summary_share_list(parts, shown + 1, MS_WHOLE, tenths);
	return tenths;
}

static void add_rows(struct ms_table *table, const struct ms_threads *t,
		     const struct ms_threads_times *times, size_t shown)
{
	uint32_t *tenths = shares(&table->arena, times, shown);
	struct ms_threads_time rest = { .kind = kind_of(t, times), .of = MS_NONE };

	for (size_t i = 0; i < times->at.n; i++) {
		if (i >= shown) {
			ms_threads_time_add(&rest, &times->at.at[i]);
			continue;
		}
		add_row(table, t, times, &times->at.at[i], NULL, tenths[i]);
		add_ranges(table, t, times, &times->at.at[i]);
	}
	if (shown == times->at.n || table->mode != MS_TABLE_TEXT)
		return;
	add_row(table, t, times, &rest,
		ms_arena_printf(&table->arena, "rest (%zu)", times->at.n - shown), tenths[shown]);
	add_ranges(table, t, times, &rest);
}

void ms_views_threads_table(struct ms_table *table, const struct ms_threads *t,
			    const struct ms_threads_times *times, size_t shown)
{
	add_columns(table, t, times);
	add_rows(table, t, times, shown);
}
