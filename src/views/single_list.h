/* views/single_list.h - one list of a run, without all the rest: what `memspy data` and `code`
 * show. */
#ifndef MS_VIEWS_SINGLE_LIST_H
#define MS_VIEWS_SINGLE_LIST_H

#include "views/views.h"

ms_views_report_writer ms_views_text_list;
ms_views_show_writer ms_views_text_list_part;
/* The matrix, or the list that options->by names, of the whole run; may sort the summary. */
extern ms_views_report_writer *const ms_views_list_writers[MS_VIEWS_FORMATS];
/* The list, of the chosen data in the chosen code; shares are of the whole run. */
extern ms_views_show_writer *const ms_views_list_part_writers[MS_VIEWS_FORMATS];

#endif
