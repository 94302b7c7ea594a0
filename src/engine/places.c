/* engine/places.c - regions and modules' variables; the look-up over all three layers. */
#include "engine/places.h"

#include <string.h>

enum { POOL = 1 << MS_PLACE_POOL_BITS };

void ms_places_open(struct places *places, const struct ms_engine_data *special)
{
	*places = (struct places){ .special = *special,
				   .next_place = MS_PLACE_FREED + 1,
				   .changes = 1 };
	for (unsigned i = 0; i < MS_PLACES_NEAR; i++)
		places->near[i] = &places->nowhere;
}

void ms_places_close(struct places *places)
{
	ms_heap_close(places);
	for (size_t i = 0; i < places->pools.n; i++)
		ms_free(places->pools.at[i]);
	ms_vec_free(&places->pools);
	ms_vec_free(&places->free_places);
	ms_vec_free(&places->holed);
	ms_vec_free(&places->free_holed);
	ms_map_free(&places->holed_of);
	ms_vec_free(&places->named);
	ms_vec_free(&places->lost);
	ms_vec_free(&places->modules);
	ms_vec_free(&places->gaps);
	ms_regions_close(&places->regions);
	ms_arena_free(&places->arena);
}

/* --- places --- */

static uint32_t *free_list_of(struct places *places, uint32_t data)
{
	if (data >= places->free_places.n) {
		ms_vec_reserve(&places->free_places, data + 1 - places->free_places.n);
		places->free_places.n = data + 1;
	}
	return &places->free_places.at[data];
}

struct place *ms_place_new(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	uint32_t *list = free_list_of(places, data);
	uint32_t index = *list;
	struct place *place;

	if (index != 0) {
		place = ms_place_of(places, index);
		*list = (uint32_t)place->start;
	} else {
		index = places->next_place++;
		while (index >> MS_PLACE_POOL_BITS >= places->pools.n)
			*ms_vec_add(&places->pools) = ms_alloc(POOL * sizeof(struct place));
		place = ms_place_of(places, index);
	}
	*place = (struct place){ start, size, data, index };
	return place;
}

void ms_place_end(struct places *places, struct place *place)
{
	uint32_t *list = free_list_of(places, place->data);

	place->size = 0;
	place->start = *list;
	*list = place->index;
}

/* What pages know of what lies below their objects does not hold any more. */
static void note_change(struct places *places)
{
	ms_gaps_end(places);
	if (++places->changes == 0)
		places->changes = 1;
}

/* --- regions --- */

static void add_region(struct places *places, uint64_t start, uint64_t end, uint32_t data,
		       bool exact)
{
	struct place *place = exact ? ms_place_new(places, start, end - start, data) : NULL;

	ms_regions_add(&places->regions, &(struct region){ start, end, data, exact, place });
}

/* Its memory is not all one thing any more: slots must ask each time. */
static void forget_region(struct places *places, struct region *region)
{
	if (region->place != NULL)
		ms_place_end(places, region->place);
	region->place = NULL;
	region->exact = false;
}

static void remove_region(struct places *places, struct region *region)
{
	forget_region(places, region);
	ms_regions_remove(&places->regions, region->start);
}

/* Cuts [start, end) out of the regions; what sticks out on either side stays. */
static void cut_regions(struct places *places, uint64_t start, uint64_t end)
{
	struct region *region;

	while ((region = ms_regions_after(&places->regions, start)) != NULL &&
	       region->start < end) {
		struct region old = *region;

		remove_region(places, region);
		if (old.start < start)
			add_region(places, old.start, start, old.data, old.exact);
		if (old.end > end)
			add_region(places, end, old.end, old.data, old.exact);
	}
}

void ms_places_map(struct places *places, uint64_t start, uint64_t end, uint32_t data, bool exact)
{
	if (start >= end)
		return;
	note_change(places);
	cut_regions(places, start, end);
	for (size_t i = 0; i < places->modules.n; i++)
		if (places->modules.at[i].start < end && places->modules.at[i].end > start)
			exact = false;
	add_region(places, start, end, data, exact && ms_heap_is_free(places, start, end));
}

void ms_places_unmap(struct places *places, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	note_change(places);
	cut_regions(places, start, end);
	ms_heap_clear(places, start, end);
}

/* --- modules --- */

