/* views/html/tables_priv.h - what the files that write the tables of a page share. */
#ifndef MS_VIEWS_HTML_TABLES_PRIV_H
#define MS_VIEWS_HTML_TABLES_PRIV_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/source_lines/bin_lines.h"
#include "views/html/html_priv.h"

struct ms_html_tables {
	struct ms_html_packed packed;
	const struct ms_summary *s;
	const struct ms_run *run;
	const struct ms_html_wanted *wanted;
	struct ms_html_rows rows;
	MS_VEC(uint32_t) bins;          /* rows of the table of bins: the summary's */
	struct ms_lines_of_bins places; /* of these bins */
	struct ms_intervals of_data;    /* two tables each have these: */
	struct ms_intervals of_bins;
};

/* figures.c */
void ms_html_put_figure_columns(struct ms_html_tables *tables);
void ms_html_put_figures(struct ms_html_tables *tables, const struct ms_summary_counts *counts);

/* details.c: what the details of an entry have beside its figures. */
void ms_html_put_data_replacers(struct ms_html_tables *tables);
void ms_html_put_frames(struct ms_html_tables *tables);
void ms_html_put_details(struct ms_html_tables *tables);

/* line_use.c: used bytes, access kinds, miss curves and reuses; empty likewise. */
void ms_html_put_line_use(struct ms_html_tables *tables);
/* intrinsic.c: intrinsic misses; empty if the run has none. */
void ms_html_put_intrinsic(struct ms_html_tables *tables);
/* members.c: members and their threads, of the data with the most stall first; and references by
 * address. */
void ms_html_put_members(struct ms_html_tables *tables);
void ms_html_put_ranges(struct ms_html_tables *tables);

/* table_intervals.c: how far the figures of a sampled run may be off. */
void ms_html_put_intervals(struct ms_html_tables *tables);
/* Intervals of the first bins, or of their lines: most of a large run's are never asked for. */
void ms_html_make_intervals(struct ms_html_tables *tables, struct ms_intervals *intervals,
			    size_t most, bool by_line);
/* The low and the high end. */
void ms_html_put_bounds(struct ms_html_tables *tables, struct ms_intervals_bounds bounds);

/* Whether the details of this row, from 0, are wanted. */
bool ms_html_wants_code(const struct ms_html_wanted *wanted, size_t row);
bool ms_html_wants_data(const struct ms_html_wanted *wanted, size_t row);

#endif
