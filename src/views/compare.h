/* views/compare.h - two runs from different sources side by side. */
#ifndef MS_VIEWS_COMPARE_H
#define MS_VIEWS_COMPARE_H

#include "analysis/accuracy/compare_sources.h"
#include "views/views.h"

/* docs/formats/compare-sources-json.md describes JSON and CSV. */
typedef void ms_views_compare_writer(const struct ms_accuracy_sources *compare,
				     const struct ms_views_options *options, FILE *out);
ms_views_compare_writer ms_views_text_compare, ms_views_json_compare, ms_views_csv_compare;
extern ms_views_compare_writer *const ms_views_compare_writers[MS_VIEWS_FORMATS];

#endif
