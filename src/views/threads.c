/* views/threads.c - where time goes, by thread, function and processor. */
#include "views/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/share.h"
#include "base/num.h"
#include "views/views_priv.h"

enum { ROWS_SHOWN = 16, NAME_LEAST = 18 };

/* The list that --by names; threads where it names none. */
static struct ms_times *chosen(struct ms_threads *t, enum ms_threads_by by)
{
	return by == MS_THREADS_CODE        ? &t->code
	       : by == MS_THREADS_PROCESSOR ? &t->processors
					    : &t->threads;
}

static enum ms_time_kind kind_of(const struct ms_threads *t, const struct ms_times *times)
{
	return times == &t->code         ? MS_TIME_CODE
	       : times == &t->processors ? MS_TIME_PROCESSOR
					 : MS_TIME_THREAD;
}

/* --- tables --- */

/* Reasons for which nobody waited have no column in text. */
static bool any(const struct ms_threads *t, const struct ms_times *times,
		const struct ms_time_metric *m)
{
	for (size_t i = 0; i < times->at.n; i++)
		if (m->value(t, &times->at.at[i]).count > 0)
			return true;
	return false;
}

static bool has_column(const struct ms_table *table, const struct ms_threads *t,
		       const struct ms_times *times, const struct ms_time_metric *m)
{
	if ((m->kinds & (unsigned)kind_of(t, times)) == 0)
		return false;
	return table->mode == MS_TABLE_CSV || (m->head != NULL && (!m->reason || any(t, times, m)));
}

/* Of a sampled run: both ends of the figure's interval. */
static void add_end_columns(struct ms_table *table, const struct ms_time_metric *m)
{
	static const char *const ends[] = { "low", "high" };

	for (size_t i = 0; i < MS_COUNT(ends); i++)
		ms_table_column(table, (struct ms_table_column){
					       .key = ms_arena_printf(&table->arena, "%s_%s",
								      m->key, ends[i]) });
}

static void add_columns(struct ms_table *table, const struct ms_threads *t,
			const struct ms_times *times)
{
	for (const struct ms_time_metric *m = ms_time_metrics; m->key != NULL; m++) {
		bool words = m->unit == MS_UNIT_TEXT;

		if (!has_column(table, t, times, m))
			continue;
		ms_table_column(table,
				(struct ms_table_column){ m->head, m->key, !words,
							  words ? NAME_LEAST : 0, MS_CUT_END });
		if (m->drop > 0)
			ms_table_may_drop(table, m->drop);
		if (table->mode == MS_TABLE_CSV && ms_time_has_interval(m, t->whole.run))
			add_end_columns(table, m);
	}
}

static void add_value(struct ms_table *table, const struct ms_time_metric *m, struct ms_value value,
		      uint32_t tenths)
{
	bool csv = table->mode == MS_TABLE_CSV;

	if (!value.known)
		ms_table_none(table);
	else if (m->unit == MS_UNIT_TEXT)
		ms_table_text(table,
			      csv ? value.text : ms_page_code_name(&table->arena, value.text));
	else if (m->unit == MS_UNIT_SHARE)
		ms_table_share(table, tenths, value.real);
	else if (m->unit == MS_UNIT_RATE)
		ms_table_real(table, csv ? value.real : value.real * 100, 1);
	else if (m->unit == MS_UNIT_REAL)
		ms_table_real(table, value.real, 1);
	else
		ms_table_count(table, value.count);
}

/* Whether what is added up has this figure too; numbers, names and ends it has not. */
static bool adds_up(const struct ms_time_metric *m)
{
	return m->unit == MS_UNIT_CYCLES || m->unit == MS_UNIT_SHARE ||
	       strcmp(m->key, "references") == 0;
}

