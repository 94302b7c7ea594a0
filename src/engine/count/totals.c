/* engine/count/totals.c - combines the counts of all shards. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "engine/count/pair_order.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* --- contributions --- */

/*
 * A count of a site, data and processor, from one source. There are millions of these, so they are
 * small.
 */
enum contribution_kind {
	CONTRIBUTION_CELL,       /* a cell of a shard, with all its miss counters */
	CONTRIBUTION_MISSES,     /* miss counters of ms_engine_finish_batch() */
	CONTRIBUTION_REFERENCES, /* references of a cell that are counted for other data */
	CONTRIBUTION_KINDS,
};

struct contribution {
	uint64_t site_data;
	uintptr_t what; /* a pointer, and the kind in its lowest bits */
};

struct contributions {
	MS_VEC(struct contribution) at;
};

static struct contribution make_contribution(uint32_t site, uint32_t data, const void *what,
					     enum contribution_kind kind)
{
	return (struct contribution){ (uint64_t)site << 32 | data, (uintptr_t)what | kind };
}

static struct ms_count_cell *cell_of(const struct contribution *contribution)
{
	unsigned kind = contribution->what & 3;

	return kind == CONTRIBUTION_MISSES ? NULL
					   : (struct ms_count_cell *)(contribution->what - kind);
}

static struct ms_count_misses *counters_of(const struct contribution *contribution)
{
	return (contribution->what & 3) == CONTRIBUTION_MISSES
		       ? (struct ms_count_misses *)(contribution->what - CONTRIBUTION_MISSES)
		       : NULL;
}

static uint32_t processor_of(const struct contribution *contribution)
{
	const struct ms_count_cell *cell = cell_of(contribution);

	return cell != NULL ? cell->processor : counters_of(contribution)->processor;
}

static uint32_t crosses_of(const struct contribution *contribution)
{
	return (contribution->what & 3) == CONTRIBUTION_CELL ? cell_of(contribution)->crosses
							     : MS_ENGINE_CROSSES_NONE;
}

static int by_site_data_processor(const void *a, const void *b)
{
	const struct contribution *x = a, *y = b;
	int c = ms_cmp_u64(x->site_data, y->site_data);

	if (c == 0)
		c = ms_cmp_u64(processor_of(x), processor_of(y));
	return c != 0 ? c : ms_cmp_u64(crosses_of(x), crosses_of(y));
}

/*
 * Insertion sort: contributions are nearly sorted, and most sites have one or two data structures.
 */
static void sort_few(struct contribution *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct contribution contribution = at[i];
		size_t to = i;

		for (; to > 0 && by_site_data_processor(&contribution, &at[to - 1]) < 0; to--)
			at[to] = at[to - 1];
		at[to] = contribution;
	}
}

/*
 * Sorts by site with a counting sort, because site numbers are small and dense; then each site by
 * itself.
 */
static void sort_by_site(struct contributions *contributions, size_t sites)
{
	enum { FEW = 16 };
	size_t n = contributions->at.n;
	struct contribution *sorted = ms_alloc(n * sizeof(*sorted));
	uint32_t *next = ms_alloc((sites + 1) * sizeof(*next));

	for (size_t i = 0; i < n; i++)
		next[(contributions->at.at[i].site_data >> 32) + 1]++;
	for (size_t site = 1; site < sites; site++)
		next[site] += next[site - 1];
	for (size_t i = 0; i < n; i++)
		sorted[next[contributions->at.at[i].site_data >> 32]++] = contributions->at.at[i];
	/* Now next[site] is the end of the site's contributions. */
	for (size_t site = 0, from = 0; site < sites; from = next[site++])
		if (next[site] - from <= FEW)
			sort_few(sorted + from, next[site] - from);
		else
			qsort(sorted + from, next[site] - from, sizeof(*sorted),
			      by_site_data_processor);
	ms_free(next);
	ms_free(contributions->at.at);
	contributions->at.at = sorted;
	contributions->at.cap = n;
}

static void sort_contributions(struct contributions *contributions)
{
	enum { SPARSE = 16 };
	size_t n = contributions->at.n, sites = 0;

	for (size_t i = 0; i < n; i++)
		if (contributions->at.at[i].site_data >> 32 >= sites)
			sites = (contributions->at.at[i].site_data >> 32) + 1;
	if (n > 0 && n <= UINT32_MAX && sites / SPARSE <= n)
		sort_by_site(contributions, sites);
	else if (n > 0)
		qsort(contributions->at.at, n, sizeof(*contributions->at.at),
		      by_site_data_processor);
}

