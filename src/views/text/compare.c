/* views/text/compare.c - two runs from different sources side by side, as text. */
#include "views/compare.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/describe/describe.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/shared.h"
#include "views/text/page.h"

static const double SHOWN_ABOVE = 0.005;

/* Whether a row is large enough in either run to be shown. */
static size_t shown(const struct ms_accuracy_sources *c, const struct ms_views_options *o, size_t i)
{
	const struct ms_accuracy_sources_row *r = &c->rows.at[i];
	double least = o->threshold >= 0 ? o->threshold : SHOWN_ABOVE;

	return r->in[0].share.share >= least || r->in[1].share.share >= least;
}

/* "93.6" or "93.6 (92.4 to 94.6)" where the interval has a width. */
static void share_cell(struct ms_table *table, const struct ms_accuracy_compared *x)
{
	const struct ms_measured_share *i = &x->share;

	if (x->rank == 0)
		ms_table_none(table);
	else if (i->low < i->high)
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f (%.1f to %.1f)",
						     100 * i->share, 100 * i->low, 100 * i->high));
	else
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f", 100 * i->share));
}

static void table_of(const struct ms_accuracy_sources *c, const struct ms_views_options *o,
		     const struct ms_views_text_page *page)
{
	static const char *const heads[] = { "Rank", "First %", "Rank", "Second %", "Diff." };
	size_t most = o->top != 0 ? o->top : MS_VIEWS_TOP, n = 0;
	struct ms_table table;

	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	for (size_t i = 0; i < MS_COUNT(heads); i++)
		ms_table_column(&table,
				(struct ms_table_column){ heads[i], "", true, 0, MS_CUT_END });
	ms_table_column(&table, (struct ms_table_column){ "Name", "", false, 18, MS_CUT_START });
	for (size_t i = 0; i < c->rows.n && n < most; i++) {
		const struct ms_accuracy_sources_row *r = &c->rows.at[i];

		if (!shown(c, o, i))
			continue;
		n++;
		for (int run = 0; run < 2; run++) {
			ms_views_put_rank(&table, r->in[run].rank);
			share_cell(&table, &r->in[run]);
		}
		ms_table_text(&table,
			      ms_arena_printf(&table.arena, "%+.1f",
					      100 * (r->in[1].share.share - r->in[0].share.share)));
		ms_table_text(&table, ms_views_text_code_name(&table.arena, r->name));
	}
	ms_table_close(&table);
}

static void run_line(const struct ms_views_text_page *page, const char *which,
		     const struct ms_run *run)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text command = MS_TEXT_INIT;

	ms_describe_command(&command, run->program, run->argv.at, run->argv.n);
	ms_views_text_line(page, "%s: @%" PRId64 ", %s: %s", which, run->id,
			   ms_accuracy_source_text(run, &arena), command.at);
	ms_text_free(&command);
	ms_arena_free(&arena);
}

static void judgement(const struct ms_views_text_page *page, const struct ms_accuracy_sources *c)
{
	size_t three = c->judged < 3 ? c->judged : 3;

	if (c->judged == 0) {
		ms_views_text_line(page, "Nothing has %.0f%% or more in either run.",
				   100 * c->above);
		return;
	}
	ms_views_text_line(page, "%zu with %.0f%% or more in either run:", c->judged,
			   100 * c->above);
	ms_views_text_line(page, "  %zu of the first %zu in the same order", c->first, three);
	ms_views_text_line(page, "  %zu of %zu within their 95%% intervals", c->within, c->judged);
	if (c->worst_name != NULL)
		ms_views_text_line(page, "Largest difference: %.1f points, %s", 100 * c->worst,
				   c->worst_name);
	if (isfinite(c->correlation))
		ms_views_text_line(page, "Correlation of all shares: %.3f", c->correlation);
}

void ms_views_text_compare(const struct ms_accuracy_sources *c, const struct ms_views_options *o,
			   FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(o, out);

	run_line(&page, "First ", c->of[0].run);
	run_line(&page, "Second", c->of[1].run);
	fputc('\n', out);
	ms_views_text_title(&page, "SHARES OF WAITING TIME, as each source measures it");
	table_of(c, o, &page);
	fputc('\n', out);
	judgement(&page, c);
	ms_views_text_next(&page, o, "memspy report --by data @%" PRId64, c->of[1].run->id);
}
