/* engine/totals.c - putting the shards' counts together. */
#include <stdlib.h>
#include <string.h>

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

static void finish_occupancy(struct ms_engine *engine, unsigned slot)
{
	uint64_t steps = engine->batch[slot].steps;

	ms_occupancy_begin(&engine->occupancy, steps);
	for (unsigned i = 0; i < engine->shards; i++)
		ms_occupancy_take(&engine->occupancy, &engine->shard[i].movements.slots[slot]);
	ms_occupancy_end(&engine->occupancy, steps);
}

void ms_engine_finish(struct ms_engine *engine, unsigned slot)
{
	struct split_list all = { MS_VEC_INIT };

	finish_occupancy(engine, slot);
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
		ms_phases_count(&engine->finished_phases, s->phase, s->level,
				engine->finished.levels);
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

/* --- parts --- */

/* Something that was counted of a site and a data by a processor: a shard's cell, and with it all
 * tallies of it; or what ms_engine_finish() has put together. */
struct part {
	uint64_t site_data;
	uint32_t processor;
	uint32_t crosses;
	uint64_t references;
	struct cell *cell;   /* NULL: */
	struct tally *tally; /* or nothing but references */
};

struct parts {
	MS_VEC(struct part) at;
};

static int by_site_data_processor(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int c = ms_cmp_u64(x->site_data, y->site_data);

	if (c == 0)
		c = ms_cmp_u64(x->processor, y->processor);
	return c != 0 ? c : ms_cmp_u64(x->crosses, y->crosses);
}

/* Few at a time: they come nearly in order, and all but some sites have one or two data. */
static void sort_few(struct part *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct part part = at[i];
		size_t to = i;

		for (; to > 0 && by_site_data_processor(&part, &at[to - 1]) < 0; to--)
			at[to] = at[to - 1];
		at[to] = part;
	}
}

/* By site, then each site's by themselves: sites have small numbers, and there are many. */
static void sort_by_site(struct parts *parts, size_t sites)
{
	enum { FEW = 16 };
	size_t n = parts->at.n;
	struct part *sorted = ms_alloc(n * sizeof(*sorted));
	uint32_t *next = ms_alloc((sites + 1) * sizeof(*next));

	for (size_t i = 0; i < n; i++)
		next[(parts->at.at[i].site_data >> 32) + 1]++;
	for (size_t site = 1; site < sites; site++)
		next[site] += next[site - 1];
	for (size_t i = 0; i < n; i++)
		sorted[next[parts->at.at[i].site_data >> 32]++] = parts->at.at[i];
	/* By now each has the place where the next one begins. */
	for (size_t site = 0, from = 0; site < sites; from = next[site++])
		if (next[site] - from <= FEW)
			sort_few(sorted + from, next[site] - from);
		else
			qsort(sorted + from, next[site] - from, sizeof(*sorted),
			      by_site_data_processor);
	ms_free(next);
	ms_free(parts->at.at);
	parts->at.at = sorted;
	parts->at.cap = n;
}

static void sort_parts(struct parts *parts)
{
	enum { SPARSE = 16 };
	size_t n = parts->at.n, sites = 0;

	for (size_t i = 0; i < n; i++)
		if (parts->at.at[i].site_data >> 32 >= sites)
			sites = (parts->at.at[i].site_data >> 32) + 1;
	if (n > 0 && n <= UINT32_MAX && sites / SPARSE <= n)
		sort_by_site(parts, sites);
	else if (n > 0)
		qsort(parts->at.at, n, sizeof(*parts->at.at), by_site_data_processor);
}

/* Where only misses count, references do for another data than the cell's. */
static void add_cells(struct parts *parts, const struct ms_shard *shard, const struct cells *cells)
{
	ms_vec_reserve(&parts->at, cells->list.n);
	for (size_t i = 0; i < cells->list.n; i++) {
		struct cell *cell = cells->list.at[i];
		struct part part = {
			.site_data = (uint64_t)cell->site << 32 | cell->data,
			.processor = cell->processor,
			.crosses = cell->crosses,
			.references = shard->misses_only ? 0 : cell->references,
			.cell = cell,
		};

		*ms_vec_add(&parts->at) = part;
		if (shard->misses_only && cell->references > 0)
			*ms_vec_add(&parts->at) = (struct part){
				.site_data = (uint64_t)cell->site << 32 | shard->hits,
				.processor = cell->processor,
				.references = cell->references,
			};
	}
}

