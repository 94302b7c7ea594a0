/* views/evictions.h - who pushes whom out of the caches: as text, JSON and CSV. */
#ifndef MS_VIEWS_EVICTIONS_H
#define MS_VIEWS_EVICTIONS_H

#include "analysis/evictions.h"
#include "views/views.h"

/* One level: the one that was asked for, else the one whose replacement misses cost the most. */
void ms_evictions_text(const struct ms_evictions *evictions, const struct ms_view_options *options,
		       FILE *out);
/* All levels unless one was asked for; docs/formats/evictions-json.md describes both. */
void ms_evictions_json(const struct ms_evictions *evictions, const struct ms_view_options *options,
		       FILE *out);
void ms_evictions_csv(const struct ms_evictions *evictions, const struct ms_view_options *options,
		      FILE *out);

#endif
