/*
 * engine/places.h - which data an address belongs to, right now.
 *
 * Three layers, the first that knows the address wins: heap objects (a table of 8-byte granules per
 * page, or one entry for a page that lies inside one object; a list for the largest, whose pages
 * would be too many), modules' variables, regions.
 *
 * A place is what a slot of the hot loop remembers: as long as an address lies in it, its data is
 * known without asking again. A place that ends (freed, unmapped) gets size 0, which no address
 * lies in; its memory is only ever reused for a place of the same data.
 */
#ifndef MS_ENGINE_PLACES_H
#define MS_ENGINE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/kinds.h"
#include "engine/regions.h"

struct place {
	uint64_t start; /* of a free one: the next free one's index */
	uint64_t size;
	uint32_t data;
	uint32_t index;
};

struct module_places {
	uint32_t module;
	uint64_t start;
	uint64_t end;
	size_t n;
	struct place *places;
};

struct heap_page;

/* A heap object, or what is left of one, that stands in no page's entry. */
struct large_object {
	uint64_t start;
	uint64_t end;
	uint32_t index; /* place's, or MS_PLACE_FREED */
};

/* An object that others lie in; see places_inner.c. */
struct holed {
	uint64_t start;
	uint64_t end;
	uint32_t index; /* 0: no more */
};

/* A range that was given a name; index is its place's, outer what stood at its start before. */
struct named {
	uint64_t start;
	uint64_t end;
	uint32_t index;
	uint32_t outer;
};

enum { MS_PLACES_NEAR = 64 };

struct places {
	struct ms_arena arena;
	struct ms_engine_data special;
	struct place nowhere; /* size 0: what a new slot remembers */

	struct heap_page ***heap;          /* by address bits 47..34, 33..23, 22..12 */
	MS_VEC(struct large_object) large; /* by start, not overlapping */
	MS_VEC(struct place *) pools;      /* all places, by index */
	uint32_t next_place;
	MS_VEC(uint32_t) free_places;     /* by data: first free one of a list, 0: none */
	MS_VEC(uint32_t *) free_granules; /* tables of pages that need none any more */
	struct kinds kinds;

	MS_VEC(struct holed) holed;
	MS_VEC(uint32_t) free_holed;
	struct ms_map holed_of;
	MS_VEC(struct named) named;
	MS_VEC(uint64_t) lost; /* by data: see ms_places_lost() */

	MS_VEC(struct module_places) modules; /* by start */
	MS_VEC(struct place *) gaps;          /* between their variables: see places_gaps.c */
	struct regions regions;
	uint32_t changes; /* of modules and regions; never 0 */
	/* What was found of late below objects, by line: places, which are good as long as a slot
	 * may remember them. */
	struct place *near[MS_PLACES_NEAR];
};

enum { MS_PLACE_POOL_BITS = 10 };

static inline struct place *ms_place_of(const struct places *places, uint32_t index)
{
	return &places->pools
			.at[index >> MS_PLACE_POOL_BITS][index & ((1u << MS_PLACE_POOL_BITS) - 1)];
}

void ms_places_open(struct places *places, const struct ms_engine_data *special);
void ms_places_close(struct places *places);

/* The data of address; *place is where that holds (places->nowhere: for this address only). */
uint32_t ms_places_find(struct places *places, uint64_t address, struct place **place);
/*
 * The same in two steps, as what they need is far away in memory: where the index of the address'
 * heap object stands, good until the places change; and what that index means.
 */
const uint32_t *ms_places_where(const struct places *places, uint64_t address);
uint32_t ms_places_resolve(struct places *places, uint64_t address, uint32_t index,
			   struct place **place);

void ms_places_add_heap(struct places *places, uint64_t start, uint64_t size, uint32_t data);
bool ms_places_free_heap(struct places *places, uint64_t start, struct ms_place *was);
/* As if a heap object, smaller than those in the list, had been added and freed again at once;
 * false where freeing it would be. Where objects lie in others it may not be asked. */
