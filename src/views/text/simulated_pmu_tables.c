/* views/text/simulated_pmu_tables.c - what was sampled beside what really happened, as tables of
 * text. */
#include <inttypes.h>
#include <string.h>

#include "analysis/summary/rounded_shares.h"
#include "views/entries.h"
#include "views/text/page.h"
#include "views/text/simulated_pmu_tables.h"
#include "views/views.h"

/* Of evictions, where each victim has rows of its own. */
enum { VICTIMS = 5, OF_VICTIM = 5 };
static const double LEAST = 0.01;

/* Text without room for everything leaves out the largest first. */
enum { DROP_RANK = 1, DROP_SAMPLED_RANK, DROP_SAMPLES, DROP_INTERVAL };

struct limits {
	size_t victims;
	size_t top;   /* ranks */
	double least; /* share of a row, and of a victim of all evictions */
};

struct view {
	const struct ms_views_text_page *page;
	const struct ms_run *run;
	const struct ms_monitor_list *list;
	enum ms_monitor_list_kind kind;
	struct limits limits;
	uint32_t last; /* rank that is shown, of the group at hand */
	struct ms_table table;
};

static bool of_evictions(const struct view *v)
{
	return v->kind == MS_MONITOR_EVICTIONS || v->kind == MS_MONITOR_EVICTION_LINES;
}

static bool of_lines(const struct view *v)
{
	return v->kind == MS_MONITOR_LINES || v->kind == MS_MONITOR_EVICTION_LINES;
}

static void add_columns(struct view *v)
{
	static const struct {
		const char *head;
		unsigned drop;
	} figures[] = {
		{ "#", DROP_RANK },          { "Actual %", 0 },        { "#", DROP_SAMPLED_RANK },
		{ "Sampled %", 0 },          { "95%", DROP_INTERVAL }, { "Error", 0 },
		{ "Samples", DROP_SAMPLES },
	};
	/* The variable stands last in "Matrix.Y". */
	struct ms_table_column name = { "Data", "", false, 12, MS_CUT_START };

	for (size_t i = 0; i < MS_COUNT(figures); i++) {
		ms_table_column(&v->table, (struct ms_table_column){ figures[i].head, "", true, 0,
								     MS_CUT_END });
		ms_table_may_drop(&v->table, figures[i].drop);
	}
	if (of_evictions(v)) {
		name.head = "Evicted";
		ms_table_column(&v->table, name);
		name.head = "By";
	}
	ms_table_column(&v->table, name);
	name.head = "Line";
	name.cut = MS_CUT_END;
	if (of_lines(v))
		ms_table_column(&v->table, name);
}

static void put_sampled(struct ms_table *t, const struct ms_monitor_row *row, uint32_t tenths)
{
	ms_views_put_rank(t, row->sampled_rank);
	if (row->has_samples) {
		ms_table_share(t, tenths, row->sampled_share);
		ms_table_text(t,
			      ms_arena_printf(&t->arena, "%s-%s",
					      ms_views_text_points(&t->arena, row->low, false),
					      ms_views_text_points(&t->arena, row->high, false)));
		ms_table_text(t, ms_views_text_points(
					 &t->arena, row->sampled_share - row->actual_share, true));
	} else {
		for (int i = 0; i < 3; i++)
			ms_table_none(t);
	}
	ms_table_count(t, row->samples);
}

static void put_row(struct view *v, const struct ms_monitor_row *row, uint32_t actual,
		    uint32_t sampled, bool first)
{
	struct ms_table *t = &v->table;

	ms_views_put_rank(t, row->actual_rank);
	ms_table_share(t, actual, row->actual_share);
	put_sampled(t, row, sampled);
	if (of_evictions(v))
		ms_table_text(t, first ? v->run->data.at[row->victim].name : "");
	ms_table_text(t, v->run->data.at[row->data].name);
	if (of_lines(v))
		ms_table_text(t, ms_views_text_line_name(&t->arena, v->run, row->line));
}

