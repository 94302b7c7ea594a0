/*
 * analysis/summary/rounded_shares.h - shares in tenths of a per cent whose printed figures add up.
 *
 * Every figure is its exact value rounded down or up, never further, and the rounded figures of a
 * list (of every row and every column of a table) add up exactly to the rounded total shown.
 */
#ifndef MS_ANALYSIS_SUMMARY_ROUNDED_SHARES_H
#define MS_ANALYSIS_SUMMARY_ROUNDED_SHARES_H

#include <stddef.h>
#include <stdint.h>

enum { MS_WHOLE = 1000 }; /* 100.0 % */

/* part / whole; 0 where the whole is 0. */
double ms_summary_share(uint64_t part, uint64_t whole);

/* part / whole in tenths of a per cent, to the nearest; at most MS_WHOLE. */
uint32_t ms_summary_share_tenths(uint64_t part, uint64_t whole);

/* tenths[i] add up to `total` (largest remainders are rounded up); all 0 when the parts are. */
void ms_summary_share_list(const uint64_t *parts, size_t n, uint32_t total, uint32_t *tenths);

/*
 * The same for a table of rows x columns parts (row after row): the tenths of all cells add up to
 * MS_WHOLE, and so the sums of rows and of columns, each of which is rounded down or up as well.
 */
void ms_summary_share_table(const uint64_t *parts, size_t rows, size_t columns, uint32_t *tenths);

#endif
