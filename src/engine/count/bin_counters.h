/*
 * engine/count/bin_counters.h - the pairs of a site and a data that references were made for.
 *
 * Each shard has its own: the sieve binds a reference to one, and what the levels say of it later
 * is counted in tallies (miss_counters.h), one for each shard that has something to say.
 */
#ifndef MS_ENGINE_COUNT_BIN_COUNTERS_H
#define MS_ENGINE_COUNT_BIN_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"
#include "engine/engine.h"

struct ms_count_misses;

/* All but `tally` is the sieve's own, or never changes. There are millions: it is small. */
struct ms_count_bin {
	uint64_t references;
	struct ms_count_bin *previous; /* the one that its site met before it; NULL: none yet */
	uint32_t site;
	uint32_t data;
	uint16_t reach;     /* bytes of a reference minus 1 */
	uint16_t processor; /* with several of them: which it is of */
	uint8_t kind;       /* enum ms_wire_ref_kind; a site always has the same */
	uint8_t crosses;    /* enum ms_engine_crossing: it is one of these of another cell */
	struct ms_count_misses
		*counters[]; /* by shard, made by that shard; NULL: nothing counted yet */
};

/* What stands after the tallies of a cell where windows are simulated. */
struct ms_count_bin_windows {
	uint64_t *part_references; /* references, where sets are sampled: see window_filter.c */
	/* Likewise, by enum ms_engine_crossing: what becomes of its references that are on a line
	 * that is not seen, too. NULL: none yet. */
	struct ms_count_bin **crossing;
	uint64_t total_index; /* in totals, when they have been made */
};

struct ms_count_bins {
	struct ms_arena arena;
	unsigned shards;
	bool windows;       /* are simulated: cells have a struct ms_count_bin_windows */
	uint32_t processor; /* that all of them are of */
	uint32_t parts;     /* that references are counted in; 0: they are not */
	/* By site and data: hash table of pointers, with bits of the hash in the upper 16 bits, so
	 * that other cells are rarely looked at. A program has millions of cells. */
	uint64_t *table;
	size_t table_size; /* a power of two */
	size_t table_used;
	MS_VEC(struct ms_count_bin *)
	list; /* where windows are simulated: all, in the order of coming */
};

void ms_count_open_bins(struct ms_count_bins *cells, unsigned shards, uint32_t processor,
			bool windows);
void ms_count_close_bins(struct ms_count_bins *cells);
/* The first one from *at on, which is 0 in the beginning, in any order; NULL: no more. */
struct ms_count_bin *ms_count_next_bin(const struct ms_count_bins *cells, size_t *at);
struct ms_count_bin *ms_count_get_bin(struct ms_count_bins *cells, uint32_t site, uint32_t kind,
				      uint32_t data);
/* The same, for a site that has met `from` last: sites often alternate between a few data. */
struct ms_count_bin *ms_count_get_next_bin(struct ms_count_bins *cells, struct ms_count_bin *from,
					   uint32_t data);

MS_INLINE struct ms_count_bin_windows *ms_count_bin_windows(struct ms_count_bin *cell,
							    unsigned shards)
{
	return (struct ms_count_bin_windows *)&cell->counters[shards];
}

/* Of its references, those that cross lines so. They are counted in the cell itself. */
struct ms_count_bin *ms_count_get_crossing_bin(struct ms_count_bins *cells, struct ms_count_bin *of,
					       enum ms_engine_crossing crosses);

/* For ms_engine_footprint(). */
size_t ms_count_measure_bins(const struct ms_count_bins *cells);

#endif
