/*
 * name/members.c - adds to the run which members of its data are used. The engine has offsets in
 * objects; the size of an element makes offsets in elements of them. Offsets of the run are those
 * in an object with one element: a header of the object, if it has one, is before that.
 *
 * Functions that copy or fill memory use all members alike, and are left out, as are instructions
 * that do the same (struct_copies.c).
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "name/name_priv.h"

struct data_layout {
	struct ms_symbols_layout layout;
	struct ms_name_untyped untyped;
	struct ms_name_objects objects;
	bool has_type;
	bool is_flexible; /* the type has a flexible array */
	bool is_unknown;  /* it is not known where elements begin in objects */
	bool is_used;     /* the run has its members */
};

struct members {
	struct ms_name_state *naming;
	const struct ms_engine_totals *totals;
	struct ms_map layout_of; /* by data of the run */
	MS_VEC(struct data_layout) layouts;
	struct ms_arena names; /* of members that have none */
	struct ms_map pair_of; /* by cell, and both offsets */
	struct ms_name_copies copies;
};

/*
 * The type of the elements of a heap object: of what a vector holds, if it is a vector's storage.
 * Nodes of other containers have types of the library's own, which are not known.
 */
static uint64_t find_element_type(const struct ms_run_data *data, const struct ms_name_type *type)
{
	if (data->kind != MS_DATA_HEAP || data->type == NULL ||
	    strncmp(data->type, "std::", 5) != 0)
		return type->type;
	return strncmp(data->type, "std::vector<", 12) == 0
		       ? ms_symbols_module_type_argument(type->module, type->type)
		       : 0;
}

static struct data_layout *find_layout(struct members *m, uint32_t bound)
{
	struct ms_name_state *n = m->naming;
	uint32_t data = ms_name_number_data(n, bound);
	uint32_t *slot = ms_map_at(&m->layout_of, data, 0);

	if (*slot == MS_MAP_NONE) {
		struct ms_name_type type =
			ms_name_find_type(n->from.binder, bound, &n->run->data.at[data]);
		struct data_layout *d = ms_vec_add(&m->layouts);

		*slot = (uint32_t)m->layouts.n - 1;
		d->has_type = type.module != NULL &&
			      ms_symbols_module_layout(
				      type.module, find_element_type(&n->run->data.at[data], &type),
				      &d->layout);
		if (!d->has_type)
			d->layout.element = 0;
		if (ms_bins_get_data(n->from.binder, bound)->kind == MS_BOUND_HEAP) {
			d->objects.largest = n->run->data.at[data].largest;
			d->objects.node = ms_bins_get_data(n->from.binder, bound)->node;
		}
	}
	return &m->layouts.at[*slot];
}

/* NULL: the data has no members, or they are not known. */
static struct data_layout *get_layout(struct members *m, uint32_t bound)
{
	struct data_layout *d = find_layout(m, bound);

	return d->layout.members.n > 0 && d->layout.element <= UINT32_MAX ? d : NULL;
}

/* The offset in an object with one element. */
static uint64_t find_offset(const struct data_layout *d, uint64_t offset)
{
	uint64_t header = d->layout.header;

	return offset < header ? offset : header + (offset - header) % d->layout.element;
}

/* --- members --- */

static void add_member(struct members *m, uint32_t data, uint64_t start, uint64_t element,
		       const struct ms_symbols_member *member)
{
	struct ms_name_state *n = m->naming;

	*ms_vec_add(&n->run->members) = (struct ms_run_member){
		.data = data,
		.offset = (uint32_t)(start + member->offset),
		.size = (uint32_t)member->size,
		.element = (uint32_t)element,
		.name = ms_name_text(n, member->name),
		.type = ms_name_text(n, member->type != NULL ? member->type : ""),
	};
}

static void use_layout(struct members *m, struct data_layout *d, uint32_t data)
{
	const struct ms_symbols_layout *layout = &d->layout;

	for (size_t i = 0; i < layout->header_members.n && !d->is_used; i++)
		add_member(m, data, 0, layout->header, &layout->header_members.at[i]);
	for (size_t i = 0; i < layout->members.n && !d->is_used; i++)
		add_member(m, data, layout->header, layout->element, &layout->members.at[i]);
	d->is_used = true;
}

