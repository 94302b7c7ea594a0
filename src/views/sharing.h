/* views/sharing.h - what processors take away from each other: as text, JSON and CSV. */
#ifndef MS_VIEWS_SHARING_H
#define MS_VIEWS_SHARING_H

#include "analysis/sharing.h"
#include "views/views.h"

void ms_sharing_text(const struct ms_sharing *sharing, const struct ms_view_options *options,
		     FILE *out);
/* docs/formats/sharing-json.md describes both. */
void ms_sharing_json(const struct ms_sharing *sharing, const struct ms_view_options *options,
		     FILE *out);
void ms_sharing_csv(const struct ms_sharing *sharing, const struct ms_view_options *options,
		    FILE *out);

#endif
