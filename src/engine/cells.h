/*
 * engine/cells.h - what is counted: per (site, data), per level, and per pair of data.
 *
 * A cell remembers the pairs that it counted last at each level, as the next is most often one of them,
 * and the cell that its site met before it, as sites often alternate between two data.
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

/* other is a data's number plus one, so that 0 is none. */
struct last_pair {
	uint32_t other;
	uint32_t pair;
};

enum { LAST_PAIRS = 4 }; /* by the lowest bits of other */

struct cell_level {
	uint64_t causes[MS_MISS_CAUSES];
	struct last_pair last[PAIR_KINDS][LAST_PAIRS];
};

struct cell {
	uint64_t references;
	uint32_t site;
	uint32_t data;
	uint32_t number;
	struct cell *before; /* of the same site; NULL: none yet */
	struct cell_level level[];
};

struct pair {
	uint64_t count;
	uint32_t cell;
	uint32_t other;
	uint16_t level;
	uint16_t kind;
};

struct cells {
	struct ms_arena arena;
	unsigned levels;
	struct ms_map by_site_data;
	struct ms_map by_pair;
	MS_VEC(struct cell *) list;
	MS_VEC(struct pair) pairs;
};

void ms_cells_open(struct cells *cells, unsigned levels);
void ms_cells_close(struct cells *cells);
struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t data);
/* The same, for a site that has met `from` last. */
struct cell *ms_cells_after(struct cells *cells, struct cell *from, uint32_t data);
/* The pair's index into pairs. */
uint32_t ms_cells_find_pair(struct cells *cells, struct cell *cell, unsigned level, enum pair_kind kind,
			uint32_t other);

MS_INLINE void ms_cells_count_pair(struct cells *cells, struct cell *cell, unsigned level,
				   enum pair_kind kind, uint32_t other)
{
	struct last_pair *last = &cell->level[level].last[kind][other % LAST_PAIRS];

	if (MS_UNLIKELY(last->other != other + 1))
		*last = (struct last_pair){ other + 1,
					    ms_cells_find_pair(cells, cell, level, kind, other) };
	cells->pairs.at[last->pair].count++;
}

/* One reference of the cell missed this level; what the line's record said there: lines.h. */
void ms_cells_count_miss(struct cells *cells, struct cell *cell, unsigned level, uint32_t record);

#endif
