/* views/rules.h - the rules that hold, and how many data or code of a run each is about. */
#ifndef MS_VIEWS_RULES_H
#define MS_VIEWS_RULES_H

#include "analysis/user_rules/rules.h"
#include "views/views.h"

/* matches: one for each rule, or NULL: there is no run. */
typedef void ms_views_rules_writer(const struct ms_run_rules *rules, const size_t *matches,
				   const struct ms_views_options *options, FILE *out);
ms_views_rules_writer ms_views_text_rules, ms_views_json_rules, ms_views_csv_rules;
extern ms_views_rules_writer *const ms_views_rules_writers[MS_VIEWS_FORMATS];

#endif
