/* views/json/cache_sets.c - in which cache sets data misses, as JSON. */
#include "analysis/cache_sets/cache_sets.h"
#include "views/json/parts.h"

static void put_counts(struct ms_json *j, const char *key, const uint64_t *counts, uint32_t n)
{
	ms_json_array(j, key);
	for (uint32_t i = 0; i < n; i++)
		ms_json_u64(j, NULL, counts[i]);
	ms_json_end(j);
}

void ms_views_json_cache_sets(struct ms_json *j, const struct ms_run *run, const bool *data)
{
	if (run->set_misses.n == 0 || data == NULL)
		return;
	ms_json_array(j, "cache_sets");
	for (uint32_t level = 0; level < run->levels.n; level++) {
		struct ms_cache_sets sets = ms_cache_sets_of(run, level, data);

		if (sets.groups == 0)
			continue;
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[level].name);
		ms_json_u64(j, "group_sets", sets.group_sets);
		put_counts(j, "misses", sets.misses, sets.groups);
		put_counts(j, "replacement", sets.replaced, sets.groups);
		ms_json_end(j);
	}
	ms_json_end(j);
}
