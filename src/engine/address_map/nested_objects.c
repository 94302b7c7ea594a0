/*
 * engine/address_map/nested_objects.c - objects inside others: blocks of a private allocator, named
 * ranges.
 *
 * An object that contains another one has a hole: ref_states must not refer to it, and the rest of
 * it still has its data. A list keeps such objects, so that one can be freed as a whole, with
 * everything inside, and so that a range that is unnamed gets its previous data back.
 */
#include "engine/address_map/address_map_priv.h"

static uint64_t up8(uint64_t address)
{
	return (address + 7) & ~UINT64_C(7);
}

/* --- objects with holes: found by their start (0) and by the index of their range (1) --- */

enum { BY_START, BY_INDEX };

static struct ms_address_map_outer_object *find_outer(const struct ms_address_map *map,
						      uint64_t key, unsigned by)
{
	uint32_t number =
		map->outer_objects.n > 0 ? ms_map_get(&map->outer_object_of, key, by) : MS_MAP_NONE;
	struct ms_address_map_outer_object *h =
		number != MS_MAP_NONE ? &map->outer_objects.at[number] : NULL;

	/* Nothing is removed from ms_map: an old entry can lead to a newer object. */
	if (h == NULL || h->index == 0 || (by == BY_START ? h->start : h->index) != key)
		return NULL;
	return h;
}

static void add_outer(struct ms_address_map *map, struct ms_address_map_range *range)
{
	uint32_t number = (uint32_t)map->outer_objects.n;

	if (map->free_outer_objects.n > 0)
		number = map->free_outer_objects.at[--map->free_outer_objects.n];
	else
		ms_vec_add(&map->outer_objects);
	map->outer_objects.at[number] =
		(struct ms_address_map_outer_object){ range->start, range->start + range->size,
						      range->index };
	*ms_map_at(&map->outer_object_of, range->start, BY_START) = number;
	*ms_map_at(&map->outer_object_of, range->index, BY_INDEX) = number;
	range->size = 0;
}

static void drop_outer(struct ms_address_map *map, struct ms_address_map_outer_object *h)
{
	ms_address_map_end_range(map, ms_address_map_get_range(map, h->index));
	h->index = 0;
	*ms_vec_add(&map->free_outer_objects) = (uint32_t)(h - map->outer_objects.at);
}

void ms_address_map_drop_outer(struct ms_address_map *map, uint32_t index)
{
	struct ms_address_map_outer_object *h = find_outer(map, index, BY_INDEX);

	if (h != NULL)
		drop_outer(map, h);
}

/* --- objects that overlap a new one --- */

static void add_lost_bytes(struct ms_address_map *map, uint32_t data, uint64_t bytes)
{
	if (data >= map->lost_bytes.n) {
		ms_vec_reserve(&map->lost_bytes, data + 1 - map->lost_bytes.n);
		map->lost_bytes.n = data + 1;
	}
	map->lost_bytes.at[data] += bytes;
}

uint64_t ms_address_map_take_lost_bytes(struct ms_address_map *map, uint32_t data)
{
	uint64_t bytes = data < map->lost_bytes.n ? map->lost_bytes.at[data] : 0;

	if (bytes > 0)
		map->lost_bytes.at[data] = 0;
	return bytes;
}

struct cut {
	struct ms_address_map *map;
	uint64_t start;
	uint64_t end;
	bool keep; /* objects that are covered completely are kept, too */
};

static void cut_object(uint32_t index, void *arg)
{
	const struct cut *c = arg;
	struct ms_address_map_range *range = ms_address_map_get_range(c->map, index);
	struct ms_address_map_outer_object *h = find_outer(c->map, index, BY_INDEX);

	if (h != NULL) {
		if (!c->keep && c->start <= h->start && up8(h->end) <= c->end) {
			add_lost_bytes(c->map, range->data, h->end - h->start);
			drop_outer(c->map, h);
		}
	} else if (range->size == 0) {
		return; /* it has ended before; only its entries are left */
	} else if (!c->keep && c->start <= range->start &&
		   up8(range->start + range->size) <= c->end) {
		add_lost_bytes(c->map, range->data, range->size);
		ms_address_map_end_range(c->map, range);
	} else {
		add_outer(c->map, range);
	}
}

static struct ms_address_map_range *add_inner(struct ms_address_map *map, uint64_t start,
					      uint64_t size, uint32_t data, bool keep)
{
	struct cut cut = { map, start & ~UINT64_C(7), up8(start + size), keep };

	ms_address_map_visit_objects(map, cut.start, cut.end, cut_object, &cut);
	return ms_address_map_enter_object(map, start, size, data);
}

static bool is_user_range(uint64_t start, uint64_t size)
{
	return start >> 48 == 0 && size >> 48 == 0 && (start + size) >> 48 == 0;
}

void ms_address_map_add_nested(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data)
{
	if (is_user_range(start, size))
		add_inner(map, start, size > 0 ? size : 1, data, false);
}

bool ms_address_map_free_outer(struct ms_address_map *map, uint64_t start,
			       struct ms_engine_range *was)
{
	struct ms_address_map_outer_object *h = find_outer(map, start, BY_START);

	if (h == NULL)
		return false;
	struct cut cut = { map, h->start, up8(h->end), false };
	*was = (struct ms_engine_range){ h->start, h->end,
					 ms_address_map_get_range(map, h->index)->data };
	drop_outer(map, h);
	ms_address_map_visit_objects(map, cut.start, cut.end, cut_object, &cut);
	ms_address_map_fill_range(map, was->start, was->end, MS_ADDRESS_MAP_FREED);
	return true;
}

bool ms_address_map_free_nested(struct ms_address_map *map, uint64_t start,
				struct ms_engine_range *was)
{
	return ms_address_map_free_simple_object(map, start, was) ||
	       ms_address_map_free_outer(map, start, was);
}

/* --- names --- */

void ms_address_map_name_range(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data)
{
	if (size == 0 || !is_user_range(start, size))
		return;
	ms_address_map_unname_range(map, start); /* a new name for the same range */

	uint32_t outer = ms_address_map_get_index(map, start);
	struct ms_address_map_range *range = add_inner(map, start, size, data, true);
	*ms_vec_add(&map->named) =
		(struct ms_address_map_named_range){ start, start + size, range->index, outer };
}

/* The index of the range before it was named, if that object still exists. */
static uint32_t index_below(const struct ms_address_map *map,
			    const struct ms_address_map_named_range *name)
{
	struct ms_address_map_outer_object *h = find_outer(map, name->outer, BY_INDEX);

	if (name->outer <= MS_ADDRESS_MAP_FREED)
		return name->outer;
	return h != NULL && h->start <= name->start && name->end <= up8(h->end)
		       ? name->outer
		       : MS_ADDRESS_MAP_NONE;
}

void ms_address_map_unname_range(struct ms_address_map *map, uint64_t start)
{
	for (size_t i = map->named.n; i-- > 0;) {
		struct ms_address_map_named_range name = map->named.at[i];
		struct ms_address_map_outer_object *h = find_outer(map, name.index, BY_INDEX);
		struct ms_address_map_range *range = ms_address_map_get_range(map, name.index);

		if (name.start != start)
			continue;
		map->named.at[i] = map->named.at[--map->named.n];
		/*
		 * Its memory may have been freed, and its range may belong to another object now.
		 */
		if (h == NULL && (range->size == 0 || range->start != start))
			return;
		ms_address_map_replace_index(map, name.start, name.end, name.index,
					     index_below(map, &name));
		if (h != NULL)
			drop_outer(map, h);
		else
			ms_address_map_end_range(map, range);
		return;
	}
}
