/* views/advise.h - findings as text, JSON and CSV. */
#ifndef MS_VIEWS_ADVISE_H
#define MS_VIEWS_ADVISE_H

#include "advise/advise.h"
#include "views/views.h"

/* docs/formats/advise-json.md describes JSON and CSV. */
typedef void ms_views_advise_writer(const struct ms_advise *advise,
				    const struct ms_views_options *options, FILE *out);
ms_views_advise_writer ms_views_text_advise, ms_views_json_advise, ms_views_csv_advise;
extern ms_views_advise_writer *const ms_views_advise_writers[MS_VIEWS_FORMATS];

/* The file of a finding's line, or NULL, and its number, or 0. */
const char *ms_views_finding_file(const struct ms_run *run, const struct ms_advise_finding *finding,
				  uint32_t *number);

/* "Pointer chasing: node.node in sum (list.c:36)" */
const char *ms_views_finding_title(struct ms_arena *arena, const struct ms_run *run,
				   const struct ms_advise_finding *finding);

/* Whether it is about this code and this data, as far as it is about any; NULL: all. */
bool ms_views_finding_concerns(const struct ms_advise_finding *finding,
			       const struct ms_summary_selection *shown);

#endif
