/*
 * engine/places_inner.c - objects inside others: blocks of a private allocator, named ranges.
 *
 * An object that another one is placed into has a hole: slots must not remember it, and what is
 * left of it still has its data. It is kept in a list, so that it can be freed as a whole, with all
 * that lies inside, and so that a range whose name is taken away becomes again what it was.
 */
#include "engine/places.h"

static uint64_t up8(uint64_t address)
{
	return (address + 7) & ~UINT64_C(7);
}

/* --- objects with holes: found by their start (0) and by their place's index (1) --- */

enum { BY_START, BY_INDEX };

static struct holed *find_holed(const struct places *places, uint64_t key, unsigned by)
{
	uint32_t number =
		places->holed.n > 0 ? ms_map_get(&places->holed_of, key, by) : MS_MAP_NONE;
	struct holed *h = number != MS_MAP_NONE ? &places->holed.at[number] : NULL;

	/* The map forgets nothing: an older entry may lead to a newer object. */
	if (h == NULL || h->index == 0 || (by == BY_START ? h->start : h->index) != key)
		return NULL;
	return h;
}

static void add_holed(struct places *places, struct place *place)
{
	uint32_t number = (uint32_t)places->holed.n;

	if (places->free_holed.n > 0)
		number = places->free_holed.at[--places->free_holed.n];
	else
		ms_vec_add(&places->holed);
	places->holed.at[number] =
		(struct holed){ place->start, place->start + place->size, place->index };
	*ms_map_at(&places->holed_of, place->start, BY_START) = number;
	*ms_map_at(&places->holed_of, place->index, BY_INDEX) = number;
	place->size = 0;
}

static void drop_holed(struct places *places, struct holed *h)
{
	ms_place_end(places, ms_place_of(places, h->index));
	h->index = 0;
	*ms_vec_add(&places->free_holed) = (uint32_t)(h - places->holed.at);
}

void ms_places_drop_holed(struct places *places, uint32_t index)
{
	struct holed *h = find_holed(places, index, BY_INDEX);

	if (h != NULL)
		drop_holed(places, h);
}

/* --- what lies where something new comes --- */

static void lose(struct places *places, uint32_t data, uint64_t bytes)
{
	if (data >= places->lost.n) {
		ms_vec_reserve(&places->lost, data + 1 - places->lost.n);
		places->lost.n = data + 1;
	}
	places->lost.at[data] += bytes;
}

uint64_t ms_places_lost(struct places *places, uint32_t data)
{
	uint64_t bytes = data < places->lost.n ? places->lost.at[data] : 0;

	if (bytes > 0)
		places->lost.at[data] = 0;
	return bytes;
}

struct cut {
	struct places *places;
	uint64_t start;
	uint64_t end;
	bool keep; /* also what is covered wholly is only covered */
};

static void cut_place(uint32_t index, void *arg)
{
	const struct cut *c = arg;
	struct place *place = ms_place_of(c->places, index);
	struct holed *h = find_holed(c->places, index, BY_INDEX);

	if (h != NULL) {
		if (!c->keep && c->start <= h->start && up8(h->end) <= c->end) {
			lose(c->places, place->data, h->end - h->start);
			drop_holed(c->places, h);
		}
	} else if (place->size == 0) {
		return; /* it has ended before; only its traces are here */
	} else if (!c->keep && c->start <= place->start &&
		   up8(place->start + place->size) <= c->end) {
		lose(c->places, place->data, place->size);
		ms_place_end(c->places, place);
	} else {
		add_holed(c->places, place);
	}
}

static struct place *add_inner(struct places *places, uint64_t start, uint64_t size, uint32_t data,
			       bool keep)
{
	struct cut cut = { places, start & ~UINT64_C(7), up8(start + size), keep };

	ms_heap_each(places, cut.start, cut.end, cut_place, &cut);
	return ms_heap_enter(places, start, size, data);
}

static bool is_possible(uint64_t start, uint64_t size)
{
	return start >> 48 == 0 && size >> 48 == 0 && (start + size) >> 48 == 0;
}

void ms_places_add_inner(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	if (is_possible(start, size))
		add_inner(places, start, size > 0 ? size : 1, data, false);
}

bool ms_places_free_holed(struct places *places, uint64_t start, struct ms_place *was)
{
	struct holed *h = find_holed(places, start, BY_START);

	if (h == NULL)
		return false;
	struct cut cut = { places, h->start, up8(h->end), false };
	*was = (struct ms_place){ h->start, h->end, ms_place_of(places, h->index)->data };
	drop_holed(places, h);
	ms_heap_each(places, cut.start, cut.end, cut_place, &cut);
	ms_heap_fill(places, was->start, was->end, MS_PLACE_FREED);
	return true;
}

bool ms_places_free_inner(struct places *places, uint64_t start, struct ms_place *was)
{
	return ms_places_free_object(places, start, was) ||
	       ms_places_free_holed(places, start, was);
}

/* --- names --- */

void ms_places_name(struct places *places, uint64_t start, uint64_t size, uint32_t data)
{
	if (size == 0 || !is_possible(start, size))
		return;
	ms_places_unname(places, start); /* a new name for the same range */

	uint32_t outer = ms_heap_at(places, start);
	struct place *place = add_inner(places, start, size, data, true);
	*ms_vec_add(&places->named) = (struct named){ start, start + size, place->index, outer };
}

/* What it was before, if that is still there. */
static uint32_t beneath(const struct places *places, const struct named *name)
{
	struct holed *h = find_holed(places, name->outer, BY_INDEX);

	if (name->outer <= MS_PLACE_FREED)
		return name->outer;
	return h != NULL && h->start <= name->start && name->end <= up8(h->end) ? name->outer
										: MS_PLACE_NONE;
}

void ms_places_unname(struct places *places, uint64_t start)
{
	for (size_t i = places->named.n; i-- > 0;) {
		struct named name = places->named.at[i];
		struct holed *h = find_holed(places, name.index, BY_INDEX);
		struct place *place = ms_place_of(places, name.index);

		if (name.start != start)
			continue;
		places->named.at[i] = places->named.at[--places->named.n];
		/* Its memory may have been freed, and its place be another's by now. */
		if (h == NULL && (place->size == 0 || place->start != start))
			return;
		ms_heap_replace(places, name.start, name.end, name.index, beneath(places, &name));
		if (h != NULL)
			drop_holed(places, h);
		else
			ms_place_end(places, place);
		return;
	}
}
