/* analysis/metric/metric_priv.h - figures of ms_metric_table that have a file of their own. */
#ifndef MS_ANALYSIS_METRIC_METRIC_PRIV_H
#define MS_ANALYSIS_METRIC_METRIC_PRIV_H

#include "analysis/metric/metric.h"

typedef struct ms_metric_value ms_metric_function(const struct ms_summary *whole,
						  const struct ms_summary_entry *entry,
						  size_t level);

static inline struct ms_metric_value ms_metric_of_count(uint64_t value)
{
	return (struct ms_metric_value){ .known = true, .count = value, .real = (double)value };
}

static inline struct ms_metric_value ms_metric_of_text(const char *value)
{
	return (struct ms_metric_value){ .known = value != NULL, .text = value };
}

/* metric_labels.c */
ms_metric_function ms_metric_name, ms_metric_code, ms_metric_data, ms_metric_kind,
	ms_metric_largest, ms_metric_mean_size, ms_metric_objects, ms_metric_bytes,
	ms_metric_peak_bytes, ms_metric_type, ms_metric_full_name, ms_metric_module, ms_metric_file,
	ms_metric_processor, ms_metric_source_line;

/* metric_intrinsic.c */
ms_metric_function ms_metric_optimal, ms_metric_optimal_low, ms_metric_optimal_high;
ms_metric_function ms_metric_touched, ms_metric_touched_low, ms_metric_touched_high;
ms_metric_function ms_metric_avoidable_replacement, ms_metric_avoidable_order,
	ms_metric_avoidable_layout;

#endif
