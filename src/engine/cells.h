/*
 * engine/cells.h - what is counted: per (site, data), per level, and per pair of data.
 *
 * A cell keeps the pairs that it counts in a short list of its own, the frequent ones in front;
 * what does not fit goes into a map that all share. It remembers the cell that its site met before
 * it, as sites often alternate between two data.
 */
#ifndef MS_ENGINE_CELLS_H
#define MS_ENGINE_CELLS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/engine.h"

enum pair_kind { PAIR_REPLACED_BY, PAIR_EVICTS, PAIR_KINDS };

/* Replacement misses by an evictor's data, or lines of a victim's data pushed out. */
struct pair {
	uint64_t count;
	uint32_t other; /* data */
};

struct pair_list {
	struct pair *at;
	uint32_t n;
	uint32_t room;
};

struct cell_level {
	uint64_t causes[MS_MISS_CAUSES];
	struct pair_list pairs[PAIR_KINDS];
	uint64_t covered; /* of the misses: a prefetcher would have been there before */
};

struct cell {
	uint64_t references;
	uint32_t site;
	uint32_t data;
	uint32_t number;
	struct cell *before; /* of the same site; NULL: none yet */
	struct cell_level level[];
};

/* A pair that did not fit into its cell's list. */
struct far_pair {
	struct pair pair;
	uint32_t cell;
	uint16_t level;
	uint16_t kind;
};

struct cells {
	struct ms_arena arena;
	unsigned levels;
	struct ms_map by_site_data;
	struct ms_map by_far_pair;
	MS_VEC(struct cell *) list;
	MS_VEC(struct far_pair) far_pairs;
};

void ms_cells_open(struct cells *cells, unsigned levels);
void ms_cells_close(struct cells *cells);
struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t data);
/* The same, for a site that has met `from` last. */
struct cell *ms_cells_after(struct cells *cells, struct cell *from, uint32_t data);
void ms_cells_add_pair(struct cells *cells, struct cell *cell, unsigned level, enum pair_kind kind,
		       uint32_t other, uint64_t count);

MS_INLINE void ms_cells_count_pair(struct cells *cells, struct cell *cell, unsigned level,
				   enum pair_kind kind, uint32_t other)
{
	struct pair_list *list = &cell->level[level].pairs[kind];

	if (MS_LIKELY(list->n > 0 && list->at[0].other == other))
		list->at[0].count++;
	else
		ms_cells_add_pair(cells, cell, level, kind, other, 1);
}

/* One reference of the cell missed this level; what the line's record said there: lines.h. */
void ms_cells_count_miss(struct cells *cells, struct cell *cell, unsigned level, uint32_t record);

#endif
