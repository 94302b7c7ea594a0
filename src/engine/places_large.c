/* engine/places_large.c - the largest heap objects: few, so a sorted list will do. */
#include <string.h>

#include "engine/places.h"

static size_t first_after(const struct places *places, uint64_t address)
{
	size_t low = 0, high = places->large.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (places->large.at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool ms_large_overlaps(const struct places *places, uint64_t start, uint64_t end)
{
	size_t i = first_after(places, start);

	return i < places->large.n && places->large.at[i].start < end;
}

const uint32_t *ms_large_where(const struct places *places, uint64_t address)
{
	static const uint32_t none = MS_PLACE_NONE;
	size_t i = first_after(places, address);

	return i == places->large.n || places->large.at[i].start > address
		       ? &none
		       : &places->large.at[i].index;
}

static void insert(struct places *places, size_t i, uint64_t start, uint64_t end, uint32_t index)
{
	ms_vec_add(&places->large);
	memmove(&places->large.at[i + 1], &places->large.at[i],
		(places->large.n - 1 - i) * sizeof(struct large_object));
	places->large.at[i] = (struct large_object){ start, end, index };
}

static void take_out(struct places *places, size_t i)
{
	memmove(&places->large.at[i], &places->large.at[i + 1],
		(places->large.n - 1 - i) * sizeof(struct large_object));
	places->large.n--;
}

void ms_large_cut(struct places *places, uint64_t start, uint64_t end)
{
	size_t i = first_after(places, start);

	while (i < places->large.n && places->large.at[i].start < end) {
		struct large_object old = places->large.at[i];

		take_out(places, i);
		if (old.start < start)
			insert(places, i++, old.start, start, old.index);
		if (old.end > end)
			insert(places, i++, end, old.end, old.index);
	}
}

void ms_large_add(struct places *places, uint64_t start, uint64_t end, uint32_t index)
{
	ms_large_cut(places, start, end);
	insert(places, first_after(places, start), start, end, index);
}

void ms_large_each(struct places *places, uint64_t start, uint64_t end,
		   void (*f)(uint32_t index, void *arg), void *arg)
{
	for (size_t i = first_after(places, start);
	     i < places->large.n && places->large.at[i].start < end; i++)
		if (places->large.at[i].index > MS_PLACE_FREED)
			f(places->large.at[i].index, arg);
}

void ms_large_replace(struct places *places, uint64_t start, uint64_t end, uint32_t from,
		      uint32_t to)
{
	size_t i = first_after(places, start);

	while (i < places->large.n && places->large.at[i].start < end) {
		if (places->large.at[i].index != from)
			i++;
		else if (to == MS_PLACE_NONE)
			take_out(places, i);
		else
			places->large.at[i++].index = to;
	}
}
