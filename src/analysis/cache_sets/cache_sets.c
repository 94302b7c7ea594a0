#include "analysis/cache_sets/cache_sets.h"

/* So many of the groups are few, and such a share of the replacement misses is most of them. */
#define FEW_GROUPS  0.25
#define MOST_MISSES 0.8

struct ms_cache_sets ms_cache_sets_of(const struct ms_run *run, uint32_t level, const bool *data)
{
	const struct ms_run_level *l = &run->levels.at[level];
	uint64_t set_bytes = (uint64_t)l->line * l->ways;
	uint64_t all = set_bytes > 0 ? l->size / set_bytes : 0;
	struct ms_cache_sets sets = { .groups = 0 };

	for (size_t i = 0; i < run->set_misses.n; i++) {
		const struct ms_run_set_miss *row = &run->set_misses.at[i];

		if (row->level != level || (data != NULL && !data[row->data]) ||
		    row->sets >= MS_RUN_SET_GROUPS)
			continue;
		sets.groups = all < MS_RUN_SET_GROUPS ? (uint32_t)all : MS_RUN_SET_GROUPS;
		sets.misses[row->sets] += row->misses;
		sets.replaced[row->sets] += row->replaced;
	}
	sets.group_sets = sets.groups > 0 ? all / sets.groups : 0;
	return sets;
}

/* The group with the most replacement misses that is not taken yet. */
static uint32_t find_largest(const struct ms_cache_sets *sets, const bool *taken)
{
	uint32_t largest = 0;

	while (taken[largest])
		largest++;
	for (uint32_t i = largest; i < sets->groups; i++)
		if (!taken[i] && sets->replaced[i] > sets->replaced[largest])
			largest = i;
	return largest;
}

struct ms_cache_sets_peak ms_cache_sets_find_peak(const struct ms_cache_sets *sets)
{
	struct ms_cache_sets_peak peak = { .n = 0 };
	bool taken[MS_RUN_SET_GROUPS] = { false };
	uint64_t all = 0, sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < sets->groups; i++)
		all += sets->replaced[i];
	while (n + 1 <= sets->groups * FEW_GROUPS && (double)sum < MOST_MISSES * (double)all) {
		uint32_t largest = find_largest(sets, taken);

		taken[largest] = true;
		sum += sets->replaced[largest];
		n++;
	}
	if (all == 0 || (double)sum < MOST_MISSES * (double)all)
		return peak;
	peak.share = (double)sum / (double)all;
	for (uint32_t i = 0; i < sets->groups; i++)
		if (taken[i])
			peak.groups[peak.n++] = (uint8_t)i;
	return peak;
}
