/* views/entries.h - lists of entries as tables, in text and CSV, and their limits. */
#ifndef MS_VIEWS_ENTRIES_H
#define MS_VIEWS_ENTRIES_H

#include "base/table.h"
#include "views/views.h"

enum { MS_VIEWS_TOP = 12 };
#define MS_VIEWS_THRESHOLD 0.001

/* What a run does not know that only looked up misses; a sentence for all views. */
#define MS_VIEWS_MISSES_ONLY                                                              \
	"references and miss rates of data, as hits were not looked up (--misses-only); " \
	"those of code and lines are known"

/* The list that --by asks for; the matrix is made of bins. */
struct ms_summary_entries *ms_views_list_by(struct ms_summary *summary, enum ms_views_by by);
/*
 * Moves the (sorted) entries that are within the limits before all others, and returns how many
 * they are; without references none is. Unless options say how many, those that cost much with all
 * that they call are among them.
 */
size_t ms_views_choose(const struct ms_summary *whole, struct ms_summary_entries *entries,
		       const struct ms_views_options *options, bool everything_by_default);

/* Whether a processor executed anything. */
bool ms_views_is_used_processor(const struct ms_summary_entry *processor);
/* How many processors there are up to the last one that was used. */
size_t ms_views_used_processors(const struct ms_summary *summary);

/*
 * A table of entries, one column a metric. whole is what shares refer to; shown of the entries get
 * a row each, text adds one for the rest; a column of shares adds up to total_tenths. selection:
 * what the entries are part of (NULL: the run). Of a sampled run each row has another one in text,
 * with the interval of each figure below it; CSV has two columns after the figure.
 */
void ms_views_entries(const struct ms_summary *whole, const struct ms_summary_entries *entries,
		      size_t shown, const struct ms_summary_selection *selection,
		      uint32_t total_tenths, struct ms_table *table);

/*
 * Figures of lines of source in a run sampled on the real machine: the columns of ms_metric_table
 * that only such runs have. Each returns how many they are; none in a simulated run.
 */
size_t ms_views_figure_columns(struct ms_table *table, const struct ms_run *run);
size_t ms_views_figures(struct ms_table *table, const struct ms_summary *whole,
			const struct ms_summary_counts *counts, uint32_t tenths);
size_t ms_views_no_figures(struct ms_table *table, const struct ms_run *run);

/* A rank from 1 on; 0: it has none. */
void ms_views_put_rank(struct ms_table *table, uint32_t rank);

#endif
