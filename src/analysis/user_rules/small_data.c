/*
 * analysis/user_rules/small_data.c - whether runs have so much heap data that matters little by
 * itself that a report of each is of no use: a compiler allocates from tens of thousands of call
 * paths, and most of its stall time is in what reports leave to the rest.
 */
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/summary.h"
#include "analysis/user_rules/rules_priv.h"
#include "base/map.h"
#include "base/mem.h"

/* Of the stall time of the run: the most of one data structure, and the least of all such data. */
#define LARGEST_SHARE 0.01
#define LEAST_SHARE   0.2
enum { LEAST_DATA = 100 };

static bool is_heap(const struct ms_run_data *data)
{
	return data->kind == MS_DATA_HEAP && !data->ruled;
}

static bool has_enough(const struct ms_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->data.n && n < LEAST_DATA; i++)
		n += is_heap(&run->data.at[i]);
	return n >= LEAST_DATA;
}

/* By data of the run: its stall time; `all`: of the run. A summary would take several times as
 * long. */
static uint64_t *stall_of_data(const struct ms_run *run, uint64_t *all)
{
	uint64_t *stall = ms_alloc((run->data.n + 1) * sizeof(*stall));
	struct ms_summary_rows rows = { 0, 0 };
	struct ms_summary_cost cost;

	*all = 0;
	if (ms_summary_cost_init(&cost, run, NULL, NULL) != MS_OK)
		return stall;
	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_summary_cell_counts counts = ms_summary_cell_counts(run, &cost, i, &rows);

		stall[counts.cell->data] += counts.stall.cycles;
		*all += counts.stall.cycles;
	}
	ms_summary_cost_free(&cost);
	return stall;
}

/* The keys of data that matters by itself are added to `large`. Whether small data has much of the
 * stall time. */
static bool find_small(const struct ms_run *run, const struct ms_run_keys *keys,
		       struct ms_names *names, struct ms_map *large)
{
	uint64_t all, small = 0, *stall = stall_of_data(run, &all);
	size_t n = 0;

	for (size_t i = 0; i < run->data.n; i++) {
		if (!is_heap(&run->data.at[i]) || stall[i] == 0)
			continue;
		if (ms_summary_share(stall[i], all) >= LARGEST_SHARE) {
			*ms_map_at(large, (uintptr_t)ms_intern(names, keys->at[i]), 0) = 1;
			continue;
		}
		small += stall[i];
		n++;
	}
	ms_free(stall);
	return n >= LEAST_DATA && ms_summary_share(small, all) >= LEAST_SHARE;
}

static void mark_large(const struct ms_run_keys *keys, struct ms_names *names,
		       const struct ms_map *large, bool *apart)
{
	for (size_t i = 0; i < keys->n; i++)
		apart[i] = ms_map_get(large, (uintptr_t)ms_intern(names, keys->at[i]), 0) !=
			   MS_MAP_NONE;
}

bool ms_rules_find_large(struct ms_run *const *runs, size_t n, bool *const *apart)
{
	struct ms_run_keys *keys = ms_alloc((n + 1) * sizeof(*keys));
	struct ms_names names = MS_NAMES_INIT;
	struct ms_map large = MS_MAP_INIT;
	bool enough = false, found = false;

	for (size_t i = 0; i < n; i++)
		enough = enough || has_enough(runs[i]);
	for (size_t i = 0; i < n && enough; i++) {
		ms_run_keys_make(&keys[i], runs[i]);
		if (find_small(runs[i], &keys[i], &names, &large))
			found = true;
	}
	for (size_t i = 0; i < n && enough; i++) {
		if (found)
			mark_large(&keys[i], &names, &large, apart[i]);
		ms_run_keys_free(&keys[i]);
	}
	ms_map_free(&large);
	ms_names_free(&names);
	ms_free(keys);
	return found;
}
