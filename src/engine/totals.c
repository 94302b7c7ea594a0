/* engine/totals.c - putting the shards' counts together. */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* --- references over lines of several shards --- */

static int by_order_level_line(const void *a, const void *b)
{
	const struct split *x = a, *y = b;
	int c = ms_cmp_u64(x->order, y->order);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->line, y->line);
}

void ms_engine_settle(struct ms_engine *engine, unsigned slot)
{
	struct split_list all = { MS_VEC_INIT };

	for (unsigned i = 0; i < engine->shards; i++) {
		struct split_list *list = &engine->shard[i].splits[slot];

		for (size_t k = 0; k < list->at.n; k++)
			*ms_vec_add(&all.at) = list->at.at[k];
		list->at.n = 0;
	}
	if (all.at.n > 0)
		qsort(all.at.at, all.at.n, sizeof(struct split), by_order_level_line);
	for (size_t k = 0; k < all.at.n; k++) {
		const struct split *s = &all.at.at[k];

		/* The first line that missed the level stands for the reference. */
		if (k > 0 && s->order == s[-1].order && s->level == s[-1].level)
			continue;
		ms_cells_count_miss(&engine->settled,
				    ms_cells_at(&engine->settled, s->site, s->data), s->level,
				    s->record);
	}
	ms_vec_free(&all.at);
}

/* --- totals --- */

/* A slot's last count still waits to be added to its cell. */
static void flush_slots(struct ms_shard *shard)
{
	for (size_t b = 0; b < shard->blocks.n; b++) {
		struct shard_block *block = &shard->blocks.at[b];

		for (uint32_t i = 0; i < block->refs; i++) {
			if (block->slots[i].cell == NULL)
				continue;
			block->slots[i].cell->references += block->slots[i].count;
			block->slots[i].count = 0;
		}
	}
}

/* Adds from's cells and pairs to into's. */
static void merge_cells(struct cells *into, const struct cells *from)
{
	for (size_t i = 0; i < from->list.n; i++) {
		const struct cell *cell = from->list.at[i];
		struct cell *sum = ms_cells_at(into, cell->site, cell->data);

		sum->references += cell->references;
		for (unsigned l = 0; l < from->levels; l++)
			for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
				sum->level[l].causes[c] += cell->level[l].causes[c];
	}
	for (size_t i = 0; i < from->pairs.n; i++) {
		const struct pair *pair = &from->pairs.at[i];
		const struct cell *cell = from->list.at[pair->cell];
		struct cell *sum = ms_cells_at(into, cell->site, cell->data);

		uint32_t at = ms_cells_find_pair(into, sum, pair->level, pair->kind, pair->other);
		into->pairs.at[at].count += pair->count;
	}
}

static int by_site_data(const void *a, const void *b)
{
	const struct cell *x = *(struct cell *const *)a, *y = *(struct cell *const *)b;
	int c = ms_cmp_u64(x->site, y->site);

	return c != 0 ? c : ms_cmp_u64(x->data, y->data);
}

static int by_cell_level_other(const void *a, const void *b)
{
	const struct ms_total_pair *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->other, y->other);
}

static bool counted(const struct cell *cell, const struct cells *cells)
{
	uint64_t any = cell->references;

	for (unsigned l = 0; l < cells->levels; l++)
		for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
			any |= cell->level[l].causes[c];
	return any != 0;
}

static void add_misses(struct ms_totals *totals, const struct cell *cell, unsigned levels)
{
	for (unsigned l = 0; l < levels; l++) {
		const uint64_t *causes = cell->level[l].causes;
		struct ms_total_miss miss = { (uint32_t)totals->cells.n, l, { 0 } };

		for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
			miss.causes[c] = causes[c];
		if (causes[MS_MISS_FIRST] | causes[MS_MISS_REPLACED] | causes[MS_MISS_INVALIDATED])
			*ms_vec_add(&totals->misses) = miss;
	}
}

static void list_cells(struct ms_totals *totals, struct cells *sum)
{
	uint32_t *place = ms_alloc((sum->list.n + 1) * sizeof(*place)); /* by cell's number */

	/* Pairs hold cells' numbers, so the list may be sorted and the numbers translated. */
	if (sum->list.n > 0)
		qsort(sum->list.at, sum->list.n, sizeof(*sum->list.at), by_site_data);
	for (size_t i = 0; i < sum->list.n; i++) {
		const struct cell *cell = sum->list.at[i];

		place[cell->number] = (uint32_t)totals->cells.n;
		if (!counted(cell, sum))
			continue;
		add_misses(totals, cell, sum->levels);
		*ms_vec_add(&totals->cells) =
			(struct ms_total_cell){ cell->site, cell->data, cell->references };
	}
	for (size_t i = 0; i < sum->pairs.n; i++) {
		const struct pair *p = &sum->pairs.at[i];
		struct ms_total_pair pair = { place[p->cell], p->level, p->other, p->count };

		if (p->kind == PAIR_REPLACED_BY)
			*ms_vec_add(&totals->replaced) = pair;
		else
			*ms_vec_add(&totals->evictions) = pair;
	}
	ms_free(place);
}

void ms_engine_totals(struct ms_engine *engine, struct ms_totals *totals)
{
	struct cells sum;

	*totals = (struct ms_totals){ MS_VEC_INIT, MS_VEC_INIT, MS_VEC_INIT, MS_VEC_INIT };
	ms_cells_open(&sum, engine->shard[0].levels);
	merge_cells(&sum, &engine->settled);
	for (unsigned i = 0; i < engine->shards; i++) {
		flush_slots(&engine->shard[i]);
		merge_cells(&sum, &engine->shard[i].cells);
	}
	list_cells(totals, &sum);
	ms_cells_close(&sum);
	if (totals->replaced.n > 0)
		qsort(totals->replaced.at, totals->replaced.n, sizeof(*totals->replaced.at),
		      by_cell_level_other);
	if (totals->evictions.n > 0)
		qsort(totals->evictions.at, totals->evictions.n, sizeof(*totals->evictions.at),
		      by_cell_level_other);
}

void ms_totals_free(struct ms_totals *totals)
{
	ms_vec_free(&totals->cells);
	ms_vec_free(&totals->misses);
	ms_vec_free(&totals->replaced);
	ms_vec_free(&totals->evictions);
}
