/*
 * name/line_use.c - adds to the run how its lines are used: bytes of fetched lines, strides, miss
 * curves and reuse.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "estimate/line_groups.h"
#include "name/name_priv.h"

/* --- bytes --- */

static void add_line_uses(struct ms_run *run, const struct ms_engine_totals *t)
{
	for (size_t i = 0; i < t->line_uses.n; i++) {
		const struct ms_engine_total_line_use *u = &t->line_uses.at[i];

		*ms_vec_add(&run->line_uses) = (struct ms_run_line_use){
			.cell = u->cell,
			.level = u->level,
			.lines = (double)ms_estimate_sum_line_groups(u->use.lines),
			.used_bytes = (double)ms_estimate_sum_line_groups(u->use.used),
			.variance = t->all_lines ? 0
						 : ms_estimate_line_ratio_variance(u->use.used,
										   u->use.lines),
			.written_lines = (double)ms_estimate_sum_line_groups(u->use.written_lines),
			.written_bytes = (double)ms_estimate_sum_line_groups(u->use.written),
		};
	}
}

/* --- curves --- */

enum { CURVE_BITS = 12 };
_Static_assert(1 << CURVE_BITS == MS_ENGINE_CURVE_BYTES, "the first size of a curve");

/* Different data of the engine can be one data structure of the run. */
static struct ms_run_curve *get_curve(struct ms_run *run, struct ms_map *index, uint32_t data)
{
	uint32_t *first = ms_map_at(index, data, 0);

	if (*first == MS_MAP_NONE) {
		*first = (uint32_t)run->curves.n;
		for (uint32_t size = 0; size < MS_ENGINE_CURVE_SIZES; size++)
			*ms_vec_add(&run->curves) =
				(struct ms_run_curve){ .data = data,
						       .size_bits = CURVE_BITS + size };
	}
	return &run->curves.at[*first];
}

static void add_curve(struct ms_run_curve *rows, const struct ms_engine_total_curve *c, bool exact)
{
	for (unsigned size = 0; size < MS_ENGINE_CURVE_SIZES; size++) {
		uint64_t misses[MS_ENGINE_LINE_GROUPS] = { 0 };

		for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
			for (unsigned k = size + 1; k <= MS_ENGINE_CURVE_SIZES; k++)
				misses[g] += c->accesses[g][k];
		rows[size].misses += (double)ms_estimate_sum_line_groups(misses);
		for (unsigned k = size + 1; k <= MS_ENGINE_CURVE_SIZES; k++) {
			rows[size].least += (double)c->shortest[k];
			rows[size].most += (double)c->longest[k];
		}
		rows[size].variance += exact ? 0 : ms_estimate_line_variance(misses);
	}
}

static int by_data_size(const void *a, const void *b)
{
	const struct ms_run_curve *x = a, *y = b;

	return x->data != y->data ? ms_cmp_u64(x->data, y->data)
				  : ms_cmp_u64(x->size_bits, y->size_bits);
}

static void add_curves(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	struct ms_map index = MS_MAP_INIT;

	for (size_t i = 0; i < t->curves.n; i++)
		add_curve(get_curve(n->run, &index, ms_name_number_data(n, t->curves.at[i].data)),
			  &t->curves.at[i], t->all_lines);
	if (n->run->curves.n > 0)
		qsort(n->run->curves.at, n->run->curves.n, sizeof(*n->run->curves.at),
		      by_data_size);
	ms_map_free(&index);
}

/* --- addresses --- */

static int by_data_number(const void *a, const void *b)
{
	const struct ms_run_address_range *x = a, *y = b;

	return x->data != y->data ? ms_cmp_u64(x->data, y->data) : ms_cmp_u64(x->number, y->number);
}

/* Ranges of the engine's data that is one data structure of the run get the largest size. */
static void widen_ranges(struct ms_run *run)
{
	struct ms_map widest = MS_MAP_INIT;

	for (size_t i = 0; i < run->address_ranges.n; i++) {
		const struct ms_run_address_range *r = &run->address_ranges.at[i];
		uint32_t *of = ms_map_at(&widest, r->data, 0);

		if (*of == MS_MAP_NONE || run->address_ranges.at[*of].bytes < r->bytes)
			*of = (uint32_t)i;
	}
	for (size_t i = 0; i < run->address_ranges.n; i++) {
		struct ms_run_address_range *r = &run->address_ranges.at[i];
		uint64_t bytes = run->address_ranges.at[ms_map_get(&widest, r->data, 0)].bytes;

		r->number = (uint32_t)(r->number * r->bytes / bytes);
		r->bytes = bytes;
	}
	ms_map_free(&widest);
}

