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
	GRANULES = MS_KINDS_GRANULES,
	/* Objects of so many bytes are entered in the list of large ones instead. */
	LARGE = 64 << 20,
};

struct heap_page {
	uint32_t *granule;
	struct page_kinds kinds; /* beside granule */
	uint32_t whole;          /* place's index, when granule is NULL */
	uint32_t below;          /* data of what is below objects ... */
	uint32_t known;          /* ... as long as this is places->changes */
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

static const uint32_t *entry(const struct heap_page *page, uint64_t address)
{
	return page->granule == NULL ? &page->whole
				     : &page->granule[bits(address, 3, PAGE_BITS - 3)];
}

const uint32_t *ms_places_where(const struct places *places, uint64_t address)
{
	static const uint32_t none = MS_PLACE_NONE;
	const struct heap_page *page = page_at(places, address);
	const uint32_t *where = page != NULL ? entry(page, address) : &none;

	return places->large.n > 0 && *where == MS_PLACE_NONE ? ms_large_where(places, address)
							      : where;
}

uint32_t ms_heap_at(const struct places *places, uint64_t address)
{
	return *ms_places_where(places, address);
}

bool ms_heap_below(const struct places *places, uint64_t address, uint32_t *data)
{
	const struct heap_page *page = page_at(places, address);

	if (page == NULL || page->known != places->changes)
		return false;
	*data = page->below;
	return true;
}

/* The data of a place's index never changes: as long as it stands there, so does its kind. */
uint32_t ms_heap_near_data(const struct places *places, uint64_t address)
{
	const struct heap_page *page = page_at(places, address);

	if (page == NULL || page->granule == NULL)
		return MS_DATA_FAR;
	uint32_t kind = ms_kinds_at(&page->kinds, bits(address, 3, PAGE_BITS - 3));
	if (kind == MS_KIND_FAR)
		return MS_DATA_FAR;
	if (kind == MS_KIND_FREED)
		return places->special.freed;
	if (kind != MS_KIND_NONE)
		return kind - 1;
	return page->known == places->changes && places->large.n == 0 ? page->below : MS_DATA_FAR;
}

void ms_heap_set_below(struct places *places, uint64_t address, uint32_t data)
{
	struct heap_page *page = page_at(places, address);

	if (page == NULL)
		return;
	page->below = data;
	page->known = places->changes;
}

static uint32_t kind_of(const struct places *places, uint32_t index)
{
	if (index > MS_PLACE_FREED)
		return ms_place_of(places, index)->data + 1;
	return index == MS_PLACE_NONE ? MS_KIND_NONE : MS_KIND_FREED;
}

static void set_granules(struct places *places, struct heap_page *page, unsigned from, unsigned to,
			 uint32_t index)
{
	for (unsigned i = from; i < to; i++)
		page->granule[i] = index;
	ms_kinds_set(&places->kinds, &page->kinds, from, to, kind_of(places, index));
}

static void make_granules(struct places *places, struct heap_page *page)
{
	if (page->granule != NULL)
		return;
	page->granule = places->free_granules.n > 0
				? places->free_granules.at[--places->free_granules.n]
				: ms_arena_take(&places->arena, GRANULES * sizeof(*page->granule));
	ms_kinds_begin(&places->kinds, &page->kinds);
	set_granules(places, page, 0, GRANULES, page->whole);
}

static void make_whole(struct places *places, struct heap_page *page, uint32_t index)
{
	if (page->granule != NULL) {
		*ms_vec_add(&places->free_granules) = page->granule;
		ms_kinds_end(&places->kinds, &page->kinds);
	}
	page->whole = index;
	page->granule = NULL;
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
	set_granules(places, page, from, from + count, index);
}

static uint64_t page_end(uint64_t address)
{
	return (address | ((1u << PAGE_BITS) - 1)) + 1;
}

/* Behind what was never used around `at`, so that a large reservation costs nothing. */
static uint64_t skip(const struct places *places, uint64_t at)
{
	unsigned span = PAGE_BITS + LOW_BITS;

	if (places->heap == NULL)
		span = 48;
	else if (places->heap[bits(at, span + MIDDLE_BITS, HIGH_BITS)] == NULL)
		span += MIDDLE_BITS;
	return (at | ((UINT64_C(1) << span) - 1)) + 1;
}

/* The page of *at, or the next that was ever used, where *at then starts; NULL: none below end. */
static struct heap_page *page_from(const struct places *places, uint64_t *at, uint64_t end)
{
	struct heap_page *page = NULL;