/* Where only misses count, references are counted for other data than the cell's. */
static void add_cells(struct contributions *contributions, const struct ms_engine_shard *shard,
		      const struct ms_count_cells *cells)
{
	const struct ms_count_cell *cell;
	size_t at = 0;

	ms_vec_reserve(&contributions->at, cells->windows ? cells->list.n : cells->table_used);
	while ((cell = ms_count_next_cell(cells, &at)) != NULL) {
		*ms_vec_add(&contributions->at) =
			make_contribution(cell->site, cell->data, cell, CONTRIBUTION_CELL);
		if (shard->filter.misses_only && cell->references > 0)
			*ms_vec_add(&contributions->at) = make_contribution(
				cell->site, shard->filter.hits, cell, CONTRIBUTION_REFERENCES);
	}
}

static void add_shard(struct contributions *contributions, struct ms_engine_shard *shard)
{
	struct ms_engine_cell_table table;
	uint32_t at = 0;

	while (shard->engine->variant->counts->next_cell_table(shard, &at, &table))
		add_cells(contributions, shard, table.cells);
}

static void add_finished(struct contributions *contributions,
			 const struct ms_count_miss_table *finished)
{
	for (size_t i = 0; i < finished->list.n; i++) {
		const struct ms_count_misses *counters = finished->list.at[i];

		*ms_vec_add(&contributions->at) = make_contribution(counters->site, counters->data,
								    counters, CONTRIBUTION_MISSES);
	}
}

/* --- groups of sites --- */

static size_t count_cells(const struct contributions *contributions)
{
	size_t n = contributions->at.n > 0;

	for (size_t i = 1; i < contributions->at.n; i++)
		n += by_site_data_processor(&contributions->at.at[i - 1],
					    &contributions->at.at[i]) != 0;
	return n;
}

static bool is_empty(const struct contribution *contribution, unsigned shards)
{
	const struct ms_count_cell *cell = cell_of(contribution);
	bool empty = (contribution->what & 3) == CONTRIBUTION_CELL && cell->references == 0;

	for (unsigned i = 0; empty && i < shards; i++)
		empty = cell->counters[i] == NULL;
	return empty;
}

static void drop_empty(struct contributions *contributions, unsigned shards)
{
	size_t n = 0;

	for (size_t i = 0; i < contributions->at.n; i++)
		if (!is_empty(&contributions->at.at[i], shards))
			contributions->at.at[n++] = contributions->at.at[i];
	contributions->at.n = n;
}

struct site_list {
	MS_VEC(uint32_t) at;
};

static void list_sites(const struct contributions *contributions, struct site_list *sites)
{
	for (size_t i = 0; i < contributions->at.n; i++) {
		uint32_t site = (uint32_t)(contributions->at.at[i].site_data >> 32);

		if (sites->at.n == 0 || sites->at.at[sites->at.n - 1] != site)
			*ms_vec_add(&sites->at) = site;
	}
}

static void group_contributions(struct contributions *contributions, const uint32_t *group)
{
	for (size_t i = 0; i < contributions->at.n; i++) {
		uint64_t *key = &contributions->at.at[i].site_data;

		*key = (uint64_t)group[*key >> 32] << 32 | (uint32_t)*key;
	}
	sort_contributions(contributions);
}

/* --- one site, data and processor --- */

/* The sum for one cell of the totals. */
struct cell_sum {
	const struct ms_engine *engine;
	struct ms_engine_totals *totals;
	struct ms_count_miss_table miss_counters; /* the table of `sum` */
	struct ms_count_misses *sum;
	size_t size;                     /* of sum, in bytes */
	struct ms_count_pair_list pairs; /* of all cells, in the order of cells */
	size_t next_pair;                /* the first pair of the cell */
	uint32_t other_data;             /* the data of merged pairs */
	bool any;                        /* something was added to the sum */
	bool misses_only;                /* references of cells are counted for other data */
	bool all; /* cells without counts are listed, too: windows may refer to them */
};

static void add_processor_misses(struct ms_count_processor_misses *into,
				 const struct ms_count_processor_misses *from)
{
	into->falsely += from->falsely;
	into->peer += from->peer;
	into->remote += from->remote;
	into->write_backs += from->write_backs;
	into->weighted += from->weighted;
}

