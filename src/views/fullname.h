/* views/fullname.h - names of data with their origin. */
#ifndef MS_VIEWS_FULLNAME_H
#define MS_VIEWS_FULLNAME_H

#include "views/views.h"

/* chosen: a flag for each data of the run. */
void ms_fullname_text(const struct ms_summary *summary, const bool *chosen,
		      const struct ms_view_options *options, FILE *out);
void ms_fullname_csv(const struct ms_summary *summary, const bool *chosen,
		     const struct ms_view_options *options, FILE *out);
void ms_fullname_json(const struct ms_summary *summary, const bool *chosen,
		      const struct ms_view_options *options, FILE *out);

#endif
