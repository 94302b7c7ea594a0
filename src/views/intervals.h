/* views/intervals.h - confidence intervals of sampled runs in the cells of tables. */
#ifndef MS_VIEWS_INTERVALS_H
#define MS_VIEWS_INTERVALS_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "base/table.h"

/* Whether there is an interval: figures that are exact or cannot be estimated have none. */
bool ms_views_is_interval(struct ms_intervals_bounds bounds);
/* In text, "12.3K-14.5K" and "4.1-5.0" (each times so much); "": the figure
 * is known; "-": it cannot be estimated. And what the row of them is called. */
#define MS_VIEWS_INTERVAL "  95% interval"
const char *ms_views_range(struct ms_arena *arena, struct ms_intervals_bounds bounds);
const char *ms_views_real_range(struct ms_arena *arena, struct ms_intervals_bounds bounds,
				double times);
/*
 * How far a share that was measured may be off, in points: "3.0", the half of its interval. Near
 * 0 and 100 % the interval is lopsided; where the half of it would leave them, it is the interval
 * itself, "7.0-78.8". The first is for cells of tables, the second for sentences: "62.8% +-3.0" or
 * "0.3%, 0.1-0.9" where share is "62.8%" or "0.3%".
 */
const char *ms_views_share_error(struct ms_arena *arena, struct ms_measured_share within);
const char *ms_views_share_within(struct ms_arena *arena, const char *share,
				  struct ms_measured_share within);
/* In CSV: a column of a count and, of a sampled run, two after it, KEY_low and KEY_high; and the
 * cells of these. */
void ms_views_count_column(struct ms_table *table, const struct ms_run *run, const char *key);
void ms_views_count_cells(struct ms_table *table, const struct ms_run *run, uint64_t count,
			  struct ms_intervals_bounds bounds);

#endif