static void add_ends(struct ms_table *table, struct ms_bounds b)
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
		    const struct ms_times *times, const struct ms_time *time, const char *label,
		    uint32_t tenths)
{
	const char *at = time->kind == MS_TIME_PROCESSOR ? "processor" : "name";

	for (const struct ms_time_metric *m = ms_time_metrics; m->key != NULL; m++) {
		if (!has_column(table, t, times, m))
			continue;
		if (label == NULL || adds_up(m))
			add_value(table, m, m->value(t, time), tenths);
		else
			ms_table_text(table, strcmp(m->key, at) == 0 ? label : NULL);
		if (table->mode == MS_TABLE_CSV && ms_time_has_interval(m, t->whole.run))
			add_ends(table, ms_time_bounds(m, time));
	}
}

/* Of a sampled run, in text: the intervals below their figures. */
static void add_ranges(struct ms_table *table, const struct ms_threads *t,
		       const struct ms_times *times, const struct ms_time *time)
{
	const char *at = time->kind == MS_TIME_PROCESSOR ? "processor" : "name";

	if (t->whole.run->samplings.n == 0 || table->mode == MS_TABLE_CSV ||
	    time->compute + time->stall + time->references == 0)
		return;
	for (const struct ms_time_metric *m = ms_time_metrics; m->key != NULL; m++) {
		if (!has_column(table, t, times, m))
			continue;
		if (ms_time_has_interval(m, t->whole.run))
			ms_table_text(table, ms_view_range(&table->arena, ms_time_bounds(m, time)));
		else
			ms_table_text(table, strcmp(m->key, at) == 0 ? MS_VIEW_INTERVAL : "");
		ms_table_style(table, MS_STYLE_DIM);
	}
}