static void put_rest(struct view *v, uint32_t actual, uint32_t sampled, bool has_samples,
		     uint64_t samples, size_t n)
{
	struct ms_table *t = &v->table;
	const char *label = ms_arena_printf(&t->arena, "rest (%zu)", n);

	ms_table_text(t, NULL);
	ms_table_share(t, actual, 0);
	ms_table_text(t, NULL);
	if (has_samples)
		ms_table_share(t, sampled, 0);
	else
		ms_table_none(t);
	ms_table_text(t, NULL);
	ms_table_text(t, NULL);
	ms_table_count(t, samples);
	if (of_evictions(v))
		ms_table_text(t, NULL);
	ms_table_text(t, label);
	ms_table_style(t, MS_STYLE_DIM);
	if (of_lines(v))
		ms_table_text(t, NULL);
}

/* The first few are the first few of what was asked for. */
static void enter_group(struct view *v, const struct ms_monitor_row *rows, size_t n)
{
	size_t wanted = 0;

	v->last = UINT32_MAX;
	for (size_t i = 0; i < n && v->last == UINT32_MAX; i++)
		if (rows[i].wanted && rows[i].actual_rank > 0 && ++wanted == v->limits.top)
			v->last = rows[i].actual_rank;
}

/* Shows rows that are large in the actual or in the sampled counts. */
static bool is_shown(const struct view *v, const struct ms_monitor_row *row)
{
	bool actual = row->actual_rank > 0 && row->actual_rank <= v->last &&
		      row->actual_share >= v->limits.least;
	bool sampled = row->sampled_rank > 0 && row->sampled_rank <= v->limits.top &&
		       row->sampled_share >= v->limits.least;

	return row->wanted && (actual || sampled);
}

/* Rows whose shares add up to the whole, those not shown as the rest. */
static void put_group(struct view *v, const struct ms_monitor_row *rows, size_t n)
{
	struct ms_arena *arena = &v->table.arena;
	uint64_t *actual = ms_arena_take(arena, (n + 1) * sizeof(*actual));
	uint64_t *sampled = ms_arena_take(arena, (n + 1) * sizeof(*sampled));
	uint32_t *actual_tenths = ms_arena_take(arena, (n + 1) * sizeof(*actual_tenths));
	uint32_t *sampled_tenths = ms_arena_take(arena, (n + 1) * sizeof(*sampled_tenths));
	size_t shown = 0, rest = 0;
	uint64_t rest_samples = 0;

	enter_group(v, rows, n);
	for (size_t i = 0; i < n; i++) {
		bool is = is_shown(v, &rows[i]);

		actual[is ? i : n] += rows[i].actual;
		sampled[is ? i : n] += rows[i].sampled;
		shown += is;
		rest += !is;
		rest_samples += is ? 0 : rows[i].samples;
	}
	if (shown == 0)
		return;
	ms_summary_share_list(actual, n + 1, MS_WHOLE, actual_tenths);
	ms_summary_share_list(sampled, n + 1, MS_WHOLE, sampled_tenths);
	for (size_t i = 0, k = 0; i < n; i++)
		if (is_shown(v, &rows[i]))
			put_row(v, &rows[i], actual_tenths[i], sampled_tenths[i], k++ == 0);
	if (rest > 0)
		put_rest(v, actual_tenths[n], sampled_tenths[n], rows[0].has_samples, rest_samples,
			 rest);
}

static size_t end_of_group(const struct ms_monitor_list *list, size_t first)
{
	size_t end = first;

	while (end < list->rows.n && list->rows.at[end].victim == list->rows.at[first].victim)
		end++;
	return end;
}

static bool any_shown(struct view *v)
{
	for (size_t i = 0, end = 0; i < v->list->rows.n; i++) {
		if (i == end) {
			end = end_of_group(v->list, i);
			enter_group(v, &v->list->rows.at[i], end - i);
		}
		if (is_shown(v, &v->list->rows.at[i]))
			return true;
	}
	return false;
}

