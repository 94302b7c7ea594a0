/* engine/windows/window_totals.c - lists the counts of windows. */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* A contribution to a cell of the totals: from one of several filters, or from the simulation. */
struct cell_counts {
	uint32_t cell;
	const uint64_t *references;                    /* by part; NULL: of the simulation */
	const struct ms_engine_windows_counts *counts; /* by level; NULL: of a filter */
};

struct cell_counts_list {
	MS_VEC(struct cell_counts) at;
};

/* --- by cell --- */

/* A counting sort: cells have small, consecutive numbers. */
static void sort_by_cell(struct cell_counts_list *list)
{
	size_t n = list->at.n, cells = 0;

	for (size_t i = 0; i < n; i++)
		if (list->at.at[i].cell >= cells)
			cells = (size_t)list->at.at[i].cell + 1;
	struct cell_counts *sorted = ms_alloc((n + 1) * sizeof(*sorted));
	size_t *next = ms_alloc((cells + 1) * sizeof(*next));
	for (size_t i = 0; i < n; i++)
		next[list->at.at[i].cell + 1]++;
	for (size_t c = 1; c <= cells; c++)
		next[c] += next[c - 1];
	for (size_t i = 0; i < n; i++)
		sorted[next[list->at.at[i].cell]++] = list->at.at[i];
	ms_free(next);
	ms_free(list->at.at);
	list->at.at = sorted;
	list->at.cap = n + 1;
}

static void add_references(struct ms_engine_windows_totals *s, const struct cell_counts *counted,
			   size_t n)
{
	for (uint32_t p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += counted[i].references != NULL ? counted[i].references[p] : 0;
		if (sum > 0)
			*ms_vec_add(&s->references) =
				(struct ms_engine_windows_total_references){ counted->cell, p,
									     sum };
	}
}

static void add_count(struct ms_engine_windows_total_count *sum,
		      const struct ms_engine_windows_counts *counts)
{
	sum->known += counts[sum->level].part[sum->part].known;
	sum->unknown_hits += counts[sum->level].part[sum->part].unknown_hits;
	sum->unknown_misses += counts[sum->level].part[sum->part].unknown_misses;
	sum->unseen_known += counts[sum->level].part[sum->part].unseen_known;
	sum->unseen_unknown += counts[sum->level].part[sum->part].unseen_unknown;
	sum->lost += counts[sum->level].part[sum->part].lost;
	sum->surely_lost += counts[sum->level].part[sum->part].surely_lost;
}

static void add_part(struct ms_engine_windows_totals *s, const struct cell_counts *counted,
		     size_t n, uint32_t level, uint32_t part)
{
	struct ms_engine_windows_total_count sum = { .cell = counted->cell,
						     .level = level,
						     .part = part };

	for (size_t i = 0; i < n; i++)
		if (counted[i].counts != NULL)
			add_count(&sum, counted[i].counts);
	if ((sum.known | sum.unknown_hits | sum.unknown_misses) != 0)
		*ms_vec_add(&s->counts) = sum;
}

