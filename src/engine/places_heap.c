/*
 * engine/places_heap.c - heap objects: a page is wholly one object's (or nobody's), or has a table
 * with an entry for each 8 bytes.
 */
#include "engine/places.h"

#include <string.h>

enum {
	PAGE_BITS = 12,
	LOW_BITS = 11,
	MIDDLE_BITS = 11,
	HIGH_BITS = 48 - PAGE_BITS - LOW_BITS - MIDDLE_BITS,
	GRANULES = 1 << (PAGE_BITS - 3),
	/* Objects of so many bytes are entered in the list of large ones instead. */
	LARGE = 64 << 20,
};

struct heap_page {
	uint32_t whole; /* place's index, when granule is NULL */
	uint32_t *granule;
};

static unsigned bits(uint64_t address, unsigned from, unsigned count)
{
	return (address >> from) & ((1u << count) - 1);
}

static struct heap_page *page_at(const struct places *places, uint64_t address)
{
	if (places->heap == NULL || address >> 48 != 0)
		return NULL;
	struct heap_page **middle =
		places->heap[bits(address, PAGE_BITS + LOW_BITS + MIDDLE_BITS, HIGH_BITS)];
	if (middle == NULL)
		return NULL;
	struct heap_page *low = middle[bits(address, PAGE_BITS + LOW_BITS, MIDDLE_BITS)];
	return low == NULL ? NULL : &low[bits(address, PAGE_BITS, LOW_BITS)];
}

static struct heap_page *page_make(struct places *places, uint64_t address)
{
	if (places->heap == NULL)
		places->heap = ms_alloc(sizeof(*places->heap) << HIGH_BITS);
	struct heap_page ***middle =
		&places->heap[bits(address, PAGE_BITS + LOW_BITS + MIDDLE_BITS, HIGH_BITS)];
	if (*middle == NULL)
		*middle = ms_alloc(sizeof(**middle) << MIDDLE_BITS);
	struct heap_page **low = &(*middle)[bits(address, PAGE_BITS + LOW_BITS, MIDDLE_BITS)];
	if (*low == NULL)
		*low = ms_alloc(sizeof(**low) << LOW_BITS);
	return &(*low)[bits(address, PAGE_BITS, LOW_BITS)];
}

uint32_t ms_heap_at(const struct places *places, uint64_t address)
{
	const struct heap_page *page = page_at(places, address);
	uint32_t index = MS_PLACE_NONE;

	if (page != NULL)
		index = page->granule == NULL ? page->whole
					      : page->granule[bits(address, 3, PAGE_BITS - 3)];
	return index == MS_PLACE_NONE && places->large.n > 0 ? ms_large_at(places, address) : index;
}

static void make_granules(struct places *places, struct heap_page *page)
{
	if (page->granule != NULL)
		return;
	page->granule = places->free_granules.n > 0
				? places->free_granules.at[--places->free_granules.n]
				: ms_arena_take(&places->arena, GRANULES * sizeof(*page->granule));
	for (unsigned i = 0; i < GRANULES; i++)
		page->granule[i] = page->whole;
}

static void make_whole(struct places *places, struct heap_page *page, uint32_t index)
{
	if (page->granule != NULL)
		*ms_vec_add(&places->free_granules) = page->granule;
	*page = (struct heap_page){ index, NULL };
}

/* Enters index for [start, end), both multiples of 8, inside one page. */
static void fill_page(struct places *places, struct heap_page *page, uint64_t start, uint64_t end,
		      uint32_t index)
{
	unsigned from = bits(start, 3, PAGE_BITS - 3);
	unsigned count = (unsigned)((end - start) >> 3);

	if (count == GRANULES) {
		make_whole(places, page, index);
		return;
	}
	if (page->granule == NULL && page->whole == index)
		return;
	make_granules(places, page);
	for (unsigned i = from; i < from + count; i++)
		page->granule[i] = index;
}

