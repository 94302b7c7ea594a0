#include "engine/causes/optimal_sums.h"

#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_totals.h"

void ms_causes_close_optimal_sums(struct ms_causes_optimal_sums *sums)
{
	ms_map_free(&sums->index);
	ms_vec_free(&sums->at);
}

uint64_t ms_causes_measure_optimal_sums(const struct ms_causes_optimal_sums *sums)
{
	return ms_map_bytes(&sums->index) + sums->at.cap * sizeof(*sums->at.at);
}

void ms_causes_add_optimal(struct ms_causes_optimal_sums *sums,
			   const struct ms_causes_optimal_access *access)
{
	uint32_t *number = ms_map_at(&sums->index, access->data, access->level);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)sums->at.n;
		*ms_vec_add(&sums->at) = (struct ms_engine_total_optimal){ .data = access->data,
									   .level = access->level };
	}
	struct ms_engine_optimal_parts *parts = &sums->at.at[*number].parts;

	parts->observed += access->missed;
	parts->replaced[access->group] += access->missed ? access->weight : 0;
	for (unsigned k = 0; k < MS_ENGINE_OPTIMAL; k++)
		parts->misses[k][access->group] +=
			(access->hits >> k & 1) == 0 ? access->weight : 0;
}

static int by_data_level(const void *a, const void *b)
{
	const struct ms_engine_total_optimal *x = a, *y = b;

	return x->data != y->data ? ms_cmp_u64(x->data, y->data) : ms_cmp_u64(x->level, y->level);
}

void ms_causes_add_optimal_totals(const struct ms_causes_optimal_sums *sums,
				  struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < sums->at.n; i++)
		*ms_vec_add(&totals->optimal) = sums->at.at[i];
	if (totals->optimal.n > 1)
		qsort(totals->optimal.at, totals->optimal.n, sizeof(*totals->optimal.at),
		      by_data_level);
}
