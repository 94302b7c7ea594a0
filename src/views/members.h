/* views/members.h - the members of data structures: as text, JSON and CSV. */
#ifndef MS_VIEWS_MEMBERS_H
#define MS_VIEWS_MEMBERS_H

#include "analysis/members/members.h"
#include "views/views.h"

/* docs/formats/fields-json.md describes JSON and CSV. n: at least 1; all are of one run. */
typedef void ms_views_members_writer(const struct ms_summary *summary,
				     const struct ms_members *members, size_t n,
				     const struct ms_views_options *options, FILE *out);
ms_views_members_writer ms_views_text_members, ms_views_json_members, ms_views_csv_members;
extern ms_views_members_writer *const ms_views_members_writers[MS_VIEWS_FORMATS];

#endif
