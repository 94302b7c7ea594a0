/* views/text/ranks.c - how the ranks of a merged run differ, as text: imbalance first. */
#include "views/ranks.h"

#include <inttypes.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/shared.h"
#include "views/text/page.h"
#include "views/text/parts.h"

enum { ROWS_SHOWN = 12, LEAST_NAME = 12 };

static const char *figure(const struct ms_run *run, uint64_t value, char text[MS_NUM_TEXT])
{
	return ms_run_is_measured(run) ? ms_format_nanoseconds(value, text)
				       : ms_format_count(value, text);
}

static void add_figure(struct ms_table *table, const struct ms_run *run, uint64_t value)
{
	if (ms_run_is_measured(run))
		ms_table_nanoseconds(table, value);
	else
		ms_table_count(table, value);
}

static void column(struct ms_table *table, const char *head, bool right)
{
	ms_table_column(table, (struct ms_table_column){ .head = head,
							 .right = right,
							 .least = right ? 0 : LEAST_NAME });
}

static uint64_t total_waiting(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		sum += run->rank_rows.at[i].waiting;
	return sum;
}

/* Ranks wait in loops, which take time: what they wait for is the work of another one. */
static void print_waiting(const struct ms_views_text_page *page, const struct ms_rank_times *t)
{
	double waiting = (double)total_waiting(t->run);

	if (waiting > 0)
		ms_views_text_line(
			page,
			"Waiting:   %.1f%% of all time, in functions of MPI that poll for "
			"other ranks; not included below",
			100 * waiting / (waiting + (double)t->time.sum));
}

static void print_summary(const struct ms_views_text_page *page, const struct ms_rank_times *t)
{
	const struct ms_run *run = t->run;
	const char *unit = ms_run_is_measured(run) ? "" : " cycles";
	const char *what = run->job != NULL ? "rank" : "process";
	char mean[MS_NUM_TEXT], most[MS_NUM_TEXT], least[MS_NUM_TEXT];

	ms_views_text_line(page, "Program:   %s", run->program);
	if (run->job == NULL)
		ms_views_text_line(page, "Processes: %" PRIu64 " of %zu merged", t->merged,
				   run->rank_rows.n);
	else
		ms_views_text_line(
			page, "Job:       %s, %" PRIu64 " of %zu ranks merged, %" PRIu64 " node%s",
			run->job, t->merged, run->rank_rows.n, t->nodes, t->nodes == 1 ? "" : "s");
	ms_views_text_line(page,
			   "Time:      %s%s on average, %s of %s %" PRIu32 ", %s of %s %" PRIu32,
			   figure(run, ms_round_u64(t->time.mean), mean), unit,
			   figure(run, t->time.most, most), what, t->time.most_rank,
			   figure(run, t->time.least, least), what, t->time.least_rank);
	if (t->time.mean > 0)
		ms_views_text_line(page, "Imbalance: the slowest %s takes %.2f times the mean",
				   what, (double)t->time.most / t->time.mean);
	print_waiting(page, t);
}

/* Of a command with several processes, or a job with several programs. */
static void print_programs(const struct ms_views_text_page *page, const struct ms_rank_times *t,
			   size_t top)
{
	struct ms_table table;

	if (t->programs.n < 2)
		return;
	fputc('\n', page->out);
	ms_views_text_title(page, "PROGRAMS");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	column(&table, "Program", false);
	column(&table, "Processes", true);
	column(&table, "Time", true);
	column(&table, "Compute", true);
	column(&table, "Stall", true);
	for (size_t i = 0; i < ms_views_top(t->programs.n, top); i++) {
		const struct ms_rank_times_program *p = &t->programs.at[i];

		ms_table_text(&table, p->name);
		ms_table_count(&table, p->processes);
		add_figure(&table, t->run, p->compute + p->stall);
		add_figure(&table, t->run, p->compute);
		add_figure(&table, t->run, p->stall);
	}
	ms_table_close(&table);
}

static void print_ranks(const struct ms_views_text_page *page, const struct ms_rank_times *t,
			size_t top)
{
	uint64_t waiting = total_waiting(t->run);
	struct ms_table table;

	fputc('\n', page->out);
	ms_views_text_title(page, t->run->job != NULL ? "SLOWEST RANKS" : "SLOWEST PROCESSES");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	column(&table, t->run->job != NULL ? "Rank" : "Process", true);
	column(&table, "Node", false);
	column(&table, "Cluster", true);
	column(&table, "Time", true);
	column(&table, "/mean", true);
	column(&table, "Compute", true);
	column(&table, "Stall", true);
	if (waiting > 0)
		column(&table, "Waiting", true);
	for (size_t i = 0; i < ms_views_top(t->order.n, top); i++) {
		const struct ms_run_rank *r = &t->run->rank_rows.at[t->order.at[i]];

		ms_table_count(&table, r->rank);
		ms_table_text(&table, r->host != NULL ? r->host : "?");
		if (r->cluster != MS_NONE)
			ms_table_count(&table, r->cluster);
		else
			ms_table_none(&table);
		add_figure(&table, t->run, ms_rank_times_of(r));
		ms_table_real(&table,
			      t->time.mean > 0 ? (double)ms_rank_times_of(r) / t->time.mean : 0, 2);
		add_figure(&table, t->run, r->compute);
		add_figure(&table, t->run, r->stall);
		if (waiting > 0)
			add_figure(&table, t->run, r->waiting);
	}
	ms_table_close(&table);
}