static uint64_t page_end(uint64_t address)
{
	return (address | ((1u << PAGE_BITS) - 1)) + 1;
}

static void fill(struct places *places, uint64_t start, uint64_t end, uint32_t index)
{
	for (uint64_t at = start & ~UINT64_C(7); at < end; at = page_end(at)) {
		uint64_t stop = page_end(at) < end ? page_end(at) : (end + 7) & ~UINT64_C(7);

		fill_page(places, page_make(places, at), at, stop, index);
	}
}

/* Slots must not remember what is about to vanish. */
static void end_place_at(struct places *places, uint64_t address)
{
	uint32_t index = ms_heap_at(places, address);
	struct place *place;

	if (index <= MS_PLACE_FREED)
		return;
	place = ms_place_of(places, index);
	if (address - place->start < ((place->size + 7) & ~UINT64_C(7)))
		ms_place_end(places, place);
}

void ms_places_add_heap(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	if (size == 0)
		size = 1;
	if (start >> 48 != 0 || (start + size) >> 48 != 0)
		return;

	end_place_at(places, start);
	if (size >= LARGE) {
		ms_heap_clear(places, start, start + size);
		ms_large_add(places, start, start + size,
			     ms_place_new(places, start, size, data)->index);
		return;
	}
	fill(places, start, start + size, ms_place_new(places, start, size, data)->index);
}

bool ms_places_free_heap(struct places *places, uint64_t start, struct ms_place *was)
{
	uint32_t index = ms_heap_at(places, start);

	if (index <= MS_PLACE_FREED)
		return false;
	struct place *place = ms_place_of(places, index);
	if (place->start != start || place->size == 0)
		return false;
	*was = (struct ms_place){ start, start + place->size, place->data };
	if (place->size >= LARGE) {
		ms_large_add(places, start, start + place->size, MS_PLACE_FREED);
		return true;
	}
	fill(places, start, start + place->size, MS_PLACE_FREED);
	ms_place_end(places, place);
	return true;
}

static void clear_page(struct places *places, struct heap_page *page, uint64_t start, uint64_t end)
{
	if (page->granule == NULL && page->whole == MS_PLACE_NONE)
		return;
	for (uint64_t at = start & ~UINT64_C(7); at < end;
	     at += page->granule != NULL ? 8 : end - at)
		end_place_at(places, at);
	fill_page(places, page, start & ~UINT64_C(7), (end + 7) & ~UINT64_C(7), MS_PLACE_NONE);
}

/* Behind what was never used around `at`. */
static uint64_t skip(const struct places *places, uint64_t at)
{
	unsigned span = PAGE_BITS + LOW_BITS;

	if (places->heap == NULL)
		span = 48;
	else if (places->heap[bits(at, span + MIDDLE_BITS, HIGH_BITS)] == NULL)
		span += MIDDLE_BITS;
	return (at | ((UINT64_C(1) << span) - 1)) + 1;
}

/* Skips what was never used, so that giving back a large reservation costs nothing. */
void ms_heap_clear(struct places *places, uint64_t start, uint64_t end)
{
	if (end >> 48 != 0)
		end = UINT64_C(1) << 48;
	ms_large_cut(places, start, end);
	for (uint64_t at = start; at < end;) {
		struct heap_page *page = page_at(places, at);

		if (page == NULL) {
			at = skip(places, at);
			continue;
		}
		clear_page(places, page, at, page_end(at) < end ? page_end(at) : end);
		at = page_end(at);
	}
}

void ms_heap_close(struct places *places)
{
	ms_vec_free(&places->large);
	if (places->heap == NULL)
		return;
	for (unsigned i = 0; i < 1u << HIGH_BITS; i++) {
		if (places->heap[i] == NULL)
			continue;
		for (unsigned k = 0; k < 1u << MIDDLE_BITS; k++)
			ms_free(places->heap[i][k]);
		ms_free(places->heap[i]);
	}
	ms_free(places->heap);
	ms_vec_free(&places->free_granules);
}
