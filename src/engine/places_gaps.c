/*
 * engine/places_gaps.c - what lies between the variables of a module, as places that slots can
 * remember: a stripped program has most of its data there.
 *
 * A gap is made when an address in it is asked for. All end with any change of modules or regions,
 * and when heap objects come to lie in a module: that is rare, and they are made again.
 */
#include "engine/places.h"

#include <string.h>

/* A gap is in one piece of so many bytes: heap objects are looked for in all of its pages. */
enum { PIECE = 1 << 16 };

struct gap {
	uint64_t start;
	uint64_t end;
};

static void narrow(struct gap *gap, uint64_t start, uint64_t end)
{
	if (gap->start < start)
		gap->start = start;
	if (gap->end > end)
		gap->end = end;
}

/* As far as the module says the same of all addresses in it as of this one, which is no variable's.
 */
static void narrow_by(struct gap *gap, const struct module_places *m, uint64_t address)
{
	if (address < m->start) {
		narrow(gap, 0, m->start);
		return;
	}
	if (address >= m->end) {
		narrow(gap, m->end, UINT64_MAX);
		return;
	}
	size_t v = ms_module_last(m, address);
	if (v == m->n)
		return;
	narrow(gap, m->places[v].start + m->places[v].size,
	       v + 1 < m->n ? m->places[v + 1].start : UINT64_MAX);
}

static struct place *make(struct places *places, const struct region *region, uint64_t address)
{
	uint64_t piece = address & ~(uint64_t)(PIECE - 1);
	struct gap gap = { piece, region->end - piece < PIECE ? region->end : piece + PIECE };

	narrow(&gap, region->start, region->end);
	for (size_t i = 0; i < places->modules.n; i++)
		narrow_by(&gap, &places->modules.at[i], address);
	return ms_heap_is_free(places, gap.start, gap.end)
		       ? ms_place_new(places, gap.start, gap.end - gap.start, region->data)
		       : NULL;
}

/* How many of the gaps do not start above address. */
static size_t count_up_to(const struct places *places, uint64_t address)
{
	size_t low = 0, high = places->gaps.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (places->gaps.at[middle]->start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct place *ms_gap_at(struct places *places, const struct region *region, uint64_t address)
{
	size_t at = count_up_to(places, address);
	struct place *place = at > 0 ? places->gaps.at[at - 1] : NULL;

	if (place != NULL && address - place->start < place->size)
		return place;
	place = make(places, region, address);
	if (place == NULL)
		return NULL;
	ms_vec_add(&places->gaps);
	memmove(&places->gaps.at[at + 1], &places->gaps.at[at],
		(places->gaps.n - 1 - at) * sizeof(*places->gaps.at));
	places->gaps.at[at] = place;
	return place;
}

void ms_gaps_end(struct places *places)
{
	for (size_t i = 0; i < places->gaps.n; i++)
		ms_place_end(places, places->gaps.at[i]);
	places->gaps.n = 0;
}
