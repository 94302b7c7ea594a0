/* engine/totals.c - putting the shards' counts together. */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* --- references over lines of several shards --- */

static int by_reference_level_line(const void *a, const void *b)
{
	const struct split *x = a, *y = b;
	int c = ms_cmp_u64(x->reference, y->reference);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->line, y->line);
}

void ms_engine_finish(struct ms_engine *engine, unsigned slot)
{
	struct split_list all = { MS_VEC_INIT };

	if (engine->met != NULL) {
		ms_processors_finish(engine, slot);
		return;
	}
	for (unsigned i = 0; i < engine->shards; i++) {
		struct split_list *list = &engine->shard[i].splits[slot];

		for (size_t k = 0; k < list->at.n; k++)
			*ms_vec_add(&all.at) = list->at.at[k];
		list->at.n = 0;
	}
	if (all.at.n > 0)
		qsort(all.at.at, all.at.n, sizeof(struct split), by_reference_level_line);
	for (size_t k = 0; k < all.at.n; k++) {
		const struct split *s = &all.at.at[k];

		/* The first line that missed the level stands for the reference. */
		if (k > 0 && s->reference == s[-1].reference && s->level == s[-1].level)
			continue;
		ms_tally_miss(&engine->finished,
			      ms_tallies_at(&engine->finished, s->site, s->data, 0), s->level,
			      s->record);
	}
	ms_vec_free(&all.at);
}

/* --- totals --- */

/* A slot's last references still wait to be added to its cell. */
void ms_shard_flush(struct ms_shard *shard)
{
	if (shard->processors != NULL)
		ms_processors_flush(shard->processors);
	for (size_t b = 0; b < shard->blocks.n; b++)
		for (uint32_t i = 0; i < shard->blocks.at[b].about->refs; i++)
			ms_slot_flush(shard, &shard->blocks.at[b].slots[i]);
}

/* Calls visit for each pair of all tallies. */
static void each_pair(const struct tallies *tallies,
		      void (*visit)(void *arg, const struct tally *tally, unsigned level,
				    enum pair_kind kind, const struct pair *pair),
		      void *arg)
{
	for (size_t i = 0; i < tallies->list.n; i++)
		for (unsigned l = 0; l < tallies->levels; l++)
			for (unsigned k = 0; k < PAIR_KINDS; k++) {
				const struct tally *tally = tallies->list.at[i];
				const struct pair_table *table = &tally->level[l].pairs[k];

				for (uint32_t p = 0; table->at != NULL && p <= table->mask; p++)
					if (table->at[p].other_plus_1 != 0)
						visit(arg, tally, l, k, &table->at[p]);
			}
}

static void merge_pair(void *arg, const struct tally *tally, unsigned level, enum pair_kind kind,
		       const struct pair *pair)
{
	struct tallies *into = arg;

	ms_tallies_add_pair(into, ms_tallies_like(into, tally), level, kind, pair->other_plus_1 - 1,
			    pair->count);
}

static void merge_references(struct tallies *into, const struct cells *from)
{
	for (size_t i = 0; i < from->list.n; i++) {
		const struct cell *cell = from->list.at[i];

		ms_tallies_at(into, cell->site, cell->data, cell->processor)->references +=
			cell->references;
	}
}

static void merge_all_references(struct tallies *into, const struct ms_shard *shard)
{
	const struct processors *p = shard->processors;

	merge_references(into, &shard->cells);
	for (uint32_t i = 0; p != NULL && i < p->count; i++)
		if (p->at[i] != NULL)
			merge_references(into, &p->at[i]->cells);
}

static void merge_more(struct tally_more *into, const struct tally_more *from)
{
	into->falsely += from->falsely;
	into->peer += from->peer;
	into->remote += from->remote;
	into->write_backs += from->write_backs;
	into->weighted += from->weighted;
}

/* Adds from's causes and pairs to into's. */
static void merge_tallies(struct tallies *into, const struct tallies *from)
{
	for (size_t i = 0; i < from->list.n; i++) {
		struct tally *tally = from->list.at[i], *sum = ms_tallies_like(into, tally);

		sum->upgrades += tally->upgrades;
		for (unsigned l = 0; l < from->levels; l++) {
			if (from->more)
				merge_more(ms_tally_more(into, sum, l),
					   ms_tally_more(from, tally, l));
			for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
				sum->level[l].causes[c] += tally->level[l].causes[c];
			sum->level[l].covered += tally->level[l].covered;
		}
	}
	each_pair(from, merge_pair, into);
}

