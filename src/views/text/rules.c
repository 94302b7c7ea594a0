/* views/text/rules.c - the rules that hold, as text. */
#include "views/rules.h"

#include "base/table.h"
#include "views/shared.h"

void ms_views_text_rules(const struct ms_run_rules *rules, const size_t *matches,
			 const struct ms_views_options *options, FILE *out)
{
	struct ms_table t;

	if (rules->at.n == 0) {
		fprintf(out, "No rules. Next: memspy rename, memspy combine, memspy hide\n");
		return;
	}
	ms_table_open(&t, out, MS_TABLE_TEXT, options->width, options->colour);
	ms_views_rules_table(rules, matches, &t);
	ms_table_close(&t);
}
