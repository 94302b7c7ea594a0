/*
 * engine/address_map/numa_placement.h - the NUMA node whose memory a page lies in.
 *
 * Models:   pages of 4096 bytes, placed when a reference to them first misses all caches: on the
 * node of the processor that made it, on all nodes in turn, or as the machine or the program
 *           specifies. A page that was unmapped is placed again.
 * Does not: full nodes, migration of pages, larger pages.
 *
 * Each shard records placement changes as events arrive; each batch stores how many changes precede
 * it. All shards record the same changes, so the list of one shard is sufficient when batches are
 * finished in order.
 */
#ifndef MS_ENGINE_ADDRESS_MAP_NUMA_PLACEMENT_H
#define MS_ENGINE_ADDRESS_MAP_NUMA_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "machine/machine.h"

/* A change for [start, end). unplaces: the pages there lose their node. */
struct ms_address_map_numa_change {
	struct ms_address_map_numa_change *next;
	uint64_t start;
	uint64_t end;
	uint64_t nodes; /* a bit each; 0: all */
	uint32_t placement;
	bool unplaces;
};

/* Recorded changes do not move in memory. */
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
	uint32_t node_processors;                        /* processors of one node; 0: all */
	struct ms_address_map_numa_change default_rule;  /* where no other rule applies */
	MS_VEC(struct ms_address_map_numa_change) rules; /* later ones take precedence */
	const struct ms_address_map_numa_change
		*last_applied;       /* the last change that was applied; NULL: none */
	uint32_t changes;            /* how many were applied */
	struct ms_map regions;       /* by address / region size: index into nodes_of */
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
/* Applies changes in order, until n have been applied. */
void ms_address_map_apply_numa_changes(struct ms_address_map_numa *placement,
				       const struct ms_address_map_numa_changes *changes,
				       uint32_t n);
/*
 * The node of the address, which a processor of node `toucher` references; places the page if
 * needed.
 */
uint32_t ms_address_map_get_page_node(struct ms_address_map_numa *placement, uint64_t address,
				      uint32_t toucher);

#endif
