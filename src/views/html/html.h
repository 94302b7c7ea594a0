/*
 * views/html/html.h - a run as one HTML file that needs nothing else: the pages of web/, which the
 * build has put into this program, and the run's figures as JSON (docs/formats/page-json.md).
 *
 * Whatever a name or a source line holds, it stays text: the JSON has no '<', so that nothing in it
 * can end the element that it stands in, and the page makes text nodes of it.
 */
#ifndef MS_VIEWS_HTML_HTML_H
#define MS_VIEWS_HTML_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

struct ms_advise;
struct ms_run;
struct ms_summary;

struct ms_html_options {
	const char *latency; /* as in a report; NULL: the run's */
	bool no_source;      /* leave the text of source lines out */
	const char *const *folders;
	size_t n_folders;
	struct ms_summary *summary;     /* of the run, which threads may share; NULL: it is made */
	const struct ms_advise *advise; /* of the summary; NULL: it is made */
	const char *server;             /* JSON about the server of the page; NULL: it is a file */
};

/* The whole page. */
int ms_html_run(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		struct ms_err *err);

/* The JSON of a page of a program that is running, with fewer bins. */
int ms_html_live_json(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
		      struct ms_err *err);

/* What a served page of a large run asks for when it is shown. */
enum ms_html_part {
	MS_HTML_PART_LISTS, /* all code and data */
	MS_HTML_PART_BINS,  /* all bins */
	MS_HTML_PART_FRAMES,
	MS_HTML_PART_TREE,
	MS_HTML_PART_TIME,
	MS_HTML_PART_RANKS,
	MS_HTML_PART_EVICTIONS,
	MS_HTML_PART_SHARING,
	MS_HTML_PART_THREADS,
	MS_HTML_PART_LINES,
};

int ms_html_part_json(const struct ms_run *run, const struct ms_html_options *options,
		      enum ms_html_part part, FILE *out, struct ms_err *err);

/* The details of code, of data, or of a bin: rows of the page's tables, from 1 on; 0: all. */
int ms_html_details_json(const struct ms_run *run, const struct ms_html_options *options,
			 int64_t code, int64_t data, FILE *out, struct ms_err *err);

/* The instructions of the function in this row of the page's table, from 1 on; null: there are
 * none.
 */
int ms_html_assembly_json(const struct ms_run *run, const struct ms_html_options *options,
			  int64_t row, FILE *out, struct ms_err *err);

/* What a list of runs shows beside a run: its stall and compute time, and its stall time over the
 * run.
 */
int ms_html_digest_json(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
			struct ms_err *err);

/* The page with any other JSON in it; write may print what it likes there. */
typedef int ms_html_writer(FILE *out, const void *arg, struct ms_err *err);
int ms_html_page(ms_html_writer *write, const void *arg, const char *server, FILE *out,
		 struct ms_err *err);

/* The Content-Security-Policy that the page has in itself, for servers that send it as a header. */
const char *ms_html_policy(void);

/* Which zlib compresses large pages. */
const char *ms_html_library(void);

#endif
