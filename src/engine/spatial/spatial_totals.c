/*
 * engine/spatial/spatial_totals.c - adds what was observed of selected lines to the totals, with
 * the residencies that have not ended.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "engine/engine_priv.h"
#include "engine/spatial/residency_sums.h"

/* --- a copy of the sums, to which open residencies are added --- */

static void copy_sums(const struct ms_spatial_sums *from, struct ms_spatial_sums *to)
{
	*to = (struct ms_spatial_sums){ .cells = MS_VEC_INIT };
	ms_vec_reserve(&to->cells, from->cells.n + 1);
	memcpy(to->cells.at, from->cells.at, from->cells.n * sizeof(*from->cells.at));
	to->cells.n = from->cells.n;
	ms_vec_reserve(&to->offsets, from->offsets.n + 1);
	memcpy(to->offsets.at, from->offsets.at, from->offsets.n * sizeof(*from->offsets.at));
	to->offsets.n = from->offsets.n;
	ms_vec_reserve(&to->data, from->data.n + 1);
	memcpy(to->data.at, from->data.at, from->data.n * sizeof(*from->data.at));
	to->data.n = from->data.n;
	for (size_t i = 0; i < to->data.n; i++)
		*ms_map_at(&to->data_index, to->data.at[i].data, 0) = (uint32_t)i;
}

static void add_open_residencies(const struct ms_spatial *spatial, struct ms_spatial_sums *sums)
{
	for (size_t i = 0; i < spatial->lines.n; i++)
		for (unsigned k = 0; k < MS_SPATIAL_LEVELS; k++)
			ms_spatial_add_residency(sums, &spatial->lines.at[i], k,
						 ms_spatial_get_weight(spatial));
}

/* --- cells --- */

struct listed {
	struct ms_engine_totals *totals;
	const uint32_t *group;
	unsigned last_level;
	const struct ms_spatial_watched *watched;
};

static bool is_listed(const struct listed *l, uint32_t data)
{
	return !l->watched->is_used || ms_map_get(&l->watched->data, data, 0) != MS_MAP_NONE;
}

static uint32_t get_site(const struct listed *l, uint32_t site)
{
	return l->group != NULL ? l->group[site] : site;
}

static uint32_t find_cell(const struct listed *l, const struct ms_spatial_cell *cell)
{
	return ms_count_find_total_cell(l->totals, get_site(l, cell->site), cell->data,
					cell->processor);
}

static void add_use(struct ms_engine_line_use *into, const struct ms_engine_line_use *from)
{
	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++) {
		into->lines[g] += from->lines[g];
		into->used[g] += from->used[g];
		into->written_lines[g] += from->written_lines[g];
		into->written[g] += from->written[g];
	}
}

static void list_use(const struct listed *l, uint32_t cell, uint32_t level,
		     const struct ms_engine_line_use *use)
{
	uint64_t any = 0;

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		any |= use->lines[g] | use->written_lines[g];
	if (any != 0)
		*ms_vec_add(&l->totals->line_uses) =
			(struct ms_engine_total_line_use){ cell, level, *use };
}

static void list_offsets(const struct listed *l, const struct ms_spatial_sums *sums,
			 const struct ms_spatial_offsets *o)
{
	const struct ms_spatial_cell *c = &sums->cells.at[o->cell];
	uint32_t cell = find_cell(l, c);

	if (cell == MS_MAP_NONE || !is_listed(l, c->data))
		return;
	struct ms_engine_total_offsets *total = ms_vec_add(&l->totals->offsets);

	*total = (struct ms_engine_total_offsets){
		.cell = cell,
		.thread = o->thread,
		.weight = o->weight,
		.size = o->size,
		.kind = c->kind,
		.n = (uint32_t)(o->n < MS_ENGINE_OFFSETS ? o->n : MS_ENGINE_OFFSETS),
	};
	memcpy(total->offset, o->offset, sizeof(total->offset));
}

static int by_cell_level(const void *a, const void *b)
{
	const struct ms_engine_total_line_use *x = a, *y = b;

	return x->cell != y->cell ? ms_cmp_u64(x->cell, y->cell) : ms_cmp_u64(x->level, y->level);
}

