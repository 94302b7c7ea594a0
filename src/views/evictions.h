/* views/evictions.h - which data evicts which from the caches: as text, JSON and CSV. */
#ifndef MS_VIEWS_EVICTIONS_H
#define MS_VIEWS_EVICTIONS_H

#include "analysis/evictions/evictions.h"
#include "views/views.h"

/*
 * Text shows one level: the one that was asked for, else the one whose replacement misses cost the
 * most. JSON and CSV hold all levels unless one was asked for; docs/formats/evictions-json.md
 * describes them.
 */
typedef void ms_views_evictions_writer(const struct ms_evictions *evictions,
				       const struct ms_views_options *options, FILE *out);
ms_views_evictions_writer ms_views_text_evictions, ms_views_json_evictions, ms_views_csv_evictions;
extern ms_views_evictions_writer *const ms_views_evictions_writers[MS_VIEWS_FORMATS];

/* Which data has how much of a level; timeline: slice by slice of the run. */
typedef void ms_views_occupancy_writer(const struct ms_evictions *evictions,
				       const struct ms_views_options *options, bool timeline,
				       FILE *out);
ms_views_occupancy_writer ms_views_text_occupancy, ms_views_json_occupancy, ms_views_csv_occupancy;
extern ms_views_occupancy_writer *const ms_views_occupancy_writers[MS_VIEWS_FORMATS];

#endif
