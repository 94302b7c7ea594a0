/* engine/windows_totals.c - what windows have told, as lists. */
#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

static int by_cell_part(const void *a, const void *b)
{
	const struct ms_sampled_references *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	return c != 0 ? c : ms_cmp_u64(x->part, y->part);
}

static int by_cell_level_part(const void *a, const void *b)
{
	const struct ms_sampled_count *x = a, *y = b;
	int c = ms_cmp_u64(x->cell, y->cell);

	if (c == 0)
		c = ms_cmp_u64(x->level, y->level);
	return c != 0 ? c : ms_cmp_u64(x->part, y->part);
}

static void list_counts(struct ms_sampled *s, const struct windows *w,
			const struct window_counts *counts, uint32_t cell)
{
	for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++) {
		if (counts->references[p] > 0)
			*ms_vec_add(&s->references) =
				(struct ms_sampled_references){ cell, p, counts->references[p] };
		for (uint32_t l = 0; l < w->levels; l++) {
			struct ms_sampled_count c = {
				.cell = cell,
				.level = l,
				.part = p,
				.known = counts->level[l][p].known,
				.unknown_hits = counts->level[l][p].unknown_hits,
				.unknown_misses = counts->level[l][p].unknown_misses,
				.unseen_known = counts->level[l][p].unseen_known,
				.unseen_unknown = counts->level[l][p].unseen_unknown,
				.lost = counts->level[l][p].lost,
				.surely_lost = counts->level[l][p].surely_lost,
			};

			if ((c.known | c.unknown_hits | c.unknown_misses) != 0)
				*ms_vec_add(&s->counts) = c;
		}
	}
}

/* Several sifters have a tally each for the same cell. */
static void join(struct ms_sampled *s)
{
	size_t n = 0;

	if (s->references.n > 1)
		qsort(s->references.at, s->references.n, sizeof(*s->references.at), by_cell_part);
	for (size_t i = 0; i < s->references.n; i++)
		if (n > 0 && by_cell_part(&s->references.at[n - 1], &s->references.at[i]) == 0)
			s->references.at[n - 1].references += s->references.at[i].references;
		else
			s->references.at[n++] = s->references.at[i];
	s->references.n = n;
	n = 0;
	if (s->counts.n > 1)
		qsort(s->counts.at, s->counts.n, sizeof(*s->counts.at), by_cell_level_part);
	for (size_t i = 0; i < s->counts.n; i++) {
		const struct ms_sampled_count *c = &s->counts.at[i];

		if (n == 0 || by_cell_level_part(&s->counts.at[n - 1], c) != 0) {
			s->counts.at[n++] = *c;
			continue;
		}
		s->counts.at[n - 1].known += c->known;
		s->counts.at[n - 1].unknown_hits += c->unknown_hits;
		s->counts.at[n - 1].unknown_misses += c->unknown_misses;
		s->counts.at[n - 1].unseen_known += c->unseen_known;
		s->counts.at[n - 1].unseen_unknown += c->unseen_unknown;
		s->counts.at[n - 1].lost += c->lost;
		s->counts.at[n - 1].surely_lost += c->surely_lost;
	}
	s->counts.n = n;
}

static void list_lives(struct ms_sampled *s, const struct windows *w)
{
	for (uint32_t l = 0; l < w->levels; l++) {
		for (size_t d = 0; d < w->lives.n / w->levels + 1; d++) {
			size_t i = d * w->levels + l;

			if (i >= w->lives.n || w->lives.at[i].generations == 0)
				continue;
			*ms_vec_add(&s->lives) = (struct ms_sampled_life){
				.level = l,
				.data = (uint32_t)d,
				.generations = w->lives.at[i].generations,
				.dead = w->lives.at[i].dead,
				.whole = w->lives.at[i].whole,
			};
		}
	}
}

static void list_cells(struct ms_sampled *s, const struct cells *cells,
		       const struct window_cells *counts)
{
	for (size_t i = 0; i < counts->at.n; i++)
		for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++)
			if (counts->at.at[i].in[p] > 0)
				*ms_vec_add(&s->references) = (struct ms_sampled_references){
					cells->list.at[i]->tally[0]->place, p,
					counts->at.at[i].in[p]
				};
}

/* What a sieve has counted. */
static void list_references(struct ms_sampled *s, const struct ms_shard *shard)
{
	const struct processors *p = shard->processors;

	list_cells(s, &shard->cells, &shard->windows.cells);
	for (uint32_t i = 0; p != NULL && i < p->count; i++)
		if (p->at[i] != NULL)
			list_cells(s, &p->at[i]->cells, &p->at[i]->window_cells);
}

static void list_level(const struct ms_engine *engine, uint32_t level, struct ms_sampled *s)
{
	const struct general *general = engine->shard[0].general;
	const struct windows *w = engine->windows;
	const struct window_level *l = &w->level[level];
	struct ms_sampled_level row = { .unknown = l->unknown, .caches = 1, .processors = 1 };

	for (unsigned i = 0; general != NULL && i < general->kinds; i++) {
		if (level - general->kind[i].first >= general->kind[i].levels)
			continue;
		row.caches = general->kind[i].count;
		row.processors = general->kind[i].processors;
	}
	row.frames = l->sets * l->ways / w->sets.every * row.caches;
	*ms_vec_add(&s->levels) = row;
}

uint32_t ms_engine_windows(const struct ms_engine *engine)
{
	return engine->windows->seen;
}

void ms_engine_window_sums(const struct ms_engine *engine, uint32_t level,
			   struct ms_window_sums *sums)
{
	const struct windows *w = engine->windows;

	*sums = (struct ms_window_sums){ .references = { 0 } };
	for (size_t i = 0; i < w->counts.n; i++) {
		const struct window_counts *counts = w->counts.at[i];

		for (unsigned p = 0; counts != NULL && p < MS_SAMPLE_PARTS; p++) {
			sums->references[p] += (double)counts->references[p];
			sums->known[p] += (double)counts->level[level][p].known;
			sums->unknown[p] += (double)(counts->level[level][p].unknown_hits +
						     counts->level[level][p].unknown_misses);
			sums->unknown_misses[p] += (double)counts->level[level][p].unknown_misses;
		}
	}
	/* Others may sift meanwhile. */
	for (unsigned i = 0; i < engine->shards; i++)
		for (unsigned p = 0; p < MS_SAMPLE_PARTS; p++)
			sums->references[p] += (double)__atomic_load_n(
				&engine->shard[i].windows.seen[p], __ATOMIC_RELAXED);
}

void ms_engine_sampled(struct ms_engine *engine, struct ms_sampled *s)
{
	const struct windows *w = engine->windows;
	const struct tallies *tallies = &engine->shard[0].tallies;

	*s = (struct ms_sampled){ .windows = w->seen };
	for (unsigned i = 0; i < engine->shards; i++)
		list_references(s, &engine->shard[i]);
	for (size_t i = 0; i < tallies->list.n && i < w->counts.n; i++)
		if (w->counts.at[i] != NULL)
			list_counts(s, w, w->counts.at[i], tallies->list.at[i]->place);
	join(s);
	list_lives(s, w);
	for (uint32_t l = 0; l < w->levels; l++)
		list_level(engine, l, s);
}

void ms_sampled_free(struct ms_sampled *s)
{
	ms_vec_free(&s->references);
	ms_vec_free(&s->counts);
	ms_vec_free(&s->lives);
	ms_vec_free(&s->levels);
}