static void add_shard(struct parts *parts, const struct ms_shard *shard)
{
	const struct processors *p = shard->processors;

	add_cells(parts, shard, &shard->cells);
	for (uint32_t i = 0; p != NULL && i < p->count; i++)
		if (p->at[i] != NULL)
			add_cells(parts, shard, &p->at[i]->cells);
}

static void add_finished(struct parts *parts, const struct tallies *finished)
{
	for (size_t i = 0; i < finished->list.n; i++) {
		struct tally *tally = finished->list.at[i];

		*ms_vec_add(&parts->at) = (struct part){
			.site_data = (uint64_t)tally->site << 32 | tally->data,
			.processor = tally->processor,
			.tally = tally,
		};
	}
}

/* --- one site, data and processor --- */

/* What is added up of one cell of the totals. */
struct summing {
	struct ms_totals *totals;
	struct tallies tallies; /* of the one below */
	struct tally *sum;
	size_t size;     /* of it, in bytes */
	size_t replaced; /* from where on pairs in the totals are this cell's; likewise: */
	size_t evictions;
	bool any; /* something was added to the sum */
	bool all; /* also cells of which nothing was counted are listed: windows may tell of them */
};

static void add_more(struct tally_more *into, const struct tally_more *from)
{
	into->falsely += from->falsely;
	into->peer += from->peer;
	into->remote += from->remote;
	into->write_backs += from->write_backs;
	into->weighted += from->weighted;
}

static void add_pairs(struct summing *s, const struct pair_table *table, unsigned level,
		      enum pair_kind kind)
{
	for (uint32_t i = 0; table->at != NULL && i <= table->mask; i++) {
		const struct pair *pair = &table->at[i];
		struct ms_total_pair total = { (uint32_t)s->totals->cells.n, level,
					       pair->other_plus_1 - 1, pair->count };

		if (pair->other_plus_1 == 0)
			continue;
		if (kind == PAIR_REPLACED_BY)
			*ms_vec_add(&s->totals->replaced) = total;
		else
			*ms_vec_add(&s->totals->evictions) = total;
	}
}

static void add_tally(struct summing *s, struct tally *tally)
{
	struct tally *sum = s->sum;

	if (!s->any)
		memset(sum, 0, s->size);
	s->any = true;
	tally->place = (uint32_t)s->totals->cells.n;
	sum->upgrades += tally->upgrades;
	for (unsigned l = 0; l < s->tallies.levels; l++) {
		if (s->tallies.more)
			add_more(ms_tally_more(&s->tallies, sum, l),
				 ms_tally_more(&s->tallies, tally, l));
		for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
			sum->level[l].causes[c] += tally->level[l].causes[c];
		sum->level[l].covered += tally->level[l].covered;
		for (unsigned k = 0; k < PAIR_KINDS; k++)
			add_pairs(s, &tally->level[l].pairs[k], l, k);
	}
}

static int by_level_other(const void *a, const void *b)
{
	const struct ms_total_pair *x = a, *y = b;
	int c = ms_cmp_u64(x->level, y->level);

	return c != 0 ? c : ms_cmp_u64(x->other, y->other);
}

static void sort_pairs(struct ms_total_pair *at, size_t n)
{
	enum { FEW = 24 };

	if (n > FEW) {
		qsort(at, n, sizeof(*at), by_level_other);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct ms_total_pair pair = at[i];
		size_t to = i;

		for (; to > 0 && by_level_other(&pair, &at[to - 1]) < 0; to--)
			at[to] = at[to - 1];
		at[to] = pair;
	}
}

/* Sorts the last pairs, those of one cell, and adds equal ones up; returns how many are left. */
static size_t add_up(struct ms_total_pair *at, size_t from, size_t to)
{
	size_t kept = from;

	if (to - from > 1)
		sort_pairs(at + from, to - from);
	for (size_t i = from; i < to; i++)
		if (i > from && by_level_other(&at[kept - 1], &at[i]) == 0)
			at[kept - 1].count += at[i].count;
		else
			at[kept++] = at[i];
	return kept;
}

