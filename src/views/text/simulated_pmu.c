/* views/text/simulated_pmu.c - simulated performance monitors and what they cost, as text. */
#include "views/simulated_pmu.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/summary/select.h"
#include "run/enum_words.h"
#include "views/text/page.h"
#include "views/text/parts.h"
#include "views/text/simulated_pmu_tables.h"

/* With fewer, shares say little; with this many, a half is known to ten points. */
enum { FEW_SAMPLES = 30, GOOD_SAMPLES = 100 };

/* Text without room for everything leaves out the largest first. */
enum { DROP_INCREASE = 1, DROP_LINES, DROP_EVICTIONS, DROP_LIKELY };

const char *ms_views_text_points(struct ms_arena *arena, double share, bool sign)
{
	double points = round(share * 1000) / 10;

	/* No minus before what is shown as nothing. */
	return ms_arena_printf(arena, sign ? "%+.1f" : "%.1f", points == 0 ? 0.0 : points);
}

/* A small share of something large: two decimals, or more where it has no others.
 */
static const char *increase(struct ms_arena *arena, double share)
{
	double percent = share * 100;
	int decimals = fabs(percent) >= 0.1 || percent == 0 ? 2 : 4;

	return ms_arena_printf(arena, "%+.*f%%", decimals, percent);
}

static double growth(uint64_t after, uint64_t before)
{
	return before > 0 ? ((double)after - (double)before) / (double)before : 0;
}

static const char *grouped(struct ms_arena *arena, uint64_t value)
{
	const char *digits = ms_arena_printf(arena, "%" PRIu64, value);
	size_t n = strlen(digits), at = 0;
	char *text = ms_arena_take(arena, n + n / 3 + 1);

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	return text;
}

/* "L1 misses, 1 in 25,000", "stall cycles, 1 in 1,150,000 (auto)" */
static const char *title_of(struct ms_arena *arena, const struct ms_monitor *monitor)
{
	return ms_arena_printf(arena, "%s, 1 in %s%s", ms_monitor_event_text(monitor, arena),
			       grouped(arena, monitor->pmu->period),
			       monitor->pmu->adaptive ? " (auto)" : "");
}

/* --- several monitors side by side --- */

static void overview_columns(struct ms_table *table)
{
	static const struct {
		const char *head;
		unsigned drop;
	} columns[] = {
		{ "Samples", 0 },
		{ "+/-", DROP_LIKELY },
		{ "Data", 0 },
		{ "Evictions", DROP_EVICTIONS },
		{ "By line", DROP_LINES },
		{ "Misses", DROP_INCREASE },
		{ "Cycles", 0 },
	};

	ms_table_column(table, (struct ms_table_column){ "", "", true, 0, MS_CUT_END });
	ms_table_column(table, (struct ms_table_column){ "Monitor", "", false, 20, MS_CUT_END });
	for (size_t i = 0; i < MS_COUNT(columns); i++) {
		ms_table_column(table, (struct ms_table_column){ columns[i].head, "", true, 0,
								 MS_CUT_END });
		ms_table_may_drop(table, columns[i].drop);
	}
}

static void overview_error(struct ms_table *table, const struct ms_monitor *monitor,
			   enum ms_monitor_list_kind kind)
{
	const struct ms_monitor_accuracy *accuracy = &monitor->lists[kind].accuracy;

	if (monitor->pmu->interrupts == 0 || accuracy->judged == 0)
		ms_table_none(table);
	else
		ms_table_text(table, ms_views_text_points(&table->arena, accuracy->error, false));
}

/* At the monitored level; for latency, which has no level, at the last one. */
static double misses_added(const struct ms_monitor_report *monitors,
			   const struct ms_monitor *monitor)
{
	const struct ms_run *run = monitors->whole.run;
	size_t level = monitor->pmu->level != MS_NONE ? monitor->pmu->level : run->levels.n - 1;

	if (run->levels.n == 0)
		return 0;
	const struct ms_run_pmu_level *l =
		&run->pmu_levels.at[monitor->number * run->levels.n + level];
	return growth(l->misses + l->monitor_misses, ms_monitor_clean_misses(monitors, level));
}

