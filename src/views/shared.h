/* views/shared.h - what several formats of one report share; a .c file of the report's name each.
 */
#ifndef MS_VIEWS_SHARED_H
#define MS_VIEWS_SHARED_H

#include "analysis/monitor/monitor.h"
#include "base/table.h"
#include "views/lines.h"
#include "views/rules.h"
#include "views/source.h"
#include "views/threads.h"

/* The first `top` of n; 0: all of them. */
static inline size_t ms_views_top(size_t n, size_t top)
{
	return top != 0 && top < n ? top : n;
}

/* fullname.c: the next chosen data from *at on, in the order of the summary; MS_NONE: no more. */
uint32_t ms_views_fullname_next(const struct ms_summary *summary, const bool *chosen, size_t *at);

/* lines.c: limits of JSON and CSV; the source of a file, as far as the options ask for its text. */
void ms_views_lines_limit(struct ms_lines *lines, const struct ms_views_options *options);
void ms_views_lines_source(struct ms_views_source *source, const struct ms_lines *lines,
			   const struct ms_lines_file *file,
			   const struct ms_views_lines_options *options);

/* pmu.c: whether JSON and CSV hold a row: --top limits ranks, as in text, so that nothing is
 * omitted that is large in the actual or in the sampled list. */
bool ms_views_pmu_has_row(const struct ms_monitor_row *row, const struct ms_views_options *options);

/* rules.c: the rows of text and CSV. */
void ms_views_rules_table(const struct ms_run_rules *rules, const size_t *matches,
			  struct ms_table *table);

/* runs.c: the first run shown (the newest remain where there is a limit); "base, ci", NULL: none;
 * false for samples on the real machine, and for a program that ended before a window opened. */
size_t ms_views_runs_first(const struct ms_run_list *heads, const struct ms_views_options *options);
const char *ms_views_run_tags(struct ms_arena *arena, const struct ms_run_list_entry *head);
bool ms_views_run_has_references(const struct ms_run_list_entry *head);

/* threads.c: the list that --by names (threads where it names none); its table, in text and CSV. */
struct ms_threads_times *ms_views_threads_chosen(struct ms_threads *threads,
						 enum ms_views_threads_by by);
void ms_views_threads_table(struct ms_table *table, const struct ms_threads *threads,
			    const struct ms_threads_times *times, size_t shown);

#endif
