/*
 * engine/address_map/heap_objects.c - heap objects. A page has one entry if it lies inside one
 * object or has none; else a table with an entry for each 8 bytes.
 */
#include "engine/address_map/address_map_priv.h"

#include <string.h>

enum {
	PAGE_BITS = 12,
	LOW_BITS = 11,
	MIDDLE_BITS = 11,
	HIGH_BITS = 48 - PAGE_BITS - LOW_BITS - MIDDLE_BITS,
	GRANULES = MS_ADDRESS_MAP_GRANULES,
	/* Objects of at least this size are entered in the list of large ones instead. */
	LARGE = 64 << 20,
};

struct ms_address_map_page {
	uint32_t *granule;
	struct ms_address_map_page_tags tags; /* valid if granule is not NULL */
	uint32_t whole;                       /* index of the range, if granule is NULL */
	uint32_t page_data;                   /* data of the layers below objects ... */
	uint32_t page_data_epoch;             /* ... while this equals map->layout_epoch */
};

static unsigned bits(uint64_t address, unsigned from, unsigned count)
{
	return (address >> from) & ((1u << count) - 1);
}

static struct ms_address_map_page *page_at(const struct ms_address_map *map, uint64_t address)
{
	if (map->heap == NULL || address >> 48 != 0)
		return NULL;
	struct ms_address_map_page **middle =
		map->heap[bits(address, PAGE_BITS + LOW_BITS + MIDDLE_BITS, HIGH_BITS)];
	if (middle == NULL)
		return NULL;
	struct ms_address_map_page *low = middle[bits(address, PAGE_BITS + LOW_BITS, MIDDLE_BITS)];
	return low == NULL ? NULL : &low[bits(address, PAGE_BITS, LOW_BITS)];
}

static struct ms_address_map_page *make_page(struct ms_address_map *map, uint64_t address)
{
	if (map->heap == NULL)
		map->heap = ms_alloc(sizeof(*map->heap) << HIGH_BITS);
	struct ms_address_map_page ***middle =
		&map->heap[bits(address, PAGE_BITS + LOW_BITS + MIDDLE_BITS, HIGH_BITS)];
	if (*middle == NULL)
		*middle = ms_alloc(sizeof(**middle) << MIDDLE_BITS);
	struct ms_address_map_page **low =
		&(*middle)[bits(address, PAGE_BITS + LOW_BITS, MIDDLE_BITS)];
	if (*low == NULL)
		*low = ms_alloc(sizeof(**low) << LOW_BITS);
	return &(*low)[bits(address, PAGE_BITS, LOW_BITS)];
}

static const uint32_t *entry(const struct ms_address_map_page *page, uint64_t address)
{
	return page->granule == NULL ? &page->whole
				     : &page->granule[bits(address, 3, PAGE_BITS - 3)];
}

const uint32_t *ms_address_map_find_entry(const struct ms_address_map *map, uint64_t address)
{
	static const uint32_t none = MS_ADDRESS_MAP_NONE;
	const struct ms_address_map_page *page = page_at(map, address);
	const uint32_t *where = page != NULL ? entry(page, address) : &none;

	return map->large.n > 0 && *where == MS_ADDRESS_MAP_NONE
		       ? ms_address_map_find_large(map, address)
		       : where;
}

uint32_t ms_address_map_get_index(const struct ms_address_map *map, uint64_t address)
{
	return *ms_address_map_find_entry(map, address);
}

bool ms_address_map_get_page_data(const struct ms_address_map *map, uint64_t address,
				  uint32_t *data)
{
	const struct ms_address_map_page *page = page_at(map, address);

	if (page == NULL || page->page_data_epoch != map->layout_epoch)
		return false;
	*data = page->page_data;
	return true;
}

/*
 * The data of a range's index never changes: as long as the index is in the table, its tag is
 * valid.
 */
uint32_t ms_address_map_get_tagged_data(const struct ms_address_map *map, uint64_t address)
{
	const struct ms_address_map_page *page = page_at(map, address);

	if (page == NULL || page->granule == NULL)
		return MS_ADDRESS_MAP_UNTAGGED;
	uint32_t kind = ms_address_map_get_tag(&page->tags, bits(address, 3, PAGE_BITS - 3));
	if (kind == MS_ADDRESS_MAP_TAG_UNKNOWN)
		return MS_ADDRESS_MAP_UNTAGGED;
	if (kind == MS_ADDRESS_MAP_TAG_FREED)
		return map->fallback.freed;
	if (kind != MS_ADDRESS_MAP_TAG_NONE)
		return kind - 1;
	return page->page_data_epoch == map->layout_epoch && map->large.n == 0
		       ? page->page_data
		       : MS_ADDRESS_MAP_UNTAGGED;
}

