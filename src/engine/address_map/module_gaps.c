/*
 * engine/address_map/module_gaps.c - ranges between the variables of a module, to which ref_states
 * can refer: a stripped program has most of its data there.
 *
 * A gap is made when an address in it is looked up. All gaps end with any change of modules or
 * regions, and when heap objects are added inside a module. That is rare, and gaps are made again.
 */
#include "engine/address_map/address_map_priv.h"

#include <string.h>

/* A gap lies in one piece of this size, because all its pages are searched for heap objects. */
enum { PIECE = 1 << 16 };

struct gap_bounds {
	uint64_t start;
	uint64_t end;
};

static void narrow(struct gap_bounds *gap, uint64_t start, uint64_t end)
{
	if (gap->start < start)
		gap->start = start;
	if (gap->end > end)
		gap->end = end;
}

/*
 * Narrows the gap to addresses that the module treats like this one, which belongs to no variable.
 */
static void narrow_by_module(struct gap_bounds *gap, const struct ms_address_map_module *m,
			     uint64_t address)
{
	if (address < m->start) {
		narrow(gap, 0, m->start);
		return;
	}
	if (address >= m->end) {
		narrow(gap, m->end, UINT64_MAX);
		return;
	}
	size_t v = ms_address_map_find_variable(m, address);
	if (v == m->n)
		return;
	narrow(gap, m->variables[v].start + m->variables[v].size,
	       v + 1 < m->n ? m->variables[v + 1].start : UINT64_MAX);
}

static struct ms_address_map_range *
make_gap(struct ms_address_map *map, const struct ms_address_map_region *region, uint64_t address)
{
	uint64_t piece = address & ~(uint64_t)(PIECE - 1);
	struct gap_bounds gap = { piece,
				  region->end - piece < PIECE ? region->end : piece + PIECE };

	narrow(&gap, region->start, region->end);
	for (size_t i = 0; i < map->modules.n; i++)
		narrow_by_module(&gap, &map->modules.at[i], address);
	return ms_address_map_has_no_objects(map, gap.start, gap.end)
		       ? ms_address_map_new_range(map, gap.start, gap.end - gap.start, region->data)
		       : NULL;
}

/* How many of the gaps start at or below address. */
static size_t count_up_to(const struct ms_address_map *map, uint64_t address)
{
	size_t low = 0, high = map->gaps.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (map->gaps.at[middle]->start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct ms_address_map_range *ms_address_map_find_gap(struct ms_address_map *map,
						     const struct ms_address_map_region *region,
						     uint64_t address)
{
	size_t at = count_up_to(map, address);
	struct ms_address_map_range *range = at > 0 ? map->gaps.at[at - 1] : NULL;

	if (range != NULL && address - range->start < range->size)
		return range;
	range = make_gap(map, region, address);
	if (range == NULL)
		return NULL;
	ms_vec_add(&map->gaps);
	memmove(&map->gaps.at[at + 1], &map->gaps.at[at],
		(map->gaps.n - 1 - at) * sizeof(*map->gaps.at));
	map->gaps.at[at] = range;
	return range;
}

void ms_address_map_drop_gaps(struct ms_address_map *map)
{
	for (size_t i = 0; i < map->gaps.n; i++)
		ms_address_map_end_range(map, map->gaps.at[i]);
	map->gaps.n = 0;
}
