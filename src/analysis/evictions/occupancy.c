#include "analysis/evictions/occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "base/map.h"
#include "base/num.h"

static int compare(const void *a, const void *b, void *of)
{
	const struct ms_evictions_occupant *x = a, *y = b;
	const struct ms_run *run = of;

	if (x->mean != y->mean)
		return x->mean > y->mean ? -1 : 1;
	return strcmp(run->data.at[x->data].name, run->data.at[y->data].name);
}

/* All data of the level. */
static void add_data(struct ms_evictions_occupants *o)
{
	for (size_t i = 0; i < o->run->occupancy.n; i++) {
		const struct ms_run_occupancy *row = &o->run->occupancy.at[i];
		double mean = row->mean > 0 ? row->mean : 0; /* a damaged run may hold anything */

		if (row->level == o->level)
			*ms_vec_add(&o->at) = (struct ms_evictions_occupant){ .data = row->data,
									      .peak = row->peak,
									      .lines = row->lines,
									      .mean = mean };
	}
	if (o->at.n > 1)
		qsort_r(o->at.at, o->at.n, sizeof(*o->at.at), compare, (void *)(uintptr_t)o->run);
}

/* Which data has a time line. */
static void find_timed(struct ms_evictions_occupants *o)
{
	struct ms_map timed = MS_MAP_INIT;

	for (size_t i = 0; i < o->run->stays.n; i++)
		if (o->run->stays.at[i].level == o->level)
			*ms_map_at(&timed, o->run->stays.at[i].data, 0) = 1;
	for (size_t i = 0; i < o->at.n; i++)
		o->at.at[i].timed = ms_map_get(&timed, o->at.at[i].data, 0) != MS_MAP_NONE;
	ms_map_free(&timed);
}

/* Merges occupants that are not selected, always small, or too many into a last one. */
static void join_others(struct ms_evictions_occupants *o, const bool *of, size_t most, double least)
{
	struct ms_evictions_occupant others = { .data = MS_NONE, .timed = true };
	size_t kept = 0;

	for (size_t i = 0; i < o->at.n; i++) {
		const struct ms_evictions_occupant *at = &o->at.at[i];

		bool large = at->timed && at->mean >= least * (double)o->lines;

		if (kept < most && (of != NULL ? of[at->data] : large)) {
			o->at.at[kept++] = *at;
			continue;
		}
		others.lines += at->lines;
		others.mean += at->mean;
		o->others++;
	}
	o->at.n = kept;
	if (o->others > 0)
		*ms_vec_add(&o->at) = others;
}

static void add_slices(struct ms_evictions_occupants *o)
{
	struct ms_map place = MS_MAP_INIT; /* of data */

	for (uint32_t i = 0; i < o->at.n; i++)
		*ms_map_at(&place, o->at.at[i].data, 0) = i;
	for (size_t i = 0; i < o->run->stays.n; i++) {
		const struct ms_run_stay *stay = &o->run->stays.at[i];
		uint32_t at = ms_map_get(&place, stay->data, 0);

		if (stay->level != o->level || !(stay->lines > 0 || stay->came > 0))
			continue;
		o->came[stay->slice] += stay->came;
		if (at == MS_MAP_NONE) /* it is not shown */
			at = ms_map_get(&place, MS_NONE, 0);
		if (at == MS_MAP_NONE)
			continue;
		o->at.at[at].slices[stay->slice] += stay->lines > 0 ? stay->lines : 0;
		o->at.at[at].came[stay->slice] += stay->came;
		o->known_came = o->known_came || stay->came > 0;
	}
	ms_map_free(&place);
}