void ms_address_map_set_page_data(struct ms_address_map *map, uint64_t address, uint32_t data)
{
	struct ms_address_map_page *page = page_at(map, address);

	if (page == NULL)
		return;
	page->page_data = data;
	page->page_data_epoch = map->layout_epoch;
}

static uint32_t tag_of(const struct ms_address_map *map, uint32_t index)
{
	if (index > MS_ADDRESS_MAP_FREED)
		return ms_address_map_get_range(map, index)->data + 1;
	return index == MS_ADDRESS_MAP_NONE ? MS_ADDRESS_MAP_TAG_NONE : MS_ADDRESS_MAP_TAG_FREED;
}

static void set_granules(struct ms_address_map *map, struct ms_address_map_page *page,
			 unsigned from, unsigned to, uint32_t index)
{
	for (unsigned i = from; i < to; i++)
		page->granule[i] = index;
	ms_address_map_set_tags(&map->tags, &page->tags, from, to, tag_of(map, index));
}

static void make_granules(struct ms_address_map *map, struct ms_address_map_page *page)
{
	if (page->granule != NULL)
		return;
	page->granule = map->free_granules.n > 0
				? map->free_granules.at[--map->free_granules.n]
				: ms_arena_take(&map->arena, GRANULES * sizeof(*page->granule));
	ms_address_map_open_page_tags(&map->tags, &page->tags);
	set_granules(map, page, 0, GRANULES, page->whole);
}

static void make_whole(struct ms_address_map *map, struct ms_address_map_page *page, uint32_t index)
{
	if (page->granule != NULL) {
		*ms_vec_add(&map->free_granules) = page->granule;
		ms_address_map_close_page_tags(&map->tags, &page->tags);
	}
	page->whole = index;
	page->granule = NULL;
}

/* Enters index for [start, end), both multiples of 8, inside one page. */
static void fill_page(struct ms_address_map *map, struct ms_address_map_page *page, uint64_t start,
		      uint64_t end, uint32_t index)
{
	unsigned from = bits(start, 3, PAGE_BITS - 3);
	unsigned count = (unsigned)((end - start) >> 3);

	if (count == GRANULES) {
		make_whole(map, page, index);
		return;
	}
	if (page->granule == NULL && page->whole == index)
		return;
	make_granules(map, page);
	set_granules(map, page, from, from + count, index);
}

static uint64_t page_end(uint64_t address)
{
	return (address | ((1u << PAGE_BITS) - 1)) + 1;
}

/*
 * The end of the unused part of the table around `at`, so that a large reservation costs nothing.
 */
static uint64_t skip_unused(const struct ms_address_map *map, uint64_t at)
{
	unsigned span = PAGE_BITS + LOW_BITS;

	if (map->heap == NULL)
		span = 48;
	else if (map->heap[bits(at, span + MIDDLE_BITS, HIGH_BITS)] == NULL)
		span += MIDDLE_BITS;
	return (at | ((UINT64_C(1) << span) - 1)) + 1;
}

/*
 * The page of *at, or the first allocated page after it; then *at is set to its start. NULL: none
 * below end.
 */
static struct ms_address_map_page *page_from(const struct ms_address_map *map, uint64_t *at,
					     uint64_t end)
{
	struct ms_address_map_page *page = NULL;

	while (*at < end && (page = page_at(map, *at)) == NULL)
		*at = skip_unused(map, *at);
	return page;
}

static uint64_t stop_in_page(uint64_t at, uint64_t end)
{
	return page_end(at) < end ? page_end(at) : (end + 7) & ~UINT64_C(7);
}

/* Removes all entries from the pages; the list of large objects is unchanged. */
static void wipe_pages(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	struct ms_address_map_page *page;

	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(map, &at, end)) != NULL;
	     at = page_end(at))
		fill_page(map, page, at, stop_in_page(at, end), MS_ADDRESS_MAP_NONE);
}

static void fill_large(struct ms_address_map *map, uint64_t start, uint64_t end, uint32_t index)
{
	ms_address_map_uncover_pages(map, page_end(start) - (1u << PAGE_BITS), page_end(end - 1));
	wipe_pages(map, start, end);
	ms_address_map_add_large(map, start, end, index);
}

