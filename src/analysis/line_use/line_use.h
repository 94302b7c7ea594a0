/*
 * analysis/line_use/line_use.h - how much of the fetched lines is used, with 95 % intervals: of any
 * code and data.
 */
#ifndef MS_ANALYSIS_LINE_USE_LINE_USE_H
#define MS_ANALYSIS_LINE_USE_LINE_USE_H

#include <stdbool.h>

#include "run/run.h"

/* Of the lines that some code fetched into a level for some data. */
struct ms_line_use {
	double lines;     /* fetched, estimated; 0: none was observed */
	double used;      /* bytes of each that were accessed ... */
	double low, high; /* ... and the interval */
	double written_lines;
	double written; /* bytes of each written line */
};

/* Whether the run has observed lines of this level: the first or the last one. */
bool ms_line_use_is_observed(const struct ms_run *run, uint32_t level);
/* code, data: a flag for each of the run; NULL: all. */
struct ms_line_use ms_line_use_of(const struct ms_run *run, uint32_t level, const bool *code,
				  const bool *data);
/* The same of each data structure of the run, in all code: `use` has room for all. */
void ms_line_use_by_data(const struct ms_run *run, uint32_t level, struct ms_line_use *use);
/* Of lines of the run, by a key of each; keys from `n` on are left out. `use` has room for n. */
struct ms_line_use_keys {
	const uint32_t *key;
	size_t n;
};
void ms_line_use_by_line(const struct ms_run *run, uint32_t level,
			 const struct ms_line_use_keys *keys, struct ms_line_use *use);
/* Of one data structure in one line of code; line MS_NONE: in all code. */
struct ms_line_use ms_line_use_of_line(const struct ms_run *run, uint32_t level, uint32_t line,
				       uint32_t data);

#endif
