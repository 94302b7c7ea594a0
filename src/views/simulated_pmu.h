/* views/simulated_pmu.h - simulated performance monitors: as text, JSON and CSV. */
#ifndef MS_VIEWS_SIMULATED_PMU_H
#define MS_VIEWS_SIMULATED_PMU_H

#include "analysis/monitor/monitor.h"
#include "views/views.h"

/* docs/formats/pmu-json.md describes JSON and CSV. */
typedef void ms_views_pmu_writer(const struct ms_monitor_report *monitors,
				 const struct ms_views_options *options, FILE *out);
ms_views_pmu_writer ms_views_text_pmu, ms_views_json_pmu, ms_views_csv_pmu;
extern ms_views_pmu_writer *const ms_views_pmu_writers[MS_VIEWS_FORMATS];

#endif
