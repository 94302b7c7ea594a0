/* views/lists.h - one list of a run, without all the rest: what `memspy data` and `code` show. */
#ifndef MS_VIEWS_LISTS_H
#define MS_VIEWS_LISTS_H

#include "views/views.h"

/* The matrix, or the list that options->by names, of the whole run; may sort the summary. */
int ms_list_text(struct ms_summary *summary, const struct ms_view_options *options, FILE *out,
		 struct ms_err *err);
/* The list, of the chosen data in the chosen code; shares are of the whole run. */
int ms_list_part_text(struct ms_detail *detail, const struct ms_view_options *options, FILE *out,
		      struct ms_err *err);

#endif
