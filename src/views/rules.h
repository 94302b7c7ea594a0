/* views/rules.h - the rules that hold, and how many data or code of a run each is about. */
#ifndef MS_VIEWS_RULES_H
#define MS_VIEWS_RULES_H

#include "analysis/rules.h"
#include "views/views.h"

/* matches: one for each rule, or NULL: there is no run. */
typedef void ms_rules_writer(const struct ms_rules *rules, const size_t *matches,
			     const struct ms_view_options *options, FILE *out);
ms_rules_writer ms_rules_text, ms_rules_json, ms_rules_csv;
extern ms_rules_writer *const ms_rules_views[MS_VIEW_FORMATS];

#endif
