/*
 * serve/route.h - finds the page for a path. A path never names a file: it consists of a few words
 * and numbers, or is invalid.
 */
#ifndef MS_SERVE_ROUTE_H
#define MS_SERVE_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "views/html/html.h"

enum ms_serve_route_kind {
	MS_ROUTE_RUNS,      /* "": the list of runs */
	MS_ROUTE_RUN,       /* "run/3" */
	MS_ROUTE_PART,      /* "part/3/lines.json": what the page of a large run does not have */
	MS_ROUTE_CODE,      /* "code/3/7.json": the details of the seventh function ... */
	MS_ROUTE_DATA,      /* "data/3/2.json": ... of the second data ... */
	MS_ROUTE_BIN,       /* "bin/3/7/2.json": ... and of both */
	MS_ROUTE_ASSEMBLY,  /* "assembly/3/7.json": instructions of the seventh function */
	MS_ROUTE_DIGEST,    /* "digest/3.json": its stall time, for the list of runs */
	MS_ROUTE_DIFF,      /* "diff/3/4" */
	MS_ROUTE_RULES,     /* "rules": names that the user has given */
	MS_ROUTE_LIVE,      /* "live/123": the program of this process, while it runs */
	MS_ROUTE_LIVE_RUN,  /* "live/123.json": its figures so far, as the page of a run has them */
	MS_ROUTE_LIVE_JSON, /* "live.json": programs that are running now */
	MS_ROUTE_RUNS_JSON, /* "runs.json" */
	MS_ROUTE_NONE,
};

struct ms_serve_route {
	enum ms_serve_route_kind kind;
	int64_t run;
	int64_t other;
	int64_t third;
	enum ms_html_part part;
};

/* path: after the token. MS_ROUTE_NONE: there is no such page. */
struct ms_serve_route ms_serve_route_of(const char *path);

/*
 * Fields of a form ("data=a%20b&name=c"): decodes the value of `key` into out, which has `room`
 * bytes; false if there is none, or if it is invalid, contains a NUL or is too long.
 */
bool ms_serve_form_get(const char *form, const char *key, char *out, unsigned long room);

#endif
