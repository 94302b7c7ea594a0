/*
 * analysis/metric/metric_sort.c - finds the metric that the user named with --sort, and sorts
 * entries by it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/metric/metric.h"
#include "base/text.h"

/* A metric and the level for which it is computed. */
struct metric_at_level {
	const struct ms_summary *whole;
	const struct ms_metric *metric;
	size_t level;
};

/* The first level that has the figure; false: none has it. */
static bool first_level(const struct ms_metric *metric, const struct ms_run *run,
			enum ms_summary_entry_kind kind, size_t *level)
{
	for (*level = 0; *level < run->levels.n; ++*level)
		if (ms_metric_applies(metric, run, kind, *level))
			return true;
	return false;
}

/* "stall" is short for "stall_cycles", or for "stall_ns" in runs with samples in nanoseconds. */
static const char *plain_key(const char *key, const struct ms_metric *metric)
{
	return strcasecmp(key, "stall") == 0 && (strcmp(metric->key, "stall_cycles") == 0 ||
						 strcmp(metric->key, "stall_ns") == 0)
		       ? metric->key
		       : key;
}

/* "L2_misses", or "misses" for the first level. */
static bool key_is(const struct ms_run *run, const struct ms_metric *metric,
		   enum ms_summary_entry_kind kind, const char *key, size_t *level)
{
	*level = 0;
	key = plain_key(key, metric);
	if (strcasecmp(key, metric->key) == 0)
		return metric->per_level ? first_level(metric, run, kind, level)
					 : ms_metric_applies(metric, run, kind, 0);
	for (size_t i = 0; metric->per_level && i < run->levels.n; i++) {
		size_t n = strlen(run->levels.at[i].name);

		*level = i;
		if (strncasecmp(key, run->levels.at[i].name, n) == 0 && key[n] == '_' &&
		    strcasecmp(key + n + 1, metric->key) == 0)
			return ms_metric_applies(metric, run, kind, i);
	}
	return false;
}

static int unknown_key(const struct ms_run *run, enum ms_summary_entry_kind kind, const char *key,
		       struct ms_err *err)
{
	struct ms_text keys = MS_TEXT_INIT;
	const char *comma = "";

	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++) {
		size_t level = 0;

		if ((m->kinds & kind) == 0 ||
		    (m->per_level && !first_level(m, run, kind, &level)) ||
		    !ms_metric_applies(m, run, kind, level))
			continue;
		ms_text_addf(&keys, "%s%s", comma, m->key);
		comma = ", ";
	}
	int code =
		ms_fail(err, MS_EUSAGE, "--sort: there is no metric \"%s\" here; there are %s%s%s",
			key, keys.at, run->levels.n > 1 ? "; those of misses also as " : "",
			run->levels.n > 1 ? "LEVEL_metric (L2_misses)" : "");
	ms_text_free(&keys);
	return code;
}

static int compare_by(const void *a, const void *b, void *sort)
{
	const struct metric_at_level *key = sort;
	struct ms_metric_value x = key->metric->value(key->whole, a, key->level);
	struct ms_metric_value y = key->metric->value(key->whole, b, key->level);
	int order = (y.known - x.known);

	if (order == 0 && key->metric->unit == MS_UNIT_TEXT)
		order = x.known ? strcmp(x.text, y.text) : 0;
	else if (order == 0)
		order = (y.real > x.real) - (y.real < x.real);
	return order != 0 ? order : ms_summary_compare_entries(key->whole, a, b);
}

int ms_metric_sort(const struct ms_summary *whole, struct ms_summary_entries *entries,
		   const char *key, struct ms_err *err)
{
	if (key == NULL || entries->at.n == 0)
		return MS_OK;

	struct metric_at_level sort = { .whole = whole, .metric = ms_metric_table };
	enum ms_summary_entry_kind kind = entries->at.at[0].kind;
	while (sort.metric->key != NULL &&
	       ((sort.metric->kinds & kind) == 0 ||
		!key_is(whole->run, sort.metric, kind, key, &sort.level)))
		sort.metric++;
	if (sort.metric->key == NULL)
		return unknown_key(whole->run, kind, key, err);
	qsort_r(entries->at.at, entries->at.n, sizeof(struct ms_summary_entry), compare_by, &sort);
	return MS_OK;
}
