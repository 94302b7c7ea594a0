/* views/sharing.h - lines that processors invalidate in each other's caches: as text, JSON and CSV.
 */
#ifndef MS_VIEWS_SHARING_H
#define MS_VIEWS_SHARING_H

#include "analysis/sharing/sharing.h"
#include "views/views.h"

/* docs/formats/sharing-json.md describes JSON and CSV. */
typedef void ms_views_sharing_writer(const struct ms_sharing *sharing,
				     const struct ms_views_options *options, FILE *out);
ms_views_sharing_writer ms_views_text_sharing, ms_views_json_sharing, ms_views_csv_sharing;
extern ms_views_sharing_writer *const ms_views_sharing_writers[MS_VIEWS_FORMATS];

#endif
