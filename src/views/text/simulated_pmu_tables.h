/* views/text/simulated_pmu_tables.h - what the two files of text about monitors share. */
#ifndef MS_VIEWS_TEXT_SIMULATED_PMU_TABLES_H
#define MS_VIEWS_TEXT_SIMULATED_PMU_TABLES_H

#include "analysis/monitor/monitor.h"
#include "views/text/page.h"

/* A share in points of a per cent: "3.2", with sign "+3.2". */
const char *ms_views_text_points(struct ms_arena *arena, double share, bool sign);
/* Actual and sampled side by side: by data, by line, evictions, and these by line. */
void ms_views_text_pmu_tables(const struct ms_views_text_page *page,
			      const struct ms_monitor_report *monitors,
			      const struct ms_monitor *monitor,
			      const struct ms_views_options *options);

#endif
