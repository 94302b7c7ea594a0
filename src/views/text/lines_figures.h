/* views/text/lines_figures.h - columns of figures in tables of annotated source. */
#ifndef MS_VIEWS_TEXT_LINES_FIGURES_H
#define MS_VIEWS_TEXT_LINES_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/source_lines/lines.h"
#include "base/table.h"

/* Text without room for everything leaves out the largest first. */
enum {
	MS_VIEWS_TEXT_DROP_DATA = 1,
	MS_VIEWS_TEXT_DROP_CODE,
	MS_VIEWS_TEXT_DROP_INVALIDATED,
	MS_VIEWS_TEXT_DROP_FALSE,
	MS_VIEWS_TEXT_DROP_FIRST_LEVEL,
	MS_VIEWS_TEXT_DROP_REFERENCES,
	MS_VIEWS_TEXT_DROP_USED,
	MS_VIEWS_TEXT_DROP_LAST_LEVEL,
	MS_VIEWS_TEXT_DROP_STALL, /* its share stays */
	MS_VIEWS_TEXT_DROP_LEVEL,
	MS_VIEWS_TEXT_DROP_COMPUTE = 100,
};

void ms_views_text_lines_columns(struct ms_table *table, const struct ms_lines *lines);
void ms_views_text_lines_figures(struct ms_table *table, const struct ms_lines *lines,
				 const struct ms_summary_counts *counts, uint32_t tenths,
				 enum ms_style style);
void ms_views_text_lines_no_figures(struct ms_table *table, const struct ms_lines *lines);
/* Of a sampled run, below them: how far they may be off. False: nothing was written. */
bool ms_views_text_lines_ranges(struct ms_table *table, const struct ms_lines *lines,
				const struct ms_intervals_entry *own);

#endif
