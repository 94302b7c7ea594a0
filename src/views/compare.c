/* views/compare.c - two runs from different sources side by side. */
#include "views/compare.h"

#include <inttypes.h>
#include <math.h>

#include "views/views_priv.h"

static const double SHOWN_ABOVE = 0.005;

/* As text leaves out what is small, unless asked for. */
static size_t shown(const struct ms_compare *c, const struct ms_view_options *o, size_t i)
{
	const struct ms_compare_row *r = &c->rows.at[i];
	double least = o->threshold >= 0 ? o->threshold : SHOWN_ABOVE;

	return r->in[0].share.share >= least || r->in[1].share.share >= least;
}

static void rank_cell(struct ms_table *table, const struct ms_compared *x)
{
	if (x->rank == 0)
		ms_table_none(table);
	else
		ms_table_count(table, x->rank);
}

/* "93.6" or "93.6 (92.4 to 94.6)" where there is a width to tell. */
static void share_cell(struct ms_table *table, const struct ms_compared *x)
{
	const struct ms_interval *i = &x->share;

	if (x->rank == 0)
		ms_table_none(table);
	else if (i->low < i->high)
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f (%.1f to %.1f)",
						     100 * i->share, 100 * i->low, 100 * i->high));
	else
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f", 100 * i->share));
}

static void table_of(const struct ms_compare *c, const struct ms_view_options *o,
		     const struct ms_page *page)
{
	static const char *const heads[] = { "Rank", "First %", "Rank", "Second %", "Diff." };
	size_t most = o->top != 0 ? o->top : MS_VIEW_TOP, n = 0;
	struct ms_table table;

	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	for (size_t i = 0; i < MS_COUNT(heads); i++)
		ms_table_column(&table,
				(struct ms_table_column){ heads[i], "", true, 0, MS_CUT_END });
	ms_table_column(&table, (struct ms_table_column){ "Name", "", false, 18, MS_CUT_START });
	for (size_t i = 0; i < c->rows.n && n < most; i++) {
		const struct ms_compare_row *r = &c->rows.at[i];

		if (!shown(c, o, i))
			continue;
		n++;
		for (int run = 0; run < 2; run++) {
			rank_cell(&table, &r->in[run]);
			share_cell(&table, &r->in[run]);
		}
		ms_table_text(&table,
			      ms_arena_printf(&table.arena, "%+.1f",
					      100 * (r->in[1].share.share - r->in[0].share.share)));
		ms_table_text(&table, ms_page_code_name(&table.arena, r->name));
	}
	ms_table_close(&table);
}

static void run_line(const struct ms_page *page, const char *which, const struct ms_run *run)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text command = MS_TEXT_INIT;

	ms_about_command(&command, run->program, run->argv.at, run->argv.n);
	ms_page_line(page, "%s: @%" PRId64 ", %s: %s", which, run->id,
		     ms_compare_source(run, &arena), command.at);
	ms_text_free(&command);
	ms_arena_free(&arena);
}

static void judgement(const struct ms_page *page, const struct ms_compare *c)
{
	size_t three = c->judged < 3 ? c->judged : 3;

	if (c->judged == 0) {
		ms_page_line(page, "Nothing has %.0f%% or more in either run.", 100 * c->above);
		return;
	}
	ms_page_line(page, "%zu with %.0f%% or more in either run:", c->judged, 100 * c->above);
	ms_page_line(page, "  %zu of the first %zu in the same order", c->first, three);
	ms_page_line(page, "  %zu of %zu within their 95%% intervals", c->within, c->judged);
	if (c->worst_name != NULL)
		ms_page_line(page, "Largest difference: %.1f points, %s", 100 * c->worst,
			     c->worst_name);
	if (isfinite(c->correlation))
		ms_page_line(page, "Correlation of all shares: %.3f", c->correlation);
}

void ms_compare_text(const struct ms_compare *c, const struct ms_view_options *o, FILE *out)
{
	struct ms_page page = ms_page_of(o, out);

	run_line(&page, "First ", c->of[0].run);
	run_line(&page, "Second", c->of[1].run);
	fputc('\n', out);
	ms_page_title(&page, "SHARES OF WHAT EACH CALLS WAITING");
	table_of(c, o, &page);
	fputc('\n', out);
	judgement(&page, c);
	ms_page_next(&page, o, "memspy report --by data @%" PRId64, c->of[1].run->id);
}

/* --- JSON and CSV --- */

static void json_side(struct ms_json *j, const char *key, const struct ms_compared *x)
{
	ms_json_object(j, key);
	if (x->rank > 0)
		ms_json_u64(j, "rank", x->rank);
	else
		ms_json_null(j, "rank");
	ms_json_real(j, "share", x->share.share);
	ms_json_real(j, "share_low", x->share.low);
	ms_json_real(j, "share_high", x->share.high);
	ms_json_end(j);
}

static void json_run(struct ms_json *j, const char *key, const struct ms_run *run)
{
	struct ms_arena arena = MS_ARENA_INIT;

	ms_json_object(j, key);
	ms_json_i64(j, "id", run->id);
	ms_json_text(j, "tag", run->tag);
	ms_json_text(j, "program", run->program);
	ms_json_text(j, "source", ms_compare_source(run, &arena));
	ms_json_end(j);
	ms_arena_free(&arena);
}

void ms_compare_json(const struct ms_compare *c, const struct ms_view_options *o, FILE *out)
{
	struct ms_json j;

	(void)o;
	ms_view_json_begin(&j, out);
	json_run(&j, "first", c->of[0].run);
	json_run(&j, "second", c->of[1].run);
	ms_json_array(&j, "rows");
	for (size_t i = 0; i < c->rows.n; i++) {
		ms_json_object(&j, NULL);
		ms_json_text(&j, "name", c->rows.at[i].name);
		json_side(&j, "first", &c->rows.at[i].in[0]);
		json_side(&j, "second", &c->rows.at[i].in[1]);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_real(&j, "above", c->above);
	ms_json_u64(&j, "judged", c->judged);
	ms_json_u64(&j, "in_order", c->first);
	ms_json_u64(&j, "within", c->within);
	ms_json_real(&j, "worst", c->worst);
	ms_json_text(&j, "worst_name", c->worst_name);
	if (isfinite(c->correlation))
		ms_json_real(&j, "correlation", c->correlation);
	else
		ms_json_null(&j, "correlation");
	ms_json_end(&j);
}

void ms_compare_csv(const struct ms_compare *c, const struct ms_view_options *o, FILE *out)
{
	static const char *const keys[] = { "name",         "first_rank", "first_share",
					    "first_low",    "first_high", "second_rank",
					    "second_share", "second_low", "second_high" };
	struct ms_table table;

	(void)o;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < c->rows.n; i++) {
		ms_table_text(&table, c->rows.at[i].name);
		for (int run = 0; run < 2; run++) {
			const struct ms_compared *x = &c->rows.at[i].in[run];

			rank_cell(&table, x);
			ms_table_real(&table, x->share.share, 0);
			ms_table_real(&table, x->share.low, 0);
			ms_table_real(&table, x->share.high, 0);
		}
	}
	ms_table_close(&table);
}

ms_compare_writer *const ms_compare_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_compare_text,
	[MS_VIEW_JSON] = ms_compare_json,
	[MS_VIEW_CSV] = ms_compare_csv,
};
