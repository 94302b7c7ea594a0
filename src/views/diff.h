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

void ms_diff_text(const struct ms_diff *diff, const struct ms_diff_view *what,
		  const struct ms_view_options *options, FILE *out);
/* JSON holds everything; docs/formats/diff-json.md. */
void ms_diff_json(const struct ms_diff *diff, const struct ms_view_options *options, FILE *out);
void ms_diff_csv(const struct ms_diff *diff, const struct ms_diff_view *what,
		 const struct ms_view_options *options, FILE *out);

#endif
