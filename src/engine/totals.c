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
		ms_phases_count_settled(engine, s->phase, s->level);
	}
	ms_vec_free(&all.at);
}

/* --- totals --- */

/* A slot's last count still waits to be added to its cell. */
void ms_shard_flush(struct ms_shard *shard)
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

/* Calls visit for each pair of all cells. */
static void each_pair(const struct cells *cells,
		      void (*visit)(void *arg, const struct cell *cell, unsigned level,
				    enum pair_kind kind, const struct pair *pair),
		      void *arg)
{
	for (size_t i = 0; i < cells->list.n; i++)
		for (unsigned l = 0; l < cells->levels; l++)
			for (unsigned k = 0; k < PAIR_KINDS; k++) {
				const struct cell *cell = cells->list.at[i];
				const struct pair_list *list = &cell->level[l].pairs[k];

				for (uint32_t p = 0; p < list->n; p++)
					visit(arg, cell, l, k, &list->at[p]);
			}
	for (size_t i = 0; i < cells->far_pairs.n; i++) {
		const struct far_pair *far = &cells->far_pairs.at[i];

		visit(arg, cells->list.at[far->cell], far->level, far->kind, &far->pair);
	}
}

static void merge_pair(void *arg, const struct cell *cell, unsigned level, enum pair_kind kind,
		       const struct pair *pair)
{
	struct cells *into = arg;

	ms_cells_add_pair(into, ms_cells_at(into, cell->site, cell->data), level, kind, pair->other,
			  pair->count);
}

/* Adds from's cells and pairs to into's. */
static void merge_cells(struct cells *into, const struct cells *from)
{
	for (size_t i = 0; i < from->list.n; i++) {
		const struct cell *cell = from->list.at[i];
		struct cell *sum = ms_cells_at(into, cell->site, cell->data);

		sum->references += cell->references;
		for (unsigned l = 0; l < from->levels; l++) {
			for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
				sum->level[l].causes[c] += cell->level[l].causes[c];
			sum->level[l].covered += cell->level[l].covered;
		}
	}
	each_pair(from, merge_pair, into);
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
		struct ms_total_miss miss = {
			(uint32_t)totals->cells.n, l, { 0 }, cell->level[l].covered
		};

		for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
			miss.causes[c] = causes[c];
		if (causes[MS_MISS_FIRST] | causes[MS_MISS_REPLACED] | causes[MS_MISS_INVALIDATED])
			*ms_vec_add(&totals->misses) = miss;
	}
}

struct pair_lists {
	struct ms_totals *totals;
	const uint32_t *place; /* by cell's number: its index in the totals */
};

static void list_pair(void *arg, const struct cell *cell, unsigned level, enum pair_kind kind,
		      const struct pair *pair)
{
	const struct pair_lists *lists = arg;
	struct ms_total_pair total = { lists->place[cell->number], level, pair->other,
				       pair->count };

	if (kind == PAIR_REPLACED_BY)
		*ms_vec_add(&lists->totals->replaced) = total;
	else
		*ms_vec_add(&lists->totals->evictions) = total;
}

static void list_cells(struct ms_totals *totals, struct cells *sum)
{
	uint32_t *place = ms_alloc((sum->list.n + 1) * sizeof(*place));
	struct cell **sorted = ms_alloc((sum->list.n + 1) * sizeof(*sorted));
	struct pair_lists lists = { totals, place };

	for (size_t i = 0; i < sum->list.n; i++)
		sorted[i] = sum->list.at[i];
	if (sum->list.n > 0)
		qsort(sorted, sum->list.n, sizeof(*sorted), by_site_data);
	for (size_t i = 0; i < sum->list.n; i++) {
		const struct cell *cell = sorted[i];

		place[cell->number] = (uint32_t)totals->cells.n;
		if (!counted(cell, sum))
			continue;
		add_misses(totals, cell, sum->levels);
		*ms_vec_add(&totals->cells) =
			(struct ms_total_cell){ cell->site, cell->data, cell->references };
	}
	each_pair(sum, list_pair, &lists);
	ms_free(sorted);
	ms_free(place);
}

void ms_engine_totals(struct ms_engine *engine, struct ms_totals *totals)
{
	struct cells sum;

	*totals = (struct ms_totals){ MS_VEC_INIT, MS_VEC_INIT, MS_VEC_INIT, MS_VEC_INIT };
	ms_cells_open(&sum, engine->shard[0].levels);
	merge_cells(&sum, &engine->settled);
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_shard_flush(&engine->shard[i]);
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
