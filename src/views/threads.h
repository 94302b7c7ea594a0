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

/* docs/formats/threads-json.md describes JSON and CSV. */
typedef int ms_threads_writer(struct ms_threads *threads, const struct ms_threads_options *options,
			      FILE *out, struct ms_err *err);
ms_threads_writer ms_threads_text, ms_threads_json, ms_threads_csv;
extern ms_threads_writer *const ms_threads_views[MS_VIEW_FORMATS];

#endif