/* Shares of normalised time that add up as printed. */
static uint32_t *shares(struct ms_arena *arena, const struct ms_times *times, size_t shown)
{
	uint64_t *parts = ms_arena_take(arena, (shown + 1) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(arena, (shown + 1) * sizeof(*tenths));

	for (size_t i = 0; i < times->at.n; i++) {
		double normalised = times->at.at[i].normalised;

		parts[i < shown ? i : shown] += ms_round_u64(normalised);
	}
	ms_share_list(parts, shown + 1, MS_WHOLE, tenths);
	return tenths;
}

static void add_rows(struct ms_table *table, const struct ms_threads *t,
		     const struct ms_times *times, size_t shown)
{
	uint32_t *tenths = shares(&table->arena, times, shown);
	struct ms_time rest = { .kind = kind_of(t, times), .of = MS_NONE };

	for (size_t i = 0; i < times->at.n; i++) {
		if (i >= shown) {
			ms_time_add(&rest, &times->at.at[i]);
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

static size_t limit(const struct ms_times *times, size_t top)
{
	return top != 0 && top < times->at.n ? top : times->at.n;
}

/* --- text --- */

static void list(const struct ms_page *page, const struct ms_threads *t,
		 const struct ms_times *times, const char *title, size_t top)
{
	struct ms_table table;

	if (times->at.n == 0)
		return;
	fputc('\n', page->out);
	ms_page_title(page, "%s", title);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	add_columns(&table, t, times);
	add_rows(&table, t, times, limit(times, top));
	ms_table_close(&table);
}

/* All processors' time until the last thread had ended: nothing of it is left out. */
static void totals(const struct ms_page *page, const struct ms_threads *t)
{
	static const char *const names[] = { "Compute", "Memory stall", "Idle" };
	static const char *const within[] = { "compute", "memory stall" };
	struct ms_arena arena = MS_ARENA_INIT;
	uint64_t parts[] = { 0, 0, 0 };
	char count[MS_NUM_TEXT];

	for (size_t i = 0; i < t->processors.at.n; i++) {
		parts[0] += t->processors.at.at[i].compute;
		parts[1] += t->processors.at.at[i].stall;
		parts[2] += t->processors.at.at[i].wait;
	}
	ms_page_title(page, "TIME");
	ms_page_line(page, "Elapsed time: %s cycles%s", ms_format_count(t->elapsed, count),
		     ms_page_behind(&arena, t->within.all));
	ms_page_line(page, "%" PRIu32 " processor%s:", t->whole.run->processors,
		     t->whole.run->processors == 1 ? "" : "s");
	ms_page_parts(page, names, parts, MS_COUNT(parts));
	ms_page_ranges(page, within, (struct ms_bounds[]){ t->within.compute, t->within.stall },
		       t->whole.run->samplings.n > 0 ? MS_COUNT(within) : 0);
	ms_arena_free(&arena);
}

/* Of a sampled run: what has no interval, and why. */
static void about_intervals(const struct ms_page *page, const struct ms_run *run)
{
	if (run->samplings.n == 0)
		return;
	fputc('\n', page->out);
	if (run->processors > 1)
		ms_page_wrap(
			page, "",
			"Elapsed, normalised, waiting and idle time, and what is made of them, "
			"have no interval: windows do not tell who waited between them, nor "
			"who was busy then.");
	if (ms_compute_is_known(run))
		ms_page_wrap(page, "", "Instructions were counted: compute time is exact.");
	else
		ms_page_wrap(
			page, "",
			"Intervals of compute time are made of the references around it; \"-\": "
			"code that has none, or that windows met too seldom.");
}

static void about(const struct ms_page *page, const struct ms_threads *t)
{
	if (t->whole.run->processors > 1 && t->whole.run->threads.n == 0)
		ms_page_line(page, "No threads are noted in this run.");
	fputc('\n', page->out);
	if (t->whole.run->processors > 1)
		ms_page_wrap(page, "",
			     "Norm.: compute and stall time, divided by the processors that were "
			     "busy meanwhile. Par.: how many these were; what is serial has 1.0.");
	else
		ms_page_wrap(page, "",
			     "One processor was simulated: what its threads did is counted "
			     "together, as they took turns; memspy run --processors 4 tells them "
			     "apart, and how they would run together.");
}

static void next(const struct ms_page *page, const struct ms_threads *t,
		 const struct ms_view_options *options)
{
	const struct ms_run *run = t->whole.run;
	struct ms_text code = MS_TEXT_INIT;

	for (size_t i = 0; run->id > 0 && i < t->code.at.n; i++) {
		if (t->code.at.at[i].of == MS_NONE)
			continue;
		ms_about_word(&code, t->code.at.at[i].name);
		ms_page_next(page, options, "memspy show --code %s @%" PRId64, code.at, run->id);
		break;
	}
	ms_text_free(&code);
}

static const char *title(struct ms_arena *arena, const struct ms_threads *t, const char *what)
{
	return t->processor == MS_NONE
		       ? what
		       : ms_arena_printf(arena, "%s of processor %" PRIu32, what, t->processor);
}

int ms_threads_text(struct ms_threads *t, const struct ms_threads_options *options, FILE *out,
		    struct ms_err *err)
{
	struct ms_page page = ms_page_of(&options->view, out);
	size_t top = options->view.top ? options->view.top : ROWS_SHOWN;
	size_t used = ms_view_used(&t->whole) < top ? ms_view_used(&t->whole) : top;
	bool all = options->by == MS_THREADS_ALL;

	MS_TRY(ms_times_sort(t, chosen(t, options->by), options->view.sort, err));
	ms_page_run(&page, &t->whole);
	fputc('\n', out);
	if (ms_page_unseen(&page, t->whole.run))
		return MS_OK;
	totals(&page, t);
	ms_page_unused(&page, &t->whole);
	if (all || options->by == MS_THREADS_PROCESSOR)
		list(&page, t, &t->processors, "PROCESSORS", options->view.top ? top : used);
	if (all || options->by == MS_THREADS_THREAD)
		list(&page, t, &t->threads, title(&t->whole.arena, t, "THREADS"), top);
	if (all || options->by == MS_THREADS_CODE)
		list(&page, t, &t->code, title(&t->whole.arena, t, "FUNCTIONS"),
		     options->view.top ? options->view.top : MS_VIEW_TOP);
	about(&page, t);
	about_intervals(&page, t->whole.run);
	next(&page, t, &options->view);
	return MS_OK;
}

/* --- CSV --- */

int ms_threads_csv(struct ms_threads *t, const struct ms_threads_options *options, FILE *out,
		   struct ms_err *err)
{
	struct ms_times *times = chosen(t, options->by);
	struct ms_table table;

	MS_TRY(ms_times_sort(t, times, options->view.sort, err));
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	add_columns(&table, t, times);
	add_rows(&table, t, times, limit(times, options->view.top));
	ms_table_close(&table);
	return MS_OK;
}

/* --- JSON --- */

static void json_value(struct ms_json *j, const struct ms_time_metric *m, struct ms_value value)
{
	if (!value.known)
		ms_json_null(j, m->key);
	else if (m->unit == MS_UNIT_TEXT)
		ms_json_text(j, m->key, value.text);
	else if (m->unit == MS_UNIT_COUNT || m->unit == MS_UNIT_CYCLES)
		ms_json_u64(j, m->key, value.count);
	else
		ms_json_real(j, m->key, value.real);
}

static void json_intervals(struct ms_json *j, const struct ms_threads *t,
			   const struct ms_time *time)
{
	if (t->whole.run->samplings.n == 0)
		return;
	ms_json_object(j, "intervals");
	for (const struct ms_time_metric *m = ms_time_metrics; m->key != NULL; m++)
		if ((m->kinds & time->kind) != 0 && ms_time_has_interval(m, t->whole.run))
			ms_view_json_between(j, m->key, ms_time_bounds(m, time));
	ms_json_end(j);
}

static void json_list(struct ms_json *j, const char *key, const struct ms_threads *t,
		      const struct ms_times *times, size_t top)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < limit(times, top); i++) {
		const struct ms_time *time = &times->at.at[i];

		ms_json_object(j, NULL);
		for (const struct ms_time_metric *m = ms_time_metrics; m->key != NULL; m++)
			if ((m->kinds & time->kind) != 0)
				json_value(j, m, m->value(t, time));
		json_intervals(j, t, time);
		ms_json_end(j);
	}
	ms_json_end(j);
}

int ms_threads_json(struct ms_threads *t, const struct ms_threads_options *options, FILE *out,
		    struct ms_err *err)
{
	const struct ms_run *run = t->whole.run;
	size_t top = options->view.top;
	struct ms_json j;

	MS_TRY(ms_times_sort(t, chosen(t, options->by), options->view.sort, err));
	ms_view_json_begin_run(&j, run, out);
	ms_json_u64(&j, "processors", run->processors);
	ms_json_u64(&j, "seed", run->seed);
	ms_json_end(&j);
	ms_json_object(&j, "totals");
	ms_json_u64(&j, "elapsed_cycles", t->elapsed);
	ms_json_u64(&j, "normalised_cycles", ms_round_u64(ms_times_normalised(&t->code)));
	if (run->samplings.n > 0) {
		ms_json_object(&j, "intervals");
		ms_view_json_between(&j, "compute_cycles", t->within.compute);
		ms_view_json_between(&j, "stall_cycles", t->within.stall);
		ms_view_json_between(&j, "elapsed_cycles", t->within.all);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	if (options->by == MS_THREADS_ALL || options->by == MS_THREADS_PROCESSOR)
		json_list(&j, "processors", t, &t->processors, top);
	if (options->by == MS_THREADS_ALL || options->by == MS_THREADS_THREAD)
		json_list(&j, "threads", t, &t->threads, top);
	if (options->by == MS_THREADS_ALL || options->by == MS_THREADS_CODE)
		json_list(&j, "code", t, &t->code, top);
	ms_json_end(&j);
	return MS_OK;
}

ms_threads_writer *const ms_threads_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_threads_text,
	[MS_VIEW_JSON] = ms_threads_json,
	[MS_VIEW_CSV] = ms_threads_csv,
};
