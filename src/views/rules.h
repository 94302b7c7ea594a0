/* views/rules.h - the rules that hold, and how many data or code of a run each is about. */
#ifndef MS_VIEWS_RULES_H
#define MS_VIEWS_RULES_H

#include "analysis/rules.h"
#include "views/views.h"

/* matches: one for each rule, or NULL: there is no run. */
void ms_rules_text(const struct ms_rules *rules, const size_t *matches,
		   const struct ms_view_options *options, FILE *out);
void ms_rules_csv(const struct ms_rules *rules, const size_t *matches,
		  const struct ms_view_options *options, FILE *out);
void ms_rules_json(const struct ms_rules *rules, const size_t *matches,
		   const struct ms_view_options *options, FILE *out);

#endif