static void overview(const struct ms_views_text_page *page,
		     const struct ms_monitor_report *monitors)
{
	struct ms_table table;

	ms_views_text_title(page, "MONITORS");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	overview_columns(&table);
	for (size_t i = 0; i < monitors->at.n; i++) {
		const struct ms_monitor *monitor = &monitors->at.at[i];
		bool sampled = monitor->pmu->interrupts > 0;

		ms_table_text(&table,
			      ms_arena_printf(&table.arena, "%" PRIu32, monitor->number + 1));
		ms_table_text(&table, title_of(&table.arena, monitor));
		ms_table_count(&table, monitor->pmu->interrupts);
		if (sampled)
			ms_table_text(&table, ms_views_text_points(&table.arena, monitor->precision,
								   false));
		else
			ms_table_none(&table);
		overview_error(&table, monitor, MS_MONITOR_DATA);
		overview_error(&table, monitor, MS_MONITOR_EVICTIONS);
		overview_error(&table, monitor, MS_MONITOR_EVICTION_LINES);
		ms_table_text(&table, increase(&table.arena, misses_added(monitors, monitor)));
		ms_table_text(&table, increase(&table.arena, monitor->overhead));
	}
	ms_table_close(&table);
	ms_views_text_wrap(
		page, "",
		"+/-: how well a share can be known with so many samples, in points (95%). "
		"Data, Evictions, By line: the largest error of those with a tenth and more. "
		"Misses, Cycles: by how much the monitor raised them.");
	fputc('\n', page->out);
}

/* --- one monitor --- */

static void cost_row(struct ms_table *table, const char *name, uint64_t clean, uint64_t disturbed,
		     uint64_t own)
{
	ms_table_text(table, name);
	ms_table_count(table, clean);
	ms_table_count(table, disturbed);
	ms_table_count(table, own);
	if (clean > 0)
		ms_table_text(table, increase(&table->arena, growth(disturbed, clean)));
	else
		ms_table_none(table);
}

/* What is the monitor's own of the cycles: interrupts, what the handler executes and waits for. */
static uint64_t own_cycles(const struct ms_monitor_report *monitors,
			   const struct ms_monitor *monitor)
{
	const struct ms_run *run = monitors->whole.run;
	const struct ms_run_pmu *pmu = monitor->pmu;
	uint64_t sum = pmu->interrupts * pmu->cost + pmu->handler_instructions;

	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_pmu_level *l =
			&run->pmu_levels.at[monitor->number * run->levels.n + i];
		uint64_t further = i + 1 < run->levels.n ? l[1].monitor_misses : 0;

		if (l->monitor_misses > further)
			sum += (l->monitor_misses - further) * monitors->whole.cost.answer.at[i];
	}
	return sum;
}

/* A table of what the rows are, and of figures; drops: which columns go first where there is no
 * room. */
static void open_figures(struct ms_table *table, const struct ms_views_text_page *page,
			 const char *const *heads, const unsigned *drops, size_t n)
{
	ms_table_open(table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_table_column(table, (struct ms_table_column){ "", "", false, 8, MS_CUT_END });
	for (size_t i = 0; i < n; i++) {
		ms_table_column(table,
				(struct ms_table_column){ heads[i], "", true, 0, MS_CUT_END });
		ms_table_may_drop(table, drops[i]);
	}
}

static void cost_table(const struct ms_views_text_page *page,
		       const struct ms_monitor_report *monitors, const struct ms_monitor *monitor)
{
	static const char *const heads[] = { "Undisturbed", "With the monitor", "Its own",
					     "Increase" };
	static const unsigned drops[] = { 0, 1, 2, 0 };
	const struct ms_run *run = monitors->whole.run;
	struct ms_table table;

	fputc('\n', page->out);
	ms_views_text_title(page, "COST");
	open_figures(&table, page, heads, drops, MS_COUNT(heads));
	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_pmu_level *l =
			&run->pmu_levels.at[monitor->number * run->levels.n + i];

		cost_row(&table, ms_arena_printf(&table.arena, "%s misses", run->levels.at[i].name),
			 ms_monitor_clean_misses(monitors, i), l->misses + l->monitor_misses,
			 l->monitor_misses);
	}
	cost_row(&table, "Cycles", monitor->pmu->clean_cycles, monitor->pmu->cycles,
		 own_cycles(monitors, monitor));
	ms_table_close(&table);
}

