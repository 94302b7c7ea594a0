/*
 * views/views.h - reports as text for people, as JSON and as CSV for programs.
 *
 * Each report is a row of functions, one per format; they only render what analysis/ has computed.
 * Write errors stay in the FILE: its owner flushes it and checks.
 */
#ifndef MS_VIEWS_VIEWS_H
#define MS_VIEWS_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/detail.h"
#include "analysis/summary/summary.h"
#include "base/err.h"
#include "run/run_list.h"

enum ms_views_format { MS_VIEWS_TEXT, MS_VIEWS_JSON, MS_VIEWS_CSV, MS_VIEWS_FORMATS };

enum ms_views_by {
	MS_VIEWS_BY_MATRIX,
	MS_VIEWS_BY_CODE,
	MS_VIEWS_BY_DATA,
	MS_VIEWS_BY_LINE,
	MS_VIEWS_BY_BIN,
	MS_VIEWS_BY_PROCESSOR,
	MS_VIEWS_BY_PATH,
};

struct ms_views_options {
	size_t width; /* columns of the terminal */
	bool colour;
	bool bars; /* figures may be drawn: it is a terminal */
	enum ms_views_by by;
	const char *sort;  /* a metric's key; NULL: by stall */
	size_t top;        /* entries shown; 0: the view's own default */
	double threshold;  /* smallest share shown, 0 to 1; below 0: the view's own default */
	bool chosen;       /* of the runs, only some were asked for */
	bool shows_system; /* the matrix has functions of the C library, too; else their callers */
	bool heads;        /* JSON reports: without the lists of code, data and bins */
	const char *db;    /* to be named in the next command; NULL: the default database */
	/* The part of a job that is shown, which the next command shows, too; NULL: all of it. */
	const char *rank;
	const char *node;
	const char *cluster;
};

/*
 * The report, the part of it that the user selected, and the list of runs. A report may sort the
 * lists of its summary.
 */
typedef int ms_views_report_writer(struct ms_summary *summary,
				   const struct ms_views_options *options, FILE *out,
				   struct ms_err *err);
typedef int ms_views_show_writer(struct ms_summary_detail *detail,
				 const struct ms_views_options *options, FILE *out,
				 struct ms_err *err);
typedef int ms_views_runs_writer(const struct ms_run_list *heads,
				 const struct ms_views_options *options, FILE *out,
				 struct ms_err *err);
ms_views_report_writer ms_views_text_report, ms_views_json_report, ms_views_csv_report;
ms_views_show_writer ms_views_text_show, ms_views_json_show, ms_views_csv_show;
ms_views_runs_writer ms_views_text_runs, ms_views_json_runs, ms_views_csv_runs;
extern ms_views_report_writer *const ms_views_report_writers[MS_VIEWS_FORMATS];
extern ms_views_show_writer *const ms_views_show_writers[MS_VIEWS_FORMATS];
extern ms_views_runs_writer *const ms_views_runs_writers[MS_VIEWS_FORMATS];

#endif
