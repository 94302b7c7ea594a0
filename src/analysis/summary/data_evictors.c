#include "analysis/summary/data_evictors.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"

static int compare_evictors(const void *a, const void *b)
{
	const struct ms_summary_data_evictor *x = a, *y = b;
	int order = ms_cmp_u64(x->data, y->data);

	if (order == 0)
		order = ms_cmp_u64(x->by.level, y->by.level);
	if (order == 0)
		order = ms_cmp_u64(y->by.count, x->by.count);
	return order != 0 ? order : ms_cmp_u64(x->by.data, y->by.data);
}

void ms_summary_data_evictors_make(struct ms_summary_data_evictors *evictors,
				   const struct ms_summary *s)
{
	struct ms_map seen = MS_MAP_INIT;

	*evictors = (struct ms_summary_data_evictors){ MS_VEC_INIT };
	for (size_t i = 0; i < s->bins.at.n; i++) {
		const struct ms_summary_entry *bin = &s->bins.at.at[i];

		for (size_t k = 0; k < bin->replaced_by.n; k++) {
			const struct ms_summary_evictor *r = &bin->replaced_by.at[k];
			uint32_t *slot =
				ms_map_at(&seen, bin->data, (uint64_t)r->level << 32 | r->data);

			if (*slot == MS_MAP_NONE) {
				*slot = (uint32_t)evictors->at.n;
				*ms_vec_add(&evictors->at) = (struct ms_summary_data_evictor){
					bin->data, { r->level, r->data, 0 }
				};
			}
			evictors->at.at[*slot].by.count += r->count;
		}
	}
	ms_map_free(&seen);
	if (evictors->at.n > 1)
		qsort(evictors->at.at, evictors->at.n, sizeof(struct ms_summary_data_evictor),
		      compare_evictors);
}

void ms_summary_data_evictors_free(struct ms_summary_data_evictors *evictors)
{
	ms_vec_free(&evictors->at);
}
