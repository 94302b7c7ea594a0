/*
 * run/spatial.h - how lines of caches are used; part of run/run.h.
 *
 * Some lines are observed access by access (docs/design/spatial.md). All counts here are estimates
 * for all lines, with variances where they are shown with intervals. Runs of variants that observe
 * no lines have none of these rows.
 */
#ifndef MS_RUN_SPATIAL_H
#define MS_RUN_SPATIAL_H

#include <stdint.h>

/*
 * Lines that references of a cell fetched into the first or the last level, and the bytes that were
 * used until the line was fetched again; lines that the cell was the first to write after they were
 * fetched, and all bytes that were written there.
 */
struct ms_run_line_use {
	uint32_t cell;
	uint32_t level;
	double lines;
	double used_bytes;
	double variance; /* of used_bytes, given the mean per line */
	double written_lines;
	double written_bytes;
};

/*
 * How often references of a site were so many bytes after the reference before. `stride` is an
 * int32_t; MS_RUN_OTHER_STRIDES stands for strides that are larger, or too many.
 */
#define MS_RUN_OTHER_STRIDES (UINT32_C(1) << 31)
struct ms_run_stride {
	uint32_t site;
	uint32_t stride;
	uint64_t count; /* of those that were observed */
};

/* The misses that a fully associative LRU cache of 2^size_bits bytes would have. */
struct ms_run_curve {
	uint32_t data;
	uint32_t size_bits;
	double misses;
	double variance;
	/* If distances are as short and as long as they may be; runs of schema 33 and before: the
	 * same as misses. */
	double least, most;
};

/*
 * Misses of the first level on lines of a data structure that were used before, by the lines of
 * code that used it before and that use it again.
 */
struct ms_run_reuse {
	uint32_t data;
	uint32_t from_line; /* index into lines */
	uint32_t to_line;
	double count;
	double log2_bytes; /* sum of the binary logarithms of the bytes that were used in between */
};

/*
 * References to a data structure by their offset in its object, in ranges of equal size; an
 * estimate from observed accesses. Only data with objects of more than 4096 bytes.
 */
struct ms_run_address_range {
	uint32_t data;
	uint32_t number;
	uint64_t bytes; /* of each range of this data */
	double references;
	double first_misses; /* of the first level ... */
	double last_misses;  /* ... and of the last one */
};

#endif