/* The precision reached with the permitted overhead, and the overhead of twice the precision. */
static void adaptive_lines(const struct ms_views_text_page *page, const struct ms_monitor *monitor)
{
	const struct ms_run_pmu *p = monitor->pmu;
	struct ms_arena arena = MS_ARENA_INIT;

	if (!p->adaptive || p->interrupts == 0)
		return;
	ms_views_text_wrap(
		page, "",
		ms_arena_printf(
			&arena,
			"Wished for at most %s of overhead: %s used bought %s samples, and so a "
			"share to within %s points (95%%). Half of that takes four times the "
			"overhead (%s).",
			increase(&arena, p->wish) + 1, increase(&arena, monitor->overhead) + 1,
			grouped(&arena, p->interrupts),
			ms_views_text_points(&arena, monitor->precision, false),
			increase(&arena, 4 * monitor->overhead) + 1));
	ms_arena_free(&arena);
}

static void samples_lines(const struct ms_views_text_page *page, const struct ms_monitor *monitor)
{
	const struct ms_run_pmu *p = monitor->pmu;
	struct ms_arena arena = MS_ARENA_INIT;

	ms_views_text_wrap(
		page, "",
		ms_arena_printf(&arena,
				"%s counted, %s sample%s: a share is known to within %s points "
				"(95%%).",
				grouped(&arena, p->events), grouped(&arena, p->interrupts),
				p->interrupts == 1 ? "" : "s",
				ms_views_text_points(&arena, monitor->precision, false)));
	if (p->interrupts < FEW_SAMPLES && p->period > 1)
		ms_views_text_wrap(
			page, "",
			"So few samples name what is large and little else; a shorter period "
			"takes more.");
	adaptive_lines(page, monitor);
	ms_arena_free(&arena);
}

static void accuracy_table(const struct ms_views_text_page *page, const struct ms_monitor *monitor)
{
	static const char *const names[MS_MONITOR_LISTS] = { "Data", "Lines", "Evictions",
							     "Evictions by line" };
	static const char *const heads[] = { "Rows", "Largest error", "In their interval",
					     "Pairs misplaced" };
	static const unsigned drops[] = { 1, 0, 2, 0 };
	struct ms_table table;

	fputc('\n', page->out);
	ms_views_text_title(page, "ACCURACY: of data with a tenth and more, in points");
	open_figures(&table, page, heads, drops, MS_COUNT(heads));
	for (int i = 0; i < MS_MONITOR_LISTS; i++) {
		const struct ms_monitor_accuracy *a = &monitor->lists[i].accuracy;

		if (a->judged == 0)
			continue;
		ms_table_text(&table, names[i]);
		ms_table_count(&table, a->judged);
		ms_table_text(&table, ms_views_text_points(&table.arena, a->error, false));
		ms_table_count(&table, a->inside);
		ms_table_count(&table, a->misplaced);
	}
	ms_table_close(&table);
}

/* --- no samples --- */

/* A period that would have taken a good number of samples. */
static uint64_t good_period(const struct ms_run_pmu *pmu)
{
	return pmu->events / GOOD_SAMPLES > 0 ? pmu->events / GOOD_SAMPLES : 1;
}

