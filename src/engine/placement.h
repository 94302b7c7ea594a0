/*
 * engine/placement.h - which node's memory a page lies in.
 *
 * Models:   pages of 4096 bytes, placed when a reference first misses all caches in them: on the
 *           toucher's node, round the nodes, or where the machine or the program says. A page that
 *           is unmapped is placed again.
 * Does not: full nodes, pages that move afterwards, larger pages.
 *
 * Shards are told of changes as events come; each batch knows how many of them had been made. All
 * shards are told the same, so that one shard's list will do when batches are finished in order.
 */
#ifndef MS_ENGINE_PLACEMENT_H
#define MS_ENGINE_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "machine/machine.h"

/* Of [start, end); forgets: what lay there lies there no more. */
struct change {
	struct change *next;
	uint64_t start;
	uint64_t end;
	uint64_t nodes; /* a bit each; 0: all */
	uint32_t placement;
	bool forgets;
};

/* Those that were made stay where they are. */
struct changes {
	struct ms_arena arena;
	struct change *first;
	struct change *last;
	uint32_t n;
};

void ms_changes_add(struct changes *changes, const struct change *change);

struct placement {
	uint32_t nodes;
	uint32_t node_processors;    /* on one of them; 0: all */
	struct change usual;         /* where nothing else was said */
	MS_VEC(struct change) rules; /* later ones win */
	const struct change *done;   /* the last change that was made; NULL: none */
	uint32_t changes;            /* how many */
	struct ms_map regions;       /* by address / region size: number of nodes_of */
	MS_VEC(uint16_t *) nodes_of; /* by page of a region: its node plus 1; 0: not placed */
	MS_VEC(uint64_t) starts;     /* of these regions */
	struct ms_arena arena;
};

void ms_placement_open(struct placement *placement, const struct ms_machine *machine);
void ms_placement_close(struct placement *placement);
uint64_t ms_placement_bytes(const struct placement *placement);
/* The node that a processor is on. */
uint32_t ms_placement_own(const struct placement *placement, uint32_t processor);
/* Makes changes, until n are made. */
void ms_placement_change(struct placement *placement, const struct changes *changes, uint32_t n);
/* The node of the address, which a processor of node `toucher` references. */
uint32_t ms_placement_node(struct placement *placement, uint64_t address, uint32_t toucher);

#endif
