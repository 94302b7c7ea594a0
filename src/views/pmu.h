/* views/pmu.h - what virtual performance monitors told: as text, JSON and CSV. */
#ifndef MS_VIEWS_PMU_H
#define MS_VIEWS_PMU_H

#include "analysis/pmu.h"
#include "views/views.h"

/* docs/formats/pmu-json.md describes JSON and CSV. */
typedef void ms_monitor_writer(const struct ms_monitors *monitors,
			       const struct ms_view_options *options, FILE *out);
ms_monitor_writer ms_monitor_text, ms_monitor_json, ms_monitor_csv;
extern ms_monitor_writer *const ms_monitor_views[MS_VIEW_FORMATS];

#endif
