/*
 * analysis/accuracy/compare_sources.h - compares ranks and shares of two runs of one program whose
 * figures come from different sources: one simulated and one sampled on the real machine, or
 * sampled by two sources. Entries are matched by name.
 */
#ifndef MS_ANALYSIS_ACCURACY_COMPARE_SOURCES_H
#define MS_ANALYSIS_ACCURACY_COMPARE_SOURCES_H

#include "analysis/measured/measured.h"

struct ms_accuracy_compared {
	struct ms_measured_share share; /* of a simulated run: of width 0 */
	uint32_t rank;                  /* from 1; 0: the run does not contain it */
};

struct ms_accuracy_sources_row {
	const char *name;
	struct ms_accuracy_compared in[2];
};

struct ms_accuracy_sources {
	struct ms_summary of[2];                     /* the runs */
	MS_VEC(struct ms_accuracy_sources_row) rows; /* by rank in the first, then in the second */
	double above;  /* rows with less in both runs are too small to be judged: 0.05 */
	size_t judged; /* the others */
	size_t first;  /* of the first three of them, those in the same order */
	size_t within; /* of them: the shares' intervals overlap */
	double worst;  /* largest difference of shares, of any row */
	const char *worst_name;
	double correlation; /* of the shares of all rows; NaN: fewer than three */
};

/* What is compared: data, code or bins. Both runs must outlive it. */
int ms_accuracy_sources_make(struct ms_accuracy_sources *compare, const struct ms_run runs[2],
			     enum ms_summary_entry_kind kind, struct ms_err *err);
void ms_accuracy_sources_free(struct ms_accuracy_sources *compare);

/* "simulated (host)", "sampled (timer)" */
const char *ms_accuracy_source_text(const struct ms_run *run, struct ms_arena *arena);

#endif