static void add_counters(struct cell_sum *s, struct ms_count_misses *counters)
{
	struct ms_count_misses *sum = s->sum;

	if (!s->any)
		memset(sum, 0, s->size);
	s->any = true;
	counters->total_index = (uint32_t)s->totals->cells.n;
	sum->upgrades += counters->upgrades;
	for (unsigned l = 0; l < s->miss_counters.levels; l++) {
		if (s->miss_counters.has_processors)
			add_processor_misses(
				ms_count_get_processor_misses(&s->miss_counters, sum, l),
				ms_count_get_processor_misses(&s->miss_counters, counters, l));
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			sum->level[l].causes[c] += counters->level[l].causes[c];
		sum->level[l].evictions += counters->level[l].evictions;
		sum->level[l].covered += counters->level[l].covered;
		sum->level[l].examined += counters->level[l].examined;
		sum->level[l].conflict += counters->level[l].conflict;
		sum->level[l].capacity += counters->level[l].capacity;
		sum->level[l].saved += counters->level[l].saved;
	}
}

/* The next pair, if it is of this cell, kind and level; else NULL. */
static const struct ms_count_pair_sum *next_pair(const struct cell_sum *s,
						 const struct ms_engine_total_cell *cell,
						 enum ms_count_pair_kind kind, unsigned level)
{
	const struct ms_count_pair_sum *pair = &s->pairs.at.at[s->next_pair];

	return s->next_pair < s->pairs.at.n && pair->key.site == cell->site &&
			       pair->key.data == cell->data &&
			       pair->key.processor == cell->processor &&
			       pair->key.crosses == cell->crosses && pair->key.kind == kind &&
			       pair->key.level == level
		       ? pair
		       : NULL;
}

static void list_pair(struct cell_sum *s, enum ms_count_pair_kind kind, unsigned level,
		      uint32_t other, uint64_t count)
{
	struct ms_engine_total_pair total = { (uint32_t)s->totals->cells.n, level, other, count };

	if (kind == MS_COUNT_PAIR_REPLACED_BY)
		*ms_vec_add(&s->totals->replaced) = total;
	else
		*ms_vec_add(&s->totals->evictions) = total;
}

/*
 * Lists the pairs of one cell, kind and level. The merged ones are the difference to `all`; they
 * are listed at the position of their data's number.
 */
static void list_level(struct cell_sum *s, const struct ms_engine_total_cell *cell,
		       enum ms_count_pair_kind kind, unsigned level, uint64_t all)
{
	const struct ms_count_pair_sum *pair;
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

static bool is_before(const struct ms_count_pair_key *key, const struct ms_engine_total_cell *cell)
{
	if (key->site != cell->site || key->data != cell->data)
		return ((uint64_t)key->site << 32 | key->data) <
		       ((uint64_t)cell->site << 32 | cell->data);
	return key->processor != cell->processor ? key->processor < cell->processor
						 : key->crosses < cell->crosses;
}

static void list_pairs(struct cell_sum *s, const struct ms_engine_total_cell *cell)
{
	/* The monitor's handler evicts lines, too, and has no cell. */
	while (s->next_pair < s->pairs.at.n && is_before(&s->pairs.at.at[s->next_pair].key, cell))
		s->next_pair++;
	for (unsigned l = 0; l < s->miss_counters.levels; l++)
		list_level(s, cell, MS_COUNT_PAIR_REPLACED_BY, l,
			   s->any ? s->sum->level[l].causes[MS_ENGINE_MISS_REPLACED] : 0);
	for (unsigned l = 0; l < s->miss_counters.levels; l++)
		list_level(s, cell, MS_COUNT_PAIR_EVICTS, l,
			   s->any ? s->sum->level[l].evictions : 0);
}

static void list_misses(struct cell_sum *s)
{
	for (unsigned l = 0; l < s->miss_counters.levels && s->any; l++) {
		const uint64_t *causes = s->sum->level[l].causes;
		struct ms_engine_total_miss miss = { .cell = (uint32_t)s->totals->cells.n,
						     .level = l,
						     .covered = s->sum->level[l].covered };

		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++) {
			miss.causes[c] = causes[c];
			miss.weighted += (double)causes[c];
		}
		ms_causes_fill_total(s->engine, &s->sum->level[l], &miss);
		if (s->miss_counters.has_processors) {
			const struct ms_count_processor_misses *more =
				ms_count_get_processor_misses(&s->miss_counters, s->sum, l);

			miss.falsely = more->falsely;
			miss.peer = more->peer;
			miss.remote = more->remote;
			miss.write_backs = more->write_backs;
			miss.weighted = (double)more->weighted / MS_COUNT_WEIGHT_UNIT;
		}
		if (causes[MS_ENGINE_MISS_FIRST] | causes[MS_ENGINE_MISS_REPLACED] |
		    causes[MS_ENGINE_MISS_INVALIDATED] | miss.write_backs | miss.saved)
			*ms_vec_add(&s->totals->misses) = miss;
	}
}