static void no_samples(const struct ms_views_text_page *page, const struct ms_monitor *monitor)
{
	const struct ms_run_pmu *p = monitor->pmu;
	struct ms_arena arena = MS_ARENA_INIT;
	const char *what = ms_monitor_event_text(monitor, &arena), *why;

	if (p->events == 0) {
		ms_views_text_wrap(
			page, "",
			ms_arena_printf(&arena, "The run has no %s: there was nothing to sample.",
					what));
		ms_arena_free(&arena);
		return;
	}
	if (p->adaptive)
		why = ms_arena_printf(&arena,
				      "%s of its %s cycles do not pay for one (%s cycles, and the "
				      "handler). Wish for more with --overhead, or name a period:",
				      increase(&arena, p->wish) + 1,
				      grouped(&arena, p->clean_cycles), grouped(&arena, p->cost));
	else
		why = ms_arena_printf(&arena, "the period is %s:", grouped(&arena, p->period));
	ms_views_text_wrap(
		page, "",
		ms_arena_printf(&arena,
				"No sample was taken: the run has %s %s, and %s one of %s would "
				"take %s.",
				grouped(&arena, p->events), what, why,
				grouped(&arena, good_period(p)),
				good_period(p) > 1 ? "about 100" : "them all"));
	ms_arena_free(&arena);
}

static void one_monitor(const struct ms_views_text_page *page,
			const struct ms_monitor_report *monitors, const struct ms_monitor *monitor,
			const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;

	ms_views_text_title(page, "MONITOR %" PRIu32 ": %s", monitor->number + 1,
			    title_of(&arena, monitor));
	ms_arena_free(&arena);
	if (monitor->pmu->interrupts == 0) {
		no_samples(page, monitor);
		return;
	}
	samples_lines(page, monitor);
	cost_table(page, monitors, monitor);
	accuracy_table(page, monitor);
	ms_views_text_pmu_tables(page, monitors, monitor, options);
}

static void no_monitor(const struct ms_views_text_page *page, const struct ms_run *run,
		       const struct ms_views_options *options)
{
	ms_views_text_wrap(
		page, "",
		"No virtual performance monitor watched this run. One samples its misses as "
		"hardware would, beside the simulation that counts them all.");
	ms_views_text_next_run_with(page, options, run, "--pmu misses/25000");
}

/* The data to look at next; where nothing at all was sampled, how to sample something. */
static void next(const struct ms_views_text_page *page, const struct ms_monitor_report *monitors,
		 const struct ms_views_options *options)
{
	const struct ms_run *run = monitors->whole.run;
	const struct ms_monitor *first = &monitors->at.at[0];
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < monitors->at.n && text.n == 0; i++) {
		const struct ms_monitor_list *list = &monitors->at.at[i].lists[MS_MONITOR_DATA];
		size_t k = 0;

		while (k < list->rows.n && !list->rows.at[k].wanted)
			k++;
		if (monitors->at.at[i].pmu->interrupts > 0 && k < list->rows.n)
			ms_summary_add_data_word(&text, run,
						 run->data.at[list->rows.at[k].data].name);
	}
	if (text.n > 0 && run->id != 0) {
		ms_views_text_next(page, options, "memspy show --data %s @%" PRId64, text.at,
				   run->id);
	} else if (first->pmu->interrupts == 0 && first->pmu->events > 0) {
		ms_text_addf(&text, "--pmu %s%s%s/%" PRIu64,
			     ms_run_pmu_event_word(first->pmu->event), first->level ? "@" : "",
			     first->level ? first->level : "", good_period(first->pmu));
		ms_views_text_next_run_with(page, options, run, text.at);
	}
	ms_text_free(&text);
}

void ms_views_text_pmu(const struct ms_monitor_report *monitors,
		       const struct ms_views_options *options, FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);

	ms_views_text_run(&page, &monitors->whole);
	fputc('\n', out);
	if (monitors->at.n == 0) {
		no_monitor(&page, monitors->whole.run, options);
		return;
	}
	if (monitors->at.n > 1)
		overview(&page, monitors);
	for (size_t i = 0; i < monitors->at.n; i++) {
		if (i > 0)
			fputc('\n', out);
		one_monitor(&page, monitors, &monitors->at.at[i], options);
	}
	ms_views_text_findings(&page, &monitors->whole, NULL, options);
	next(&page, monitors, options);
}
