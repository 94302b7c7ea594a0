/*
 * engine/address_map/address_map.c - regions and variables of modules; the lookup in all three
 * layers.
 */
#include "engine/address_map/address_map_priv.h"

#include <string.h>

enum { POOL = 1 << MS_ADDRESS_MAP_POOL_BITS };

void ms_address_map_open(struct ms_address_map *map, const struct ms_engine_fallback_data *special)
{
	*map = (struct ms_address_map){ .fallback = *special,
					.next_place = MS_ADDRESS_MAP_FREED + 1,
					.layout_epoch = 1 };
	for (unsigned i = 0; i < MS_ADDRESS_MAP_RECENT; i++)
		map->recent[i] = &map->empty_range;
}

void ms_address_map_close(struct ms_address_map *map)
{
	ms_address_map_close_heap(map);
	for (size_t i = 0; i < map->pools.n; i++)
		ms_free(map->pools.at[i]);
	ms_vec_free(&map->pools);
	ms_vec_free(&map->free_places);
	ms_vec_free(&map->outer_objects);
	ms_vec_free(&map->free_outer_objects);
	ms_map_free(&map->outer_object_of);
	ms_vec_free(&map->named);
	ms_vec_free(&map->lost_bytes);
	ms_vec_free(&map->modules);
	ms_vec_free(&map->gaps);
	ms_address_map_close_regions(&map->regions);
	ms_arena_free(&map->arena);
}

/* --- ranges --- */

static uint32_t *free_list_of(struct ms_address_map *map, uint32_t data)
{
	if (data >= map->free_places.n) {
		ms_vec_reserve(&map->free_places, data + 1 - map->free_places.n);
		map->free_places.n = data + 1;
	}
	return &map->free_places.at[data];
}

struct ms_address_map_range *ms_address_map_new_range(struct ms_address_map *map, uint64_t start,
						      uint64_t size, uint32_t data)
{
	uint32_t *list = free_list_of(map, data);
	uint32_t index = *list;
	struct ms_address_map_range *range;

	if (index != 0) {
		range = ms_address_map_get_range(map, index);
		*list = (uint32_t)range->start;
	} else {
		index = map->next_place++;
		while (index >> MS_ADDRESS_MAP_POOL_BITS >= map->pools.n)
			*ms_vec_add(&map->pools) =
				ms_alloc(POOL * sizeof(struct ms_address_map_range));
		range = ms_address_map_get_range(map, index);
	}
	*range = (struct ms_address_map_range){ start, size, data, index };
	return range;
}

void ms_address_map_end_range(struct ms_address_map *map, struct ms_address_map_range *range)
{
	uint32_t *list = free_list_of(map, range->data);

	range->size = 0;
	range->start = *list;
	*list = range->index;
}

/* The data that pages have for the layers below their objects becomes invalid. */
static void invalidate_page_data(struct ms_address_map *map)
{
	ms_address_map_drop_gaps(map);
	if (++map->layout_epoch == 0)
		map->layout_epoch = 1;
}

/* --- regions --- */

static void add_region(struct ms_address_map *map, uint64_t start, uint64_t end, uint32_t data,
		       bool exact)
{
	struct ms_address_map_range *range =
		exact ? ms_address_map_new_range(map, start, end - start, data) : NULL;

	ms_address_map_add_region(
		&map->regions, &(struct ms_address_map_region){ start, end, data, exact, range });
}

/* Its memory no longer has the same data everywhere: ref_states must look each address up. */
static void make_inexact(struct ms_address_map *map, struct ms_address_map_region *region)
{
	if (region->range != NULL)
		ms_address_map_end_range(map, region->range);
	region->range = NULL;
	region->exact = false;
}

static void remove_region(struct ms_address_map *map, struct ms_address_map_region *region)
{
	make_inexact(map, region);
	ms_address_map_remove_region(&map->regions, region->start);
}

/* Removes [start, end) from the regions; the parts outside on either side stay. */
static void cut_regions(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	struct ms_address_map_region *region;

	while ((region = ms_address_map_find_region(&map->regions, start)) != NULL &&
	       region->start < end) {
		struct ms_address_map_region old = *region;

		remove_region(map, region);
		if (old.start < start)
			add_region(map, old.start, start, old.data, old.exact);
		if (old.end > end)
			add_region(map, end, old.end, old.data, old.exact);
	}
}

