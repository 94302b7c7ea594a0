/* views/pmu.h - what virtual performance monitors told: as text, JSON and CSV. */
#ifndef MS_VIEWS_PMU_H
#define MS_VIEWS_PMU_H

#include "analysis/pmu.h"
#include "views/views.h"

void ms_monitor_text(const struct ms_monitors *monitors, const struct ms_view_options *options,
		     FILE *out);
/* docs/formats/pmu-json.md describes both. */
void ms_monitor_json(const struct ms_monitors *monitors, const struct ms_view_options *options,
		     FILE *out);
void ms_monitor_csv(const struct ms_monitors *monitors, const struct ms_view_options *options,
		    FILE *out);

#endif
