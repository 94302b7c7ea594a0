/* views/threads.h - where time goes, by thread, function and processor: as text, JSON and CSV. */
#ifndef MS_VIEWS_THREADS_H
#define MS_VIEWS_THREADS_H

#include "analysis/threads.h"
#include "views/views.h"

/* Which list --sort orders and CSV holds; text and JSON hold all unless one is named. */
enum ms_threads_by { MS_THREADS_ALL, MS_THREADS_THREAD, MS_THREADS_CODE, MS_THREADS_PROCESSOR };

struct ms_threads_options {
	struct ms_view_options view; /* its width, colour, top, sort and db */
	enum ms_threads_by by;
};

int ms_threads_text(struct ms_threads *threads, const struct ms_threads_options *options, FILE *out,
		    struct ms_err *err);
/* docs/formats/threads-json.md describes both. */
int ms_threads_json(struct ms_threads *threads, const struct ms_threads_options *options, FILE *out,
		    struct ms_err *err);
int ms_threads_csv(struct ms_threads *threads, const struct ms_threads_options *options, FILE *out,
		   struct ms_err *err);

#endif