void ms_address_map_map_region(struct ms_address_map *map, uint64_t start, uint64_t end,
			       uint32_t data, bool exact)
{
	if (start >= end)
		return;
	invalidate_page_data(map);
	cut_regions(map, start, end);
	for (size_t i = 0; i < map->modules.n; i++)
		if (map->modules.at[i].start < end && map->modules.at[i].end > start)
			exact = false;
	add_region(map, start, end, data, exact && ms_address_map_has_no_objects(map, start, end));
}

void ms_address_map_unmap_range(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	invalidate_page_data(map);
	cut_regions(map, start, end);
	ms_address_map_clear_objects(map, start, end);
}

/* --- modules --- */

size_t ms_address_map_find_variable(const struct ms_address_map_module *m, uint64_t address)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (m->variables[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? m->n : low - 1;
}

static struct ms_address_map_range *find_variable(const struct ms_address_map *map,
						  uint64_t address)
{
	/*
	 * A linear search: there are few modules, and only addresses outside the ranges of
	 * ref_states get here.
	 */
	for (size_t i = 0; i < map->modules.n; i++) {
		const struct ms_address_map_module *m = &map->modules.at[i];

		if (address < m->start || address >= m->end)
			continue;
		size_t v = ms_address_map_find_variable(m, address);
		if (v < m->n && address - m->variables[v].start < m->variables[v].size)
			return &m->variables[v];
	}
	return NULL;
}

void ms_address_map_add_module(struct ms_address_map *map, uint32_t module,
			       const struct ms_engine_range *list, size_t n)
{
	if (n == 0)
		return;
	invalidate_page_data(map);

	struct ms_address_map_module *m = ms_vec_add(&map->modules);
	*m = (struct ms_address_map_module){ module, list[0].start, list[n - 1].end, n,
					     ms_arena_take(&map->arena,
							   n * sizeof(*m->variables)) };
	for (size_t i = 0; i < n; i++)
		m->variables[i] =
			(struct ms_address_map_range){ list[i].start, list[i].end - list[i].start,
						       list[i].data, 0 };
	for (struct ms_address_map_region *region =
		     ms_address_map_find_region(&map->regions, m->start);
	     region != NULL && region->start < m->end;
	     region = ms_address_map_find_region(&map->regions, region->end))
		make_inexact(map, region);
}

void ms_address_map_remove_module(struct ms_address_map *map, uint32_t module)
{
	size_t kept = 0;

	invalidate_page_data(map);
	for (size_t i = 0; i < map->modules.n; i++) {
		struct ms_address_map_module *m = &map->modules.at[i];

		if (m->module != module) {
			map->modules.at[kept++] = *m;
			continue;
		}
		/*
		 * ref_states may still refer to these: the ranges end, but their memory stays until
		 * close.
		 */
		for (size_t v = 0; v < m->n; v++)
			m->variables[v].size = 0;
	}
	map->modules.n = kept;
}

/* --- heap objects inside regions and variables --- */

/* Adjacent inexact regions of the same data become one region, so that a growing heap stays one. */
static void join_regions(struct ms_address_map *map, uint64_t border)
{
	struct ms_address_map_region *left =
		border > 0 ? ms_address_map_find_region(&map->regions, border - 1) : NULL;
	struct ms_address_map_region *right = ms_address_map_find_region(&map->regions, border);

	if (left == NULL || right == NULL || left->end != border || right->start != border ||
	    left->data != right->data || left->exact || right->exact)
		return;
	uint64_t end = right->end;
	remove_region(map, right);
	ms_address_map_find_region(&map->regions, border - 1)->end = end;
}

/* ref_states may refer to the rest of an exact region, but not to [start, end). */
static void make_regions_inexact(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	for (uint64_t at = start; at < end;) {
		const struct ms_address_map_region *region =
			ms_address_map_find_region(&map->regions, at);

		if (region == NULL || region->start >= end)
			break;
		struct ms_address_map_region old = *region;
		uint64_t from = old.start > start ? old.start : start;
		uint64_t to = old.end < end ? old.end : end;

		at = to;
		if (!old.exact)
			continue;
		ms_address_map_map_region(map, from, to, old.data, false);
		join_regions(map, from);
		join_regions(map, to);
	}
}

void ms_address_map_uncover_pages(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < map->modules.n; i++) {
		struct ms_address_map_module *m = &map->modules.at[i];

		if (m->start >= end || m->end <= start)
			continue;
		ms_address_map_drop_gaps(map);
		for (size_t v = 0; v < m->n; v++) {
			struct ms_address_map_range was = m->variables[v];

			if (was.size == 0 || was.start >= end || was.start + was.size <= start)
				continue;
			/*
			 * No ref_state may refer to the variable any more; a region keeps its data.
			 */
			m->variables[v].size = 0;
			ms_address_map_map_region(map, was.start, was.start + was.size, was.data,
						  false);
		}
	}
	make_regions_inexact(map, start, end);
}

