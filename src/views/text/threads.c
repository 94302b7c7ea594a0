/* views/text/threads.c - where time goes, by thread, function and processor, as text. */
#include "views/threads.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/describe/describe.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/shared.h"
#include "views/text/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"

enum { ROWS_SHOWN = 16 };

static void list(const struct ms_views_text_page *page, const struct ms_threads *t,
		 const struct ms_threads_times *times, const char *title, size_t top)
{
	struct ms_table table;

	if (times->at.n == 0)
		return;
	fputc('\n', page->out);
	ms_views_text_title(page, "%s", title);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_threads_table(&table, t, times, ms_views_top(times->at.n, top));
	ms_table_close(&table);
}

/* The time of all processors until the last thread ended, completely: with idle time. */
static void totals(const struct ms_views_text_page *page, const struct ms_threads *t)
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
	ms_views_text_title(page, "TIME");
	ms_views_text_line(page, "Elapsed time: %s cycles%s", ms_format_count(t->elapsed, count),
			   ms_views_text_interval(&arena, t->within.all));
	ms_views_text_line(page, "%" PRIu32 " processor%s:", t->whole.run->processors,
			   t->whole.run->processors == 1 ? "" : "s");
	ms_views_text_parts(page, names, parts, MS_COUNT(parts));
	ms_views_text_ranges(page, within,
			     (struct ms_intervals_bounds[]){ t->within.compute, t->within.stall },
			     t->whole.run->samplings.n > 0 ? MS_COUNT(within) : 0);
	ms_arena_free(&arena);
}

/* Of a sampled run: what has no interval, and why. */
static void about_intervals(const struct ms_views_text_page *page, const struct ms_run *run)
{
	if (run->samplings.n == 0)
		return;
	fputc('\n', page->out);
	if (run->processors > 1)
		ms_views_text_wrap(
			page, "",
			"Elapsed, normalized, waiting and idle time, and what is made of them, "
			"have no interval: windows do not show which threads waited "
			"between them, nor which processors were busy.");
	if (ms_intervals_compute_is_known(run))
		ms_views_text_wrap(page, "", "Instructions were counted: compute time is exact.");
	else
		ms_views_text_wrap(
			page, "",
			"Intervals of compute time are made of the references around it; \"-\": "
			"code that has none, or that too few windows contain.");
}

static void about(const struct ms_views_text_page *page, const struct ms_threads *t)
{
	if (t->whole.run->processors > 1 && t->whole.run->threads.n == 0)
		ms_views_text_line(page, "No threads are noted in this run.");
	fputc('\n', page->out);
	if (t->whole.run->processors > 1)
		ms_views_text_wrap(
			page, "",
			"Norm.: compute and stall time, divided by the processors that were "
			"busy meanwhile. Par.: how many these were; what is serial has 1.0.");
	else
		ms_views_text_wrap(
			page, "",
			"One processor was simulated: what its threads did is counted "
			"together, as they took turns; memspy run --processors 4 shows each "
			"alone, and how they would run together.");
}

static void next(const struct ms_views_text_page *page, const struct ms_threads *t,
		 const struct ms_views_options *options)
{
	const struct ms_run *run = t->whole.run;
	struct ms_text code = MS_TEXT_INIT;

	for (size_t i = 0; run->id > 0 && i < t->code.at.n; i++) {
		if (t->code.at.at[i].of == MS_NONE)
			continue;
		ms_summary_add_code_word(&code, run, t->code.at.at[i].name);
		ms_views_text_next(page, options, "memspy show --code %s @%" PRId64, code.at,
				   run->id);
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

int ms_views_text_threads(struct ms_threads *t, const struct ms_views_threads_options *options,
			  FILE *out, struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(&options->view, out);
	size_t top = options->view.top ? options->view.top : ROWS_SHOWN;
	size_t used = ms_views_used_processors(&t->whole) < top
			      ? ms_views_used_processors(&t->whole)
			      : top;
	bool all = options->by == MS_VIEWS_THREADS_ALL;

	MS_TRY(ms_threads_sort(t, ms_views_threads_chosen(t, options->by), options->view.sort,
			       err));
	ms_views_text_run(&page, &t->whole);
	fputc('\n', out);
	if (ms_views_text_no_windows(&page, t->whole.run) ||
	    ms_views_text_is_of_single_runs(&page, t->whole.run, "Threads"))
		return MS_OK;
	totals(&page, t);
	ms_views_text_unused_processors(&page, &t->whole);
	if (all || options->by == MS_VIEWS_THREADS_PROCESSOR)
		list(&page, t, &t->processors, "PROCESSORS", options->view.top ? top : used);
	if (all || options->by == MS_VIEWS_THREADS_THREAD)
		list(&page, t, &t->threads, title(&t->whole.arena, t, "THREADS"), top);
	if (all || options->by == MS_VIEWS_THREADS_CODE)
		list(&page, t, &t->code, title(&t->whole.arena, t, "FUNCTIONS"),
		     options->view.top ? options->view.top : MS_VIEWS_TOP);
	about(&page, t);
	about_intervals(&page, t->whole.run);
	ms_views_text_findings(&page, &t->whole, NULL, &options->view);
	next(&page, t, &options->view);
	return MS_OK;
}
