/*
 * name/struct_copies.c - finds instructions that copy whole structures, as compilers make of
 * assignments: they use all members alike, as memcpy() does.
 *
 * An instruction is part of a copy if it accesses several members at once, and if such instructions
 * of one source line access most of the structure. Those of single members complete the copy, as
 * its last eight bytes, if no other instruction of the line accesses these bytes. What is
 * written without a structure of the same size being read there is initialised. Small structures
 * are left out: vector arithmetic accesses them as a whole, too.
 *
 * Of structures with arrays, most instructions access a part of an array. So a line is also a copy
 * if it reads and writes all members by instructions that correspond: of the same bytes, equally
 * often. Arithmetic on all members in one line of code looks the same. An instruction that copies
 * by itself (x86-64: rep movs) accesses many members, one after the other, in both structures.
 */
#include "name/name_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { LEAST_ELEMENT = 40, MOST_ELEMENT = 4096 };
/* Of the bytes of all members, by instructions that access several at once. */
#define LEAST_WIDE 0.5

struct ms_name_copy_access {
	uint32_t data, line, kind;
	uint32_t cell;
	uint32_t offset, size; /* in the element */
	uint64_t references;
	bool is_wide;
	bool is_string; /* it goes from member to member */
	bool is_matched;
	const struct ms_symbols_layout *layout;
};

/* An instruction that goes from member to member accesses so many of them. */
enum { LEAST_MEMBERS = 3 };

/* By byte of an element. */
enum byte_use { IS_MEMBER = 1, IS_WIDE = 2, IS_NARROW = 4 };

static bool spans_members(const struct ms_symbols_layout *layout, uint64_t offset, uint64_t size)
{
	for (size_t i = 0; i < layout->members.n; i++) {
		const struct ms_symbols_member *member = &layout->members.at[i];

		if (offset >= member->offset && offset + size <= member->offset + member->size)
			return false;
	}
	return true;
}

/* In an element; MS_NO_OFFSET: before the first one. */
static uint64_t find_place(const struct ms_symbols_layout *layout, uint64_t offset)
{
	return offset < layout->header ? MS_NO_OFFSET : (offset - layout->header) % layout->element;
}

/* The most frequent one: accesses that cross the end of a line begin elsewhere in the next one. */
static uint64_t find_offset(const struct ms_engine_total_offsets *offsets,
			    const struct ms_symbols_layout *layout, uint32_t *most)
{
	uint64_t found = 0;

	*most = 0;
	for (uint32_t i = 0; i < offsets->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = 0; k < offsets->n; k++)
			n += find_place(layout, offsets->offset[k]) ==
			     find_place(layout, offsets->offset[i]);
		if (n > *most) {
			*most = n;
			found = find_place(layout, offsets->offset[i]);
		}
	}
	return found;
}

/* Members at which observed accesses begin. */
static uint32_t count_members(const struct ms_symbols_layout *layout,
			      const struct ms_engine_total_offsets *offsets)
{
	uint32_t members = 0;

	for (size_t i = 0; i < layout->members.n; i++) {
		const struct ms_symbols_member *member = &layout->members.at[i];
		bool found = false;

		for (uint32_t k = 0; k < offsets->n && !found; k++)
			found = find_place(layout, offsets->offset[k]) - member->offset <
				member->size;
		members += found;
	}
	return members;
}

void ms_name_add_copy_offsets(struct ms_name_copies *copies, const struct ms_run *run,
			      const struct ms_symbols_layout *layout,
			      const struct ms_engine_total_offsets *offsets)
{
	const struct ms_run_cell *cell = &run->cells.at[offsets->cell];

	if (offsets->n == 0 || layout->element < LEAST_ELEMENT || layout->element > MOST_ELEMENT)
		return;
	uint32_t most;
	uint64_t offset = find_offset(offsets, layout, &most);

	if (offset == MS_NO_OFFSET)
		return;

	*ms_vec_add(&copies->accesses) = (struct ms_name_copy_access){
		.data = cell->data,
		.line = run->sites.at[cell->site].line,
		.kind = offsets->kind,
		.cell = offsets->cell,
		.offset = (uint32_t)offset,
		.size = offsets->size,
		.references = cell->references,
		.is_wide = spans_members(layout, offset, offsets->size),
		.is_string =
			2 * most < offsets->n && count_members(layout, offsets) >= LEAST_MEMBERS,
		.layout = layout,
	};
}

/* Of a line, what is read comes first. */
static int by_place(const void *a, const void *b)
{
	const struct ms_name_copy_access *x = a, *y = b;

	if (x->line != y->line)
		return ms_cmp_u64(x->line, y->line);
	return x->kind != y->kind ? ms_cmp_u64(x->kind, y->kind) : ms_cmp_u64(x->data, y->data);
}

/* What lies beyond the end of an element is in the next one. */
static void mark(uint8_t *bytes, uint64_t element, uint64_t offset, uint64_t size,
		 enum byte_use use)
{
	for (uint64_t i = 0; i < size && i < element; i++)
		bytes[(offset + i) % element] |= (uint8_t)use;
}

static uint32_t count(const uint8_t *bytes, uint64_t element, unsigned some_of)
{
	uint32_t n = 0;

	for (uint64_t i = 0; i < element; i++)
		n += (bytes[i] & IS_MEMBER) != 0 && (bytes[i] & some_of) != 0;
	return n;
}