static int by_data_offset(const void *a, const void *b)
{
	const struct ms_run_member *x = a, *y = b;

	if (x->data != y->data)
		return ms_cmp_u64(x->data, y->data);
	return x->offset != y->offset ? ms_cmp_u64(x->offset, y->offset)
				      : ms_cmp_u64(x->size, y->size);
}

/* --- accesses --- */

static bool moves_memory(const struct ms_run *run, const struct ms_run_cell *cell)
{
	static const char *const names[] = { "memcpy", "memmove", "memset", "mempcpy", "bcopy" };
	const char *code = run->codes.at[run->lines.at[run->sites.at[cell->site].line].code].name;

	while (*code == '_')
		code++;
	if (strncmp(code, "GI_", 3) == 0)
		code += 3;
	for (size_t i = 0; i < MS_COUNT(names); i++)
		if (strncmp(code, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static int by_cell_offset_size_thread(const void *a, const void *b)
{
	const struct ms_run_member_thread *x = a, *y = b;

	if (x->cell != y->cell)
		return ms_cmp_u64(x->cell, y->cell);
	if (x->offset != y->offset)
		return ms_cmp_u64(x->offset, y->offset);
	return x->size != y->size ? ms_cmp_u64(x->size, y->size) : ms_cmp_u64(x->thread, y->thread);
}

/* Rows of one place and thread become one; then those of one place. */
static void sum_accesses(struct ms_run *run)
{
	struct ms_run_member_thread *at = run->member_threads.at;
	size_t n = 0;

	if (run->member_threads.n == 0)
		return;
	qsort(at, run->member_threads.n, sizeof(*at), by_cell_offset_size_thread);
	for (size_t i = 0; i < run->member_threads.n; i++)
		if (n > 0 && by_cell_offset_size_thread(&at[n - 1], &at[i]) == 0)
			at[n - 1].references += at[i].references;
		else
			at[n++] = at[i];
	run->member_threads.n = n;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || at[i].cell != at[i - 1].cell || at[i].offset != at[i - 1].offset ||
		    at[i].size != at[i - 1].size)
			*ms_vec_add(&run->member_accesses) =
				(struct ms_run_member_access){ at[i].cell, at[i].offset, at[i].size,
							       0 };
		run->member_accesses.at[run->member_accesses.n - 1].references += at[i].references;
	}
}

/* Threads of the engine are threads of the run with other ones, or alone; MS_NONE: not known. */
static void keep_known_threads(struct members *m)
{
	struct ms_run *run = m->naming->run;
	uint32_t threads = m->naming->from.clocks != NULL
				   ? (uint32_t)ms_name_clocks_threads(m->naming->from.clocks)
				   : 0;
	size_t n = 0;

	for (size_t i = 0; i < run->member_threads.n; i++)
		if (run->member_threads.at[i].thread < threads)
			run->member_threads.at[n++] = run->member_threads.at[i];
	run->member_threads.n = n;
}

/* Data without a type gets elements from its accesses. */
static void make_untyped_layouts(struct members *m)
{
	const struct ms_run *run = m->naming->run;

	for (size_t i = 0; i < m->totals->offsets.n; i++) {
		const struct ms_engine_total_offsets *o = &m->totals->offsets.at[i];
		struct data_layout *d = find_layout(m, m->totals->cells.at[o->cell].data);

		if (!d->has_type && !moves_memory(run, &run->cells.at[o->cell]))
			ms_name_add_untyped_offsets(&d->untyped, o);
	}
	for (size_t i = 0; i < m->layouts.n; i++)
		if (!m->layouts.at[i].has_type)
			ms_name_make_untyped_layout(&m->layouts.at[i].untyped, &m->names,
						    &m->layouts.at[i].layout);
}

/* Data of a known type: where elements begin in its objects; also of data that is only shared. */
static void find_headers(struct members *m)
{
	const struct ms_run *run = m->naming->run;

	for (size_t i = 0; i < m->totals->sharing.n; i++) {
		find_layout(m, m->totals->cells.at[m->totals->sharing.at[i].cell].data);
		find_layout(m, m->totals->cells.at[m->totals->sharing.at[i].writer].data);
	}

	for (size_t i = 0; i < m->totals->offsets.n; i++) {
		const struct ms_engine_total_offsets *o = &m->totals->offsets.at[i];
		struct data_layout *d = find_layout(m, m->totals->cells.at[o->cell].data);

		if (d->has_type && !moves_memory(run, &run->cells.at[o->cell]))
			*ms_vec_add(&d->objects.cells) = o;
	}
	for (size_t i = 0; i < m->layouts.n; i++) {
		struct data_layout *d = &m->layouts.at[i];
		bool has_members = d->layout.members.n > 0;

		if (!d->has_type)
			continue;
		d->is_flexible = d->layout.header > 0;
		ms_name_find_header(&d->objects, m->naming->from.binder, &d->layout);
		d->is_unknown = has_members && d->layout.members.n == 0;
	}
}

enum { KNOWN_HEADER = 1, TYPED_HEADER = 2, HEADER_SHIFT = 2 };

static void keep_headers(struct members *m)
{
	struct ms_name_state *n = m->naming;

	for (uint32_t data = 0; data < n->run->data.n; data++) {
		uint32_t i = ms_map_get(&m->layout_of, data, 0);
		const struct ms_symbols_layout *l =
			i != MS_MAP_NONE ? &m->layouts.at[i].layout : NULL;

		if (l == NULL || !m->layouts.at[i].has_type ||
		    (l->header == 0 && !m->layouts.at[i].is_unknown) ||
		    l->header > UINT32_MAX >> (HEADER_SHIFT + 1))
			continue;
		*ms_map_at(&n->headers, data, 0) =
			(uint32_t)l->header << HEADER_SHIFT |
			(m->layouts.at[i].is_flexible ? TYPED_HEADER : 0) |
			(m->layouts.at[i].is_unknown ? 0 : KNOWN_HEADER);
	}
}

struct ms_name_header ms_name_get_header(const struct ms_name_state *n, uint32_t data)
{
	uint32_t value = ms_map_get(&n->headers, data, 0);

	if (value == MS_MAP_NONE)
		return (struct ms_name_header){ .is_known = true };
	return (struct ms_name_header){ value >> HEADER_SHIFT, (value & TYPED_HEADER) != 0,
					(value & KNOWN_HEADER) != 0 };
}

static void find_copies(struct members *m)
{
	for (size_t i = 0; i < m->totals->offsets.n; i++) {
		const struct ms_engine_total_offsets *o = &m->totals->offsets.at[i];
		const struct data_layout *d = get_layout(m, m->totals->cells.at[o->cell].data);

		if (d != NULL && d->has_type)
			ms_name_add_copy_offsets(&m->copies, m->naming->run, &d->layout, o);
	}
	ms_name_find_copies(&m->copies);
}

static void add_offsets(struct members *m, const struct ms_engine_total_offsets *o, double share)
{
	struct ms_run *run = m->naming->run;
	const struct ms_run_cell *cell = &run->cells.at[o->cell];
	struct data_layout *d = get_layout(m, m->totals->cells.at[o->cell].data);

	if (d == NULL || moves_memory(run, cell) || ms_name_is_copy(&m->copies, o->cell))
		return;
	use_layout(m, d, cell->data);
	for (uint32_t k = 0; k < o->n; k++)
		*ms_vec_add(&run->member_threads) = (struct ms_run_member_thread){
			.cell = o->cell,
			.offset = (uint32_t)find_offset(d, o->offset[k]),
			.size = o->size,
			.thread = o->thread / MS_NAME_CLOCKS_COMPANIES,
			.references = (double)cell->references * share / o->n
		};
}

/* Rows of one cell are consecutive: one for each thread, or several where sites were merged. */
static void add_accesses(struct members *m)
{
	const struct ms_engine_total_offsets *at = m->totals->offsets.at;
	size_t n = m->totals->offsets.n;

	for (size_t i = 0, to; i < n; i = to) {
		double weight = 0;

		for (to = i; to < n && at[to].cell == at[i].cell; to++)
			weight += at[to].n > 0 ? (double)at[to].weight : 0;
		for (size_t k = i; k < to; k++)
			if (at[k].n > 0)
				add_offsets(m, &at[k], (double)at[k].weight / weight);
	}
	sum_accesses(m->naming->run);
	keep_known_threads(m);
}

/* --- pairs --- */

enum { MOST_USED = 64 }; /* members of one line */

static uint32_t find_member(const struct ms_symbols_member *at, size_t n, uint64_t offset)
{
	for (uint32_t i = 0; i < n; i++)
		if (offset - at[i].offset < at[i].size)
			return i;
	return MS_NONE;
}

/*
 * Where the member begins that has this offset of an object with one element; MS_NO_OFFSET: none
 * has. Members that begin at the same byte, as bit-fields do, are one here.
 */
static uint64_t find_start(const struct ms_symbols_layout *layout, uint64_t offset)
{
	bool before = offset < layout->header;
	const struct ms_symbols_member *at =
		before ? layout->header_members.at : layout->members.at;
	size_t n = before ? layout->header_members.n : layout->members.n;
	uint64_t start = before ? 0 : layout->header;
	uint32_t i = find_member(at, n, offset - start);

	return i != MS_NONE ? start + at[i].offset : MS_NO_OFFSET;
}

/* Where the members begin, each once, that were used while a line was in the cache. */
static uint32_t list_used(const struct data_layout *d, const struct ms_engine_total_residency *r,
			  uint64_t used[MOST_USED])
{
	uint32_t n = 0;

	for (int byte = 0; byte < 64; byte++) {
		uint32_t k = 0;

		if ((r->used >> byte & 1) == 0 || r->offset + byte < 0)
			continue;
		uint64_t start =
			find_start(&d->layout, find_offset(d, (uint64_t)(r->offset + byte)));

		while (k < n && used[k] != start)
			k++;
		if (start != MS_NO_OFFSET && k == n && n < MOST_USED)
			used[n++] = start;
	}
	return n;
}

static void add_pair(struct members *m, uint32_t cell, uint64_t a, uint64_t b, double lines)
{
	struct ms_run *run = m->naming->run;
	uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
	uint32_t *slot = ms_map_at(&m->pair_of, cell, (uint64_t)low << 32 | high);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)run->member_pairs.n;
		*ms_vec_add(&run->member_pairs) = (struct ms_run_member_pair){ cell, low, high, 0 };
	}
	run->member_pairs.at[*slot].lines += lines;
}

