/*
 * analysis/source_lines/line_use.h - how much of the lines that each line of source fetched into a
 * cache was used.
 */
#ifndef MS_ANALYSIS_SOURCE_LINES_LINE_USE_H
#define MS_ANALYSIS_SOURCE_LINES_LINE_USE_H

#include "analysis/line_use/line_use.h"
#include "analysis/source_lines/lines.h"

/* By level; NULL: the lines of this level were not observed. */
struct ms_lines_use {
	size_t levels;
	struct ms_line_use **by_place;
};

void ms_lines_use_make(struct ms_lines_use *use, const struct ms_lines *lines);
void ms_lines_use_free(struct ms_lines_use *use);
/* NULL: no fetched and no written line of it was observed. */
const struct ms_line_use *ms_lines_use_at(const struct ms_lines_use *use, size_t level,
					  const struct ms_lines_line *line);

#endif
