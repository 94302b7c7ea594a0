/* views/text/intervals.c - confidence intervals of sampled runs in lines of text. */
#include "views/text/intervals.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "base/num.h"
#include "views/intervals.h"
#include "views/text/page.h"

const char *ms_views_text_range(struct ms_arena *arena, struct ms_intervals_bounds b)
{
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (isnan(b.low) || isnan(b.high))
		return NULL;
	return ms_arena_printf(arena, "%s to %s", ms_format_count(ms_round_u64(b.low), low),
			       ms_format_count(ms_round_u64(b.high), high));
}

const char *ms_views_text_interval(struct ms_arena *arena, struct ms_intervals_bounds b)
{
	return ms_views_is_interval(b) ? ms_arena_printf(arena, "   95%% interval: %s",
							 ms_views_text_range(arena, b))
				       : "";
}

const char *ms_views_text_share_interval(struct ms_arena *arena, struct ms_intervals_bounds b)
{
	return ms_views_is_interval(b)
		       ? ms_arena_printf(arena, "   95%% interval: %.1f%% to %.1f%%", 100 * b.low,
					 100 * b.high)
		       : "";
}

void ms_views_text_ranges(const struct ms_views_text_page *page, const char *const *names,
			  const struct ms_intervals_bounds *bounds, size_t n)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++)
		if (ms_views_is_interval(bounds[i]))
			ms_text_addf(&text, "%s%s %s", text.n > 0 ? ", " : "", names[i],
				     ms_views_text_range(&arena, bounds[i]));
	if (text.n > 0)
		ms_views_text_wrap(page, "  95% intervals: ", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}

void ms_views_text_cause_ranges(const struct ms_views_text_page *page,
				const struct ms_summary_level_counts *counts,
				const struct ms_intervals_entry *intervals, size_t level)
{
	static const char *const names[] = { [MS_CAUSE_FIRST] = "first reference",
					     [MS_CAUSE_REPLACED] = "replacement",
					     [MS_CAUSE_INVALIDATED] = "invalidation" };
	struct ms_intervals_bounds bounds[MS_CAUSES];

	for (int k = 0; k < MS_CAUSES; k++)
		bounds[k] = intervals != NULL && counts->causes[k] > 0
				    ? intervals->levels[level].causes[k]
				    : (struct ms_intervals_bounds){ NAN, NAN };
	ms_views_text_ranges(page, names, bounds, MS_CAUSES);
}
