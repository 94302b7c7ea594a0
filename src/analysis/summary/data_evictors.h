/* analysis/summary/data_evictors.h - the evictors of each data structure, in all code together. */
#ifndef MS_ANALYSIS_SUMMARY_DATA_EVICTORS_H
#define MS_ANALYSIS_SUMMARY_DATA_EVICTORS_H

#include "analysis/summary/summary.h"

/* Replacement misses of a data at a level that references to another (or itself) caused. */
struct ms_summary_data_evictor {
	uint32_t data;
	struct ms_summary_evictor by;
};

struct ms_summary_data_evictors {
	MS_VEC(struct ms_summary_data_evictor) at; /* by data, level, the most first */
};

void ms_summary_data_evictors_make(struct ms_summary_data_evictors *evictors,
				   const struct ms_summary *summary);
void ms_summary_data_evictors_free(struct ms_summary_data_evictors *evictors);

#endif
