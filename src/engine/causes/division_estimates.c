#include "engine/causes/division_estimates.h"

#include <stdlib.h>

#include "base/num.h"
#include "engine/causes/causes_state.h"
#include "engine/engine_priv.h"

void ms_causes_close_estimates(struct ms_causes_estimates *estimates)
{
	for (unsigned level = 0; level < MS_CAUSES_MAX_LEVELS; level++)
		ms_map_free(&estimates->index[level]);
	ms_vec_free(&estimates->at);
}

uint64_t ms_causes_measure_estimates(const struct ms_causes_estimates *estimates)
{
	uint64_t bytes = estimates->at.cap * sizeof(*estimates->at.at);

	for (unsigned level = 0; level < MS_CAUSES_MAX_LEVELS; level++)
		bytes += ms_map_bytes(&estimates->index[level]);
	return bytes;
}

static struct ms_engine_division_parts *find_parts(struct ms_causes_estimates *estimates,
						   const struct ms_causes_observation *o)
{
	uint32_t *number = ms_map_at(&estimates->index[o->level], o->cell->site, o->cell->data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)estimates->at.n;
		*ms_vec_add(&estimates->at) = (struct ms_causes_estimate){ .site = o->cell->site,
									   .data = o->cell->data,
									   .level = o->level };
	}
	return &estimates->at.at[*number].parts;
}

void ms_causes_add_observation(struct ms_causes_estimates *estimates,
			       const struct ms_causes_observation *o)
{
	if (!o->missed && o->verdict == MS_CAUSES_HITS)
		return;
	struct ms_engine_division_parts *parts = find_parts(estimates, o);

	if (!o->missed) {
		uint64_t *saved =
			o->verdict == MS_CAUSES_MISSES ? parts->saved : parts->maybe_saved;

		saved[o->group] += o->weight;
		return;
	}
	parts->observed++;
	parts->examined[o->group] += o->weight;
	if (o->verdict == MS_CAUSES_HITS)
		parts->conflict[o->group] += o->weight;
	if (o->verdict == MS_CAUSES_MISSES)
		parts->capacity[o->group] += o->weight;
}

/* --- totals --- */

static int by_cell_level(const void *a, const void *b)
{
	const struct ms_engine_total_division *x = a, *y = b;

	return x->cell != y->cell ? ms_cmp_u64(x->cell, y->cell) : ms_cmp_u64(x->level, y->level);
}

static void add_parts(struct ms_engine_division_parts *into,
		      const struct ms_engine_division_parts *from)
{
	into->observed += from->observed;
	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++) {
		into->examined[g] += from->examined[g];
		into->conflict[g] += from->conflict[g];
		into->capacity[g] += from->capacity[g];
		into->saved[g] += from->saved[g];
		into->maybe_saved[g] += from->maybe_saved[g];
	}
}

/* Sites of one group are one cell in the totals. */
static void merge(struct ms_engine_totals *totals)
{
	size_t n = 0;

	if (totals->divisions.n > 1)
		qsort(totals->divisions.at, totals->divisions.n, sizeof(*totals->divisions.at),
		      by_cell_level);
	for (size_t i = 0; i < totals->divisions.n; i++) {
		const struct ms_engine_total_division *division = &totals->divisions.at[i];

		if (n > 0 && by_cell_level(&totals->divisions.at[n - 1], division) == 0)
			add_parts(&totals->divisions.at[n - 1].parts, &division->parts);
		else
			totals->divisions.at[n++] = *division;
	}
	totals->divisions.n = n;
}

static uint64_t sum_of(const uint64_t groups[MS_ENGINE_LINE_GROUPS])
{
	uint64_t sum = 0;

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		sum += groups[g];
	return sum;
}

static uint64_t scale(uint64_t part, uint64_t examined, uint64_t replaced)
{
	return examined > 0 ? (uint64_t)((double)part * (double)replaced / (double)examined) : 0;
}

static int by_cell_level_of_misses(const void *a, const void *b)
{
	const struct ms_engine_total_miss *x = a, *y = b;

	return x->cell != y->cell ? ms_cmp_u64(x->cell, y->cell) : ms_cmp_u64(x->level, y->level);
}

/* The shares of the examined replacement misses are those of all. */
static void fill_miss(struct ms_engine_total_miss *miss,
		      const struct ms_engine_division_parts *parts)
{
	uint64_t examined = sum_of(parts->examined);
	uint64_t replaced = miss->causes[MS_ENGINE_MISS_REPLACED];

	miss->conflict = scale(sum_of(parts->conflict), examined, replaced);
	miss->capacity = scale(sum_of(parts->capacity), examined, replaced);
	miss->saved = sum_of(parts->saved);
	miss->maybe_saved = sum_of(parts->maybe_saved);
}

/* A cell without misses at a level may have hits that were saved. Both lists are sorted. */
static void fill_misses(struct ms_engine_totals *totals)
{
	const size_t n = totals->misses.n;
	size_t at = 0;

	for (size_t i = 0; i < totals->divisions.n; i++) {
		const struct ms_engine_total_division *division = &totals->divisions.at[i];
		struct ms_engine_total_miss key = { .cell = division->cell,
						    .level = division->level };

		while (at < n && by_cell_level_of_misses(&totals->misses.at[at], &key) < 0)
			at++;
		if (at < n && by_cell_level_of_misses(&totals->misses.at[at], &key) == 0) {
			fill_miss(&totals->misses.at[at], &division->parts);
			continue;
		}
		fill_miss(&key, &division->parts);
		if (key.saved > 0 || key.maybe_saved > 0)
			*ms_vec_add(&totals->misses) = key;
	}
	if (totals->misses.n > n)
		qsort(totals->misses.at, totals->misses.n, sizeof(*totals->misses.at),
		      by_cell_level_of_misses);
}

void ms_causes_add_estimate_totals(const struct ms_causes_estimates *estimates,
				   const uint32_t *group, struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < estimates->at.n; i++) {
		const struct ms_causes_estimate *e = &estimates->at.at[i];
		uint32_t site = group != NULL ? group[e->site] : e->site;
		uint32_t cell = ms_count_find_total_cell(totals, site, e->data, 0);

		if (cell != MS_MAP_NONE)
			*ms_vec_add(&totals->divisions) =
				(struct ms_engine_total_division){ cell, e->level, e->parts };
	}
	merge(totals);
	fill_misses(totals);
}