void ms_address_map_fill_range(struct ms_address_map *map, uint64_t start, uint64_t end,
			       uint32_t index)
{
	if (end - start >= LARGE) {
		fill_large(map, start, end, index);
		return;
	}
	for (uint64_t at = start & ~UINT64_C(7); at < end; at = page_end(at)) {
		struct ms_address_map_page *page = make_page(map, at);

		/*
		 * The first object of a page: no range of a lower layer may cover the page any
		 * more.
		 */
		if (page->granule == NULL && page->whole == MS_ADDRESS_MAP_NONE)
			ms_address_map_uncover_pages(map, page_end(at) - (1u << PAGE_BITS),
						     page_end(at));
		fill_page(map, page, at, stop_in_page(at, end), index);
	}
}

/* No ref_state may refer to an object that is about to be replaced. */
static void end_range_at(struct ms_address_map *map, uint64_t address)
{
	uint32_t index = ms_address_map_get_index(map, address);
	struct ms_address_map_range *range;

	if (index <= MS_ADDRESS_MAP_FREED)
		return;
	range = ms_address_map_get_range(map, index);
	if (range->size == 0)
		ms_address_map_drop_outer(map, index);
	else if (address - range->start < ((range->size + 7) & ~UINT64_C(7)))
		ms_address_map_end_range(map, range);
}

struct ms_address_map_range *ms_address_map_enter_object(struct ms_address_map *map, uint64_t start,
							 uint64_t size, uint32_t data)
{
	struct ms_address_map_range *range = ms_address_map_new_range(map, start, size, data);

	ms_address_map_fill_range(map, start, start + size, range->index);
	return range;
}

void ms_address_map_add_object(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data)
{
	if (size == 0)
		size = 1;
	if (start >> 48 != 0 || (start + size) >> 48 != 0)
		return;

	end_range_at(map, start);
	if (size >= LARGE)
		ms_address_map_clear_objects(map, start, start + size);
	ms_address_map_enter_object(map, start, size, data);
}

bool ms_address_map_free_simple_object(struct ms_address_map *map, uint64_t start,
				       struct ms_engine_range *was)
{
	uint32_t index = ms_address_map_get_index(map, start);

	if (index <= MS_ADDRESS_MAP_FREED)
		return false;
	struct ms_address_map_range *range = ms_address_map_get_range(map, index);
	if (range->start != start || range->size == 0)
		return false;
	*was = (struct ms_engine_range){ start, start + range->size, range->data };
	ms_address_map_fill_range(map, start, start + range->size, MS_ADDRESS_MAP_FREED);
	ms_address_map_end_range(map, range);
	return true;
}

bool ms_address_map_free_object(struct ms_address_map *map, uint64_t start,
				struct ms_engine_range *was)
{
	/* An object inside it can start at the same address. */
	return (map->outer_objects.n > 0 && ms_address_map_free_outer(map, start, was)) ||
	       ms_address_map_free_simple_object(map, start, was);
}

/* Whether all of it was part of objects that were freed. */
static bool is_freed(const struct ms_address_map *map, uint64_t start, uint64_t end)
{
	for (uint64_t at = start & ~UINT64_C(7); at < end; at = page_end(at)) {
		const struct ms_address_map_page *page = page_at(map, at);
		unsigned from = bits(at, 3, PAGE_BITS - 3);

		if (page == NULL)
			return false;
		if (page->granule == NULL
			    ? page->whole != MS_ADDRESS_MAP_FREED
			    : !ms_address_map_are_tags_freed(
				      &page->tags, from,
				      from + (unsigned)((stop_in_page(at, end) - at) >> 3)))
			return false;
	}
	return true;
}

bool ms_address_map_add_short_lived(struct ms_address_map *map, uint64_t start, uint64_t size)
{
	if (size == 0)
		size = 1;
	if (start >> 48 != 0 || (start + size) >> 48 != 0)
		return false;
	if (is_freed(map, start, start + size))
		return true;
	end_range_at(map, start);
	ms_address_map_fill_range(map, start, start + size, MS_ADDRESS_MAP_FREED);
	return true;
}

/* Calls f for each object in [at, stop), inside one page; *last is the object before. */
static void each_in_page(const struct ms_address_map_page *page, uint64_t at, uint64_t stop,
			 uint32_t *last, void (*f)(uint32_t index, void *arg), void *arg)
{
	for (; at < stop; at += page->granule == NULL ? stop - at : 8) {
		uint32_t index = *entry(page, at);

		if (index > MS_ADDRESS_MAP_FREED && index != *last)
			f(index, arg);
		*last = index;
	}
}

