/*
 * analysis/line_use/access_kind.h - how code accesses data: one address after the other, with a
 * larger stride, or at addresses that are read from memory.
 */
#ifndef MS_ANALYSIS_LINE_USE_ACCESS_KIND_H
#define MS_ANALYSIS_LINE_USE_ACCESS_KIND_H

#include <stdbool.h>

#include "run/run.h"

enum ms_line_use_kind {
	MS_LINE_USE_UNKNOWN,    /* not observed */
	MS_LINE_USE_SEQUENTIAL, /* each reference begins where the one before ends, or is at it */
	MS_LINE_USE_STRIDED,    /* at one or a few other distances */
	MS_LINE_USE_GATHER,     /* most addresses depend on other loads */
	MS_LINE_USE_CHAIN, /* most addresses depend on an earlier load of the same instruction */
	MS_LINE_USE_IRREGULAR, /* none of these */
	MS_LINE_USE_KINDS,
};

/* The kind, with the figures that it follows from. */
struct ms_line_use_access {
	enum ms_line_use_kind kind;
	int64_t stride;  /* the most frequent one, if some were observed ... */
	double share;    /* ... and its share of references; 0: none */
	uint32_t number; /* of different strides that have at least 1 %; at most 9 */
};

/* Of the sites of some code that refer to some data; a flag for each of the run; NULL: all. */
struct ms_line_use_access ms_line_use_find_access(const struct ms_run *run, const bool *code,
						  const bool *data);
/* Of some cells of the run, which are counted one by one. */
struct ms_line_use_counts {
	uint64_t *references; /* by site */
	uint64_t dependences[MS_RUN_DEPENDENCES];
};

void ms_line_use_counts_make(struct ms_line_use_counts *counts, const struct ms_run *run);
void ms_line_use_count_cell(struct ms_line_use_counts *counts, const struct ms_run_cell *cell);
/* Frees the counts. */
struct ms_line_use_access ms_line_use_counts_end(struct ms_line_use_counts *counts,
						 const struct ms_run *run);
/* Of each data structure of the run, in all code: `access` has room for all. */
void ms_line_use_find_access_by_data(const struct ms_run *run, struct ms_line_use_access *access);
/* Of one site. */
struct ms_line_use_access ms_line_use_find_site_access(const struct ms_run *run, uint32_t site);
const char *ms_line_use_kind_word(enum ms_line_use_kind kind);

#endif
