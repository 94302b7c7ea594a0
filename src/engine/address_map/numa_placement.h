/*
 * engine/address_map/numa_placement.h - which node's memory a page lies in.
 *
 * Models:   pages of 4096 bytes, placed when a reference first misses all caches in them: on the
 *           toucher's node, round the nodes, or where the machine or the program says. A page that
 *           is unmapped is placed again.
 * Does not: full nodes, pages that move afterwards, larger pages.
 *
 * Shards are told of changes as events come; each batch knows how many of them had been made. All
 * shards are told the same, so that one shard's list will do when batches are finished in order.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_NUMA_PLACEMENT_H
#define MS_ENGINE_ADDRESS_MAP_NUMA_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "machine/machine.h"

/* Of [start, end); forgets: what lay there lies there no more. */
struct ms_address_map_numa_change {
	struct ms_address_map_numa_change *next;
	uint64_t start;
	uint64_t end;
	uint64_t nodes; /* a bit each; 0: all */
	uint32_t placement;
	bool unplaces;
};

/* Those that were made stay where they are. */
struct ms_address_map_numa_changes {
	struct ms_arena arena;
	struct ms_address_map_numa_change *first;
	struct ms_address_map_numa_change *last;
	uint32_t n;
};

void ms_address_map_add_numa_change(struct ms_address_map_numa_changes *changes,
				    const struct ms_address_map_numa_change *change);

struct ms_address_map_numa {
	uint32_t nodes;
	uint32_t node_processors;                        /* on one of them; 0: all */
	struct ms_address_map_numa_change default_rule;  /* where nothing else was said */
	MS_VEC(struct ms_address_map_numa_change) rules; /* later ones win */
	const struct ms_address_map_numa_change
		*last_applied;       /* the last change that was made; NULL: none */
	uint32_t changes;            /* how many */
	struct ms_map regions;       /* by address / region size: number of nodes_of */
	MS_VEC(uint16_t *) nodes_of; /* by page of a region: its node plus 1; 0: not placed */
	MS_VEC(uint64_t) starts;     /* of these regions */
	struct ms_arena arena;
};

void ms_address_map_open_numa(struct ms_address_map_numa *placement,
			      const struct ms_machine *machine);
void ms_address_map_close_numa(struct ms_address_map_numa *placement);
uint64_t ms_address_map_measure_numa(const struct ms_address_map_numa *placement);
/* The node that a processor is on. */
uint32_t ms_address_map_get_processor_node(const struct ms_address_map_numa *placement,
					   uint32_t processor);
/* Makes changes, until n are made. */
void ms_address_map_apply_numa_changes(struct ms_address_map_numa *placement,
				       const struct ms_address_map_numa_changes *changes,
				       uint32_t n);
/* The node of the address, which a processor of node `toucher` references. */
uint32_t ms_address_map_get_page_node(struct ms_address_map_numa *placement, uint64_t address,
				      uint32_t toucher);

#endif
