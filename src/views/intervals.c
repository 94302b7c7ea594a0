/* views/intervals.c - confidence intervals of sampled runs in the cells of tables. */
#include "views/intervals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "base/num.h"
#include "base/table.h"

/* False for exact figures (both bounds are equal) and for unknown ones (NaN). */
bool ms_views_is_interval(struct ms_intervals_bounds b)
{
	static const double rounding = 1e-9;

	return b.high - b.low > rounding * b.high;
}

static const char *between(struct ms_arena *arena, const char *low, const char *high)
{
	return strcmp(low, high) == 0 ? ms_arena_strdup(arena, low)
				      : ms_arena_printf(arena, "%s-%s", low, high);
}

const char *ms_views_range(struct ms_arena *arena, struct ms_intervals_bounds b)
{
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (!ms_views_is_interval(b))
		return isnan(b.low) || isnan(b.high) ? "-" : "";
	return between(arena, ms_format_count(ms_round_u64(b.low), low),
		       ms_format_count(ms_round_u64(b.high), high));
}

const char *ms_views_real_range(struct ms_arena *arena, struct ms_intervals_bounds b, double times)
{
	char low[32], high[32];

	if (!ms_views_is_interval(b))
		return isnan(b.low) || isnan(b.high) ? "-" : "";
	snprintf(low, sizeof(low), "%.1f", times * b.low);
	snprintf(high, sizeof(high), "%.1f", times * b.high);
	return between(arena, low, high);
}

/* In a table a range makes the column wide, which drops others: not for a point or less. */
#define TABLE_TOLERANCE 0.01

static bool is_half_possible(struct ms_measured_share s, double tolerance)
{
	double half = (s.high - s.low) / 2;

	return !(s.share - half < -tolerance || s.share + half > 1 + tolerance);
}

static const char *half_of(struct ms_arena *arena, struct ms_measured_share s)
{
	return ms_arena_printf(arena, "%.1f", 50 * (s.high - s.low));
}

static const char *ends_of(struct ms_arena *arena, struct ms_measured_share s)
{
	return ms_arena_printf(arena, "%.1f-%.1f", 100 * s.low, 100 * s.high);
}

const char *ms_views_share_error(struct ms_arena *arena, struct ms_measured_share s)
{
	if (!isfinite(s.high - s.low))
		return "-";
	return is_half_possible(s, TABLE_TOLERANCE) ? half_of(arena, s) : ends_of(arena, s);
}

const char *ms_views_share_within(struct ms_arena *arena, const char *share,
				  struct ms_measured_share s)
{
	if (is_half_possible(s, 0))
		return ms_arena_printf(arena, "%s +-%s", share, half_of(arena, s));
	return ms_arena_printf(arena, "%s, %s", share, ends_of(arena, s));
}

static void put_end(struct ms_table *table, double end)
{
	if (isnan(end))
		ms_table_none(table);
	else
		ms_table_count(table, ms_round_u64(end));
}

void ms_views_count_column(struct ms_table *table, const struct ms_run *run, const char *key)
{
	const char *const keys[] = { key, ms_arena_printf(&table->arena, "%s_low", key),
				     ms_arena_printf(&table->arena, "%s_high", key) };
	size_t n = run->samplings.n > 0 ? MS_COUNT(keys) : 1;

	for (size_t i = 0; i < n; i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
}

void ms_views_count_cells(struct ms_table *table, const struct ms_run *run, uint64_t count,
			  struct ms_intervals_bounds b)
{
	ms_table_count(table, count);
	if (run->samplings.n == 0)
		return;
	put_end(table, b.low);
	put_end(table, b.high);
}
