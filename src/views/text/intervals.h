/* views/text/intervals.h - confidence intervals of sampled runs in lines of text. */
#ifndef MS_VIEWS_TEXT_INTERVALS_H
#define MS_VIEWS_TEXT_INTERVALS_H

#include "analysis/confidence_intervals/intervals.h"
#include "views/text/page.h"

/* "12.3K to 14.5K"; NULL: nothing is known. */
const char *ms_views_text_range(struct ms_arena *arena, struct ms_intervals_bounds bounds);
/* Of a sampled run, a line: how far the causes of misses may be off; intervals may be NULL. */
void ms_views_text_cause_ranges(const struct ms_views_text_page *page,
				const struct ms_summary_level_counts *counts,
				const struct ms_intervals_entry *intervals, size_t level);
/* A line: "95% intervals: NAME 12.3K to 14.5K, ...", of those that have one; or none at all. */
void ms_views_text_ranges(const struct ms_views_text_page *page, const char *const *names,
			  const struct ms_intervals_bounds *bounds, size_t n);
/* After a figure: "   95% interval: 12.3K to 14.5K", "... 1.2% to 3.4%"; "": it has none. */
const char *ms_views_text_interval(struct ms_arena *arena, struct ms_intervals_bounds bounds);
const char *ms_views_text_share_interval(struct ms_arena *arena, struct ms_intervals_bounds bounds);

#endif