	while (*at < end && (page = page_at(places, *at)) == NULL)
		*at = skip(places, *at);
	return page;
}

static uint64_t stop_in_page(uint64_t at, uint64_t end)
{
	return page_end(at) < end ? page_end(at) : (end + 7) & ~UINT64_C(7);
}

/* Takes all entries out of the pages; the list of the largest stays. */
static void wipe_pages(struct places *places, uint64_t start, uint64_t end)
{
	struct heap_page *page;

	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(places, &at, end)) != NULL;
	     at = page_end(at))
		fill_page(places, page, at, stop_in_page(at, end), MS_PLACE_NONE);
}

static void fill_large(struct places *places, uint64_t start, uint64_t end, uint32_t index)
{
	ms_places_uncover(places, page_end(start) - (1u << PAGE_BITS), page_end(end - 1));
	wipe_pages(places, start, end);
	ms_large_add(places, start, end, index);
}

void ms_heap_fill(struct places *places, uint64_t start, uint64_t end, uint32_t index)
{
	if (end - start >= LARGE) {
		fill_large(places, start, end, index);
		return;
	}
	for (uint64_t at = start & ~UINT64_C(7); at < end; at = page_end(at)) {
		struct heap_page *page = page_make(places, at);

		/* The first object of a page: nobody may take it for something else any more. */
		if (page->granule == NULL && page->whole == MS_PLACE_NONE)
			ms_places_uncover(places, page_end(at) - (1u << PAGE_BITS), page_end(at));
		fill_page(places, page, at, stop_in_page(at, end), index);
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
	if (place->size == 0)
		ms_places_drop_holed(places, index);
	else if (address - place->start < ((place->size + 7) & ~UINT64_C(7)))
		ms_place_end(places, place);
}

struct place *ms_heap_enter(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	struct place *place = ms_place_new(places, start, size, data);

	ms_heap_fill(places, start, start + size, place->index);
	return place;
}

void ms_places_add_heap(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	if (size == 0)
		size = 1;
	if (start >> 48 != 0 || (start + size) >> 48 != 0)
		return;

	end_place_at(places, start);
	if (size >= LARGE)
		ms_heap_clear(places, start, start + size);
	ms_heap_enter(places, start, size, data);
}

bool ms_places_free_object(struct places *places, uint64_t start, struct ms_place *was)
{
	uint32_t index = ms_heap_at(places, start);

	if (index <= MS_PLACE_FREED)
		return false;
	struct place *place = ms_place_of(places, index);
	if (place->start != start || place->size == 0)
		return false;
	*was = (struct ms_place){ start, start + place->size, place->data };
	ms_heap_fill(places, start, start + place->size, MS_PLACE_FREED);
	ms_place_end(places, place);
	return true;
}

bool ms_places_free_heap(struct places *places, uint64_t start, struct ms_place *was)
{
	/* What lies inside it may begin where it does. */
	return (places->holed.n > 0 && ms_places_free_holed(places, start, was)) ||
	       ms_places_free_object(places, start, was);
}

/* Whether all of it was objects' that were freed. */
static bool is_freed(const struct places *places, uint64_t start, uint64_t end)
{
	for (uint64_t at = start & ~UINT64_C(7); at < end; at = page_end(at)) {
		const struct heap_page *page = page_at(places, at);
		unsigned from = bits(at, 3, PAGE_BITS - 3);

		if (page == NULL)
			return false;
		if (page->granule == NULL
			    ? page->whole != MS_PLACE_FREED
			    : !ms_kinds_are_freed(
				      &page->kinds, from,
				      from + (unsigned)((stop_in_page(at, end) - at) >> 3)))
			return false;
	}
	return true;
}

bool ms_places_pass(struct places *places, uint64_t start, uint64_t size)
{
	if (size == 0)
		size = 1;
	if (start >> 48 != 0 || (start + size) >> 48 != 0)
		return false;
	if (is_freed(places, start, start + size))
		return true;
	end_place_at(places, start);
	ms_heap_fill(places, start, start + size, MS_PLACE_FREED);
	return true;
}

/* Calls f for each object in [at, stop), inside one page; *last is the one before. */
static void each_in_page(const struct heap_page *page, uint64_t at, uint64_t stop, uint32_t *last,
			 void (*f)(uint32_t index, void *arg), void *arg)
{
	for (; at < stop; at += page->granule == NULL ? stop - at : 8) {
		uint32_t index = *entry(page, at);

		if (index > MS_PLACE_FREED && index != *last)
			f(index, arg);
		*last = index;
	}
}

void ms_heap_each(struct places *places, uint64_t start, uint64_t end,
		  void (*f)(uint32_t index, void *arg), void *arg)
{
	const struct heap_page *page;
	uint32_t last = MS_PLACE_NONE;

	ms_large_each(places, start, end, f, arg);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(places, &at, end)) != NULL;
	     at = page_end(at))
		each_in_page(page, at, stop_in_page(at, end), &last, f, arg);
}

