/* views/json/report.h - what the report and the report of a selection have in common. */
#ifndef MS_VIEWS_JSON_REPORT_H
#define MS_VIEWS_JSON_REPORT_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/summary/detail.h"
#include "base/json.h"
#include "views/views.h"

/* run.c: the object "run" with everything that is known of the run. */
void ms_views_json_run_object(struct ms_json *json, const struct ms_summary *summary);

/* advise.c: the array "findings", and why it is empty. */
void ms_views_json_findings(struct ms_json *json, const struct ms_summary *whole);

/* entries.c: the object "totals". */
void ms_views_json_totals(struct ms_json *json, const struct ms_summary *summary);
/* The lists of a report, or of what was selected of it (NULL: all). */
void ms_views_json_lists(struct ms_json *json, const struct ms_summary *whole,
			 struct ms_summary *part, const struct ms_views_options *options,
			 bool lines, const struct ms_summary_selection *selection);
/* The array "replaced_by"; intervals: of the entry, or NULL. */
void ms_views_json_replaced_by(struct ms_json *json, const struct ms_run *run,
			       const struct ms_summary_evictor *replacers, size_t n,
			       const struct ms_summary_counts *counts,
			       const struct ms_intervals_entry *intervals);

#endif