static void add_contribution(struct cell_sum *s, const struct contribution *contribution,
			     unsigned shards, struct ms_engine_total_cell *total)
{
	struct ms_count_cell *cell = cell_of(contribution);
	unsigned kind = contribution->what & 3;

	if (kind == CONTRIBUTION_MISSES)
		add_counters(s, counters_of(contribution));
	if (kind == CONTRIBUTION_REFERENCES || (kind == CONTRIBUTION_CELL && !s->misses_only))
		total->references += cell->references;
	if (kind != CONTRIBUTION_CELL)
		return;
	if (s->all)
		ms_count_cell_windows(cell, shards)->total_index = s->totals->cells.n;
	for (unsigned i = 0; i < shards; i++)
		if (cell->counters[i] != NULL)
			add_counters(s, cell->counters[i]);
}

/* Lists one cell from its contributions; a cell without counts is omitted, unless all are listed.
 */
static void list_cell(struct cell_sum *s, const struct contribution *at,
		      const struct contribution *end, unsigned shards)
{
	struct ms_engine_total_cell cell = { .site = (uint32_t)(at->site_data >> 32),
					     .data = (uint32_t)at->site_data,
					     .processor = processor_of(at),
					     .crosses = crosses_of(at) };

	s->any = false;
	for (; at < end; at++)
		add_contribution(s, at, shards, &cell);
	if (cell.references == 0 && !s->any && !s->all)
		return;
	cell.upgrades = s->any ? s->sum->upgrades : 0;
	list_misses(s);
	list_pairs(s, &cell);
	*ms_vec_add(&s->totals->cells) = cell;
}

/* Includes pairs that shards have counted since the last epoch ended. */
static void take_pairs(struct ms_engine *engine, struct cell_sum *s)
{
	ms_count_finish_pairs(engine);
	s->other_data = engine->counts.pairs.other_data;
	s->totals->pair_error = engine->counts.pairs.error;
	s->totals->merged_pairs = engine->counts.pairs.merged;
}

static void take_contributions(struct ms_engine *engine, struct contributions *contributions)
{
	add_finished(contributions, &engine->counts.finished);
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->variant->flush_references(&engine->shard[i]);
		add_shard(contributions, &engine->shard[i]);
	}
	sort_contributions(contributions);
}

/* Not with windows or several processors, whose additional counts refer to single cells. */
static bool may_group(const struct ms_engine *engine, const struct ms_engine_site_groups *groups)
{
	return groups != NULL && !engine->variant->has_windows && !engine->variant->has_processors;
}

/* Before the contributions are listed. */
static bool has_many_cells(const struct ms_engine *engine, uint64_t most)
{
	uint64_t n = engine->counts.finished.list.n;

	for (unsigned i = 0; i < engine->shards; i++)
		n += engine->shard[i].cells.table_used;
	return n > most;
}

/* NULL: sites are not grouped. */
static const uint32_t *find_groups(const struct ms_engine_site_groups *groups,
				   struct contributions *contributions, unsigned shards)
{
	if (contributions->at.n <= groups->cells || count_cells(contributions) <= groups->cells)
		return NULL;
	struct site_list sites = { MS_VEC_INIT };

	drop_empty(contributions, shards);
	list_sites(contributions, &sites);
	const uint32_t *group = groups->of_sites(sites.at.at, sites.at.n, groups->arg);
	ms_vec_free(&sites.at);
	return group;
}

/* Lists and sorts both, in parallel; returns the groups of their sites, or NULL. */
static const uint32_t *take_counts(struct ms_engine *engine,
				   const struct ms_engine_site_groups *groups, struct cell_sum *s,
				   struct contributions *contributions)
{
	const bool grouped = may_group(engine, groups);
	const uint32_t *group = NULL;
	struct ms_count_pair_order order = {
		.sums = &engine->counts.pairs,
		.list = &s->pairs,
		.sorts = !grouped || !has_many_cells(engine, groups->cells),
	};

