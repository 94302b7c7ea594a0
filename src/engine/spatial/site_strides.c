/*
 * engine/spatial/site_strides.c - how far each site's references are from the ones before, in the
 * executions that the timing model replays.
 */
#include "engine/spatial/site_strides.h"

#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"
#include "engine/spatial/spatial_state.h"
#include "engine/timing/observed.h"

void ms_spatial_close_strides(struct ms_spatial_strides *strides)
{
	ms_vec_free(&strides->sites);
}

static struct ms_spatial_site *get_site(struct ms_spatial_strides *strides, uint32_t site)
{
	if (site >= strides->sites.n) {
		ms_vec_reserve(&strides->sites, site + 1 - strides->sites.n);
		strides->sites.n = site + 1;
	}
	return &strides->sites.at[site];
}

/*
 * Strides that were not seen before are counted as others when all entries are used. An entry that
 * was counted once only is replaced: a stride that occurs often gets one sooner or later.
 */
static void count_stride(struct ms_spatial_site *site, int64_t stride)
{
	struct ms_spatial_stride *rarest = &site->strides[0];

	if (stride > INT32_MIN && stride <= INT32_MAX)
		for (unsigned i = 0; i < MS_SPATIAL_STRIDES; i++) {
			struct ms_spatial_stride *s = &site->strides[i];

			if (s->count == 0 || s->stride == stride) {
				s->stride = (int32_t)stride;
				s->count++;
				return;
			}
			if (s->count < rarest->count)
				rarest = s;
		}
	else
		rarest = NULL;
	site->others++;
	if (rarest != NULL && rarest->count == 1)
		rarest->stride = (int32_t)stride;
}

static void observe_reference(struct ms_spatial_strides *strides, uint32_t site, uint64_t address)
{
	struct ms_spatial_site *s = get_site(strides, site);

	if (address == 0)
		return; /* conditional, and not executed */
	if (s->replay == strides->replay)
		count_stride(s, (int64_t)(address - s->last));
	s->replay = strides->replay;
	s->last = address;
}

void ms_spatial_observe_strides(struct ms_engine *engine, unsigned batch_index)
{
	if (engine->timing == NULL)
		return;
	const struct ms_timing_batch *batch = ms_timing_get_batch(engine->timing, batch_index);
	const uint64_t *at = batch->executions.at, *end = at + batch->executions.n;
	struct ms_spatial_strides *strides = &engine->spatial->strides;

	if (!batch->is_observed)
		return;
	strides->replay++;
	while (at < end) {
		if (*at == MS_TIMING_SWITCH) {
			strides->replay++;
			at++;
			continue;
		}
		const struct ms_engine_block *block = ms_timing_head_block(at[0]);
		uint32_t refs = block->exit_refs[ms_timing_head_exit(at[0])];

		for (uint32_t i = 0; i < refs; i++)
			observe_reference(strides, block->ref[i].site, at[2 + i]);
		at += 2 + refs;
	}
}

/* --- totals --- */

static int by_site_stride(const void *a, const void *b)
{
	const struct ms_engine_total_stride *x = a, *y = b;

	return x->site != y->site ? ms_cmp_u64(x->site, y->site) : ms_cmp_u64(x->stride, y->stride);
}

static void list_site(const struct ms_spatial_site *s, uint32_t site,
		      struct ms_engine_totals *totals)
{
	for (unsigned i = 0; i < MS_SPATIAL_STRIDES && s->strides[i].count > 0; i++)
		*ms_vec_add(&totals->strides) =
			(struct ms_engine_total_stride){ site, (uint32_t)s->strides[i].stride,
							 s->strides[i].count };
	if (s->others > 0)
		*ms_vec_add(&totals->strides) =
			(struct ms_engine_total_stride){ site, MS_ENGINE_OTHER_STRIDES, s->others };
}

void ms_spatial_list_strides(const struct ms_spatial_strides *strides, const uint32_t *group,
			     struct ms_engine_totals *totals)
{
	size_t n = 0;

	for (uint32_t site = 0; site < strides->sites.n; site++)
		list_site(&strides->sites.at[site], group != NULL ? group[site] : site, totals);
	if (totals->strides.n == 0)
		return;
	qsort(totals->strides.at, totals->strides.n, sizeof(*totals->strides.at), by_site_stride);
	for (size_t i = 0; i < totals->strides.n; i++)
		if (n > 0 &&
		    by_site_stride(&totals->strides.at[n - 1], &totals->strides.at[i]) == 0)
			totals->strides.at[n - 1].count += totals->strides.at[i].count;
		else
			totals->strides.at[n++] = totals->strides.at[i];
	totals->strides.n = n;
}
