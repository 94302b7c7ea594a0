/*
 * name/struct_copies.c - finds instructions that copy whole structures, as compilers make of
 * assignments: they use all members alike, as memcpy() does.
 *
 * An instruction is part of a copy if it accesses several members at once, and if such instructions
 * of one source line access most of the structure. Those of single members complete the copy, as
 * its last eight bytes, if no other instruction of the line accesses these bytes. What is
 * written without a structure of the same size being read there is initialised. Small structures
 * are left out: vector arithmetic accesses them as a whole, too.
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
	bool is_wide;
	const struct ms_symbols_layout *layout;
};

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

/* The most frequent one: accesses that cross the end of a line begin elsewhere in the next one. */
static uint64_t find_offset(const struct ms_engine_total_offsets *offsets, uint64_t element)
{
	uint64_t found = 0;
	uint32_t most = 0;

	for (uint32_t i = 0; i < offsets->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = 0; k < offsets->n; k++)
			n += offsets->offset[k] % element == offsets->offset[i] % element;
		if (n > most) {
			most = n;
			found = offsets->offset[i] % element;
		}
	}
	return found;
}

void ms_name_add_copy_offsets(struct ms_name_copies *copies, const struct ms_run *run,
			      const struct ms_symbols_layout *layout,
			      const struct ms_engine_total_offsets *offsets)
{
	const struct ms_run_cell *cell = &run->cells.at[offsets->cell];

	if (offsets->n == 0 || layout->element < LEAST_ELEMENT || layout->element > MOST_ELEMENT)
		return;
	uint64_t offset = find_offset(offsets, layout->element);

	*ms_vec_add(&copies->accesses) = (struct ms_name_copy_access){
		.data = cell->data,
		.line = run->sites.at[cell->site].line,
		.kind = offsets->kind,
		.cell = offsets->cell,
		.offset = (uint32_t)offset,
		.size = offsets->size,
		.is_wide = spans_members(layout, offset, offsets->size),
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

void ms_name_find_copies(struct ms_name_copies *copies)
{
	static uint8_t bytes[MOST_ELEMENT];
	struct ms_name_copy_access *at = copies->accesses.at;
	size_t n = copies->accesses.n;

	if (n == 0)
		return;
	qsort(at, n, sizeof(*at), by_place);
	for (size_t i = 0, to; i < n; i = to) {
		for (to = i; to < n && by_place(&at[to], &at[i]) == 0;)
			to++;
		if (are_copies(&at[i], to - i, bytes))
			mark_copies(copies, &at[i], to - i, bytes);
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
