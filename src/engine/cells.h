/*
 * engine/cells.h - the pairs of a site and a data that references were made for.
 *
 * Each shard has its own: the sieve binds a reference to one, and what the levels say of it later
 * is counted in tallies (tallies.h), one for each shard that has something to say.
 */
#ifndef MS_ENGINE_CELLS_H
#define MS_ENGINE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"
#include "engine/engine.h"

struct tally;

/* All but `tally` is the sieve's own, or never changes. There are millions: it is small. */
struct cell {
	uint64_t references;
	struct cell *before; /* the one that its site met before it; NULL: none yet */
	uint32_t site;
	uint32_t data;
	uint16_t reach;        /* bytes of a reference minus 1 */
	uint16_t processor;    /* with several of them: which it is of */
	uint8_t kind;          /* enum ms_wire_ref_kind; a site always has the same */
	uint8_t crosses;       /* enum ms_crossing: it is one of these of another cell */
	struct tally *tally[]; /* by shard, made by that shard; NULL: nothing counted yet */
};

/* What stands after the tallies of a cell where windows are simulated. */
struct cell_windows {
	uint64_t *in_part; /* references, where sets are sampled: see windows_sieve.c */
	/* Likewise, by enum ms_crossing: what becomes of its references that are on a line that is
	 * not seen, too. NULL: none yet. */
	struct cell **crossing;
	uint64_t place; /* in totals, when they have been made */
};

struct cells {
	struct ms_arena arena;
	unsigned shards;
	bool windows;       /* are simulated: cells have a struct cell_windows */
	uint32_t processor; /* that all of them are of */
	uint32_t parts;     /* that references are counted in; 0: they are not */
	/* By site and data: hash table of pointers, with bits of the hash in the upper 16 bits, so
	 * that other cells are rarely looked at. A program has millions of cells. */
	uint64_t *table;
	size_t table_size; /* a power of two */
	size_t table_used;
	MS_VEC(struct cell *) list; /* where windows are simulated: all, in the order of coming */
};

void ms_cells_open(struct cells *cells, unsigned shards, uint32_t processor, bool windows);
void ms_cells_close(struct cells *cells);
/* The first one from *at on, which is 0 in the beginning, in any order; NULL: no more. */
struct cell *ms_cells_next(const struct cells *cells, size_t *at);
struct cell *ms_cells_at(struct cells *cells, uint32_t site, uint32_t kind, uint32_t data);
/* The same, for a site that has met `from` last: sites often alternate between a few data. */
struct cell *ms_cells_after(struct cells *cells, struct cell *from, uint32_t data);

MS_INLINE struct cell_windows *ms_cell_windows(struct cell *cell, unsigned shards)
{
	return (struct cell_windows *)&cell->tally[shards];
}

/* Of its references, those that cross lines so. They are counted in the cell itself. */
struct cell *ms_cells_crossing(struct cells *cells, struct cell *of, enum ms_crossing crosses);

/* For ms_engine_footprint(). */
size_t ms_cells_bytes(const struct cells *cells);

#endif