static int by_cell_thread_offset(const void *a, const void *b)
{
	const struct ms_engine_total_offsets *x = a, *y = b;

	if (x->cell != y->cell)
		return ms_cmp_u64(x->cell, y->cell);
	if (x->thread != y->thread)
		return ms_cmp_u64(x->thread, y->thread);
	return x->size != y->size ? ms_cmp_u64(x->size, y->size)
				  : memcmp(x->offset, y->offset, sizeof(x->offset));
}

/* Sites of one group are one cell in the totals. */
static void merge_uses(struct ms_engine_totals *totals)
{
	size_t n = 0;

	qsort(totals->line_uses.at, totals->line_uses.n, sizeof(*totals->line_uses.at),
	      by_cell_level);
	for (size_t i = 0; i < totals->line_uses.n; i++) {
		struct ms_engine_total_line_use *use = &totals->line_uses.at[i], *before;

		before = n > 0 ? &totals->line_uses.at[n - 1] : NULL;
		if (before == NULL || by_cell_level(before, use) != 0) {
			totals->line_uses.at[n++] = *use;
			continue;
		}
		add_use(&before->use, &use->use);
	}
	totals->line_uses.n = n;
}

static void list_cells(const struct listed *l, const struct ms_spatial_sums *sums)
{
	for (size_t i = 0; i < sums->cells.n; i++) {
		const struct ms_spatial_cell *c = &sums->cells.at[i];
		uint32_t cell = find_cell(l, c);

		if (cell == MS_MAP_NONE || !is_listed(l, c->data))
			continue;
		list_use(l, cell, 0, &c->in[MS_SPATIAL_FIRST]);
		if (l->last_level > 0)
			list_use(l, cell, l->last_level, &c->in[MS_SPATIAL_LAST]);
	}
	merge_uses(l->totals);
	for (size_t i = 0; i < sums->offsets.n; i++)
		list_offsets(l, sums, &sums->offsets.at[i]);
	if (l->totals->offsets.n > 0)
		qsort(l->totals->offsets.at, l->totals->offsets.n, sizeof(*l->totals->offsets.at),
		      by_cell_thread_offset);
}

/* --- data --- */

static int by_data_of_curve(const void *a, const void *b)
{
	const struct ms_engine_total_curve *x = a, *y = b;

	return ms_cmp_u64(x->data, y->data);
}

static int by_data_offset_used(const void *a, const void *b)
{
	const struct ms_engine_total_residency *x = a, *y = b;

	if (x->data != y->data)
		return ms_cmp_u64(x->data, y->data);
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->used != y->used)
		return ms_cmp_u64(x->used, y->used);
	return x->written != y->written ? ms_cmp_u64(x->written, y->written)
					: ms_cmp_u64(x->cell, y->cell);
}

static void list_residencies(const struct listed *l, const struct ms_spatial_sums *sums,
			     const struct ms_spatial_data *d)
{
	uint64_t n = d->residencies < MS_SPATIAL_KEPT_RESIDENCIES ? d->residencies
								  : MS_SPATIAL_KEPT_RESIDENCIES;

	for (uint64_t i = 0; i < n; i++)
		*ms_vec_add(&l->totals->residencies) = (struct ms_engine_total_residency){
			.cell = find_cell(l, &sums->cells.at[d->kept[i].fetcher]),
			.data = d->data,
			.weight =
				d->weight / n < UINT32_MAX ? (uint32_t)(d->weight / n) : UINT32_MAX,
			.offset = d->kept[i].offset,
			.used = d->kept[i].used,
			.written = d->kept[i].written,
		};
}

static void list_ranges(const struct listed *l, const struct ms_spatial_data *d)
{
	if (UINT64_C(1) << d->range_shift <= MS_ENGINE_LEAST_RANGE)
		return;
	for (uint32_t i = 0; i < MS_ENGINE_RANGES; i++)
		if (d->ranges[i].accesses > 0)
			*ms_vec_add(&l->totals->ranges) = (struct ms_engine_total_range){
				.data = d->data,
				.number = i,
				.bytes = UINT64_C(1) << d->range_shift,
				.range = d->ranges[i],
			};
}

static int by_data_number(const void *a, const void *b)
{
	const struct ms_engine_total_range *x = a, *y = b;

	return x->data != y->data ? ms_cmp_u64(x->data, y->data) : ms_cmp_u64(x->number, y->number);
}

