/* views/sharing.h - what processors take away from each other: as text, JSON and CSV. */
#ifndef MS_VIEWS_SHARING_H
#define MS_VIEWS_SHARING_H

#include "analysis/sharing.h"
#include "views/views.h"

/* docs/formats/sharing-json.md describes JSON and CSV. */
typedef void ms_sharing_writer(const struct ms_sharing *sharing,
			       const struct ms_view_options *options, FILE *out);
ms_sharing_writer ms_sharing_text, ms_sharing_json, ms_sharing_csv;
extern ms_sharing_writer *const ms_sharing_views[MS_VIEW_FORMATS];

#endif
