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

/* --- pairs --- */

static void add_pairs_of(struct ms_engine *engine, struct pair_list *list)
{
	ms_pairs_add(&engine->pairs, list);
	ms_vec_free(&list->at);
}

static void add_finished_pairs(struct ms_engine *engine)
{
	struct pair_list list = { MS_VEC_INIT };

	ms_tallies_take_pairs(&engine->finished, &list);
	add_pairs_of(engine, &list);
}

/* All shards have handed over what they counted until this batch. */
static void finish_epoch(struct ms_engine *engine, unsigned slot)
{
	if (++engine->epoch_finished < engine->epoch)
		return;
	engine->epoch_finished = 0;
	add_finished_pairs(engine);
	for (unsigned i = 0; i < engine->shards; i++)
		add_pairs_of(engine, &engine->batch[slot].pairs[i]);
	ms_pairs_limit(&engine->pairs);
}

static void finish_splits(struct ms_engine *engine, unsigned slot)
{
	struct split_list all = { MS_VEC_INIT };

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

void ms_engine_finish(struct ms_engine *engine, unsigned slot)
{
	finish_occupancy(engine, slot);
	if (engine->met != NULL)
		ms_processors_finish(engine, slot);
	else
		finish_splits(engine, slot);
	finish_epoch(engine, slot);
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

/* Something that was counted of a site and a data by a processor. There are millions: they are
 * small. */
enum part_kind {
	PART_CELL,       /* a shard's cell, and with it all tallies of it */
	PART_TALLY,      /* what ms_engine_finish() has put together */
	PART_REFERENCES, /* a cell's references, which are counted for other data */
	PART_KINDS,
};

struct part {
	uint64_t site_data;
	uintptr_t what; /* a pointer, and the kind in its lowest bits */
};

struct parts {
	MS_VEC(struct part) at;
};

static struct part make_part(uint32_t site, uint32_t data, const void *what, enum part_kind kind)
{
	return (struct part){ (uint64_t)site << 32 | data, (uintptr_t)what | kind };
}

static struct cell *cell_of(const struct part *part)
{
	unsigned kind = part->what & 3;

	return kind == PART_TALLY ? NULL : (struct cell *)(part->what - kind);
}

static struct tally *tally_of(const struct part *part)
{
	return (part->what & 3) == PART_TALLY ? (struct tally *)(part->what - PART_TALLY) : NULL;
}

static uint32_t processor_of(const struct part *part)
{
	const struct cell *cell = cell_of(part);

	return cell != NULL ? cell->processor : tally_of(part)->processor;
}

static uint32_t crosses_of(const struct part *part)
{
	return (part->what & 3) == PART_CELL ? cell_of(part)->crosses : MS_CROSSES_NONE;
}

static int by_site_data_processor(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int c = ms_cmp_u64(x->site_data, y->site_data);

	if (c == 0)
		c = ms_cmp_u64(processor_of(x), processor_of(y));
	return c != 0 ? c : ms_cmp_u64(crosses_of(x), crosses_of(y));
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
	const struct cell *cell;
	size_t at = 0;

	ms_vec_reserve(&parts->at, cells->windows ? cells->list.n : cells->table_used);
	while ((cell = ms_cells_next(cells, &at)) != NULL) {
		*ms_vec_add(&parts->at) = make_part(cell->site, cell->data, cell, PART_CELL);
		if (shard->misses_only && cell->references > 0)
			*ms_vec_add(&parts->at) =
				make_part(cell->site, shard->hits, cell, PART_REFERENCES);
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
		const struct tally *tally = finished->list.at[i];

		*ms_vec_add(&parts->at) = make_part(tally->site, tally->data, tally, PART_TALLY);
	}
}

/* --- groups of sites --- */

static size_t count_cells(const struct parts *parts)
{
	size_t n = parts->at.n > 0;

	for (size_t i = 1; i < parts->at.n; i++)
		n += by_site_data_processor(&parts->at.at[i - 1], &parts->at.at[i]) != 0;
	return n;
}

static bool is_empty(const struct part *part, unsigned shards)
{
	const struct cell *cell = cell_of(part);
	bool empty = (part->what & 3) == PART_CELL && cell->references == 0;

	for (unsigned i = 0; empty && i < shards; i++)
		empty = cell->tally[i] == NULL;
	return empty;
}

static void drop_empty(struct parts *parts, unsigned shards)
{
	size_t n = 0;

	for (size_t i = 0; i < parts->at.n; i++)
		if (!is_empty(&parts->at.at[i], shards))
			parts->at.at[n++] = parts->at.at[i];
	parts->at.n = n;
}

struct site_list {
	MS_VEC(uint32_t) at;
};

static void list_sites(const struct parts *parts, struct site_list *sites)
{
	for (size_t i = 0; i < parts->at.n; i++) {
		uint32_t site = (uint32_t)(parts->at.at[i].site_data >> 32);

		if (sites->at.n == 0 || sites->at.at[sites->at.n - 1] != site)
			*ms_vec_add(&sites->at) = site;
	}
}

static void group_parts(struct parts *parts, const uint32_t *group)
{
	for (size_t i = 0; i < parts->at.n; i++) {
		uint64_t *key = &parts->at.at[i].site_data;

		*key = (uint64_t)group[*key >> 32] << 32 | (uint32_t)*key;
	}
	sort_parts(parts);
}

/* --- one site, data and processor --- */

/* What is added up of one cell of the totals. */
struct summing {
	struct ms_totals *totals;
	struct tallies tallies; /* of the one below */
	struct tally *sum;
	size_t size;            /* of it, in bytes */
	struct pair_list pairs; /* of all cells, in the order of cells */
	size_t next_pair;       /* the first of the cell */
	uint32_t other_data;    /* of pairs that were merged */
	bool any;               /* something was added to the sum */
	bool misses_only;       /* references of cells are counted for other data */
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
		sum->level[l].evictions += tally->level[l].evictions;
		sum->level[l].covered += tally->level[l].covered;
	}
}

/* Whether the next pair is of this kind, and of the cell and level. */
static const struct pair_count *next_pair(const struct summing *s, const struct ms_total_cell *cell,
					  enum pair_kind kind, unsigned level)
{
	const struct pair_count *pair = &s->pairs.at.at[s->next_pair];

	return s->next_pair < s->pairs.at.n && pair->key.site == cell->site &&
			       pair->key.data == cell->data &&
			       pair->key.processor == cell->processor &&
			       pair->key.crosses == cell->crosses && pair->key.kind == kind &&
			       pair->key.level == level
		       ? pair
		       : NULL;
}

static void list_pair(struct summing *s, enum pair_kind kind, unsigned level, uint32_t other,
		      uint64_t count)
{
	struct ms_total_pair total = { (uint32_t)s->totals->cells.n, level, other, count };

	if (kind == PAIR_REPLACED_BY)
		*ms_vec_add(&s->totals->replaced) = total;
	else
		*ms_vec_add(&s->totals->evictions) = total;
}

/* Pairs of one cell, kind and level. The merged ones are what is missing from `all`; they stand
 * where their data's number belongs. */
static void list_level(struct summing *s, const struct ms_total_cell *cell, enum pair_kind kind,
		       unsigned level, uint64_t all)
{
	const struct pair_count *pair;
	size_t first = s->next_pair;

	for (; (pair = next_pair(s, cell, kind, level)) != NULL; s->next_pair++)
		all -= pair->count;
	for (size_t i = first; i < s->next_pair; i++) {
		pair = &s->pairs.at.at[i];
		if (all > 0 && pair->key.other > s->other_data) {
			list_pair(s, kind, level, s->other_data, all);
			all = 0;
		}
		list_pair(s, kind, level, pair->key.other, pair->count);
	}
	if (all > 0)
		list_pair(s, kind, level, s->other_data, all);
}

static bool is_before(const struct pair_key *key, const struct ms_total_cell *cell)
{
	if (key->site != cell->site || key->data != cell->data)
		return ((uint64_t)key->site << 32 | key->data) <
		       ((uint64_t)cell->site << 32 | cell->data);
	return key->processor != cell->processor ? key->processor < cell->processor
						 : key->crosses < cell->crosses;
}

static void list_pairs(struct summing *s, const struct ms_total_cell *cell)
{
	/* A monitor's handler evicts lines, too, and has no cell. */
	while (s->next_pair < s->pairs.at.n && is_before(&s->pairs.at.at[s->next_pair].key, cell))
		s->next_pair++;
	for (unsigned l = 0; l < s->tallies.levels; l++)
		list_level(s, cell, PAIR_REPLACED_BY, l,
			   s->any ? s->sum->level[l].causes[MS_MISS_REPLACED] : 0);
	for (unsigned l = 0; l < s->tallies.levels; l++)
		list_level(s, cell, PAIR_EVICTS, l, s->any ? s->sum->level[l].evictions : 0);
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

static void add_part(struct summing *s, const struct part *part, unsigned shards,
		     struct ms_total_cell *total)
{
	struct cell *cell = cell_of(part);
	unsigned kind = part->what & 3;

	if (kind == PART_TALLY)
		add_tally(s, tally_of(part));
	if (kind == PART_REFERENCES || (kind == PART_CELL && !s->misses_only))
		total->references += cell->references;
	if (kind != PART_CELL)
		return;
	if (s->all)
		ms_cell_windows(cell, shards)->place = s->totals->cells.n;
	for (unsigned i = 0; i < shards; i++)
		if (cell->tally[i] != NULL)
			add_tally(s, cell->tally[i]);
}

/* The parts of one cell; one that nothing was counted of is not listed, unless all are. */
static void list_cell(struct summing *s, const struct part *at, const struct part *end,
		      unsigned shards)
{
	struct ms_total_cell cell = { .site = (uint32_t)(at->site_data >> 32),
				      .data = (uint32_t)at->site_data,
				      .processor = processor_of(at),
				      .crosses = crosses_of(at) };

	s->any = false;
	for (; at < end; at++)
		add_part(s, at, shards, &cell);
	if (cell.references == 0 && !s->any && !s->all)
		return;
	cell.upgrades = s->any ? s->sum->upgrades : 0;
	list_misses(s);
	list_pairs(s, &cell);
	*ms_vec_add(&s->totals->cells) = cell;
}

/* What shards have counted since the last epoch ended, too. */
static void take_pairs(struct ms_engine *engine, struct summing *s)
{
	add_finished_pairs(engine);
	for (unsigned i = 0; i < engine->shards; i++) {
		struct pair_list list = { MS_VEC_INIT };

		ms_tallies_take_pairs(&engine->shard[i].tallies, &list);
		add_pairs_of(engine, &list);
	}
	ms_pairs_limit(&engine->pairs);
	ms_pairs_list(&engine->pairs, &s->pairs);
	s->other_data = engine->pairs.other_data;
	s->totals->pair_error = engine->pairs.error;
	s->totals->merged_pairs = engine->pairs.merged;
}

static void take_parts(struct ms_engine *engine, struct parts *parts)
{
	add_finished(parts, &engine->finished);
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_shard_flush(&engine->shard[i]);
		add_shard(parts, &engine->shard[i]);
	}
	sort_parts(parts);
}

/* What windows and several processors know of cells is not added up here. */
static void group_sites(const struct ms_engine *engine, const struct ms_site_groups *groups,
			struct parts *parts, struct summing *s)
{
	if (groups == NULL || engine->windows != NULL || engine->met != NULL ||
	    parts->at.n <= groups->cells || count_cells(parts) <= groups->cells)
		return;
	struct site_list sites = { MS_VEC_INIT };

	drop_empty(parts, engine->shards);
	list_sites(parts, &sites);
	const uint32_t *group = groups->of_sites(sites.at.at, sites.at.n, groups->arg);
	group_parts(parts, group);
	ms_pairs_group(&s->pairs, group);
	ms_vec_free(&sites.at);
}

void ms_engine_totals_grouped(struct ms_engine *engine, const struct ms_site_groups *groups,
			      struct ms_totals *totals)
{
	struct summing s = { .totals = totals,
			     .all = engine->windows != NULL,
			     .misses_only = engine->shard[0].misses_only };
	struct parts parts = { MS_VEC_INIT };

	*totals = (struct ms_totals){ .cells = MS_VEC_INIT };
	ms_tallies_open(&s.tallies, engine->shard[0].levels, engine->met != NULL);
	s.sum = ms_tallies_add(&s.tallies, 0, 0, 0);
	s.size = ms_tally_size(&s.tallies);
	if (engine->windows != NULL)
		ms_windows_finish(engine);
	take_pairs(engine, &s);
	take_parts(engine, &parts);
	group_sites(engine, groups, &parts, &s);
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
	ms_vec_free(&s.pairs.at);
	ms_tallies_close(&s.tallies);
}

void ms_engine_totals(struct ms_engine *engine, struct ms_totals *totals)
{
	ms_engine_totals_grouped(engine, NULL, totals);
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
