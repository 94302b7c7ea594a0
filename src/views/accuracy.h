/* views/accuracy.h - a sampled run beside the whole one: as text, JSON and CSV. */
#ifndef MS_VIEWS_ACCURACY_H
#define MS_VIEWS_ACCURACY_H

#include "analysis/accuracy/accuracy.h"
#include "views/views.h"

/* docs/formats/accuracy-json.md describes JSON and CSV. */
typedef void ms_views_accuracy_writer(const struct ms_accuracy *accuracy,
				      const struct ms_views_options *options, FILE *out);
ms_views_accuracy_writer ms_views_text_accuracy, ms_views_json_accuracy, ms_views_csv_accuracy;
extern ms_views_accuracy_writer *const ms_views_accuracy_writers[MS_VIEWS_FORMATS];

#endif