static void list_curve(const struct listed *l, const struct ms_spatial_data *d)
{
	struct ms_engine_total_curve *curve = ms_vec_add(&l->totals->curves);

	curve->data = d->data;
	memcpy(curve->accesses, d->accesses, sizeof(curve->accesses));
	memcpy(curve->shortest, d->shortest, sizeof(curve->shortest));
	memcpy(curve->longest, d->longest, sizeof(curve->longest));
	memcpy(curve->touched_lines, d->touched_lines, sizeof(curve->touched_lines));
	memcpy(curve->touched_bytes, d->touched_bytes, sizeof(curve->touched_bytes));
}

static void list_data(const struct listed *l, const struct ms_spatial_sums *sums)
{
	struct ms_engine_totals *totals = l->totals;

	for (size_t i = 0; i < sums->data.n; i++) {
		const struct ms_spatial_data *d = &sums->data.at[i];

		if (!is_listed(l, d->data))
			continue;
		if (!l->watched->is_used)
			list_curve(l, d);
		list_residencies(l, sums, d);
		list_ranges(l, d);
	}
	if (totals->ranges.n > 0)
		qsort(totals->ranges.at, totals->ranges.n, sizeof(*totals->ranges.at),
		      by_data_number);
	if (totals->curves.n > 0)
		qsort(totals->curves.at, totals->curves.n, sizeof(*totals->curves.at),
		      by_data_of_curve);
	if (totals->residencies.n > 0)
		qsort(totals->residencies.at, totals->residencies.n,
		      sizeof(*totals->residencies.at), by_data_offset_used);
}

/* --- pairs --- */

static int by_data_sites(const void *a, const void *b)
{
	const struct ms_engine_total_reuse *x = a, *y = b;

	if (x->data != y->data)
		return ms_cmp_u64(x->data, y->data);
	return x->from_site != y->from_site ? ms_cmp_u64(x->from_site, y->from_site)
					    : ms_cmp_u64(x->to_site, y->to_site);
}

/* The line can have been used for other data before; such pairs are added. */
static void list_pairs(const struct listed *l, const struct ms_spatial_sums *sums)
{
	struct ms_engine_totals *totals = l->totals;
	size_t n = 0;

	for (size_t i = 0; i < sums->pairs.n; i++) {
		const struct ms_spatial_reuse_pair *pair = &sums->pairs.at[i];

		*ms_vec_add(&totals->reuses) = (struct ms_engine_total_reuse){
			.data = pair->data,
			.from_site = get_site(l, sums->cells.at[pair->from_cell].site),
			.to_site = get_site(l, sums->cells.at[pair->to_cell].site),
			.count = pair->count,
			.log2_bytes = pair->log2_bytes,
		};
	}
	if (totals->reuses.n > 0)
		qsort(totals->reuses.at, totals->reuses.n, sizeof(*totals->reuses.at),
		      by_data_sites);
	for (size_t i = 0; i < totals->reuses.n; i++) {
		struct ms_engine_total_reuse *reuse = &totals->reuses.at[i];

		if (n > 0 && by_data_sites(&totals->reuses.at[n - 1], reuse) == 0) {
			totals->reuses.at[n - 1].count += reuse->count;
			totals->reuses.at[n - 1].log2_bytes += reuse->log2_bytes;
		} else {
			totals->reuses.at[n++] = *reuse;
		}
	}
	totals->reuses.n = n;
}

void ms_spatial_add_totals(const struct ms_engine *engine, const uint32_t *group,
			   struct ms_engine_totals *totals)
{
	const struct ms_spatial *spatial = engine->spatial;
	struct ms_spatial_sums sums;

	if (spatial == NULL)
		return;
	ms_spatial_list_strides(&spatial->strides, group, totals);
	if (spatial->sums.cells.n == 0)
		return;
	struct listed l = { totals, group, spatial->levels - 1, &engine->shard[0].spatial.watched };

	totals->all_lines = ms_spatial_get_weight(spatial) == 1;
	copy_sums(&spatial->sums, &sums);
	add_open_residencies(spatial, &sums);
	list_cells(&l, &sums);
	list_data(&l, &sums);
	list_pairs(&l, &spatial->sums);
	ms_spatial_close_sums(&sums);
}
