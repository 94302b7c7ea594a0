/*
 * run/regroup.c - uses the description of the arrays that saving and loading use, too. Columns with
 * an index, a word, a text or 32 bits identify an element. Columns with 64 bits or a real number
 * are counts, and are summed if elements are merged. Peaks (bytes of data, lines in a cache) are
 * summed as well: the sum of the parts' peaks is an upper bound.
 */
#include "run/regroup.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

enum { MAPS = 8 };

/* The new index of each element of the array at this offset of the run. */
struct index_map {
	size_t array;
	uint32_t *to;
};

struct regrouping {
	struct ms_run *run;
	struct index_map maps[MAPS];
	size_t n;
};

static const uint32_t *map_of(const struct regrouping *w, const struct ms_run_field *f)
{
	bool index = f->kind == MS_FIELD_INDEX || f->kind == MS_FIELD_MAYBE_INDEX;

	for (size_t i = 0; index && i < w->n; i++)
		if (w->maps[i].array == f->target)
			return w->maps[i].to;
	return NULL;
}

static bool is_count(enum ms_run_field_kind kind)
{
	return kind == MS_FIELD_U64 || kind == MS_FIELD_REAL;
}

static bool is_text(enum ms_run_field_kind kind)
{
	return kind == MS_FIELD_TEXT || kind == MS_FIELD_MAYBE_TEXT || kind == MS_FIELD_STRING ||
	       kind == MS_FIELD_MAYBE_STRING;
}

/* Updates the indices in all rows; false: none of its columns refers to what is regrouped. */
static bool point_anew(const struct regrouping *w, const struct ms_run_table *s)
{
	struct ms_run_any_vec rows = ms_run_vec(w->run, s->array);
	bool any = false;

	for (const struct ms_run_field *f = s->fields; f->column != NULL; f++) {
		const uint32_t *to = map_of(w, f);

		any = any || to != NULL;
		for (size_t i = 0; to != NULL && i < rows.n; i++) {
			char *at = rows.at + i * s->size + f->offset;
			uint32_t value;

			memcpy(&value, at, sizeof(value));
			if (value != MS_NONE)
				memcpy(at, &to[value], sizeof(value));
		}
	}
	return any;
}

