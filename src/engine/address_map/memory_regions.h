/*
 * engine/address_map/memory_regions.h - address ranges and their data: not overlapping, sorted by
 * address.
 *
 * A program with many threads has one for each stack and for each thread-local variable of each
 * thread. They are kept in sorted chunks, so that inserting or removing one moves few others.
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
		*range; /* NULL: heap objects may lie inside, so ref_states must not refer to it */
};

struct ms_address_map_region_chunk;

struct ms_address_map_regions {
	MS_VEC(struct ms_address_map_region_chunk *) chunks; /* none of them empty */
};

void ms_address_map_close_regions(struct ms_address_map_regions *regions);
uint64_t ms_address_map_measure_regions(const struct ms_address_map_regions *regions);

/*
 * The first region that ends above address, which lies inside or before it; NULL: none. Valid until
 * a region is added or removed.
 */
struct ms_address_map_region *
ms_address_map_find_region(const struct ms_address_map_regions *regions, uint64_t address);
/* The region must not be empty, nor overlap another one. */
void ms_address_map_add_region(struct ms_address_map_regions *regions,
			       const struct ms_address_map_region *region);
/* Removes the region that starts there; it must exist. */
void ms_address_map_remove_region(struct ms_address_map_regions *regions, uint64_t start);

#endif
