/* views/fullname.h - names of data with their origin. */
#ifndef MS_VIEWS_FULLNAME_H
#define MS_VIEWS_FULLNAME_H

#include "views/views.h"

/* chosen: a flag for each data structure of the run. */
typedef void ms_views_fullname_writer(const struct ms_summary *summary, const bool *chosen,
				      const struct ms_views_options *options, FILE *out);
ms_views_fullname_writer ms_views_text_fullname, ms_views_json_fullname, ms_views_csv_fullname;
extern ms_views_fullname_writer *const ms_views_fullname_writers[MS_VIEWS_FORMATS];

#endif
