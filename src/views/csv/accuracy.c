/* views/csv/accuracy.c - a sampled run beside the whole one, as CSV. */
#include "views/accuracy.h"

#include <math.h>

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "base/table.h"

static void number(struct ms_table *t, double value, int decimals)
{
	if (isfinite(value))
		ms_table_real(t, value, decimals);
	else
		ms_table_none(t);
}

void ms_views_csv_accuracy(const struct ms_accuracy *a, const struct ms_views_options *options,
			   FILE *out)
{
	static const char *const keys[] = {
		"level", "estimator", "true",  "rate",    "mu",
		"low",   "high",      "known", "unknown", "generations_each"
	};
	struct ms_table t;

	(void)options;
	ms_table_open(&t, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&t, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < a->levels.n; i++) {
		const struct ms_accuracy_level *l = &a->levels.at[i];

		for (unsigned k = 0; k < MS_ESTIMATORS; k++) {
			ms_table_text(&t, l->name);
			ms_table_text(&t, ms_intervals_estimator_names[k]);
			number(&t, l->rate, 6);
			number(&t, l->sampled.rate[k], 6);
			number(&t, l->sampled.mu[k], 4);
			number(&t, l->sampled.low, 6);
			number(&t, l->sampled.high, 6);
			ms_table_count(&t, l->sampled.known);
			ms_table_count(&t, l->sampled.unknown);
			number(&t, l->sampled.generations_each, 4);
		}
	}
	ms_table_close(&t);
}
