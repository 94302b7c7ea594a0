/* views/accuracy.h - a sampled run beside the whole one: as text, JSON and CSV. */
#ifndef MS_VIEWS_ACCURACY_H
#define MS_VIEWS_ACCURACY_H

#include "analysis/accuracy.h"
#include "views/views.h"

void ms_accuracy_text(const struct ms_accuracy *accuracy, const struct ms_view_options *options,
		      FILE *out);
/* docs/formats/accuracy-json.md describes both. */
void ms_accuracy_json(const struct ms_accuracy *accuracy, const struct ms_view_options *options,
		      FILE *out);
void ms_accuracy_csv(const struct ms_accuracy *accuracy, const struct ms_view_options *options,
		     FILE *out);

#endif