/* Whether a victim has enough evictions, actual or sampled. */
static bool is_large(const struct view *v, size_t first, size_t end)
{
	uint64_t actual = 0, sampled = 0;

	for (size_t i = first; i < end; i++) {
		actual += v->list->rows.at[i].actual;
		sampled += v->list->rows.at[i].sampled;
	}
	return ms_summary_share(actual, v->list->actual) >= v->limits.least ||
	       ms_summary_share(sampled, v->list->sampled) >= v->limits.least;
}

/* The victims with the most evictions, as the rows are sorted. */
static void put_table(struct view *v, const char *title)
{
	size_t victims = 0;

	if (!any_shown(v))
		return;
	fputc('\n', v->page->out);
	ms_views_text_title(v->page, "%s", title);
	ms_table_open(&v->table, v->page->out, MS_TABLE_TEXT, v->page->width, v->page->colour);
	add_columns(v);
	for (size_t i = 0, end; i < v->list->rows.n && victims < v->limits.victims; i = end) {
		size_t before = v->table.cells.n;

		end = end_of_group(v->list, i);
		if (is_large(v, i, end))
			put_group(v, &v->list->rows.at[i], end - i);
		victims += v->table.cells.n > before;
	}
	ms_table_close(&v->table);
}

/* Rows that the user requested, by name or by number, are shown however small they are. */
static struct limits limits_of(const struct ms_monitor_list *list, enum ms_monitor_list_kind kind,
			       const struct ms_views_options *options)
{
	bool evictions = kind == MS_MONITOR_EVICTIONS || kind == MS_MONITOR_EVICTION_LINES;
	size_t top = evictions ? OF_VICTIM : MS_VIEWS_TOP;
	bool chosen = false;

	for (size_t i = 0; i < list->rows.n; i++)
		chosen |= !list->rows.at[i].wanted;
	return (struct limits){ .victims = options->top ? options->top : VICTIMS,
				.top = options->top ? options->top : top,
				.least = chosen || options->top ? 0 : LEAST };
}

/* Data that was asked for by name may have nothing to do with what is counted. */
static bool any_wanted(const struct ms_monitor *monitor)
{
	for (int i = 0; i < MS_MONITOR_LISTS; i++)
		for (size_t k = 0; k < monitor->lists[i].rows.n; k++)
			if (monitor->lists[i].rows.at[k].wanted)
				return true;
	return false;
}

void ms_views_text_pmu_tables(const struct ms_views_text_page *page,
			      const struct ms_monitor_report *monitors,
			      const struct ms_monitor *monitor,
			      const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *what = ms_monitor_event_text(monitor, &arena);
	const char *const titles[MS_MONITOR_LISTS] = {
		[MS_MONITOR_DATA] = ms_arena_printf(&arena, "BY DATA: %% of %s", what),
		[MS_MONITOR_LINES] = ms_arena_printf(&arena, "BY LINE: %% of %s", what),
		[MS_MONITOR_EVICTIONS] = "EVICTIONS: % of those of each data, by what evicted it",
		[MS_MONITOR_EVICTION_LINES] = "EVICTIONS BY LINE: % of those of each data",
	};

	for (int i = 0; i < MS_MONITOR_LISTS; i++) {
		struct view v = { .page = page,
				  .run = monitors->whole.run,
				  .list = &monitor->lists[i],
				  .kind = (enum ms_monitor_list_kind)i,
				  .limits = limits_of(&monitor->lists[i],
						      (enum ms_monitor_list_kind)i, options) };

		put_table(&v, titles[i]);
	}
	if (!any_wanted(monitor)) {
		fputc('\n', page->out);
		ms_views_text_wrap(
			page, "",
			ms_arena_printf(&arena, "The data that was asked for has no %s.", what));
	}
	ms_arena_free(&arena);
}
