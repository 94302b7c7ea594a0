/*
 * views/views.h - reports as text for people, as JSON and as CSV for programs.
 *
 * Each view is a row of functions; they only render what analysis/ has made. Errors of writing stay
 * in the FILE: whoever owns it flushes it and looks.
 */
#ifndef MS_VIEWS_VIEWS_H
#define MS_VIEWS_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/about.h"
#include "analysis/detail.h"
#include "analysis/summary.h"
#include "base/err.h"

enum ms_view_by { MS_BY_MATRIX, MS_BY_CODE, MS_BY_DATA, MS_BY_LINE, MS_BY_BIN, MS_BY_PROCESSOR };

struct ms_view_options {
	size_t width; /* columns of the terminal */
	bool colour;
	bool bars; /* figures may be drawn: it is a terminal */
	enum ms_view_by by;
	const char *sort; /* a metric's key; NULL: by stall */
	size_t top;       /* entries shown; 0: the view's own default */
	double threshold; /* smallest share shown, 0 to 1; below 0: the view's own default */
	bool chosen;      /* of the runs, only some were asked for */
	bool heads;       /* JSON reports: without the lists of code, data and bins */
	const char *db;   /* to be named in the next command; NULL: the default database */
};

struct ms_view {
	const char *name;
	/* May sort the lists of the summary. */
	int (*report)(struct ms_summary *summary, const struct ms_view_options *options, FILE *out,
		      struct ms_err *err);
	int (*show)(struct ms_detail *detail, const struct ms_view_options *options, FILE *out,
		    struct ms_err *err);
	int (*runs)(const struct ms_run_heads *heads, const struct ms_view_options *options,
		    FILE *out, struct ms_err *err);
};

extern const struct ms_view ms_view_text;
extern const struct ms_view ms_view_json;
extern const struct ms_view ms_view_csv;

#endif
