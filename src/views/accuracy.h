/* views/accuracy.h - a sampled run beside the whole one: as text, JSON and CSV. */
#ifndef MS_VIEWS_ACCURACY_H
#define MS_VIEWS_ACCURACY_H

#include "analysis/accuracy.h"
#include "views/views.h"

/* docs/formats/accuracy-json.md describes JSON and CSV. */
typedef void ms_accuracy_writer(const struct ms_accuracy *accuracy,
				const struct ms_view_options *options, FILE *out);
ms_accuracy_writer ms_accuracy_text, ms_accuracy_json, ms_accuracy_csv;
extern ms_accuracy_writer *const ms_accuracy_views[MS_VIEW_FORMATS];

#endif
