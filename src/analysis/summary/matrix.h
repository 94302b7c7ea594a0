/*
 * analysis/summary/matrix.h - the paper's Figure 2: the share of every code (down) and data
 * (across) in the total stall time, what is left over added up as the rest, the figures adding up
 * as printed.
 *
 * In a run without any stall cycle the shares are those of references, and by_references says so.
 */
#ifndef MS_ANALYSIS_SUMMARY_MATRIX_H
#define MS_ANALYSIS_SUMMARY_MATRIX_H

#include "analysis/summary/summary.h"

struct ms_summary_matrix {
	bool by_references;
	uint64_t total; /* stall cycles, or references */
	size_t rows;    /* with the rest, where there is one */
	size_t columns;
	const struct ms_summary_entry **code; /* one per row; NULL: the rest */
	const struct ms_summary_entry **data; /* one per column; NULL: the rest */
	size_t code_in_rest;                  /* how many were added up as the rest */
	size_t data_in_rest;
	uint32_t *tenths;     /* rows x columns, row after row, in tenths of a per cent */
	uint32_t *row_tenths; /* sums of the above */
	uint32_t *column_tenths;
	bool has_inclusive;         /* the code's costs with all that it calls are known */
	uint32_t *inclusive_tenths; /* one per row */
	bool *any; /* rows x columns: the bin has references at all, so that 0.0 is a figure */
};

/*
 * At most so many rows and columns beside the rest, each with at least `threshold` of the total (0
 * to 1); and at most so many rows of code that costs at least `inclusive_threshold` with all that
 * it calls.
 */
struct ms_summary_matrix_limits {
	size_t rows;
	size_t columns;
	double threshold;
	size_t inclusive_rows;
	double inclusive_threshold;
};

void ms_summary_matrix_make(struct ms_summary_matrix *matrix, const struct ms_summary *summary,
			    struct ms_summary_matrix_limits limits);
/* Adds the last column to the rest. Figures of the others do not change. */
void ms_summary_matrix_narrow(struct ms_summary_matrix *matrix);
void ms_summary_matrix_free(struct ms_summary_matrix *matrix);

#endif
