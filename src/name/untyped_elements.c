/*
 * name/untyped_elements.c - finds the elements of data whose type is not known, from the offsets in
 * objects at which instructions access it.
 *
 * An instruction mostly accesses one member, so the distances between its accesses are multiples of
 * the size of an element: the greatest common divisor of all of them is taken as the size. If each
 * instruction has one offset, an object is an element. The ranges of bytes that are accessed stand
 * for members; they are named after their offsets, as "+16".
 */
#include "name/name_priv.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/num.h"

/* Smaller distances are those of arrays of numbers; larger ones are no elements. */
enum { LEAST_ELEMENT = 9, MOST_ELEMENT = 4096 };

static uint64_t find_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

void ms_name_add_untyped_offsets(struct ms_name_untyped *untyped,
				 const struct ms_engine_total_offsets *offsets)
{
	for (uint32_t i = 0; i < offsets->n; i++) {
		uint64_t offset = offsets->offset[i], first = offsets->offset[0];

		untyped->divisor = find_divisor(untyped->divisor,
						offset < first ? first - offset : offset - first);
		if (offset + offsets->size > untyped->end)
			untyped->end = offset + offsets->size;
	}
	*ms_vec_add(&untyped->cells) = offsets;
}

static int by_offset(const void *a, const void *b)
{
	const struct ms_symbols_member *x = a, *y = b;

	return x->offset != y->offset ? ms_cmp_u64(x->offset, y->offset)
				      : ms_cmp_u64(x->size, y->size);
}

static void list_ranges(const struct ms_name_untyped *untyped, struct ms_symbols_layout *layout)
{
	for (size_t i = 0; i < untyped->cells.n; i++)
		for (uint32_t k = 0; k < untyped->cells.at[i]->n; k++) {
			uint64_t offset = untyped->cells.at[i]->offset[k] % layout->element,
				 room = layout->element - offset, size = untyped->cells.at[i]->size;

			*ms_vec_add(&layout->members) =
				(struct ms_symbols_member){ .offset = offset,
							    .size = size < room ? size : room };
		}
	if (layout->members.n > 0)
		qsort(layout->members.at, layout->members.n, sizeof(*layout->members.at),
		      by_offset);
}

/* Ranges that overlap become one. */
static void join_ranges(struct ms_symbols_layout *layout)
{
	size_t n = 0;

	for (size_t i = 0; i < layout->members.n; i++) {
		struct ms_symbols_member next = layout->members.at[i],
					 *last = n > 0 ? &layout->members.at[n - 1] : NULL;

		if (last == NULL || next.offset >= last->offset + last->size)
			layout->members.at[n++] = next;
		else if (next.offset + next.size > last->offset + last->size)
			last->size = next.offset + next.size - last->offset;
	}
	layout->members.n = n;
}

void ms_name_make_untyped_layout(const struct ms_name_untyped *untyped, struct ms_arena *arena,
				 struct ms_symbols_layout *layout)
{
	uint64_t element = untyped->divisor != 0 ? untyped->divisor : (untyped->end + 7) / 8 * 8;

	if (element < LEAST_ELEMENT || element > MOST_ELEMENT)
		return;
	layout->element = element;
	list_ranges(untyped, layout);
	join_ranges(layout);
	for (size_t i = 0; i < layout->members.n; i++)
		layout->members.at[i].name =
			ms_arena_printf(arena, "+%" PRIu64, layout->members.at[i].offset);
}
