/*
 * engine/engine_line_totals.h - what the engine counts of selected lines (spatial/spatial.h). A
 * part of engine_totals.h.
 *
 * Each line is in one of MS_ENGINE_LINE_GROUPS groups, chosen by a hash: the spread between groups
 * shows how uncertain the sums are. All counts are estimates for all lines: each selected line
 * counts for as many lines as one was selected of.
 */
#ifndef MS_ENGINE_ENGINE_LINE_TOTALS_H
#define MS_ENGINE_ENGINE_LINE_TOTALS_H

#include <stdint.h>

enum { MS_ENGINE_LINE_GROUPS = 8 };

struct ms_engine_line_use {
	uint64_t lines[MS_ENGINE_LINE_GROUPS]; /* fetched ... */
	uint64_t used[MS_ENGINE_LINE_GROUPS];  /* ... and their bytes that were accessed */
	/* Lines that the cell was the first to write, and all bytes that were written there. */
	uint64_t written_lines[MS_ENGINE_LINE_GROUPS];
	uint64_t written[MS_ENGINE_LINE_GROUPS];
};

/* Residencies of lines in the first level, and in the last one, by the cell that fetched them. */
struct ms_engine_total_line_use {
	uint32_t cell; /* index into cells */
	uint32_t level;
	struct ms_engine_line_use use;
};

/*
 * Accesses to the lines of a data structure by the number of other lines that were used since the
 * access before, by any processor. The first ones would hit a fully associative LRU cache of
 * MS_ENGINE_CURVE_BYTES bytes; each further one needs a cache twice as large. The last ones hit
 * none of them.
 */
enum { MS_ENGINE_CURVE_SIZES = 16, MS_ENGINE_CURVE_BYTES = 4096 };

struct ms_engine_total_curve {
	uint32_t data;
	uint64_t accesses[MS_ENGINE_LINE_GROUPS][MS_ENGINE_CURVE_SIZES + 1];
	/* The same in all groups, if distances are as short and as long as they may be. */
	uint64_t shortest[MS_ENGINE_CURVE_SIZES + 1];
	uint64_t longest[MS_ENGINE_CURVE_SIZES + 1];
	/* Lines that nothing had used before, and all bytes of lines that nothing had used. */
	uint64_t touched_lines[MS_ENGINE_LINE_GROUPS];
	uint64_t touched_bytes[MS_ENGINE_LINE_GROUPS];
};

/*
 * Accesses that missed the first level, by the site that used the line before, if that was on the
 * same processor.
 */
struct ms_engine_total_reuse {
	uint32_t data;
	uint32_t from_site;
	uint32_t to_site;
	uint64_t count;
	/* Sum of the binary logarithms of the bytes used since, in parts of one; per access. */
	uint64_t log2_bytes;
};

#define MS_ENGINE_LOG2_PARTS 16

/*
 * Accesses to a data structure by address: the objects are divided into ranges of equal size, a
 * power of two, at most MS_ENGINE_RANGES. Only data with objects of more than
 * MS_ENGINE_RANGES * MS_ENGINE_LEAST_RANGE bytes.
 */
enum { MS_ENGINE_RANGES = 64, MS_ENGINE_LEAST_RANGE = 64 };

struct ms_engine_address_range {
	uint64_t accesses;
	uint64_t first_misses; /* of the first level ... */
	uint64_t last_misses;  /* ... and of the last one */
};

struct ms_engine_total_range {
	uint32_t data;
	uint32_t number;
	uint64_t bytes; /* of each range */
	struct ms_engine_address_range range;
};

/*
 * How the replacement misses of a cell at a level are divided, where that is estimated
 * (causes/causes.h): weighted counts by group.
 */
struct ms_engine_division_parts {
	uint64_t observed; /* replacement misses that were examined, each as one */
	uint64_t examined[MS_ENGINE_LINE_GROUPS];
	uint64_t conflict[MS_ENGINE_LINE_GROUPS]; /* of these */
	uint64_t capacity[MS_ENGINE_LINE_GROUPS];
	uint64_t saved[MS_ENGINE_LINE_GROUPS]; /* hits that a fully associative cache misses ... */
	uint64_t maybe_saved[MS_ENGINE_LINE_GROUPS]; /* ... or might miss */
};

struct ms_engine_total_division {
	uint32_t cell; /* index into cells */
	uint32_t level;
	struct ms_engine_division_parts parts;
};

/*
 * Of the accesses of a level to lines that were used there before, how many miss if replacement is
 * optimal (causes/optimal_replacement.h): weighted counts by group. The fewest that are possible,
 * the likely ones, and the most; the same if all lines are known. In the first level the groups are
 * of observed batches, in the others of selected lines.
 */
enum {
	MS_ENGINE_OPTIMAL_FEWEST,
	MS_ENGINE_OPTIMAL_LIKELY,
	MS_ENGINE_OPTIMAL_MOST,
	MS_ENGINE_OPTIMAL
};

struct ms_engine_optimal_parts {
	uint64_t observed;                        /* replacement misses, each as one */
	uint64_t replaced[MS_ENGINE_LINE_GROUPS]; /* the same, weighted */
	uint64_t misses[MS_ENGINE_OPTIMAL][MS_ENGINE_LINE_GROUPS];
};

struct ms_engine_total_optimal {
	uint32_t data;
	uint32_t level;
	struct ms_engine_optimal_parts parts;
};

/*
 * How often a site's reference was so many bytes (int32_t) after the one before, of those that the
 * timing model has replayed. MS_ENGINE_OTHER_STRIDES: all strides that are too many or too large.
 */
#define MS_ENGINE_OTHER_STRIDES (UINT32_C(1) << 31)
struct ms_engine_total_stride {
	uint32_t site;
	uint32_t stride;
	uint64_t count;
};

/*
 * Where in its object a thread accesses data of a cell: some of its accesses, chosen at random
 * among those that were observed and whose object is known; there can be none. With one processor,
 * threads are not distinguished: they are 0.
 */
enum { MS_ENGINE_OFFSETS = 16 };

struct ms_engine_total_offsets {
	uint32_t cell; /* index into cells */
	uint32_t thread;
	uint64_t weight; /* all of its observed accesses stand for so many */
	uint32_t size;   /* bytes of an access */
	uint32_t kind;   /* enum ms_wire_ref_kind */
	uint32_t n;
	uint64_t offset[MS_ENGINE_OFFSETS];
};

/* One residency of a line in the first level, chosen at random among those of its data. */
struct ms_engine_total_residency {
	uint32_t cell; /* index into cells: the one that fetched the line */
	uint32_t data;
	uint32_t weight; /* it stands for so many */
	int64_t offset;  /* of the line in its object */
	uint64_t used;   /* a bit for each byte */
	uint64_t written;
};

#endif
