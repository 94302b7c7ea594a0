/* views/compare.h - two runs from different sources side by side. */
#ifndef MS_VIEWS_COMPARE_H
#define MS_VIEWS_COMPARE_H

#include "analysis/compare.h"
#include "views/views.h"

/* docs/formats/compare-sources-json.md describes the last two. */
void ms_compare_text(const struct ms_compare *compare, const struct ms_view_options *options,
		     FILE *out);
void ms_compare_json(const struct ms_compare *compare, const struct ms_view_options *options,
		     FILE *out);
void ms_compare_csv(const struct ms_compare *compare, const struct ms_view_options *options,
		    FILE *out);

#endif