static int compare_texts(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_field(const struct ms_run_field *f, const char *a, const char *b)
{
	if (is_text(f->kind)) {
		const char *x, *y;

		memcpy(&x, a + f->offset, sizeof(x));
		memcpy(&y, b + f->offset, sizeof(y));
		return compare_texts(x, y);
	}
	uint64_t x = 0, y = 0;
	size_t size = f->kind == MS_FIELD_MAYBE_U64 || f->kind == MS_FIELD_ID ? 8 : 4;

	memcpy(&x, a + f->offset, size);
	memcpy(&y, b + f->offset, size);
	return ms_cmp_u64(x, y);
}

static int compare_rows(const struct ms_run_table *s, const char *a, const char *b)
{
	int order = 0;

	for (const struct ms_run_field *f = s->fields; f->column != NULL && order == 0; f++)
		if (!is_count(f->kind))
			order = compare_field(f, a, b);
	return order;
}

struct row_sorting {
	const struct ms_run_table *stored;
	const char *rows;
};

static int compare(const void *a, const void *b, void *arg)
{
	const struct row_sorting *s = arg;
	const uint32_t *x = a, *y = b;
	size_t size = s->stored->size;
	int order = compare_rows(s->stored, s->rows + *x * size, s->rows + *y * size);

	return order != 0 ? order : ms_cmp_u64(*x, *y);
}

static void add_counts(const struct ms_run_table *s, char *to, const char *from)
{
	for (const struct ms_run_field *f = s->fields; f->column != NULL; f++) {
		if (f->kind == MS_FIELD_U64) {
			uint64_t x, y;

			memcpy(&x, to + f->offset, sizeof(x));
			memcpy(&y, from + f->offset, sizeof(y));
			x += y;
			memcpy(to + f->offset, &x, sizeof(x));
		} else if (f->kind == MS_FIELD_REAL) {
			double x, y;

			memcpy(&x, to + f->offset, sizeof(x));
			memcpy(&y, from + f->offset, sizeof(y));
			x += y;
			memcpy(to + f->offset, &x, sizeof(x));
		}
	}
}

/* Rows that stay where they are, as most do where little is merged: they come sorted from the
 * database. */
static bool are_ascending(const struct ms_run_table *s, const struct ms_run_any_vec *rows)
{
	for (size_t i = 1; i < rows->n; i++) {
		const char *row = rows->at + i * s->size;
		int order = compare_rows(s, row - s->size, row);

		if (order > 0 || (order == 0 && !s->apart))
			return false;
	}
	return true;
}

void ms_run_sum_rows(struct ms_run *run, const struct ms_run_table *s, uint32_t *to)
{
	struct ms_run_any_vec rows = ms_run_vec(run, s->array), merged = { NULL, 0, 0 };

	if (are_ascending(s, &rows)) {
		for (uint32_t i = 0; i < rows.n && to != NULL; i++)
			to[i] = i;
		return;
	}
	uint32_t *order = ms_alloc((rows.n + 1) * sizeof(*order));
	struct row_sorting sorting = { s, rows.at };

	for (uint32_t i = 0; i < rows.n; i++)
		order[i] = i;
	if (rows.n > 1)
		qsort_r(order, rows.n, sizeof(*order), compare, &sorting);
	ms_vec_reserve_((void **)&merged.at, 0, &merged.cap, rows.n, s->size);
	for (size_t i = 0; i < rows.n; i++) {
		const char *row = rows.at + order[i] * s->size;
		char *last = merged.n > 0 ? merged.at + (merged.n - 1) * s->size : NULL;

		if (last != NULL && !s->apart && compare_rows(s, last, row) == 0)
			add_counts(s, last, row);
		else
			memcpy(merged.at + merged.n++ * s->size, row, s->size);
		if (to != NULL)
			to[order[i]] = (uint32_t)merged.n - 1;
	}
	ms_free(order);
	ms_free(rows.at);
	memcpy((char *)run + s->array, &merged, sizeof(merged));
}

static void add_map(struct regrouping *w, size_t array, uint32_t *to)
{
	w->maps[w->n++] = (struct index_map){ array, to };
}

/* Keeps the representatives, in their order. */
static void compact(struct regrouping *w, const struct ms_run_table *s, const uint32_t *group)
{
	struct ms_run_any_vec rows = ms_run_vec(w->run, s->array);
	uint32_t *to = ms_alloc((rows.n + 1) * sizeof(*to));
	size_t n = 0;

	for (uint32_t i = 0; i < rows.n; i++) {
		if (group[i] == i) {
			memmove(rows.at + n * s->size, rows.at + i * s->size, s->size);
			to[i] = (uint32_t)n++;
		} else {
			to[i] = to[group[i]];
		}
	}
	rows.n = n;
	memcpy((char *)w->run + s->array, &rows, sizeof(rows));
	add_map(w, s->array, to);
}

/* The call path of one data structure is not that of its group; `keep`: that of the first one is.
 */
static void drop_frames(struct ms_run *run, const uint32_t *group, bool keep)
{
	bool *several = ms_alloc((run->data.n + 1) * sizeof(*several));
	size_t n = 0;

	for (uint32_t i = 0; i < run->data.n; i++)
		if (group[i] != i)
			several[i] = true, several[group[i]] = !keep;
	for (size_t i = 0; i < run->frames.n; i++)
		if (!several[run->frames.at[i].data])
			run->frames.at[n++] = run->frames.at[i];
	run->frames.n = n;
	ms_free(several);
}

static void add_instructions(struct ms_run *run, const uint32_t *group)
{
	for (uint32_t i = 0; i < run->lines.n; i++)
		if (group[i] != i) {
			run->lines.at[group[i]].instructions += run->lines.at[i].instructions;
			run->lines.at[group[i]].cycles += run->lines.at[i].cycles;
		}
}

static const uint32_t *group_of(const struct ms_run_groups *groups, size_t array)
{
	return array == offsetof(struct ms_run, codes)   ? groups->codes
	       : array == offsetof(struct ms_run, lines) ? groups->lines
	       : array == offsetof(struct ms_run, sites) ? groups->sites
	       : array == offsetof(struct ms_run, data)  ? groups->data
							 : NULL;
}

static bool is_given(size_t array)
{
	return array == offsetof(struct ms_run, codes) || array == offsetof(struct ms_run, lines) ||
	       array == offsetof(struct ms_run, sites) || array == offsetof(struct ms_run, data);
}

static void regroup_array(struct regrouping *w, const struct ms_run_table *s,
			  const struct ms_run_groups *groups)
{
	bool changed = point_anew(w, s);

	if (is_given(s->array)) {
		if (group_of(groups, s->array) != NULL)
			compact(w, s, group_of(groups, s->array));
	} else if (changed && s->array != offsetof(struct ms_run, frames) &&
		   s->array != offsetof(struct ms_run, paths)) { /* these keep their order */
		uint32_t *to = ms_alloc((ms_run_vec(w->run, s->array).n + 1) * sizeof(*to));

		ms_run_sum_rows(w->run, s, to);
		if (s->array == offsetof(struct ms_run, cells))
			add_map(w, s->array, to);
		else
			ms_free(to);
	}
}

/* The parts have their peaks at different times; their sum is limited by the size of the level. */
static void bound_peaks(struct ms_run *run)
{
	for (size_t i = 0; i < run->occupancy.n; i++) {
		struct ms_run_occupancy *o = &run->occupancy.at[i];
		uint64_t all = ms_run_cache_lines(run, o->level);

		if (o->peak > all)
			o->peak = all;
	}
}

void ms_run_regroup(struct ms_run *run, const struct ms_run_groups *groups)
{
	struct regrouping w = { .run = run };

	if (groups->data != NULL)
		drop_frames(run, groups->data, groups->keep_frames);
	if (groups->lines != NULL)
		add_instructions(run, groups->lines);
	/* Arrays come after those to which they refer. */
	for (const struct ms_run_table *s = ms_run_tables; s->table != NULL; s++)
		regroup_array(&w, s, groups);
	for (size_t i = 0; i < w.n; i++)
		ms_free(w.maps[i].to);
	bound_peaks(run);
}
