/*
 * analysis/summary/detail.h - the paper's Figure 3: everything about one bin, or about any union of
 * bins.
 */
#ifndef MS_ANALYSIS_SUMMARY_DETAIL_H
#define MS_ANALYSIS_SUMMARY_DETAIL_H

#include "analysis/summary/summary.h"
#include "base/text.h"

/* Names as users write them (see select.h). No code means all code, no data all data; neither of
 * them means the bin that stalls the most. */
struct ms_summary_detail_wanted {
	const char *const *code;
	size_t n_code;
	const char *const *data;
	size_t n_data;
	const char *const *names; /* of either */
	size_t n_names;
};

struct ms_summary_detail {
	struct ms_summary whole; /* of the run: what shares refer to */
	struct ms_summary part;  /* of the chosen bins only */
	struct ms_text remarks;  /* names that fit others than the chosen ones, too: lines */
	bool *code;              /* chosen; NULL: all */
	bool *data;
	/* Compute and stall cycles of the chosen code with all its data. */
	uint64_t elapsed_compute;
	uint64_t elapsed_stall;
	MS_VEC(struct ms_summary_evictor)
	replaced_by; /* of all chosen bins: by level, the most first */
	MS_VEC(struct ms_summary_invalidator) invalidated_by; /* likewise, the most first */
};

int ms_summary_detail_make(struct ms_summary_detail *detail, const struct ms_run *run,
			   const struct ms_summary_detail_wanted *wanted, const char *latency,
			   struct ms_err *err);
void ms_summary_detail_free(struct ms_summary_detail *detail);

#endif
