/* views/ranks.h - how the ranks of a merged run differ: as text, JSON and CSV. */
#ifndef MS_VIEWS_RANKS_H
#define MS_VIEWS_RANKS_H

#include "analysis/ranks/rank_times.h"
#include "views/views.h"

/* docs/formats/ranks-json.md describes JSON and CSV. */
typedef int ms_views_ranks_writer(const struct ms_rank_times *times,
				  const struct ms_views_options *options, FILE *out,
				  struct ms_err *err);
ms_views_ranks_writer ms_views_text_ranks, ms_views_json_ranks, ms_views_csv_ranks;
extern ms_views_ranks_writer *const ms_views_ranks_writers[MS_VIEWS_FORMATS];

#endif