/* --- all three layers --- */

/* Whether the page of address lies inside the region and overlaps no module. */
static bool is_uniform_page(const struct ms_address_map *map,
			    const struct ms_address_map_region *region, uint64_t address)
{
	uint64_t start = address & ~UINT64_C(4095), end = start + 4096;

	if (region->start > start || region->end < end)
		return false;
	for (size_t i = 0; i < map->modules.n; i++)
		if (map->modules.at[i].start < end && map->modules.at[i].end > start)
			return false;
	return true;
}

/*
 * Searches variables and regions; *range is unchanged where the data holds for this address only.
 */
static uint32_t search_variables_and_regions(struct ms_address_map *map, uint64_t address,
					     struct ms_address_map_range **range)
{
	struct ms_address_map_range *variable = find_variable(map, address);
	if (variable != NULL) {
		*range = variable;
		return variable->data;
	}

	const struct ms_address_map_region *region =
		ms_address_map_find_region(&map->regions, address);
	struct ms_address_map_range *gap;
	if (region == NULL || region->start > address)
		return map->fallback.unmapped;
	if (region->range != NULL)
		*range = region->range;
	else if (is_uniform_page(map, region, address))
		ms_address_map_set_page_data(map, address, region->data);
	else if ((gap = ms_address_map_find_gap(map, region, address)) != NULL)
		*range = gap;
	return region->data;
}

static uint32_t find_variable_or_region(struct ms_address_map *map, uint64_t address,
					struct ms_address_map_range **range)
{
	struct ms_address_map_range **recent =
		&map->recent[address >> 6 & (MS_ADDRESS_MAP_RECENT - 1)];
	uint32_t data;

	if (ms_address_map_get_page_data(map, address, &data))
		return data;
	if (address - (*recent)->start < (*recent)->size) {
		*range = *recent;
		return (*recent)->data;
	}
	data = search_variables_and_regions(map, address, range);
	if (*range != &map->empty_range)
		*recent = *range;
	return data;
}

uint32_t ms_address_map_resolve_entry(struct ms_address_map *map, uint64_t address, uint32_t index,
				      struct ms_address_map_range **range)
{
	if (index > MS_ADDRESS_MAP_FREED) {
		*range = ms_address_map_get_range(map, index);
		return (*range)->data;
	}
	*range = &map->empty_range;
	return index == MS_ADDRESS_MAP_FREED ? map->fallback.freed
					     : find_variable_or_region(map, address, range);
}

uint32_t ms_address_map_find_data(struct ms_address_map *map, uint64_t address,
				  struct ms_address_map_range **range)
{
	return ms_address_map_resolve_entry(map, address, *ms_address_map_find_entry(map, address),
					    range);
}

uint64_t ms_address_map_measure(const struct ms_address_map *map)
{
	return map->arena.taken + ms_address_map_measure_heap(map) +
	       map->pools.cap * sizeof(*map->pools.at) +
	       map->pools.n * POOL * sizeof(struct ms_address_map_range) +
	       map->free_places.cap * sizeof(*map->free_places.at) +
	       map->large.cap * sizeof(*map->large.at) +
	       map->outer_objects.cap * sizeof(*map->outer_objects.at) +
	       map->free_outer_objects.cap * sizeof(*map->free_outer_objects.at) +
	       ms_map_bytes(&map->outer_object_of) + map->named.cap * sizeof(*map->named.at) +
	       map->lost_bytes.cap * sizeof(*map->lost_bytes.at) +
	       map->modules.cap * sizeof(*map->modules.at) + map->gaps.cap * sizeof(*map->gaps.at) +
	       ms_address_map_measure_regions(&map->regions);
}
