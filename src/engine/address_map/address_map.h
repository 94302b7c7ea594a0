/*
 * engine/address_map/address_map.h - maps an address to the data that it belongs to at present.
 *
 * There are three layers. The first one that contains the address determines its data: heap objects
 * (a table of 8-byte granules per page, or one entry for a page that lies inside one object; a list
 * for the largest objects, which have too many pages), variables of modules, regions.
 *
 * A range is what a ref_state of the L1 filter refers to: as long as an address lies in it, its
 * data is known without a lookup. A range that ends (freed, unmapped) gets size 0, which contains
 * no address. Its memory is reused only for a range of the same data.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_ADDRESS_MAP_H
#define MS_ENGINE_ADDRESS_MAP_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/address_map/memory_regions.h"
#include "engine/address_map/page_tags.h"
#include "engine/engine.h"

struct ms_address_map_range {
	uint64_t start; /* in a free one: index of the next free one */
	uint64_t size;
	uint32_t data;
	uint32_t index;
};

struct ms_address_map_module {
	uint32_t module;
	uint64_t start;
	uint64_t end;
	size_t n;
	struct ms_address_map_range *variables;
};

struct ms_address_map_page;

/* A heap object, or the rest of one, that is not in the entry of any page. */
struct ms_address_map_large_object {
	uint64_t start;
	uint64_t end;
	uint32_t index; /* of its range, or MS_ADDRESS_MAP_FREED */
};

/* An object that contains others; see nested_objects.c. */
struct ms_address_map_outer_object {
	uint64_t start;
	uint64_t end;
	uint32_t index; /* 0: unused */
};

/* A range that was given a name. index: of its range; outer: the index at its start before. */
struct ms_address_map_named_range {
	uint64_t start;
	uint64_t end;
	uint32_t index;
	uint32_t outer;
};

enum { MS_ADDRESS_MAP_RECENT = 64 };

struct ms_address_map {
	struct ms_arena arena;
	struct ms_engine_fallback_data fallback;
	struct ms_address_map_range empty_range; /* size 0: the range of a new ref_state */

	struct ms_address_map_page ***heap; /* by address bits 47..34, 33..23, 22..12 */
	MS_VEC(struct ms_address_map_large_object) large; /* by start, not overlapping */
	MS_VEC(struct ms_address_map_range *) pools;      /* all ranges, by index */
	uint32_t next_place;
	MS_VEC(uint32_t) free_places;     /* by data: first of a list of free ranges, 0: none */
	MS_VEC(uint32_t *) free_granules; /* tables of pages that no longer need one */
	struct ms_address_map_tag_pool tags;

	MS_VEC(struct ms_address_map_outer_object) outer_objects;
	MS_VEC(uint32_t) free_outer_objects;
	struct ms_map outer_object_of;
	MS_VEC(struct ms_address_map_named_range) named;
	MS_VEC(uint64_t) lost_bytes; /* by data: see ms_address_map_take_lost_bytes() */

	MS_VEC(struct ms_address_map_module) modules; /* by start */
	MS_VEC(struct ms_address_map_range *) gaps; /* between their variables: see module_gaps.c */
	struct ms_address_map_regions regions;
	uint32_t layout_epoch; /* of modules and regions; never 0 */
	/*
	 * Ranges found recently in the layers below objects, by line. They are valid as long as a
	 * ref_state may refer to them.
	 */
	struct ms_address_map_range *recent[MS_ADDRESS_MAP_RECENT];
};

enum { MS_ADDRESS_MAP_POOL_BITS = 10 };

static inline struct ms_address_map_range *
ms_address_map_get_range(const struct ms_address_map *map, uint32_t index)
{
	return &map->pools.at[index >> MS_ADDRESS_MAP_POOL_BITS]
			     [index & ((1u << MS_ADDRESS_MAP_POOL_BITS) - 1)];
}

void ms_address_map_open(struct ms_address_map *map, const struct ms_engine_fallback_data *special);
void ms_address_map_close(struct ms_address_map *map);

/* The data of address. *range is where it holds (map->empty_range: for this address only). */
uint32_t ms_address_map_find_data(struct ms_address_map *map, uint64_t address,
				  struct ms_address_map_range **range);
/*
 * The same in two steps, because each of them may miss the host's caches. The first returns a
 * pointer to the index of the address's heap object, which is valid until the map changes. The
 * second resolves the index.
 */
const uint32_t *ms_address_map_find_entry(const struct ms_address_map *map, uint64_t address);
uint32_t ms_address_map_resolve_entry(struct ms_address_map *map, uint64_t address, uint32_t index,
				      struct ms_address_map_range **range);

void ms_address_map_add_object(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data);
bool ms_address_map_free_object(struct ms_address_map *map, uint64_t start,
				struct ms_engine_range *was);
/*
 * Has the effect of adding a heap object, smaller than those in the list of large ones, and freeing
 * it at once. Returns false where freeing it would. Not allowed while objects are nested.
 */
bool ms_address_map_add_short_lived(struct ms_address_map *map, uint64_t start, uint64_t size);
/* An object that can lie inside others; freeing the outer one frees it, too. */
void ms_address_map_add_nested(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data);
bool ms_address_map_free_nested(struct ms_address_map *map, uint64_t start,
				struct ms_engine_range *was);
/* Overlays a range with data, until it is unnamed, or what lies below is freed or unmapped. */
void ms_address_map_name_range(struct ms_address_map *map, uint64_t start, uint64_t size,
			       uint32_t data);
void ms_address_map_unname_range(struct ms_address_map *map, uint64_t start);
/*
 * Bytes of this data's objects that ended without being freed, inside others, since the last call.
 */
uint64_t ms_address_map_take_lost_bytes(struct ms_address_map *map, uint32_t data);
void ms_address_map_map_region(struct ms_address_map *map, uint64_t start, uint64_t end,
			       uint32_t data, bool exact);
void ms_address_map_unmap_range(struct ms_address_map *map, uint64_t start, uint64_t end);
void ms_address_map_add_module(struct ms_address_map *map, uint32_t module,
			       const struct ms_engine_range *list, size_t n);
void ms_address_map_remove_module(struct ms_address_map *map, uint32_t module);
uint64_t ms_address_map_measure(const struct ms_address_map *map);

/* Indices that belong to no range: no heap object, and a freed one. */
enum { MS_ADDRESS_MAP_NONE = 0, MS_ADDRESS_MAP_FREED = 1 };
/* The data of address where the page's tags determine it, or else MS_ADDRESS_MAP_UNTAGGED. */
#define MS_ADDRESS_MAP_UNTAGGED UINT32_MAX
uint32_t ms_address_map_get_tagged_data(const struct ms_address_map *map, uint64_t address);

#endif
