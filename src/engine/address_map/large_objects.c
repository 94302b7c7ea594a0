/*
 * engine/address_map/large_objects.c - the largest heap objects. They are few, so a sorted list
 * suffices.
 */
#include <string.h>

#include "engine/address_map/address_map_priv.h"

static size_t first_after(const struct ms_address_map *map, uint64_t address)
{
	size_t low = 0, high = map->large.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (map->large.at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool ms_address_map_overlaps_large(const struct ms_address_map *map, uint64_t start, uint64_t end)
{
	size_t i = first_after(map, start);

	return i < map->large.n && map->large.at[i].start < end;
}

const uint32_t *ms_address_map_find_large(const struct ms_address_map *map, uint64_t address)
{
	static const uint32_t none = MS_ADDRESS_MAP_NONE;
	size_t i = first_after(map, address);

	return i == map->large.n || map->large.at[i].start > address ? &none
								     : &map->large.at[i].index;
}

static void insert(struct ms_address_map *map, size_t i, uint64_t start, uint64_t end,
		   uint32_t index)
{
	ms_vec_add(&map->large);
	memmove(&map->large.at[i + 1], &map->large.at[i],
		(map->large.n - 1 - i) * sizeof(struct ms_address_map_large_object));
	map->large.at[i] = (struct ms_address_map_large_object){ start, end, index };
}

static void remove_at(struct ms_address_map *map, size_t i)
{
	memmove(&map->large.at[i], &map->large.at[i + 1],
		(map->large.n - 1 - i) * sizeof(struct ms_address_map_large_object));
	map->large.n--;
}

void ms_address_map_cut_large(struct ms_address_map *map, uint64_t start, uint64_t end)
{
	size_t i = first_after(map, start);

	while (i < map->large.n && map->large.at[i].start < end) {
		struct ms_address_map_large_object old = map->large.at[i];

		remove_at(map, i);
		if (old.start < start)
			insert(map, i++, old.start, start, old.index);
		if (old.end > end)
			insert(map, i++, end, old.end, old.index);
	}
}

void ms_address_map_add_large(struct ms_address_map *map, uint64_t start, uint64_t end,
			      uint32_t index)
{
	ms_address_map_cut_large(map, start, end);
	insert(map, first_after(map, start), start, end, index);
}

void ms_address_map_visit_large(struct ms_address_map *map, uint64_t start, uint64_t end,
				void (*f)(uint32_t index, void *arg), void *arg)
{
	for (size_t i = first_after(map, start); i < map->large.n && map->large.at[i].start < end;
	     i++)
		if (map->large.at[i].index > MS_ADDRESS_MAP_FREED)
			f(map->large.at[i].index, arg);
}

void ms_address_map_replace_large(struct ms_address_map *map, uint64_t start, uint64_t end,
				  uint32_t from, uint32_t to)
{
	size_t i = first_after(map, start);

	while (i < map->large.n && map->large.at[i].start < end) {
		if (map->large.at[i].index != from)
			i++;
		else if (to == MS_ADDRESS_MAP_NONE)
			remove_at(map, i);
		else
			map->large.at[i++].index = to;
	}
}
