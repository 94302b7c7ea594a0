/* collect/set_groups.c - which machines can be sampled, and by which groups of cache sets. */
#include "collect/collect.h"
#include "engine/windows/windows.h"

const char *ms_collect_no_sampling(const struct ms_machine *machine, bool sets)
{
	if (machine->processors > 1 && sets)
		return "of several processors windows are sampled, not sets";
	return ms_engine_windows_supports(machine)
		       ? NULL
		       : "it has levels that are not plain (LRU, write back, neither inclusive nor "
			 "exclusive, no prefetcher), which are simulated whole only";
}

struct ms_stream_sampler_sets ms_collect_set_groups(const struct ms_machine *const *machines,
						    size_t n)
{
	enum { MOST_BITS = 14 }; /* the limit of front-ends */
	struct ms_stream_sampler_sets common = { 0, UINT64_MAX, 1 };
	uint32_t end = 64;

	for (size_t i = 0; i < n; i++) {
		struct ms_engine_windows_sets sets = ms_engine_windows_find_set_groups(machines[i]);
		uint32_t top = sets.shift + (uint32_t)__builtin_popcountll(sets.mask);

		if (sets.shift > common.shift)
			common.shift = sets.shift;
		if (top < end)
			end = top;
	}
	if (end > common.shift + MOST_BITS)
		end = common.shift + MOST_BITS;
	common.mask = end > common.shift ? (UINT64_C(1) << (end - common.shift)) - 1 : 0;
	return common;
}