static void print_bins(const struct ms_views_text_page *page, const struct ms_rank_times *t,
		       size_t top)
{
	struct ms_table table;

	fputc('\n', page->out);
	ms_views_text_title(page, t->run->job != NULL
					  ? "WHERE RANKS DIFFER, by the stall of the worst "
					    "rank above the mean"
					  : "WHERE PROCESSES DIFFER, by the stall of the "
					    "worst one above the mean");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	column(&table, "Code", false);
	column(&table, "Data", false);
	column(&table, "Above", true);
	column(&table, "Mean", true);
	column(&table, "Deviation", true);
	column(&table, "Most", true);
	column(&table, t->run->job != NULL ? "Rank" : "Process", true);
	column(&table, "Least", true);
	for (size_t i = 0; i < ms_views_top(t->bins.n, top); i++) {
		const struct ms_rank_times_entry *e = &t->bins.at[i];

		ms_table_text(&table, t->run->codes.at[e->code].name);
		ms_table_text(&table, t->run->data.at[e->data].name);
		add_figure(&table, t->run, ms_round_u64(e->stall.excess));
		add_figure(&table, t->run, ms_round_u64(e->stall.mean));
		add_figure(&table, t->run, ms_round_u64(e->stall.deviation));
		add_figure(&table, t->run, e->stall.most);
		ms_table_count(&table, e->stall.most_rank);
		add_figure(&table, t->run, e->stall.least);
	}
	ms_table_close(&table);
}

static void print_clusters(const struct ms_views_text_page *page, const struct ms_run *run)
{
	struct ms_table table;

	if (run->rank_clusters.n < 2)
		return;
	fputc('\n', page->out);
	ms_views_text_title(page, run->job != NULL
					  ? "CLUSTERS OF RANKS that spend their time alike"
					  : "CLUSTERS OF PROCESSES that spend their time alike");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	column(&table, "Cluster", true);
	column(&table, run->job != NULL ? "Ranks" : "Processes", true);
	column(&table, "Mean time", true);
	column(&table, "Representative", true);
	for (size_t i = 0; i < run->rank_clusters.n; i++) {
		const struct ms_run_rank_cluster *c = &run->rank_clusters.at[i];

		ms_table_count(&table, i);
		ms_table_count(&table, c->ranks);
		add_figure(&table, run, c->ranks > 0 ? c->time / c->ranks : 0);
		ms_table_count(&table, c->representative);
	}
	ms_table_close(&table);
}

static void print_others(const struct ms_views_text_page *page, const struct ms_run *run,
			 size_t top)
{
	size_t shown = 0, n = 0;

	for (size_t i = 0; i < run->rank_rows.n; i++)
		n += run->rank_rows.at[i].state != MS_RANK_MERGED;
	if (n == 0)
		return;
	fputc('\n', page->out);
	ms_views_text_title(page, run->job != NULL ? "RANKS THAT ARE NOT IN THE SUMS"
						   : "PROCESSES THAT ARE NOT IN THE SUMS");
	for (size_t i = 0; i < run->rank_rows.n && shown < top; i++) {
		const struct ms_run_rank *r = &run->rank_rows.at[i];

		if (r->state == MS_RANK_MERGED)
			continue;
		ms_views_text_line(page, "%" PRIu32 ": %s%s%s", r->rank,
				   ms_run_rank_state_word(r->state), r->reason != NULL ? ", " : "",
				   r->reason != NULL ? r->reason : "");
		shown++;
	}
	if (n > shown)
		ms_views_text_line(page, "and %zu others", n - shown);
}

/* To what the slowest rank does more than the others, if that is considerable. */
static void print_next(const struct ms_views_text_page *page, const struct ms_rank_times *t,
		       const struct ms_views_options *options)
{
	const double considerable = 0.02;
	const struct ms_rank_times_entry *worst = t->bins.n > 0 ? &t->bins.at[0] : NULL;
	struct ms_views_options of = *options;
	struct ms_text data = MS_TEXT_INIT, code = MS_TEXT_INIT;
	char rank[MS_NUM_TEXT];

	if (t->run->job == NULL || t->merged < 2 || worst == NULL ||
	    worst->stall.excess < considerable * t->time.mean) {
		ms_views_text_next(page, options, "memspy report @%" PRId64, t->run->id);
		return;
	}
	snprintf(rank, sizeof(rank), "%" PRIu32, worst->stall.most_rank);
	of.rank = rank;
	of.node = of.cluster = NULL;
	ms_summary_add_data_word(&data, t->run, t->run->data.at[worst->data].name);
	ms_summary_add_code_word(&code, t->run, t->run->codes.at[worst->code].name);
	ms_views_text_next(page, &of, "memspy show --data %s --code %s @%" PRId64, data.at, code.at,
			   t->run->id);
	ms_text_free(&data);
	ms_text_free(&code);
}

int ms_views_text_ranks(const struct ms_rank_times *t, const struct ms_views_options *options,
			FILE *out, struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	size_t top = options->top ? options->top : ROWS_SHOWN;

	(void)err;
	print_summary(&page, t);
	print_programs(&page, t, top);
	print_ranks(&page, t, top);
	print_bins(&page, t, top);
	print_clusters(&page, t->run);
	print_others(&page, t->run, top);
	ms_views_text_run_findings(&page, t->run, options);
	if (t->run->id > 0)
		print_next(&page, t, options);
	return MS_OK;
}
