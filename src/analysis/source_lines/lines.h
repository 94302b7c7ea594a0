/*
 * analysis/source_lines/lines.h - a run added up by lines of source: figures, functions and data of
 * each line.
 *
 * A line is a file and a number: where the code stands, also when the compiler put it into other
 * functions (inlined_into names those). What stands on no line is added up as unknown, what was not
 * asked for as other, so that everything together is the run again. Source files are not read here.
 */
#ifndef MS_ANALYSIS_SOURCE_LINES_LINES_H
#define MS_ANALYSIS_SOURCE_LINES_LINES_H

#include "analysis/summary/summary.h"

/* What one function or one data has in a line; `of` is its index in the run. */
struct ms_lines_part {
	uint32_t of;
	struct ms_summary_counts counts;
};

struct ms_lines_parts {
	MS_VEC(struct ms_lines_part) at; /* the most stall first */
};

struct ms_lines_line {
	uint32_t file;   /* index into ms_lines.files; MS_NONE for what stands on no line */
	uint32_t number; /* from 1 */
	uint32_t place;  /* what ms_lines.places has of lines of the run that stand here */
	struct ms_summary_counts counts;
	struct ms_lines_parts code;
	struct ms_lines_parts data;
	MS_VEC(const char *) inlined_into; /* real functions that hold a copy, beside its own */
	bool hot;                          /* within the limits */
	bool shown;                        /* hot, or near to what is */
	uint32_t tenths;                   /* of a per cent, where it is shown */
};

/* What is not shown, added up. */
struct ms_lines_rest {
	struct ms_summary_counts counts;
	size_t lines;
	size_t files;
	uint32_t tenths;
};

struct ms_lines_file {
	const char *path;
	const char *module; /* the program or library that has most of its figures */
	struct ms_summary_counts counts;
	size_t first; /* its lines: ms_lines.lines from here, by number */
	size_t n;
	bool shown;
	uint32_t tenths; /* sum of its shown lines and its rest */
	struct ms_lines_rest rest;
};

struct ms_lines {
	struct ms_summary whole; /* of the run: what shares refer to */
	bool by_references;      /* nothing stalls: shares are those of references */
	bool by_name;            /* only some files or some code were asked for */
	bool files_by_name;
	MS_VEC(struct ms_lines_file) files; /* the most stall first */
	MS_VEC(struct ms_lines_line) lines;
	const uint32_t *places;       /* line of the run -> place of a source line, if it has one */
	struct ms_lines_line unknown; /* chosen code that stands on no line */
	struct ms_summary_counts other; /* what was not asked for */
	uint32_t other_tenths;
	struct ms_lines_rest rest; /* files that are not shown */
};

/*
 * Code as select.h has it. A file is meant by its path, the last parts of it ("src/a.c"), a pattern
 * for one of these, or a piece of just one path. None of one kind means all.
 */
struct ms_lines_wanted {
	const char *const *code;
	size_t n_code;
	const char *const *file;
	size_t n_file;
	struct ms_text *remarks; /* gets a line about each name that fits several; NULL: none */
};

/* Adds everything up; nothing is shown yet. run must outlive *lines. */
int ms_lines_make(struct ms_lines *lines, const struct ms_run *run,
		  const struct ms_lines_wanted *wanted, const char *latency, struct ms_err *err);

struct ms_lines_limits {
	size_t top;       /* at most so many hot lines, those that stall the most */
	double threshold; /* each with at least this share of the total, 0 to 1 */
	size_t context;   /* lines so near to a hot one are shown as well */
	bool whole_files; /* and all others of a file with a hot one, or that was asked for */
	bool everything;  /* no limits at all */
};

/*
 * Chooses what is shown and adds up what is not. The tenths of all that is shown, of the rests, of
 * unknown and of other add up to MS_WHOLE.
 */
void ms_lines_limit(struct ms_lines *lines, struct ms_lines_limits limits);
void ms_lines_free(struct ms_lines *lines);

/* What shares are shares of. */
uint64_t ms_lines_weight(const struct ms_lines *lines, const struct ms_summary_counts *counts);
/* The shown line that weighs the most; NULL: there is none. */
const struct ms_lines_line *ms_lines_hottest(const struct ms_lines *lines);

#endif
