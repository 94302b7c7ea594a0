/* views/text/callers.c - callers and call paths as text. */
#include "views/callers.h"

#include <string.h>

#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/shared.h"
#include "views/text/page.h"
#include "views/text/parts.h"

enum { SHOWN = 24, NAME_LEAST = 30 };
#define THRESHOLD 0.005

static double threshold_of(const struct ms_views_options *options)
{
	return options->threshold >= 0 ? options->threshold : THRESHOLD;
}

static void open_table(struct ms_table *table, const struct ms_views_text_page *page,
		       const struct ms_run *run, const char *what, enum ms_utf8_cut cut)
{
	ms_table_open(table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_table_column(table, (struct ms_table_column){ "Share", "", true, 0, MS_CUT_END });
	ms_table_column(table, (struct ms_table_column){ "Stall", "", true, 0, MS_CUT_END });
	for (size_t l = 0; l < run->levels.n; l++) {
		const char *head =
			ms_arena_printf(&table->arena, "%s misses", run->levels.at[l].name);

		ms_table_column(table, (struct ms_table_column){ head, "", true, 0, MS_CUT_END });
		ms_table_may_drop(table, (unsigned)(run->levels.n - l));
	}
	ms_table_column(table, (struct ms_table_column){ what, "", false, NAME_LEAST, cut });
}

static void put_stall(struct ms_table *table, const struct ms_run *run, uint64_t stall)
{
	if (ms_views_stall_is_time(run))
		ms_table_nanoseconds(table, stall);
	else
		ms_table_count(table, stall);
}

static void put_figures(struct ms_table *table, const struct ms_run *run, uint64_t stall,
			const uint64_t *misses, uint64_t whole)
{
	ms_table_share(table, ms_summary_share_tenths(stall, whole),
		       ms_summary_share(stall, whole));
	put_stall(table, run, stall);
	for (size_t l = 0; l < run->levels.n; l++)
		ms_table_count(table, misses[l]);
}

static const char *indented(struct ms_arena *arena, uint32_t depth, const char *name)
{
	return ms_arena_printf(arena, "%*s%s", (int)(2 * depth), "", name);
}

/* Whether it is less than this share of what the callers lead to. */
static bool is_small(const struct ms_paths_callers *c, const struct ms_paths_caller *caller,
		     double threshold)
{
	return c->stall > 0 ? ms_summary_share(caller->stall, c->stall) < threshold
			    : ms_summary_share(caller->misses[0], c->misses[0]) < threshold;
}

void ms_views_text_callers(const struct ms_views_callers *v, const struct ms_views_options *options,
			   FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	const struct ms_paths_callers *c = v->callers;
	const struct ms_run *run = v->summary->run;
	uint64_t all = ms_summary_rw_sum(v->summary->total.counts.stall);
	size_t most = options->top > 0 ? options->top : SHOWN, shown = 0;
	uint32_t cut = UINT32_MAX; /* the depth of callers that are left out */
	struct ms_table table;

	if (v->is_data)
		ms_views_text_title(&page, "CODE THAT USES %s, AND ITS CALLERS", v->name);
	else
		ms_views_text_title(&page, "CALLERS OF %s", v->name);
	open_table(&table, &page, run, v->is_data ? "Used in, called by" : "Called by", MS_CUT_END);
	put_figures(&table, run, c->stall, c->misses, all);
	ms_table_text(&table, v->is_data ? "all" : "with all that it calls");
	if (!v->is_data) {
		ms_table_share(&table, ms_summary_share_tenths(c->self, all),
			       ms_summary_share(c->self, all));
		put_stall(&table, run, c->self);
		for (size_t l = 0; l < run->levels.n; l++)
			ms_table_text(&table, "");
		ms_table_text(&table, "in itself");
	}
	for (size_t i = 0; i < c->at.n && shown < most; i++) {
		const struct ms_paths_caller *caller = &c->at.at[i];

		if (caller->depth > cut)
			continue;
		cut = UINT32_MAX;
		if (is_small(c, caller, threshold_of(options))) {
			cut = caller->depth;
			continue;
		}
		put_figures(&table, run, caller->stall, caller->misses, all);
		ms_table_text(&table, indented(&table.arena, caller->depth + 1,
					       ms_views_caller_name(&table.arena, run, caller->line,
								    caller->kind)));
		shown++;
	}
	ms_table_close(&table);
	ms_views_text_findings(&page, v->summary, &v->selection, options);
}

/* --- whole paths --- */

static void list_leaves(const struct ms_views_text_page *page, const struct ms_summary *s,
			const struct ms_paths_leaves *leaves,
			const struct ms_views_options *options)
{
	uint64_t all = ms_summary_rw_sum(s->total.counts.stall), rest = 0;
	size_t most = options->top > 0 ? options->top : SHOWN;
	struct ms_table table;

	open_table(&table, page, s->run, "Path", MS_CUT_START);
	for (size_t i = 0; i < leaves->at.n; i++) {
		const struct ms_paths_leaf *leaf = &leaves->at.at[i];

		if (i >= most || ms_summary_share(leaf->stall, all) < threshold_of(options)) {
			rest += leaf->stall;
			continue;
		}
		put_figures(&table, s->run, leaf->stall, leaf->misses, all);
		const char *name = ms_views_path_name(&table.arena, s->run, leaf->path, leaf->code);
		ms_table_text(&table, leaf->has_calls
					      ? ms_arena_printf(&table.arena, "%s + calls", name)
					      : name);
	}
	if (rest > 0) {
		ms_table_share(&table, ms_summary_share_tenths(rest, all),
			       ms_summary_share(rest, all));
		put_stall(&table, s->run, rest);
		for (size_t l = 0; l < s->run->levels.n; l++)
			ms_table_text(&table, "");
		ms_table_text(&table, "rest");
	}
	ms_table_close(&table);
}

/* Small paths show as their callers; without limits of the user, until all rows are shown. */
static void fold_leaves(struct ms_paths_leaves *leaves, const struct ms_summary *s,
			const struct ms_views_options *options)
{
	double all = (double)ms_summary_rw_sum(s->total.counts.stall);
	bool limited = options->top > 0 || options->threshold >= 0;

	for (double share = threshold_of(options); share <= 1; share *= 1.25) {
		ms_paths_fold_leaves(leaves, s->run, ms_round_u64(share * all));
		if (limited || leaves->at.n <= SHOWN)
			break;
	}
}

int ms_views_text_path_list(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
			    struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct ms_paths_rows rows;
	struct ms_paths_leaves leaves;

	MS_TRY(ms_paths_make_rows(&rows, s, err));
	ms_paths_list_leaves(&leaves, &rows, NULL);
	fold_leaves(&leaves, s, options);
	ms_views_text_title(&page, "BY PATH");
	list_leaves(&page, s, &leaves, options);
	ms_paths_free_leaves(&leaves);
	ms_paths_free_rows(&rows);
	return MS_OK;
}

int ms_views_text_paths(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
			struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);

	MS_TRY(ms_views_text_path_list(s, options, out, err));
	ms_views_text_findings(&page, s, NULL, options);
	return MS_OK;
}