void ms_address_map_visit_objects(struct ms_address_map *map, uint64_t start, uint64_t end,
				  void (*f)(uint32_t index, void *arg), void *arg)
{
	const struct ms_address_map_page *page;
	uint32_t last = MS_ADDRESS_MAP_NONE;

	ms_address_map_visit_large(map, start, end, f, arg);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(map, &at, end)) != NULL;
	     at = page_end(at))
		each_in_page(page, at, stop_in_page(at, end), &last, f, arg);
}

static void replace_in_page(struct ms_address_map *map, struct ms_address_map_page *page,
			    uint64_t at, uint64_t stop, uint32_t from, uint32_t to)
{
	if (page->granule == NULL) {
		if (page->whole == from)
			fill_page(map, page, at, stop, to);
		return;
	}
	for (; at < stop; at += 8)
		if (*entry(page, at) == from)
			fill_page(map, page, at, at + 8, to);
}

void ms_address_map_replace_index(struct ms_address_map *map, uint64_t start, uint64_t end,
				  uint32_t from, uint32_t to)
{
	struct ms_address_map_page *page;

	ms_address_map_replace_large(map, start, end, from, to);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(map, &at, end)) != NULL;
	     at = page_end(at))
		replace_in_page(map, page, at, stop_in_page(at, end), from, to);
}

/*
 * Checks whole pages: an exact range may share no page with an object, not even with a later one.
 */
bool ms_address_map_has_no_objects(const struct ms_address_map *map, uint64_t start, uint64_t end)
{
	const struct ms_address_map_page *page;

	if (end >> 48 != 0)
		end = UINT64_C(1) << 48;
	if (map->large.n > 0 && ms_address_map_overlaps_large(map, start, end))
		return false;
	for (uint64_t at = start; (page = page_from(map, &at, end)) != NULL; at = page_end(at))
		if (page->granule != NULL || page->whole != MS_ADDRESS_MAP_NONE)
			return false;
	return true;
}

struct cleared_range {
	struct ms_address_map *map;
	uint64_t start;
	uint64_t end;
};

/*
 * The range of an object that was cut before has ended, and may belong to another object of the
 * same data now.
 */
static void end_object(uint32_t index, void *arg)
{
	const struct cleared_range *r = arg;
	struct ms_address_map_range *range = ms_address_map_get_range(r->map, index);

	if (range->size == 0)
		ms_address_map_drop_outer(r->map, index);
	else if (range->start < r->end &&
		 ((range->start + range->size + 7) & ~UINT64_C(7)) > r->start)
		ms_address_map_end_range(r->map, range);
}

void ms_address_map_clear_objects(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	struct ms_address_map_page *page;
	uint32_t last = MS_ADDRESS_MAP_NONE;

	if (end >> 48 != 0)
		end = UINT64_C(1) << 48;

	struct cleared_range range = { map, start, end };
	ms_address_map_visit_large(map, start, end, end_object, &range);
	ms_address_map_cut_large(map, start, end);
	for (uint64_t at = start & ~UINT64_C(7); (page = page_from(map, &at, end)) != NULL;
	     at = page_end(at)) {
		each_in_page(page, at, stop_in_page(at, end), &last, end_object, &range);
		fill_page(map, page, at, stop_in_page(at, end), MS_ADDRESS_MAP_NONE);
	}
}

void ms_address_map_close_heap(struct ms_address_map *map)
{
	ms_vec_free(&map->large);
	ms_address_map_close_tag_pool(&map->tags);
	if (map->heap == NULL)
		return;
	for (unsigned i = 0; i < 1u << HIGH_BITS; i++) {
		if (map->heap[i] == NULL)
			continue;
		for (unsigned k = 0; k < 1u << MIDDLE_BITS; k++)
			ms_free(map->heap[i][k]);
		ms_free(map->heap[i]);
	}
	ms_free(map->heap);
	ms_vec_free(&map->free_granules);
}

/* Measures the tables only; the arena contains the granules. */
uint64_t ms_address_map_measure_heap(const struct ms_address_map *map)
{
	uint64_t bytes = map->free_granules.cap * sizeof(*map->free_granules.at) +
			 ms_address_map_measure_tags(&map->tags);

	if (map->heap == NULL)
		return bytes;
	bytes += sizeof(*map->heap) << HIGH_BITS;
	for (unsigned i = 0; i < 1u << HIGH_BITS; i++) {
		if (map->heap[i] == NULL)
			continue;
		bytes += sizeof(**map->heap) << MIDDLE_BITS;
		for (unsigned k = 0; k < 1u << MIDDLE_BITS; k++)
			if (map->heap[i][k] != NULL)
				bytes += sizeof(***map->heap) << LOW_BITS;
	}
	return bytes;
}