static void replace_in_page(struct places *places, struct heap_page *page, uint64_t at,
			    uint64_t stop, uint32_t from, uint32_t to)
{
	if (page->granule == NULL) {
		if (page->whole == from)
			fill_page(places, page, at, stop, to);
		return;
	}
	for (; at < stop; at += 8)
		if (*entry(page, at) == from)
			fill_page(places, page, at, at + 8, to);
}

void ms_heap_replace(struct places *places, uint64_t start, uint64_t end, uint32_t from,
		     uint32_t to)
{
	struct heap_page *page;

	ms_large_replace(places, start, end, from, to);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(places, &at, end)) != NULL;
	     at = page_end(at))
		replace_in_page(places, page, at, stop_in_page(at, end), from, to);
}

/* Of whole pages: what is exact may share none with an object, also not with one that comes. */
bool ms_heap_is_free(const struct places *places, uint64_t start, uint64_t end)
{
	const struct heap_page *page;

	if (end >> 48 != 0)
		end = UINT64_C(1) << 48;
	if (places->large.n > 0 && ms_large_overlaps(places, start, end))
		return false;
	for (uint64_t at = start; (page = page_from(places, &at, end)) != NULL; at = page_end(at))
		if (page->granule != NULL || page->whole != MS_PLACE_NONE)
			return false;
	return true;
}

struct range {
	struct places *places;
	uint64_t start;
	uint64_t end;
};

/* The place of what was cut before has ended, and may be another object's of the same data now. */
static void end_object(uint32_t index, void *arg)
{
	const struct range *r = arg;
	struct place *place = ms_place_of(r->places, index);

	if (place->size == 0)
		ms_places_drop_holed(r->places, index);
	else if (place->start < r->end &&
		 ((place->start + place->size + 7) & ~UINT64_C(7)) > r->start)
		ms_place_end(r->places, place);
}

void ms_heap_clear(struct places *places, uint64_t start, uint64_t end)
{
	struct heap_page *page;
	uint32_t last = MS_PLACE_NONE;

	if (end >> 48 != 0)
		end = UINT64_C(1) << 48;

	struct range range = { places, start, end };
	ms_large_each(places, start, end, end_object, &range);
	ms_large_cut(places, start, end);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(places, &at, end)) != NULL;
	     at = page_end(at)) {
		each_in_page(page, at, stop_in_page(at, end), &last, end_object, &range);
		fill_page(places, page, at, stop_in_page(at, end), MS_PLACE_NONE);
	}
}

void ms_heap_close(struct places *places)
{
	ms_vec_free(&places->large);
	ms_kinds_close(&places->kinds);
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

/* The tables; what the granules take is the arena's. */
uint64_t ms_heap_bytes(const struct places *places)
{
	uint64_t bytes = places->free_granules.cap * sizeof(*places->free_granules.at) +
			 ms_kinds_bytes(&places->kinds);

	if (places->heap == NULL)
		return bytes;
	bytes += sizeof(*places->heap) << HIGH_BITS;
	for (unsigned i = 0; i < 1u << HIGH_BITS; i++) {
		if (places->heap[i] == NULL)
			continue;
		bytes += sizeof(**places->heap) << MIDDLE_BITS;
		for (unsigned k = 0; k < 1u << MIDDLE_BITS; k++)
			if (places->heap[i][k] != NULL)
				bytes += sizeof(***places->heap) << LOW_BITS;
	}
	return bytes;
}