	ms_count_begin_pair_order(&order);
	ms_count_list_slices(engine, s->totals);
	ms_count_list_sets(engine, s->totals);
	take_contributions(engine, contributions);
	if (grouped)
		group = find_groups(groups, contributions, engine->shards);
	ms_count_end_pair_order(&order);
	if (group == NULL && order.sorts)
		return NULL;
	order = (struct ms_count_pair_order){ .list = &s->pairs, .sorts = true, .group = group };
	ms_count_begin_pair_order(&order);
	if (group != NULL)
		group_contributions(contributions, group);
	ms_count_end_pair_order(&order);
	return group;
}

uint32_t ms_count_find_total_cell(const struct ms_engine_totals *totals, uint32_t site,
				  uint32_t data, uint32_t processor)
{
	const struct ms_engine_total_cell *cells = totals->cells.at;
	uint64_t key = (uint64_t)site << 32 | data;
	size_t from = 0, to = totals->cells.n;

	while (from < to) {
		size_t middle = (from + to) / 2;
		const struct ms_engine_total_cell *c = &cells[middle];
		uint64_t at = (uint64_t)c->site << 32 | c->data;

		if (at < key || (at == key && c->processor < processor))
			from = middle + 1;
		else
			to = middle;
	}
	return from < totals->cells.n && cells[from].site == site && cells[from].data == data &&
			       cells[from].processor == processor
		       ? (uint32_t)from
		       : MS_MAP_NONE;
}

void ms_count_compute_totals(struct ms_engine *engine, const struct ms_engine_site_groups *groups,
			     struct ms_engine_totals *totals)
{
	struct cell_sum s = { .engine = engine,
			      .totals = totals,
			      .all = engine->variant->has_windows,
			      .misses_only = engine->shard[0].filter.misses_only };
	struct contributions contributions = { MS_VEC_INIT };

	*totals = (struct ms_engine_totals){ .cells = MS_VEC_INIT };
	ms_count_open_misses(&s.miss_counters, engine->shard[0].levels,
			     engine->variant->has_processors);
	s.sum = ms_count_new_misses(&s.miss_counters, 0, 0, 0);
	s.size = ms_count_get_misses_size(&s.miss_counters);
	engine->variant->finish_counts(engine);
	take_pairs(engine, &s);
	const uint32_t *group = take_counts(engine, groups, &s, &contributions);
	for (size_t i = 0, to; i < contributions.at.n; i = to) {
		const struct contribution *at = contributions.at.at;

		for (to = i + 1;
		     to < contributions.at.n && by_site_data_processor(at + i, at + to) == 0;)
			to++;
		list_cell(&s, at + i, at + to, engine->shards);
	}
	ms_count_list_occupancy(&engine->counts.occupancy, totals);
	engine->variant->counts->list_totals(engine, totals);
	ms_timing_add_totals(engine, group, totals);
	ms_call_paths_add_totals(engine, totals);
	ms_spatial_add_totals(engine, group, totals);
	ms_causes_add_totals(engine, group, totals);
	ms_vec_free(&contributions.at);
	ms_vec_free(&s.pairs.at);
	ms_count_close_misses(&s.miss_counters);
}

void ms_count_free_totals(struct ms_engine_totals *totals)
{
	ms_vec_free(&totals->cells);
	ms_vec_free(&totals->divisions);
	ms_vec_free(&totals->optimal);
	ms_vec_free(&totals->misses);
	ms_vec_free(&totals->replaced);
	ms_vec_free(&totals->evictions);
	ms_vec_free(&totals->occupancy);
	ms_vec_free(&totals->stays);
	ms_vec_free(&totals->slices);
	ms_vec_free(&totals->slice_cells);
	ms_vec_free(&totals->slice_sums);
	ms_vec_free(&totals->slice_threads);
	ms_vec_free(&totals->set_misses);
	ms_vec_free(&totals->set_parts);
	ms_vec_free(&totals->compute);
	ms_vec_free(&totals->contexts);
	ms_vec_free(&totals->path_misses);
	ms_vec_free(&totals->line_uses);
	ms_vec_free(&totals->offsets);
	ms_vec_free(&totals->curves);
	ms_vec_free(&totals->residencies);
	ms_vec_free(&totals->ranges);
	ms_vec_free(&totals->reuses);
	ms_vec_free(&totals->strides);
	ms_vec_free(&totals->sharing);
	ms_vec_free(&totals->threads);
	ms_vec_free(&totals->thread_misses);
}