static void merge_ranges(struct ms_run *run)
{
	struct ms_run_address_range *at = run->address_ranges.at;
	size_t n = 0;

	qsort(at, run->address_ranges.n, sizeof(*at), by_data_number);
	for (size_t i = 0; i < run->address_ranges.n; i++) {
		if (n == 0 || by_data_number(&at[n - 1], &at[i]) != 0) {
			at[n++] = at[i];
			continue;
		}
		at[n - 1].references += at[i].references;
		at[n - 1].first_misses += at[i].first_misses;
		at[n - 1].last_misses += at[i].last_misses;
	}
	run->address_ranges.n = n;
}

static void add_ranges(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	for (size_t i = 0; i < t->ranges.n; i++) {
		const struct ms_engine_total_range *r = &t->ranges.at[i];

		*ms_vec_add(&n->run->address_ranges) = (struct ms_run_address_range){
			.data = ms_name_number_data(n, r->data),
			.number = r->number,
			.bytes = r->bytes,
			.references = (double)r->range.accesses,
			.first_misses = (double)r->range.first_misses,
			.last_misses = (double)r->range.last_misses,
		};
	}
	if (n->run->address_ranges.n == 0)
		return;
	widen_ranges(n->run);
	merge_ranges(n->run);
}

/* --- reuse --- */

/* Pairs that are kept for one data structure: those with the most misses. */
enum { MAX_REUSES = 16 };

static int by_data_lines(const void *a, const void *b)
{
	const struct ms_run_reuse *x = a, *y = b;

	if (x->data != y->data)
		return ms_cmp_u64(x->data, y->data);
	return x->from_line != y->from_line ? ms_cmp_u64(x->from_line, y->from_line)
					    : ms_cmp_u64(x->to_line, y->to_line);
}

static int by_data_count(const void *a, const void *b)
{
	const struct ms_run_reuse *x = a, *y = b;

	if (x->data != y->data)
		return ms_cmp_u64(x->data, y->data);
	return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
				    : by_data_lines(a, b);
}

/* Sites of one line are added. */
static void merge_reuses(struct ms_run *run)
{
	size_t n = 0;

	qsort(run->reuses.at, run->reuses.n, sizeof(*run->reuses.at), by_data_lines);
	for (size_t i = 0; i < run->reuses.n; i++)
		if (n > 0 && by_data_lines(&run->reuses.at[n - 1], &run->reuses.at[i]) == 0) {
			run->reuses.at[n - 1].count += run->reuses.at[i].count;
			run->reuses.at[n - 1].log2_bytes += run->reuses.at[i].log2_bytes;
		} else {
			run->reuses.at[n++] = run->reuses.at[i];
		}
	run->reuses.n = n;
}

static void bound_reuses(struct ms_run *run)
{
	size_t n = 0, of_data = 0;

	qsort(run->reuses.at, run->reuses.n, sizeof(*run->reuses.at), by_data_count);
	for (size_t i = 0; i < run->reuses.n; i++) {
		of_data = i > 0 && run->reuses.at[i].data == run->reuses.at[i - 1].data
				  ? of_data + 1
				  : 0;
		if (of_data < MAX_REUSES)
			run->reuses.at[n++] = run->reuses.at[i];
	}
	run->reuses.n = n;
	qsort(run->reuses.at, run->reuses.n, sizeof(*run->reuses.at), by_data_lines);
}

static uint32_t line_of_site(struct ms_name_state *n, uint32_t site)
{
	return ms_name_line(n, ms_bins_site(n->from.binder, site)->pc);
}

static void add_reuses(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	for (size_t i = 0; i < t->reuses.n; i++) {
		const struct ms_engine_total_reuse *r = &t->reuses.at[i];

		*ms_vec_add(&n->run->reuses) = (struct ms_run_reuse){
			.data = ms_name_number_data(n, r->data),
			.from_line = line_of_site(n, r->from_site),
			.to_line = line_of_site(n, r->to_site),
			.count = (double)r->count,
			.log2_bytes = (double)r->log2_bytes / MS_ENGINE_LOG2_PARTS,
		};
	}
	if (n->run->reuses.n == 0)
		return;
	merge_reuses(n->run);
	bound_reuses(n->run);
}

/* --- strides --- */

_Static_assert(MS_RUN_OTHER_STRIDES == MS_ENGINE_OTHER_STRIDES, "strides are stored as they are");

/* Sites are numbered in the order of cells, and both arrays are sorted. */
static void add_strides(struct ms_run *run, const struct ms_engine_totals *t)
{
	size_t cell = 0;

	for (size_t i = 0; i < t->strides.n; i++) {
		const struct ms_engine_total_stride *s = &t->strides.at[i];

		while (cell < t->cells.n && t->cells.at[cell].site < s->site)
			cell++;
		if (cell < t->cells.n && t->cells.at[cell].site == s->site)
			*ms_vec_add(&run->strides) =
				(struct ms_run_stride){ run->cells.at[cell].site, s->stride,
							s->count };
	}
}

void ms_name_add_line_use(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	add_line_uses(n->run, totals);
	add_strides(n->run, totals);
	add_curves(n, totals);
	add_ranges(n, totals);
	add_reuses(n, totals);
}
