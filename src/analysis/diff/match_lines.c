/*
 * analysis/diff/match_lines.c - matches the source lines of both sides.
 *
 * The source is edited between the two, and only one version of it is available. So lines are
 * identified by what they do. Lines are matched within a function (and a file, for inlined code;
 * the function's own file may have another name on the other side). The lines of both sides are
 * aligned in their order, such that as many as possible use the same data in the same way, and of
 * those as many as possible have the same distance from the function's first line as before.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff_priv.h"
#include "base/num.h"

/* Larger functions are compared by places alone: the table would not be worth its memory. */
enum { MOST_LINES = 3000 };
enum { SAME_DATA = 4, NO_DATA = 1, SAME_PLACE = 1 };

/* --- the items --- */

static const char *file_of(struct ms_diff_builder *d, const char *file)
{
	return file != NULL ? ms_intern(&d->names, ms_base_name(file)) : NULL;
}

static const char *line_name(struct ms_diff_builder *d, const struct ms_run_line *line,
			     const char *code)
{
	struct ms_text text = MS_TEXT_INIT;

	if (line->file != NULL)
		ms_text_addf(&text, "%s:%u %s", ms_base_name(line->file), line->line, code);
	else
		ms_text_add(&text, code);
	const char *name = ms_intern(&d->names, text.at);
	ms_text_free(&text);
	return name;
}

static void note_line(struct ms_diff_builder *d, struct ms_diff_run *r,
		      const struct ms_run_line *line)
{
	const struct ms_run_code *code = &r->run->codes.at[line->code];
	uint32_t owner = ms_diff_resolve(&d->codes, r->codes.at[line->code]);
	const char *file = file_of(d, line->file);
	/* A side each: which of them belong together is not known yet. */
	uint32_t i = ms_diff_item(d, &d->lines, (uint64_t)owner << 32 | line->line,
				  (uintptr_t)file << 1 | r->side);
	struct ms_diff_item *item = &d->lines.at.at[i];

	item->name[r->side] = line_name(d, line, code->name);
	item->line[r->side] = line->line;
	item->file = file;
	item->group =
		file != NULL && file == file_of(d, code->file) ? ms_intern(&d->names, "") : file;
	item->code = owner;
	item->relative = line->line - code->line;
	*ms_vec_add(&r->lines) = i;
}

/* What a line does: the data that it reads and writes, each once, in whatever order. */
static void sign(struct ms_diff_builder *d, const struct ms_diff_run *r)
{
	const struct ms_run *run = r->run;
	struct ms_map seen = MS_MAP_INIT;

	for (size_t i = 0; i < run->cells.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];
		const struct ms_run_site *site = &run->sites.at[cell->site];
		uint64_t what = (uint64_t)ms_diff_resolve(&d->data, r->data.at[cell->data]) << 2 |
				site->kind;
		uint32_t line = r->lines.at[site->line];
		uint32_t *slot = ms_map_at(&seen, line, what);

		if (*slot == MS_MAP_NONE)
			d->lines.at.at[line].signature += ms_hash(what, 1);
		*slot = 0;
	}
	ms_map_free(&seen);
}

/* --- lines beside each other --- */

static int by_place(const void *a, const void *b, void *of)
{
	const struct ms_diff_items *items = of;
	const struct ms_diff_item *x = &items->at.at[*(const uint32_t *)a];
	const struct ms_diff_item *y = &items->at.at[*(const uint32_t *)b];
	unsigned side_x = x->name[0] == NULL, side_y = y->name[0] == NULL;
	int order = ms_cmp_u64(x->code, y->code);

	if (order == 0 && x->group != y->group)
		order = x->group == NULL ? -1 : y->group == NULL ? 1 : strcmp(x->group, y->group);
	if (order == 0)
		order = ms_cmp_u64(side_x, side_y);
	return order != 0 ? order : ms_cmp_u64(x->line[side_x], y->line[side_y]);
}