static bool are_copies(const struct ms_name_copy_access *at, size_t n, uint8_t *bytes)
{
	const struct ms_symbols_layout *layout = at->layout;

	memset(bytes, 0, layout->element);
	for (size_t i = 0; i < layout->members.n; i++)
		mark(bytes, layout->element, layout->members.at[i].offset,
		     layout->members.at[i].size, IS_MEMBER);
	for (size_t i = 0; i < n; i++)
		mark(bytes, layout->element, at[i].offset, at[i].size,
		     at[i].is_wide ? IS_WIDE : IS_NARROW);
	uint32_t all = count(bytes, layout->element, IS_MEMBER);

	return count(bytes, layout->element, IS_WIDE) >= LEAST_WIDE * all &&
	       count(bytes, layout->element, IS_WIDE | IS_NARROW) == all;
}

static void mark_copies(struct ms_name_copies *copies, const struct ms_name_copy_access *at,
			size_t n, const uint8_t *bytes)
{
	uint32_t *read = ms_map_at(&copies->lines, at->line, at->layout->element);

	if (at->kind == MS_WIRE_READ)
		*read = 1;
	else if (*read == MS_MAP_NONE)
		return;
	for (size_t i = 0; i < n; i++)
		if (at[i].is_wide || (bytes[at[i].offset] & IS_WIDE) == 0)
			*ms_map_at(&copies->cells, at[i].cell, 0) = 1;
}

/* --- instructions that correspond --- */

static bool correspond(const struct ms_name_copy_access *a, const struct ms_name_copy_access *b)
{
	uint64_t more = a->references > b->references ? a->references : b->references,
		 less = a->references + b->references - more;

	return a->is_string == b->is_string && a->size == b->size &&
	       (a->is_string || a->offset == b->offset) && more - less <= more / 50;
}

/* Cells of a group that correspond to an access; the rows of threads are one. */
static uint32_t count_corresponding(const struct ms_name_copy_access *at, size_t n,
				    const struct ms_name_copy_access *access)
{
	uint32_t cells = 0;

	for (size_t i = 0; i < n; i++) {
		bool known = !correspond(&at[i], access);

		for (size_t k = 0; k < i && !known; k++)
			known = at[k].cell == at[i].cell;
		cells += !known;
	}
	return cells;
}

/* Whether all members are copied by instructions of a group that have one in the other group. */
static bool match(struct ms_name_copy_access *at, size_t n, const struct ms_name_copy_access *other,
		  size_t others, uint8_t *bytes)
{
	const struct ms_symbols_layout *layout = at->layout;
	bool by_string = false;

	memset(bytes, 0, layout->element);
	for (size_t i = 0; i < layout->members.n; i++)
		mark(bytes, layout->element, layout->members.at[i].offset,
		     layout->members.at[i].size, IS_MEMBER);
	for (size_t i = 0; i < n; i++) {
		at[i].is_matched = count_corresponding(at, n, &at[i]) ==
				   count_corresponding(other, others, &at[i]);
		if (at[i].is_matched)
			mark(bytes, layout->element, at[i].offset, at[i].size, IS_NARROW);
		by_string |= at[i].is_matched && at[i].is_string;
	}
	return layout->members.n > 1 &&
	       (by_string || count(bytes, layout->element, IS_NARROW) ==
				     count(bytes, layout->element, IS_MEMBER));
}

static void mark_matched(struct ms_name_copies *copies, const struct ms_name_copy_access *at,
			 size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[i].is_matched)
			*ms_map_at(&copies->cells, at[i].cell, 0) = 1;
}

static size_t find_group_end(const struct ms_name_copies *copies, size_t from)
{
	size_t to = from;

	while (to < copies->accesses.n &&
	       by_place(&copies->accesses.at[to], &copies->accesses.at[from]) == 0)
		to++;
	return to;
}

/* A group that is read, with those of the same line that are written. */
static void find_written(struct ms_name_copies *copies, size_t from, size_t to, uint8_t *bytes)
{
	struct ms_name_copy_access *at = copies->accesses.at;

	for (size_t i = to, end; i < copies->accesses.n && at[i].line == at[from].line; i = end) {
		end = find_group_end(copies, i);
		if (at[i].kind != MS_WIRE_WRITE ||
		    at[i].layout->element != at[from].layout->element ||
		    !match(&at[from], to - from, &at[i], end - i, bytes) ||
		    !match(&at[i], end - i, &at[from], to - from, bytes))
			continue;
		mark_matched(copies, &at[from], to - from);
		mark_matched(copies, &at[i], end - i);
	}
}

void ms_name_find_copies(struct ms_name_copies *copies)
{
	static uint8_t bytes[MOST_ELEMENT];
	struct ms_name_copy_access *at = copies->accesses.at;
	size_t n = copies->accesses.n;

	if (n == 0)
		return;
	qsort(at, n, sizeof(*at), by_place);
	for (size_t i = 0, to; i < n; i = to) {
		to = find_group_end(copies, i);
		if (are_copies(&at[i], to - i, bytes))
			mark_copies(copies, &at[i], to - i, bytes);
		if (at[i].kind == MS_WIRE_READ)
			find_written(copies, i, to, bytes);
	}
}

bool ms_name_is_copy(const struct ms_name_copies *copies, uint32_t cell)
{
	return ms_map_get(&copies->cells, cell, 0) != MS_MAP_NONE;
}

void ms_name_free_copies(struct ms_name_copies *copies)
{
	ms_vec_free(&copies->accesses);
	ms_map_free(&copies->cells);
	ms_map_free(&copies->lines);
}
