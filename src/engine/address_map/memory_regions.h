/*
 * engine/address_map/memory_regions.h - ranges of addresses and their data: not overlapping, by
 * address.
 *
 * A program with many threads has one for each stack and each thread-local variable of each. They
 * stand in chunks, in order, so that one that comes or goes moves few others.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_MEMORY_REGIONS_H
#define MS_ENGINE_ADDRESS_MAP_MEMORY_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct ms_address_map_range;

struct ms_address_map_region {
	uint64_t start;
	uint64_t end;
	uint32_t data;
	bool exact;
	struct ms_address_map_range
		*range; /* NULL: heap objects may lie inside, remember nothing */
};

struct ms_address_map_region_chunk;

struct ms_address_map_regions {
	MS_VEC(struct ms_address_map_region_chunk *) chunks; /* none of them empty */
};

void ms_address_map_close_regions(struct ms_address_map_regions *regions);
uint64_t ms_address_map_measure_regions(const struct ms_address_map_regions *regions);

/* The first one that ends above address, which lies in it or before it; NULL: none. Good until
 * another is added or removed. */
struct ms_address_map_region *
ms_address_map_find_region(const struct ms_address_map_regions *regions, uint64_t address);
/* It must not be empty, nor overlap any. */
void ms_address_map_add_region(struct ms_address_map_regions *regions,
			       const struct ms_address_map_region *region);
/* The one that starts there; it must exist. */
void ms_address_map_remove_region(struct ms_address_map_regions *regions, uint64_t start);

#endif