static int by_cell_offsets(const void *a, const void *b)
{
	const struct ms_run_member_pair *x = a, *y = b;

	if (x->cell != y->cell)
		return ms_cmp_u64(x->cell, y->cell);
	return x->offset != y->offset ? ms_cmp_u64(x->offset, y->offset)
				      : ms_cmp_u64(x->other, y->other);
}

static void add_pairs(struct members *m)
{
	struct ms_run *run = m->naming->run;

	for (size_t i = 0; i < m->totals->residencies.n; i++) {
		const struct ms_engine_total_residency *r = &m->totals->residencies.at[i];
		struct data_layout *d = get_layout(m, r->data);
		uint64_t used[MOST_USED];

		if (d == NULL || !d->is_used || r->cell == MS_NONE)
			continue;
		uint32_t n = list_used(d, r, used);
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t l = 0; l <= k; l++)
				add_pair(m, r->cell, used[k], used[l], r->weight);
	}
	if (run->member_pairs.n > 0)
		qsort(run->member_pairs.at, run->member_pairs.n, sizeof(*run->member_pairs.at),
		      by_cell_offsets);
}

void ms_name_add_members(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	struct members m = { .naming = n, .totals = totals };

	make_untyped_layouts(&m);
	find_headers(&m);
	keep_headers(&m);
	find_copies(&m);
	add_accesses(&m);
	add_pairs(&m);
	if (n->run->members.n > 0)
		qsort(n->run->members.at, n->run->members.n, sizeof(*n->run->members.at),
		      by_data_offset);
	for (size_t i = 0; i < m.layouts.n; i++) {
		ms_vec_free(&m.layouts.at[i].layout.members);
		ms_vec_free(&m.layouts.at[i].layout.header_members);
		ms_vec_free(&m.layouts.at[i].objects.cells);
		ms_vec_free(&m.layouts.at[i].untyped.cells);
	}
	ms_vec_free(&m.layouts);
	ms_arena_free(&m.names);
	ms_map_free(&m.layout_of);
	ms_map_free(&m.pair_of);
	ms_name_free_copies(&m.copies);
}
