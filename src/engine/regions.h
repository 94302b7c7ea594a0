/*
 * engine/regions.h - ranges of addresses and their data: not overlapping, by address.
 *
 * A program with many threads has one for each stack and each thread-local variable of each. They
 * stand in chunks, in order, so that one that comes or goes moves few others.
 */
#ifndef MS_ENGINE_REGIONS_H
#define MS_ENGINE_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct place;

struct region {
	uint64_t start;
	uint64_t end;
	uint32_t data;
	bool exact;
	struct place *place; /* NULL: heap objects may lie inside, remember nothing */
};

struct region_chunk;

struct regions {
	MS_VEC(struct region_chunk *) chunks; /* none of them empty */
};

void ms_regions_close(struct regions *regions);
uint64_t ms_regions_bytes(const struct regions *regions);

/* The first one that ends above address, which lies in it or before it; NULL: none. Good until
 * another is added or removed. */
struct region *ms_regions_after(const struct regions *regions, uint64_t address);
/* It must not be empty, nor overlap any. */
void ms_regions_add(struct regions *regions, const struct region *region);
/* The one that starts there; it must exist. */
void ms_regions_remove(struct regions *regions, uint64_t start);

#endif
