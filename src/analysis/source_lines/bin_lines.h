/*
 * analysis/source_lines/bin_lines.h - where the bins of a summary are at home: the figures of every
 * bin at every line of source; and which data pushes each data out, whatever the code.
 */
#ifndef MS_ANALYSIS_SOURCE_LINES_BIN_LINES_H
#define MS_ANALYSIS_SOURCE_LINES_BIN_LINES_H

#include "analysis/summary/summary.h"

struct ms_lines_of_bin {
	uint32_t bin;  /* index into the summary's bins */
	uint32_t line; /* of the run */
	struct ms_summary_counts counts;
};

struct ms_lines_of_bins {
	struct ms_arena arena;
	MS_VEC(struct ms_lines_of_bin)
	at; /* by bin, then the most stall, misses and references first */
	size_t left_out;
};

/* At most `each` of a bin and `most` in all: those of the bins that stand first. */
void ms_lines_of_bins_make(struct ms_lines_of_bins *places, const struct ms_summary *summary,
			   size_t each, size_t most);
void ms_lines_of_bins_free(struct ms_lines_of_bins *places);

/* Replacement misses of a data at a level that references to another (or itself) caused. */
struct ms_summary_data_evictor {
	uint32_t data;
	struct ms_summary_evictor by;
};

struct ms_summary_data_evictors {
	MS_VEC(struct ms_summary_data_evictor) at; /* by data, level, the most first */
};

void ms_summary_data_evictors_make(struct ms_summary_data_evictors *replacers,
				   const struct ms_summary *summary);
void ms_summary_data_evictors_free(struct ms_summary_data_evictors *replacers);

#endif
