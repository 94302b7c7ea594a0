/* views/threads.h - where time goes, by thread, function and processor: as text, JSON and CSV. */
#ifndef MS_VIEWS_THREADS_H
#define MS_VIEWS_THREADS_H

#include "analysis/threads/threads.h"
#include "views/views.h"

/* Which list --sort orders and CSV holds; text and JSON hold all unless one is named. */
enum ms_views_threads_by {
	MS_VIEWS_THREADS_ALL,
	MS_VIEWS_THREADS_THREAD,
	MS_VIEWS_THREADS_CODE,
	MS_VIEWS_THREADS_PROCESSOR
};

struct ms_views_threads_options {
	struct ms_views_options view; /* its width, colour, top, sort and db */
	enum ms_views_threads_by by;
};

/* docs/formats/threads-json.md describes JSON and CSV. */
typedef int ms_views_threads_writer(struct ms_threads *threads,
				    const struct ms_views_threads_options *options, FILE *out,
				    struct ms_err *err);
ms_views_threads_writer ms_views_text_threads, ms_views_json_threads, ms_views_csv_threads;
extern ms_views_threads_writer *const ms_views_threads_writers[MS_VIEWS_FORMATS];

#endif
