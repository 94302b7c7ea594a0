/* views/diff.h - two sides beside each other, as text, JSON and CSV. */
#ifndef MS_VIEWS_DIFF_H
#define MS_VIEWS_DIFF_H

#include "analysis/diff/diff.h"
#include "views/views.h"

/* What is listed: a list of the comparison, or the causes of misses. */
struct ms_views_diff_list {
	bool all;   /* the totals, then bins, lines and causes */
	bool cause; /* causes alone */
	enum ms_diff_list_kind by;
};

/* JSON holds everything, whatever is listed; docs/formats/diff-json.md. */
typedef void ms_views_diff_writer(const struct ms_diff *diff, const struct ms_views_diff_list *what,
				  const struct ms_views_options *options, FILE *out);
ms_views_diff_writer ms_views_text_diff, ms_views_json_diff, ms_views_csv_diff;
extern ms_views_diff_writer *const ms_views_diff_writers[MS_VIEWS_FORMATS];

#endif
