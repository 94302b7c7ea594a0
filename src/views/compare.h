/* views/compare.h - two runs from different sources side by side. */
#ifndef MS_VIEWS_COMPARE_H
#define MS_VIEWS_COMPARE_H

#include "analysis/compare.h"
#include "views/views.h"

/* docs/formats/compare-sources-json.md describes JSON and CSV. */
typedef void ms_compare_writer(const struct ms_compare *compare,
			       const struct ms_view_options *options, FILE *out);
ms_compare_writer ms_compare_text, ms_compare_json, ms_compare_csv;
extern ms_compare_writer *const ms_compare_views[MS_VIEW_FORMATS];

#endif