static void add_counts(struct ms_engine_windows_totals *s, const struct ms_engine_windows_state *w,
		       const struct cell_counts *counted, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || counted[i].counts != NULL;
	for (uint32_t l = 0; l < w->levels && any; l++)
		for (uint32_t p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
			add_part(s, counted, n, l, p);
}

/* Sums the contributions to each cell. */
static void merge_counts(struct ms_engine_windows_totals *s,
			 const struct ms_engine_windows_state *w,
			 const struct cell_counts_list *list)
{
	for (size_t i = 0, to; i < list->at.n; i = to) {
		const struct cell_counts *counted = &list->at.at[i];

		for (to = i + 1; to < list->at.n && list->at.at[to].cell == counted->cell;)
			to++;
		add_references(s, counted, to - i);
		add_counts(s, w, counted, to - i);
	}
}

/* --- lists --- */

static void list_lives(struct ms_engine_windows_totals *s, const struct ms_engine_windows_state *w)
{
	for (uint32_t l = 0; l < w->levels; l++) {
		for (size_t d = 0; d < w->lives.n / w->levels + 1; d++) {
			size_t i = d * w->levels + l;

			if (i >= w->lives.n || w->lives.at[i].generations == 0)
				continue;
			*ms_vec_add(&s->lives) = (struct ms_engine_windows_total_life){
				.level = l,
				.data = (uint32_t)d,
				.generations = w->lives.at[i].generations,
				.dead = w->lives.at[i].dead,
				.whole = w->lives.at[i].whole,
			};
		}
	}
}

/* If sets are sampled, each cell counts its references by part itself. */
static void take_cells(struct cell_counts_list *list, const struct ms_count_cells *cells,
		       const struct ms_engine_windows_cells *counts)
{
	size_t n = cells->parts > 0 ? cells->list.n : counts->at.n;

	ms_vec_reserve(&list->at, n);
	for (size_t i = 0; i < n; i++) {
		const struct ms_count_cell_windows *cell =
			ms_count_cell_windows(cells->list.at[i], cells->shards);

		*ms_vec_add(&list->at) = (struct cell_counts){
			(uint32_t)cell->total_index,
			cells->parts > 0 ? cell->part_references : counts->at.at[i].in, NULL
		};
	}
}

/* Adds the counts of a shard's filters. */
static void take_shard(struct cell_counts_list *list, struct ms_engine_shard *shard)
{
	struct ms_engine_cell_table table;
	uint32_t at = 0;

	while (shard->engine->variant->counts->next_cell_table(shard, &at, &table))
		take_cells(list, table.cells, table.in_windows);
}

static void take_simulated(struct cell_counts_list *list, const struct ms_engine_windows_state *w,
			   const struct ms_count_miss_table *miss_counters)
{
	for (size_t i = 0; i < miss_counters->list.n && i < w->counts.n; i++)
		if (w->counts.at[i] != NULL)
			*ms_vec_add(&list->at) =
				(struct cell_counts){ miss_counters->list.at[i]->total_index, NULL,
						      w->counts.at[i] };
}

static void list_level(const struct ms_engine *engine, uint32_t level,
		       struct ms_engine_windows_totals *s)
{
	const struct ms_caches_configurable *configurable = engine->shard[0].configurable;
	const struct ms_engine_windows_state *w = engine->windows;
	const struct ms_engine_windows_level *l = &w->level[level];
	struct ms_engine_windows_total_level row = { .unknown = l->unknown,
						     .caches = 1,
						     .processors = 1 };

	for (unsigned i = 0; configurable != NULL && i < configurable->group_kinds; i++) {
		if (level - configurable->kind[i].first >= configurable->kind[i].levels)
			continue;
		row.caches = configurable->kind[i].count;
		row.processors = configurable->kind[i].processors;
	}
	row.frames = l->sets * l->ways / w->sets.every * row.caches;
	*ms_vec_add(&s->levels) = row;
}

uint32_t ms_engine_windows_count_windows(const struct ms_engine *engine)
{
	return engine->windows->seen;
}

void ms_engine_windows_sum_level(const struct ms_engine *engine, uint32_t level,
				 struct ms_engine_windows_sums *sums)
{
	const struct ms_engine_windows_state *w = engine->windows;

	*sums = (struct ms_engine_windows_sums){ .references = { 0 } };
	for (size_t i = 0; i < w->counts.n; i++) {
		const struct ms_engine_windows_counts *counts = w->counts.at[i];

		for (unsigned p = 0; counts != NULL && p < MS_ENGINE_WINDOWS_PARTS; p++) {
			sums->known[p] += (double)counts[level].part[p].known;
			sums->unknown[p] += (double)(counts[level].part[p].unknown_hits +
						     counts[level].part[p].unknown_misses);
			sums->unknown_misses[p] += (double)counts[level].part[p].unknown_misses;
		}
	}
	/* Other threads may filter meanwhile. */
	for (unsigned i = 0; i < engine->shards; i++)
		for (unsigned p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
			sums->references[p] += (double)__atomic_load_n(
				&engine->shard[i].windows.seen[p], __ATOMIC_RELAXED);
}

void ms_engine_windows_compute_totals(struct ms_engine *engine, struct ms_engine_windows_totals *s)
{
	const struct ms_engine_windows_state *w = engine->windows;
	struct cell_counts_list list = { MS_VEC_INIT };

	*s = (struct ms_engine_windows_totals){ .windows = w->seen };
	for (unsigned i = 0; i < engine->shards; i++)
		take_shard(&list, &engine->shard[i]);
	take_simulated(&list, w, &engine->shard[0].counts.miss_counters);
	sort_by_cell(&list);
	merge_counts(s, w, &list);
	ms_vec_free(&list.at);
	list_lives(s, w);
	for (uint32_t l = 0; l < w->levels; l++)
		list_level(engine, l, s);
}

void ms_engine_windows_free_totals(struct ms_engine_windows_totals *s)
{
	ms_vec_free(&s->references);
	ms_vec_free(&s->counts);
	ms_vec_free(&s->lives);
	ms_vec_free(&s->levels);
}
