/*
 * engine/count/cell_counters.h - cells: the pairs of a site and a data structure that references
 * were made for.
 *
 * Each shard has its own cells. The L1 filter assigns each reference to a cell. The simulation
 * counts its misses in miss counters (miss_counters.h), one set for each shard that has any.
 */
#ifndef MS_ENGINE_COUNT_CELL_COUNTERS_H
#define MS_ENGINE_COUNT_CELL_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"
#include "engine/engine.h"

struct ms_count_misses;

/*
 * Only the filter writes the fields, except `counters`. A program has millions of cells, so they
 * are small.
 */
struct ms_count_cell {
	uint64_t references;
	struct ms_count_cell *previous; /* the cell that its site used before; NULL: none yet */
	uint32_t site;
	uint32_t data;
	uint16_t reach;     /* bytes of a reference minus 1 */
	uint16_t processor; /* with several processors: the processor of its references */
	uint8_t kind;       /* enum ms_wire_ref_kind; the same for all cells of a site */
	uint8_t crosses;    /* enum ms_engine_crossing: it counts such references of another cell */
	struct ms_count_misses
		*counters[]; /* by shard, allocated by that shard; NULL: nothing counted yet */
};

/* Follows the counters of a cell where windows are simulated. */
struct ms_count_cell_windows {
	uint64_t *part_references; /* references by part, with sampled sets: see window_filter.c */
	/*
	 * Likewise, by enum ms_engine_crossing: the cells of its references that also touch a line
	 * that is not in a sampled set. NULL: none yet.
	 */
	struct ms_count_cell **crossing;
	uint64_t total_index; /* in totals, when these have been computed */
};

struct ms_count_cells {
	struct ms_arena arena;
	unsigned shards;
	bool windows;       /* windows are simulated: cells have a struct ms_count_cell_windows */
	uint32_t processor; /* the processor of all these cells */
	/* Number of parts in which references are counted; 0: not counted by part. */
	uint32_t parts;
	/*
	 * Hash table by site and data: pointers, with bits of the hash in the upper 16 bits, so
	 * that other cells are rarely read. A program has millions of cells.
	 */
	uint64_t *table;
	size_t table_size; /* a power of two */
	size_t table_used;
	MS_VEC(struct ms_count_cell *)
	list; /* where windows are simulated: all, in the order of creation */
};

void ms_count_open_cells(struct ms_count_cells *cells, unsigned shards, uint32_t processor,
			 bool windows);
void ms_count_close_cells(struct ms_count_cells *cells);
/* Iterates over all cells in any order; *at is 0 at first. NULL: no more. */
struct ms_count_cell *ms_count_next_cell(const struct ms_count_cells *cells, size_t *at);
struct ms_count_cell *ms_count_get_cell(struct ms_count_cells *cells, uint32_t site, uint32_t kind,
					uint32_t data);
/*
 * The same, for a site whose last cell is `from`: sites often alternate between a few data
 * structures.
 */
struct ms_count_cell *ms_count_get_next_cell(struct ms_count_cells *cells,
					     struct ms_count_cell *from, uint32_t data);

MS_INLINE struct ms_count_cell_windows *ms_count_cell_windows(struct ms_count_cell *cell,
							      unsigned shards)
{
	return (struct ms_count_cell_windows *)&cell->counters[shards];
}

/*
 * The cell for those references of `of` that cross lines in this way. `of` itself counts the
 * references.
 */
struct ms_count_cell *ms_count_get_crossing_cell(struct ms_count_cells *cells,
						 struct ms_count_cell *of,
						 enum ms_engine_crossing crosses);

/* For ms_engine_measure_footprint(). */
size_t ms_count_measure_cells(const struct ms_count_cells *cells);

#endif
