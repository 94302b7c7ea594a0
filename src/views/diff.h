/* views/diff.h - two sides beside each other, as text, JSON and CSV. */
#ifndef MS_VIEWS_DIFF_H
#define MS_VIEWS_DIFF_H

#include "analysis/diff.h"
#include "views/views.h"

/* What is listed: a list of the comparison, or the causes of misses. */
struct ms_diff_view {
	bool all;   /* the totals, then bins, lines and causes */
	bool cause; /* causes alone */
	enum ms_diff_by by;
};

/* JSON holds everything, whatever is listed; docs/formats/diff-json.md. */
typedef void ms_diff_writer(const struct ms_diff *diff, const struct ms_diff_view *what,
			    const struct ms_view_options *options, FILE *out);
ms_diff_writer ms_diff_text, ms_diff_json, ms_diff_csv;
extern ms_diff_writer *const ms_diff_views[MS_VIEW_FORMATS];

#endif