size_t ms_module_last(const struct module_places *m, uint64_t address)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (m->places[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? m->n : low - 1;
}

static struct place *find_variable(const struct places *places, uint64_t address)
{
	/* Few modules, and only an address that no slot remembers comes here. */
	for (size_t i = 0; i < places->modules.n; i++) {
		const struct module_places *m = &places->modules.at[i];

		if (address < m->start || address >= m->end)
			continue;
		size_t v = ms_module_last(m, address);
		if (v < m->n && address - m->places[v].start < m->places[v].size)
			return &m->places[v];
	}
	return NULL;
}

void ms_places_add_module(struct places *places, uint32_t module, const struct ms_place *list,
			  size_t n)
{
	if (n == 0)
		return;
	note_change(places);

	struct module_places *m = ms_vec_add(&places->modules);
	*m = (struct module_places){ module, list[0].start, list[n - 1].end, n,
				     ms_arena_take(&places->arena, n * sizeof(*m->places)) };
	for (size_t i = 0; i < n; i++)
		m->places[i] = (struct place){ list[i].start, list[i].end - list[i].start,
					       list[i].data, 0 };
	for (struct region *region = ms_regions_after(&places->regions, m->start);
	     region != NULL && region->start < m->end;
	     region = ms_regions_after(&places->regions, region->end))
		forget_region(places, region);
}

void ms_places_remove_module(struct places *places, uint32_t module)
{
	size_t kept = 0;

	note_change(places);
	for (size_t i = 0; i < places->modules.n; i++) {
		struct module_places *m = &places->modules.at[i];

		if (m->module != module) {
			places->modules.at[kept++] = *m;
			continue;
		}
		/* Slots may still point here: the places end, their memory stays until close. */
		for (size_t v = 0; v < m->n; v++)
			m->places[v].size = 0;
	}
	places->modules.n = kept;
}

/* --- heap objects inside regions and variables --- */

/* Loose neighbours of one data become one region, so that a growing heap stays one. */
static void join_regions(struct places *places, uint64_t border)
{
	struct region *left = border > 0 ? ms_regions_after(&places->regions, border - 1) : NULL;
	struct region *right = ms_regions_after(&places->regions, border);

	if (left == NULL || right == NULL || left->end != border || right->start != border ||
	    left->data != right->data || left->exact || right->exact)
		return;
	uint64_t end = right->end;
	remove_region(places, right);
	ms_regions_after(&places->regions, border - 1)->end = end;
}

/* Slots may remember the rest of an exact region, but not [start, end). */
static void loosen_regions(struct places *places, uint64_t start, uint64_t end)
{
	for (uint64_t at = start; at < end;) {
		const struct region *region = ms_regions_after(&places->regions, at);

		if (region == NULL || region->start >= end)
			break;
		struct region old = *region;
		uint64_t from = old.start > start ? old.start : start;
		uint64_t to = old.end < end ? old.end : end;

		at = to;
		if (!old.exact)
			continue;
		ms_places_map(places, from, to, old.data, false);
		join_regions(places, from);
		join_regions(places, to);
	}
}

void ms_places_uncover(struct places *places, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < places->modules.n; i++) {
		struct module_places *m = &places->modules.at[i];

		if (m->start >= end || m->end <= start)
			continue;
		ms_gaps_end(places);
		for (size_t v = 0; v < m->n; v++) {
			struct place was = m->places[v];

			if (was.size == 0 || was.start >= end || was.start + was.size <= start)
				continue;
			/* No slot may remember the variable any more; a region still knows it. */
			m->places[v].size = 0;
			ms_places_map(places, was.start, was.start + was.size, was.data, false);
		}
	}
	loosen_regions(places, start, end);
}

/* --- all three --- */

/* Whether the page of address lies in the region and in no module. */
static bool is_plain_page(const struct places *places, const struct region *region,
			  uint64_t address)
{
	uint64_t start = address & ~UINT64_C(4095), end = start + 4096;

	if (region->start > start || region->end < end)
		return false;
	for (size_t i = 0; i < places->modules.n; i++)
		if (places->modules.at[i].start < end && places->modules.at[i].end > start)
			return false;
	return true;
}

/* Variables and regions; *place is as it was where the data holds for the address only. */
static uint32_t search_below(struct places *places, uint64_t address, struct place **place)
{
	struct place *variable = find_variable(places, address);
	if (variable != NULL) {
		*place = variable;
		return variable->data;
	}

	const struct region *region = ms_regions_after(&places->regions, address);
	struct place *gap;
	if (region == NULL || region->start > address)
		return places->special.unmapped;
	if (region->place != NULL)
		*place = region->place;
	else if (is_plain_page(places, region, address))
		ms_heap_set_below(places, address, region->data);
	else if ((gap = ms_gap_at(places, region, address)) != NULL)
		*place = gap;
	return region->data;
}

static uint32_t find_below(struct places *places, uint64_t address, struct place **place)
{
	struct place **near = &places->near[address >> 6 & (MS_PLACES_NEAR - 1)];
	uint32_t data;

	if (ms_heap_below(places, address, &data))
		return data;
	if (address - (*near)->start < (*near)->size) {
		*place = *near;
		return (*near)->data;
	}
	data = search_below(places, address, place);
	if (*place != &places->nowhere)
		*near = *place;
	return data;
}

uint32_t ms_places_resolve(struct places *places, uint64_t address, uint32_t index,
			   struct place **place)
{
	if (index > MS_PLACE_FREED) {
		*place = ms_place_of(places, index);
		return (*place)->data;
	}
	*place = &places->nowhere;
	return index == MS_PLACE_FREED ? places->special.freed : find_below(places, address, place);
}

uint32_t ms_places_find(struct places *places, uint64_t address, struct place **place)
{
	return ms_places_resolve(places, address, *ms_places_where(places, address), place);
}

uint64_t ms_places_bytes(const struct places *places)
{
	return places->arena.taken + ms_heap_bytes(places) +
	       places->pools.cap * sizeof(*places->pools.at) +
	       places->pools.n * POOL * sizeof(struct place) +
	       places->free_places.cap * sizeof(*places->free_places.at) +
	       places->large.cap * sizeof(*places->large.at) +
	       places->holed.cap * sizeof(*places->holed.at) +
	       places->free_holed.cap * sizeof(*places->free_holed.at) +
	       ms_map_bytes(&places->holed_of) + places->named.cap * sizeof(*places->named.at) +
	       places->lost.cap * sizeof(*places->lost.at) +
	       places->modules.cap * sizeof(*places->modules.at) +
	       places->gaps.cap * sizeof(*places->gaps.at) + ms_regions_bytes(&places->regions);
}
