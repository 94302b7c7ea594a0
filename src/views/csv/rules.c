/* views/csv/rules.c - the rules that hold, as CSV. */
#include "views/rules.h"

#include "base/table.h"
#include "views/shared.h"

void ms_views_csv_rules(const struct ms_run_rules *rules, const size_t *matches,
			const struct ms_views_options *options, FILE *out)
{
	struct ms_table t;

	ms_table_open(&t, out, MS_TABLE_CSV, options->width, false);
	ms_views_rules_table(rules, matches, &t);
	ms_table_close(&t);
}