static void list_misses(struct summing *s)
{
	for (unsigned l = 0; l < s->tallies.levels && s->any; l++) {
		const uint64_t *causes = s->sum->level[l].causes;
		struct ms_total_miss miss = { .cell = (uint32_t)s->totals->cells.n,
					      .level = l,
					      .covered = s->sum->level[l].covered };

		for (unsigned c = 0; c < MS_MISS_CAUSES; c++) {
			miss.causes[c] = causes[c];
			miss.weighted += (double)causes[c];
		}
		if (s->tallies.more) {
			const struct tally_more *more = ms_tally_more(&s->tallies, s->sum, l);

			miss.falsely = more->falsely;
			miss.peer = more->peer;
			miss.remote = more->remote;
			miss.write_backs = more->write_backs;
			miss.weighted = (double)more->weighted / MS_WEIGHT;
		}
		if (causes[MS_MISS_FIRST] | causes[MS_MISS_REPLACED] | causes[MS_MISS_INVALIDATED] |
		    miss.write_backs)
			*ms_vec_add(&s->totals->misses) = miss;
	}
}

/* The parts of one cell; one that nothing was counted of is not listed, unless all are. */
static void list_cell(struct summing *s, const struct part *at, const struct part *end,
		      unsigned shards)
{
	struct ms_total_cell cell = { .site = (uint32_t)(at->site_data >> 32),
				      .data = (uint32_t)at->site_data,
				      .processor = at->processor,
				      .crosses = at->crosses };

	s->any = false;
	s->replaced = s->totals->replaced.n;
	s->evictions = s->totals->evictions.n;
	for (; at < end; at++) {
		if (at->tally != NULL)
			add_tally(s, at->tally);
		if (at->cell != NULL)
			at->cell->place = (uint32_t)s->totals->cells.n;
		for (unsigned i = 0; at->cell != NULL && i < shards; i++)
			if (at->cell->tally[i] != NULL)
				add_tally(s, at->cell->tally[i]);
		cell.references += at->references;
	}
	if (cell.references == 0 && !s->any && !s->all)
		return;
	cell.upgrades = s->any ? s->sum->upgrades : 0;
	list_misses(s);
	s->totals->replaced.n = add_up(s->totals->replaced.at, s->replaced, s->totals->replaced.n);
	s->totals->evictions.n =
		add_up(s->totals->evictions.at, s->evictions, s->totals->evictions.n);
	*ms_vec_add(&s->totals->cells) = cell;
}

void ms_engine_totals(struct ms_engine *engine, struct ms_totals *totals)
{
	struct summing s = { .totals = totals, .all = engine->windows != NULL };
	struct parts parts = { MS_VEC_INIT };

	*totals = (struct ms_totals){ .cells = MS_VEC_INIT };
	ms_tallies_open(&s.tallies, engine->shard[0].levels, engine->met != NULL);
	s.sum = ms_tallies_add(&s.tallies, 0, 0, 0);
	s.size = ms_tally_size(&s.tallies);
	if (engine->windows != NULL)
		ms_windows_finish(engine);
	add_finished(&parts, &engine->finished);
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_shard_flush(&engine->shard[i]);
		add_shard(&parts, &engine->shard[i]);
	}
	sort_parts(&parts);
	ms_vec_reserve(&totals->cells, parts.at.n);
	for (size_t i = 0, to; i < parts.at.n; i = to) {
		const struct part *at = parts.at.at;

		for (to = i + 1; to < parts.at.n && by_site_data_processor(at + i, at + to) == 0;)
			to++;
		list_cell(&s, at + i, at + to, engine->shards);
	}
	ms_occupancy_list(&engine->occupancy, totals);
	if (engine->met != NULL)
		ms_processors_list(engine, totals);
	ms_vec_free(&parts.at);
	ms_tallies_close(&s.tallies);
}

void ms_totals_free(struct ms_totals *totals)
{
	ms_vec_free(&totals->cells);
	ms_vec_free(&totals->misses);
	ms_vec_free(&totals->replaced);
	ms_vec_free(&totals->evictions);
	ms_vec_free(&totals->occupancy);
	ms_vec_free(&totals->stays);
	ms_vec_free(&totals->sharing);
	ms_vec_free(&totals->threads);
	ms_vec_free(&totals->thread_misses);
}
