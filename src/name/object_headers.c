/*
 * name/object_headers.c - finds where the elements of a known type begin in heap objects: an array
 * of C++ may have the number of its elements before them, and std::make_shared() has its counters
 * there.
 *
 * An object whose size is no multiple of an element has bytes before or after its elements. Which,
 * is decided by the observed accesses: those to single members begin at members and have their
 * size. If neither fits, members of the data are not known. The blocks of operator new have nothing
 * after their elements, so that these are taken for headers if both fit.
 *
 * Not modelled: objects of one data with different headers, and headers as large as some elements,
 * except those of std::make_shared().
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "name/name_priv.h"

/* Of accesses, as a mean of instructions: with more that do not fit, elements are elsewhere. */
#define MOST_MISFITS 0.25
/* With a header, misfits in relation to those without: with more, it is not known. */
#define LEAST_BETTER 0.25

/* Bytes of the counters of std::make_shared(), with what aligns the object. */
enum { MOST_COUNTERS = 64 };

enum { MOST_FRAMES = 64 };

/* --- allocation --- */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* What functions on the path to the allocation show. */
struct allocation {
	bool by_new;
	bool is_counted;   /* std::make_shared() of one object ... */
	bool counts_after; /* ... or of an array: its counters are after the elements */
};

static void note_function(struct allocation *allocation, const char *function)
{
	allocation->by_new |= starts_with(function, "operator new");
	allocation->is_counted |= strstr(function, "_Sp_counted_ptr_inplace<") != NULL ||
				  strstr(function, "__shared_ptr_emplace<") != NULL;
	allocation->counts_after |= strstr(function, "_Sp_counted_array<") != NULL;
}

static struct allocation find_allocation(struct ms_bins *binder, uint32_t node)
{
	struct allocation allocation = { .by_new = false };
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	struct ms_symbols_frame frames[MOST_FRAMES];
	size_t n = ms_bins_node_path(binder, node, pcs, MS_WIRE_MAX_PATH);

	for (size_t i = 0; i < n && i < MS_WIRE_MAX_PATH; i++) {
		struct ms_symbols_module *module = ms_bins_symbols(binder, pcs[i].module);
		size_t count = module != NULL ? ms_symbols_module_frames(module, pcs[i].offset,
									 frames, MOST_FRAMES)
					      : 0;

		for (size_t k = 0; k < count; k++)
			note_function(&allocation, frames[k].function);
	}
	return allocation;
}

/* --- accesses --- */

/* Of "double[6]": the size of a double; 1: not known, so that any part fits. */
static uint64_t find_scalar(const struct ms_symbols_member *member)
{
	const char *at = member->type != NULL ? strchr(member->type, '[') : NULL;
	uint64_t count = 1;

	if (member->type == NULL || member->type[0] == '[' || strpbrk(member->type, "(:") != NULL)
		return 1;
	for (; at != NULL; at = strchr(at + 1, '['))
		count *= strtoull(at + 1, NULL, 10);
	return count > 0 && member->size % count == 0 ? member->size / count : 1;
}

/* Whether an access of several members ends with one of them, or beyond the element. */
static bool ends_with_member(const struct ms_symbols_layout *layout, uint64_t end)
{
	for (size_t i = 0; i < layout->members.n; i++) {
		const struct ms_symbols_member *member = &layout->members.at[i];

		if (end > member->offset && end <= member->offset + member->size)
			return (end - member->offset) % find_scalar(member) == 0;
	}
	return true;
}

/* Whether an access of this size at this offset of an element is one of whole members. */
static bool fits(const struct ms_symbols_layout *layout, uint64_t offset, uint64_t size)
{
	for (size_t i = 0; i < layout->members.n; i++) {
		const struct ms_symbols_member *member = &layout->members.at[i];
		uint64_t scalar = find_scalar(member);

		if (offset - member->offset >= member->size)
			continue;
		if (offset + size <= member->offset + member->size)
			return (offset - member->offset) % scalar == 0 && size % scalar == 0;
		return (offset - member->offset) % scalar == 0 &&
		       ends_with_member(layout, offset + size);
	}
	return false;
}

/* The share of accesses, as a mean of cells, that fit no members of elements in [from, to). */
static double count_misfits(const struct ms_name_objects *objects,
			    const struct ms_symbols_layout *layout, uint64_t from, uint64_t to)
{
	double misfits = 0;
	size_t cells = 0;

	for (size_t i = 0; i < objects->cells.n; i++) {
		const struct ms_engine_total_offsets *o = objects->cells.at[i];
		uint32_t n = 0, wrong = 0;

		for (uint32_t k = 0; k < o->n; k++) {
			uint64_t offset = o->offset[k];

			n += offset >= from;
			wrong += offset >= from &&
				 (offset >= to ||
				  !fits(layout, (offset - from) % layout->element, o->size));
		}
		cells += n > 0;
		misfits += n > 0 ? (double)wrong / n : 0;
	}
	return cells > 0 ? misfits / (double)cells : 0;
}

/* --- headers --- */

static void set_header(struct ms_symbols_layout *layout, uint64_t header)
{
	layout->header = header;
	*ms_vec_add(&layout->header_members) =
		(struct ms_symbols_member){ 0, header, "(header)", NULL };
}

/* The header of objects with bytes before or after their elements. */
static void find_by_accesses(const struct ms_name_objects *objects, bool by_new,
			     struct ms_symbols_layout *layout)
{
	uint64_t rest = objects->largest % layout->element;
	double after = count_misfits(objects, layout, 0, objects->largest - rest);
	double before = count_misfits(objects, layout, rest, objects->largest);

	if (before < after ? before > LEAST_BETTER * after || before > MOST_MISFITS
			   : after > MOST_MISFITS)
		layout->members.n = 0;
	else if (before < after || (before == after && by_new))
		set_header(layout, rest);
}

void ms_name_find_header(const struct ms_name_objects *objects, struct ms_bins *binder,
			 struct ms_symbols_layout *layout)
{
	uint64_t largest = objects->largest, element = layout->element;

	if (layout->header > 0) {
		if (layout->header_members.n == 0)
			set_header(layout, layout->header);
		return;
	}
	if (layout->members.n == 0 || largest <= element ||
	    (largest % element == 0 && largest > element + MOST_COUNTERS))
		return;
	struct allocation allocation = find_allocation(binder, objects->node);

	if (allocation.is_counted && largest <= element + MOST_COUNTERS)
		set_header(layout, largest - element);
	else if (largest % element != 0 && !allocation.counts_after)
		find_by_accesses(objects, allocation.by_new, layout);
}
