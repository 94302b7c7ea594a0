/* views/within.c - how far counts of a sampled run may be off, as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/intervals.h"
#include "base/num.h"
#include "views/views_priv.h"

/* What is known has none; of what cannot be told there is no number. */
static bool is_interval(struct ms_bounds b)
{
	static const double rounding = 1e-9;

	return b.high - b.low > rounding * b.high;
}

static const char *between(struct ms_arena *arena, const char *low, const char *high)
{
	return strcmp(low, high) == 0 ? ms_arena_strdup(arena, low)
				      : ms_arena_printf(arena, "%s-%s", low, high);
}

const char *ms_view_range(struct ms_arena *arena, struct ms_bounds b)
{
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (!is_interval(b))
		return isnan(b.low) || isnan(b.high) ? "-" : "";
	return between(arena, ms_format_count(ms_round_u64(b.low), low),
		       ms_format_count(ms_round_u64(b.high), high));
}

const char *ms_view_real_range(struct ms_arena *arena, struct ms_bounds b, double times)
{
	char low[32], high[32];

	if (!is_interval(b))
		return isnan(b.low) || isnan(b.high) ? "-" : "";
	snprintf(low, sizeof(low), "%.1f", times * b.low);
	snprintf(high, sizeof(high), "%.1f", times * b.high);
	return between(arena, low, high);
}

static void put_end(struct ms_table *table, double end)
{
	if (isnan(end))
		ms_table_none(table);
	else
		ms_table_count(table, ms_round_u64(end));
}

void ms_view_count_column(struct ms_table *table, const struct ms_run *run, const char *key)
{
	const char *const keys[] = { key, ms_arena_printf(&table->arena, "%s_low", key),
				     ms_arena_printf(&table->arena, "%s_high", key) };
	size_t n = run->samplings.n > 0 ? MS_COUNT(keys) : 1;

	for (size_t i = 0; i < n; i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
}

void ms_view_count_within(struct ms_table *table, const struct ms_run *run, uint64_t count,
			  struct ms_bounds b)
{
	ms_table_count(table, count);
	if (run->samplings.n == 0)
		return;
	put_end(table, b.low);
	put_end(table, b.high);
}

const char *ms_page_within(struct ms_arena *arena, struct ms_bounds b)
{
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (isnan(b.low) || isnan(b.high))
		return NULL;
	return ms_arena_printf(arena, "%s to %s", ms_format_count(ms_round_u64(b.low), low),
			       ms_format_count(ms_round_u64(b.high), high));
}

const char *ms_page_behind(struct ms_arena *arena, struct ms_bounds b)
{
	return is_interval(b)
		       ? ms_arena_printf(arena, "   95%% interval: %s", ms_page_within(arena, b))
		       : "";
}

const char *ms_page_behind_share(struct ms_arena *arena, struct ms_bounds b)
{
	return is_interval(b) ? ms_arena_printf(arena, "   95%% interval: %.1f%% to %.1f%%",
						100 * b.low, 100 * b.high)
			      : "";
}

void ms_page_ranges(const struct ms_page *page, const char *const *names,
		    const struct ms_bounds *bounds, size_t n)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++)
		if (is_interval(bounds[i]))
			ms_text_addf(&text, "%s%s %s", text.n > 0 ? ", " : "", names[i],
				     ms_page_within(&arena, bounds[i]));
	if (text.n > 0)
		ms_page_wrap(page, "  95% intervals: ", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}

void ms_page_causes_within(const struct ms_page *page, const struct ms_level_counts *counts,
			   const struct ms_entry_intervals *intervals, size_t level)
{
	static const char *const names[] = { [MS_CAUSE_FIRST] = "first reference",
					     [MS_CAUSE_REPLACED] = "replacement",
					     [MS_CAUSE_INVALIDATED] = "invalidation" };
	struct ms_bounds bounds[MS_CAUSES];

	for (int k = 0; k < MS_CAUSES; k++)
		bounds[k] = intervals != NULL && counts->causes[k] > 0
				    ? intervals->levels[level].causes[k]
				    : (struct ms_bounds){ NAN, NAN };
	ms_page_ranges(page, names, bounds, MS_CAUSES);
}