bool ms_places_pass(struct places *places, uint64_t start, uint64_t size);
/* An object that may lie inside others; freeing the outer one frees it too. */
void ms_places_add_inner(struct places *places, uint64_t start, uint64_t size, uint32_t data);
bool ms_places_free_inner(struct places *places, uint64_t start, struct ms_place *was);
/* Lays data over whatever is there, until unname, or until that is freed or unmapped. */
void ms_places_name(struct places *places, uint64_t start, uint64_t size, uint32_t data);
void ms_places_unname(struct places *places, uint64_t start);
/* Bytes of data's objects that ended unfreed, under others, since this was last asked. */
uint64_t ms_places_lost(struct places *places, uint32_t data);
void ms_places_map(struct places *places, uint64_t start, uint64_t end, uint32_t data, bool exact);
void ms_places_unmap(struct places *places, uint64_t start, uint64_t end);
void ms_places_add_module(struct places *places, uint32_t module, const struct ms_place *list,
			  size_t n);
void ms_places_remove_module(struct places *places, uint32_t module);
uint64_t ms_places_bytes(const struct places *places);

/* places_heap.c, for places.c: the place's index at address; 0: none, MS_PLACE_FREED: freed. */
enum { MS_PLACE_NONE = 0, MS_PLACE_FREED = 1 };
uint32_t ms_heap_at(const struct places *places, uint64_t address);
bool ms_heap_is_free(const struct places *places, uint64_t start, uint64_t end);
/*
 * What lies below the heap objects of the address' page, where that is one thing: places.c enters
 * it, and it holds until modules or regions change. False: not known.
 */
bool ms_heap_below(const struct places *places, uint64_t address, uint32_t *data);
void ms_heap_set_below(struct places *places, uint64_t address, uint32_t data);
/* The data of address where it can be told without its place, or else MS_DATA_FAR. */
#define MS_DATA_FAR UINT32_MAX
uint32_t ms_heap_near_data(const struct places *places, uint64_t address);
void ms_heap_clear(struct places *places, uint64_t start, uint64_t end);
void ms_heap_close(struct places *places);
uint64_t ms_heap_bytes(const struct places *places);
/* For places_inner.c: calls f for each object in [start, end), at least once. */
void ms_heap_each(struct places *places, uint64_t start, uint64_t end,
		  void (*f)(uint32_t index, void *arg), void *arg);
struct place *ms_heap_enter(struct places *places, uint64_t start, uint64_t size, uint32_t data);
void ms_heap_fill(struct places *places, uint64_t start, uint64_t end, uint32_t index);
/* Enters `to` wherever `from` stands. */
void ms_heap_replace(struct places *places, uint64_t start, uint64_t end, uint32_t from,
		     uint32_t to);
bool ms_places_free_object(struct places *places, uint64_t start, struct ms_place *was);
/* places_inner.c, for places_heap.c. */
bool ms_places_free_holed(struct places *places, uint64_t start, struct ms_place *was);
void ms_places_drop_holed(struct places *places, uint32_t index);
/* places.c, for places_heap.c: heap objects come to lie in [start, end). */
void ms_places_uncover(struct places *places, uint64_t start, uint64_t end);
/* places.c, for places_gaps.c: the last of a module's variables that does not start above address;
 * n: none. */
size_t ms_module_last(const struct module_places *m, uint64_t address);
/* places_gaps.c, for places.c: what of the region lies around an address, on a page of some module,
 * and is neither variable nor heap object; NULL: objects are near. */
struct place *ms_gap_at(struct places *places, const struct region *region, uint64_t address);
void ms_gaps_end(struct places *places);
/* places_large.c, for places_heap.c: the same for the list of the largest. */
bool ms_large_overlaps(const struct places *places, uint64_t start, uint64_t end);
const uint32_t *ms_large_where(const struct places *places, uint64_t address);
void ms_large_add(struct places *places, uint64_t start, uint64_t end, uint32_t index);
/* Cuts [start, end) out of the list; what sticks out on either side stays. */
void ms_large_cut(struct places *places, uint64_t start, uint64_t end);
void ms_large_each(struct places *places, uint64_t start, uint64_t end,
		   void (*f)(uint32_t index, void *arg), void *arg);
void ms_large_replace(struct places *places, uint64_t start, uint64_t end, uint32_t from,
		      uint32_t to);
struct place *ms_place_new(struct places *places, uint64_t start, uint64_t size, uint32_t data);
void ms_place_end(struct places *places, struct place *place);

#endif
