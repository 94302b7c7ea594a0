/* views/fullname.h - names of data with their origin. */
#ifndef MS_VIEWS_FULLNAME_H
#define MS_VIEWS_FULLNAME_H

#include "views/views.h"

/* chosen: a flag for each data structure of the run. */
typedef void ms_fullname_writer(const struct ms_summary *summary, const bool *chosen,
				const struct ms_view_options *options, FILE *out);
ms_fullname_writer ms_fullname_text, ms_fullname_json, ms_fullname_csv;
extern ms_fullname_writer *const ms_fullname_views[MS_VIEW_FORMATS];

#endif