static unsigned likeness(const struct ms_diff_item *a, const struct ms_diff_item *b)
{
	unsigned n = a->relative == b->relative ? SAME_PLACE : 0;

	if (a->signature == b->signature)
		n += a->signature != 0 ? SAME_DATA : NO_DATA;
	return n;
}

static void join(struct ms_diff_items *items, uint32_t before, uint32_t after)
{
	struct ms_diff_item *a = &items->at.at[before], *b = &items->at.at[after];

	a->name[1] = b->name[1];
	a->line[1] = b->line[1];
	a->file = b->file;
	b->same_as = before;
}

/* best[i][j]: the most likeness that lines from i and from j on can have. */
static void align(struct ms_diff_items *items, const uint32_t *a, size_t n, const uint32_t *b,
		  size_t m)
{
	uint32_t *best = ms_alloc((n + 1) * (m + 1) * sizeof(*best));
	size_t i, j;

#define BEST(x, y) best[(x) * (m + 1) + (y)]
#define LIKE(x, y) likeness(&items->at.at[a[x]], &items->at.at[b[y]])
	for (i = n; i-- > 0;)
		for (j = m; j-- > 0;) {
			uint32_t both = LIKE(i, j) + BEST(i + 1, j + 1);
			uint32_t one =
				BEST(i + 1, j) > BEST(i, j + 1) ? BEST(i + 1, j) : BEST(i, j + 1);

			BEST(i, j) = both > one ? both : one;
		}
	for (i = 0, j = 0; i < n && j < m;) {
		uint32_t like = LIKE(i, j);

		if (like > 0 && BEST(i, j) == like + BEST(i + 1, j + 1))
			join(items, a[i++], b[j++]);
		else if (BEST(i + 1, j) >= BEST(i, j + 1))
			i++;
		else
			j++;
	}
#undef BEST
#undef LIKE
	ms_free(best);
}

/* Both lists are in the order of the source. */
static void match_places(struct ms_diff_items *items, const uint32_t *a, size_t n,
			 const uint32_t *b, size_t m)
{
	for (size_t i = 0, j = 0; i < n && j < m;) {
		uint32_t x = items->at.at[a[i]].relative, y = items->at.at[b[j]].relative;

		if (x == y)
			join(items, a[i++], b[j++]);
		else if (x < y)
			i++;
		else
			j++;
	}
}

static bool is_same_group(const struct ms_diff_item *a, const struct ms_diff_item *b)
{
	return a->code == b->code && a->group == b->group;
}

/* order[from ... ] up to the end of the lines of one function and file; returns that end. */
static size_t match_group(struct ms_diff_items *items, const uint32_t *order, size_t n, size_t from)
{
	size_t middle = from, end;

	while (middle < n &&
	       is_same_group(&items->at.at[order[from]], &items->at.at[order[middle]]) &&
	       items->at.at[order[middle]].name[0] != NULL)
		middle++;
	for (end = middle;
	     end < n && is_same_group(&items->at.at[order[from]], &items->at.at[order[end]]);)
		end++;
	if (middle - from <= MOST_LINES && end - middle <= MOST_LINES)
		align(items, order + from, middle - from, order + middle, end - middle);
	else
		match_places(items, order + from, middle - from, order + middle, end - middle);
	return end;
}

void ms_diff_match_lines(struct ms_diff_builder *d)
{
	uint32_t *order;

	for (size_t i = 0; i < d->runs.n; i++) {
		struct ms_diff_run *r = &d->runs.at[i];

		for (size_t k = 0; k < r->run->lines.n; k++)
			note_line(d, r, &r->run->lines.at[k]);
		/* Of several runs of a side one says what its lines do. */
		if (i + 1 == d->runs.n || d->runs.at[i + 1].side != r->side)
			sign(d, r);
	}
	order = ms_alloc((d->lines.at.n + 1) * sizeof(*order));
	for (uint32_t i = 0; i < d->lines.at.n; i++)
		order[i] = i;
	qsort_r(order, d->lines.at.n, sizeof(*order), by_place, &d->lines);
	for (size_t i = 0; i < d->lines.at.n;)
		i = match_group(&d->lines, order, d->lines.at.n, i);
	ms_free(order);
}
