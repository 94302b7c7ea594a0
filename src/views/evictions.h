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

/*
 * Which data has how much of a level; timeline: slice by slice of the run. The JSON is a part of
 * that of evictions.
 */
void ms_occupancy_text(const struct ms_evictions *evictions, const struct ms_view_options *options,
		       bool timeline, FILE *out);
void ms_occupancy_csv(const struct ms_evictions *evictions, const struct ms_view_options *options,
		      bool timeline, FILE *out);

#endif
