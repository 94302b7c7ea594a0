/* analysis/metric/metric_priv.h - figures of ms_metric_table that have a file of their own. */
#ifndef MS_ANALYSIS_METRIC_METRIC_PRIV_H
#define MS_ANALYSIS_METRIC_METRIC_PRIV_H

#include "analysis/metric/metric.h"

typedef struct ms_metric_value ms_metric_function(const struct ms_summary *whole,
						  const struct ms_summary_entry *entry,
						  size_t level);

/* metric_intrinsic.c */
ms_metric_function ms_metric_optimal, ms_metric_optimal_low, ms_metric_optimal_high;
ms_metric_function ms_metric_touched, ms_metric_touched_low, ms_metric_touched_high;
ms_metric_function ms_metric_avoidable_replacement, ms_metric_avoidable_order,
	ms_metric_avoidable_layout;

#endif
