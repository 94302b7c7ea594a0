/*
 * analysis/summary/inclusive_rows.h - code and lines that a list shows for what they call: they
 * cost little themselves.
 */
#ifndef MS_ANALYSIS_SUMMARY_INCLUSIVE_ROWS_H
#define MS_ANALYSIS_SUMMARY_INCLUSIVE_ROWS_H

#include "analysis/summary/summary.h"

/* The least share of the whole that they cost with all that they call. */
#define MS_SUMMARY_INCLUSIVE_LEAST 0.05

/*
 * Sets flags of entries that cost at least `share` of total with all that they call: of `most`
 * whose flags are not set, those that cost the most. Returns how many. Without call paths there are
 * none.
 */
size_t ms_summary_choose_inclusive(const struct ms_summary_entries *entries, uint64_t total,
				   double share, size_t most, bool *chosen);

#endif
