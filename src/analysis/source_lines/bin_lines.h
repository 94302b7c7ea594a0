/* analysis/source_lines/bin_lines.h - the counts of every bin at each of its source lines. */
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
/* Only of the bins that are chosen; `bin` is then an index into these. */
void ms_lines_of_some_bins_make(struct ms_lines_of_bins *places, const struct ms_summary *summary,
				const uint32_t *chosen, size_t n, size_t each, size_t most);
void ms_lines_of_bins_free(struct ms_lines_of_bins *places);

#endif
