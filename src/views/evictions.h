/* views/evictions.h - who pushes whom out of the caches: as text, JSON and CSV. */
#ifndef MS_VIEWS_EVICTIONS_H
#define MS_VIEWS_EVICTIONS_H

#include "analysis/evictions.h"
#include "views/views.h"

/*
 * Text shows one level: the one that was asked for, else the one whose replacement misses cost the
 * most. JSON and CSV hold all levels unless one was asked for; docs/formats/evictions-json.md
 * describes them.
 */
typedef void ms_evictions_writer(const struct ms_evictions *evictions,
				 const struct ms_view_options *options, FILE *out);
ms_evictions_writer ms_evictions_text, ms_evictions_json, ms_evictions_csv;
extern ms_evictions_writer *const ms_evictions_views[MS_VIEW_FORMATS];

/* Which data has how much of a level; timeline: slice by slice of the run. */
typedef void ms_occupancy_writer(const struct ms_evictions *evictions,
				 const struct ms_view_options *options, bool timeline, FILE *out);
ms_occupancy_writer ms_views_text_occupancy, ms_views_json_occupancy, ms_views_csv_occupancy;
extern ms_occupancy_writer *const ms_occupancy_views[MS_VIEW_FORMATS];

#endif
