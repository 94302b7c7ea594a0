/* engine/spatial/spatial_sums.h - what has been counted of selected lines so far. */
#ifndef MS_ENGINE_SPATIAL_SPATIAL_SUMS_H
#define MS_ENGINE_SPATIAL_SPATIAL_SUMS_H

#include "base/map.h"
#include "base/vec.h"
#include "engine/engine_line_totals.h"

/* Levels whose residencies are observed: the first and the last one, which can be the same. */
enum { MS_SPATIAL_FIRST, MS_SPATIAL_LAST, MS_SPATIAL_LEVELS };

struct ms_spatial_cell {
	uint32_t site;
	uint32_t data;
	uint32_t processor;
	uint32_t kind;
	uint32_t offsets; /* index of the entry that was used last; MS_MAP_NONE: none */
	struct ms_engine_line_use in[MS_SPATIAL_LEVELS];
};

/* Observed accesses of a cell by one thread. */
struct ms_spatial_offsets {
	uint32_t cell;
	uint32_t thread;
	uint32_t size; /* of the largest access */
	uint64_t weight;
	uint64_t n; /* accesses whose object is known: ... */
	uint64_t offset[MS_ENGINE_OFFSETS];
};

/*
 * Entries of further threads of a cell. When there are so many, accesses by threads without an
 * entry are not counted.
 */
enum { MS_SPATIAL_MAX_OFFSETS = 1 << 15 };

/* Residencies of a data structure's lines that are kept. */
enum { MS_SPATIAL_KEPT_RESIDENCIES = 32 };

struct ms_spatial_kept_residency {
	int64_t offset;
	uint64_t used;
	uint64_t written;
	uint32_t fetcher; /* cell */
};

struct ms_spatial_data {
	uint32_t data;
	uint64_t residencies; /* observed in the first level, with a known object */
	uint64_t weight;      /* of these */
	struct ms_spatial_kept_residency kept[MS_SPATIAL_KEPT_RESIDENCIES];
	uint64_t accesses[MS_ENGINE_LINE_GROUPS][MS_ENGINE_CURVE_SIZES + 1];
	uint64_t shortest[MS_ENGINE_CURVE_SIZES + 1];
	uint64_t longest[MS_ENGINE_CURVE_SIZES + 1];
	uint64_t touched_lines[MS_ENGINE_LINE_GROUPS];
	uint64_t touched_bytes[MS_ENGINE_LINE_GROUPS];
	uint32_t range_shift; /* log2 of the bytes of a range */
	struct ms_engine_address_range ranges[MS_ENGINE_RANGES];
};

struct ms_spatial_reuse_pair {
	uint32_t data;
	uint32_t from_cell;
	uint32_t to_cell;
	uint64_t count;
	uint64_t log2_bytes;
};

/* Different pairs that are counted; the accesses of further ones are not. */
enum { MS_SPATIAL_MAX_PAIRS = 1 << 14 };

struct ms_spatial_sums {
	struct ms_map cell_index; /* by site, and data and processor */
	MS_VEC(struct ms_spatial_cell) cells;
	struct ms_map offsets_index; /* by cell and thread */
	MS_VEC(struct ms_spatial_offsets) offsets;
	struct ms_map data_index;
	MS_VEC(struct ms_spatial_data) data;
	struct ms_map pair_index; /* by cell before and cell */
	MS_VEC(struct ms_spatial_reuse_pair) pairs;
};

#endif