static int by_site_data_processor(const void *a, const void *b)
{
	const struct tally *x = *(struct tally *const *)a, *y = *(struct tally *const *)b;
	int c = ms_cmp_u64(x->site, y->site);

	if (c == 0)
		c = ms_cmp_u64(x->data, y->data);
	return c != 0 ? c : ms_cmp_u64(x->processor, y->processor);
}

static int by_cell_level_other(const void *a, const void *b)
{
	const struct ms_total_pair *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->other, y->other);
}

static bool counted(const struct tally *tally, const struct tallies *tallies)
{
	uint64_t any = tally->references;

	for (unsigned l = 0; l < tallies->levels; l++)
		for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
			any |= tally->level[l].causes[c];
	return any != 0;
}

static void add_more(struct ms_total_miss *miss, const struct tally_more *more)
{
	miss->falsely = more->falsely;
	miss->peer = more->peer;
	miss->remote = more->remote;
	miss->write_backs = more->write_backs;
	miss->weighted = (double)more->weighted / MS_WEIGHT;
}

static void add_misses(struct ms_totals *totals, struct tally *tally, const struct tallies *sum)
{
	for (unsigned l = 0; l < sum->levels; l++) {
		const uint64_t *causes = tally->level[l].causes;
		struct ms_total_miss miss = { .cell = (uint32_t)totals->cells.n,
					      .level = l,
					      .covered = tally->level[l].covered };

		for (unsigned c = 0; c < MS_MISS_CAUSES; c++) {
			miss.causes[c] = causes[c];
			miss.weighted += (double)causes[c];
		}
		if (sum->more)
			add_more(&miss, ms_tally_more(sum, tally, l));
		if (causes[MS_MISS_FIRST] | causes[MS_MISS_REPLACED] | causes[MS_MISS_INVALIDATED] |
		    miss.write_backs)
			*ms_vec_add(&totals->misses) = miss;
	}
}

struct pair_lists {
	struct ms_totals *totals;
	const uint32_t *place; /* by tally's number: its index in the totals */
};

static void list_pair(void *arg, const struct tally *tally, unsigned level, enum pair_kind kind,
		      const struct pair *pair)
{
	const struct pair_lists *lists = arg;
	struct ms_total_pair total = { lists->place[tally->number], level, pair->other_plus_1 - 1,
				       pair->count };

	if (kind == PAIR_REPLACED_BY)
		*ms_vec_add(&lists->totals->replaced) = total;
	else
		*ms_vec_add(&lists->totals->evictions) = total;
}

/* place: by tally's number, where it is listed. */
static void list_tallies(struct ms_totals *totals, const struct tallies *sum, uint32_t *place)
{
	struct tally **sorted = ms_alloc((sum->list.n + 1) * sizeof(*sorted));
	struct pair_lists lists = { totals, place };

	for (size_t i = 0; i < sum->list.n; i++)
		sorted[i] = sum->list.at[i];
	if (sum->list.n > 0)
		qsort(sorted, sum->list.n, sizeof(*sorted), by_site_data_processor);
	for (size_t i = 0; i < sum->list.n; i++) {
		struct tally *tally = sorted[i];

		place[tally->number] = (uint32_t)totals->cells.n;
		if (!counted(tally, sum))
			continue;
		add_misses(totals, tally, sum);
		*ms_vec_add(&totals->cells) = (struct ms_total_cell){
			.site = tally->site,
			.data = tally->data,
			.processor = tally->processor,
			.references = tally->references,
			.upgrades = tally->upgrades,
		};
	}
	each_pair(sum, list_pair, &lists);
	ms_free(sorted);
}

void ms_engine_totals(struct ms_engine *engine, struct ms_totals *totals)
{
	struct tallies sum;

	*totals = (struct ms_totals){ .cells = MS_VEC_INIT };
	ms_tallies_open(&sum, engine->shard[0].levels, engine->met != NULL);
	merge_tallies(&sum, &engine->finished);
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_shard_flush(&engine->shard[i]);
		merge_all_references(&sum, &engine->shard[i]);
		merge_tallies(&sum, &engine->shard[i].tallies);
	}
	uint32_t *place = ms_alloc((sum.list.n + 1) * sizeof(*place));
	list_tallies(totals, &sum, place);
	if (engine->met != NULL)
		ms_processors_list(engine, totals, &sum, place);
	ms_free(place);
	ms_tallies_close(&sum);
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
	ms_vec_free(&totals->sharing);
	ms_vec_free(&totals->threads);
	ms_vec_free(&totals->thread_misses);
}