static void find_empty(struct ms_evictions_occupants *o)
{
	o->empty = (double)o->lines;
	for (uint32_t k = 0; k < o->slices; k++)
		o->empty_slices[k] = (double)o->lines;
	for (size_t i = 0; i < o->at.n; i++)
		o->empty -= o->at.at[i].mean;
	for (size_t i = 0; i < o->run->stays.n; i++)
		if (o->run->stays.at[i].level == o->level)
			o->empty_slices[o->run->stays.at[i].slice] -= o->run->stays.at[i].lines;
	if (!(o->empty > 0))
		o->empty = 0;
	for (uint32_t k = 0; k < o->slices; k++)
		if (!(o->empty_slices[k] > 0))
			o->empty_slices[k] = 0;
}

/* --- intervals --- */

/* With several processors, lines that are brought in are recorded once in this many steps. */
enum { SHORT_SLICE = 32768 };

static double steps_of(const struct ms_run *run, uint32_t slice)
{
	uint64_t from = slice * run->slice_steps, to = from + run->slice_steps;

	return (double)((to < run->steps ? to : run->steps) - from);
}

/*
 * own: of all misses that brought these lines in; NULL: nothing is known of them. A slice in which
 * windows happened to see few is as far off as one that has its part of them.
 */
static void bound(const struct ms_evictions_occupants *o, const struct ms_intervals_entry *own,
		  const uint64_t *came, struct ms_intervals_bounds *within)
{
	const struct ms_intervals_level *l = own != NULL ? &own->levels[o->level] : NULL;
	double misses = l != NULL ? l->seen.low + l->stale : 0, all = 0;

	for (uint32_t k = 0; k < o->slices; k++)
		all += (double)came[k];
	for (uint32_t k = 0; k < o->slices; k++) {
		double n = (double)came[k],
		       usual = all * steps_of(o->run, k) / (double)o->run->steps;
		double each = misses / all, part = each * (n > usual ? n : usual);

		within[k] = (struct ms_intervals_bounds){ NAN, NAN };
		if (!(misses > 0) || !(all > 0) ||
		    (o->run->processors > 1 && o->run->slice_steps < SHORT_SLICE))
			continue;
		struct ms_intervals_bounds b = ms_intervals_effect_part(
			part, misses, l->extreme, ms_intervals_effect_scale(o->run));
		double low = n - (part - b.low) / each;
		within[k] = (struct ms_intervals_bounds){ low < 0 ? 0 : low,
							  n + (b.high - part) / each };
	}
}

static void add_intervals(struct ms_evictions_occupants *o, const struct ms_evictions *e)
{
	bound(o, ms_intervals_at(&e->total, 0), o->came, o->came_within);
	for (size_t i = 0; i < o->at.n; i++) {
		struct ms_evictions_occupant *at = &o->at.at[i];

		bound(o, at->data != MS_NONE ? ms_intervals_at(&e->by_data, at->data) : NULL,
		      at->came, at->came_within);
	}
}

void ms_evictions_occupants_make(struct ms_evictions_occupants *o,
				 const struct ms_evictions *evictions, uint32_t level, size_t most,
				 double least)
{
	const struct ms_run *run = evictions->whole.run;

	*o = (struct ms_evictions_occupants){
		.run = run,
		.level = level,
		.known = run->steps > 0,
		.lines = ms_run_cache_lines(run, level),
		.slices = ms_run_slices(run),
	};
	add_data(o);
	find_timed(o);
	join_others(o, evictions->of, most, least);
	add_slices(o);
	find_empty(o);
	add_intervals(o, evictions);
}

void ms_evictions_occupants_free(struct ms_evictions_occupants *o)
{
	ms_vec_free(&o->at);
}

const struct ms_run_occupancy *ms_evictions_occupancy_of(const struct ms_run *run, uint32_t level,
							 uint32_t data)
{
	size_t from = 0, to = run->occupancy.n;

	while (from < to) {
		size_t middle = (from + to) / 2;
		const struct ms_run_occupancy *o = &run->occupancy.at[middle];

		if (o->level == level && o->data == data)
			return o;
		if (o->level < level || (o->level == level && o->data < data))
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}
