/*
 * engine/causes/optimal_replacement.h - which accesses hit a fully associative cache with optimal
 * replacement (Belady's MIN): the line that is used again last is evicted.
 *
 * Each access to another line than the one before has a time. When a line is used again, the cache
 * has kept it in between if it had room for it at all times since (Jain and Lin, ISCA 2016); then
 * it occupies one place at each of these times. As decisions are made in the order in which reuses
 * end, the hits are as many as can be. The places that are occupied are sums of changes; a tree
 * over times has their sums and peaks, so that an access costs a few steps for each doubling of
 * times.
 *
 * Several sizes are simulated at once, where a size is uncertain.
 */
#ifndef MS_ENGINE_CAUSES_OPTIMAL_REPLACEMENT_H
#define MS_ENGINE_CAUSES_OPTIMAL_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

enum { MS_CAUSES_OPTIMAL_SIZES = 3 };
#define MS_CAUSES_OPTIMAL_HITS_ALL 7u

/* Of the times of a node: the change of the occupied places from before the first to the last, and
 * to the time where most are occupied. */
struct ms_causes_optimal_node {
	int32_t sum[MS_CAUSES_OPTIMAL_SIZES];
	int32_t peak[MS_CAUSES_OPTIMAL_SIZES];
};

struct ms_causes_optimal {
	uint32_t lines[MS_CAUSES_OPTIMAL_SIZES]; /* of the cache */
	uint32_t sizes;                       /* that are simulated; the others are as the first */
	uint32_t size;                        /* times, from 1 on: a power of two, or 0 */
	struct ms_causes_optimal_node *nodes; /* [1] is the root */
};

/* Before the first use, and later only together with ms_causes_renumber_optimal(). */
void ms_causes_set_optimal_sizes(struct ms_causes_optimal *optimal,
				 const uint32_t lines[MS_CAUSES_OPTIMAL_SIZES]);
void ms_causes_close_optimal(struct ms_causes_optimal *optimal);
uint64_t ms_causes_measure_optimal(const struct ms_causes_optimal *optimal);
/*
 * A line is used whose latest use was at the time `last` (0: it was not used). It gets the time
 * latest + 1, unless it was the latest line to be used. A bit for each size with which it hits.
 */
unsigned ms_causes_use_optimal(struct ms_causes_optimal *optimal, uint32_t last, uint32_t latest);
/*
 * The lines with these times, n in increasing order, get the times from 1 on; times between them
 * are forgotten. `part` of the lines are left of those there were. Room for `size` times.
 */
void ms_causes_renumber_optimal(struct ms_causes_optimal *optimal, const uint32_t *times,
				uint32_t n, double part, uint32_t size);

/* A cache with the latest uses of its lines. */
struct ms_causes_optimal_line {
	uint64_t line;
	uint32_t time;
};

struct ms_causes_optimal_cache {
	struct ms_causes_optimal optimal;
	struct ms_map index; /* by line: of its entry in lines */
	MS_VEC(struct ms_causes_optimal_line) lines;
	uint32_t latest;
	/* The accesses before are not known: so many lines that are not found may be in the cache.
	 */
	uint32_t maybe_kept;
};

void ms_causes_open_optimal_cache(struct ms_causes_optimal_cache *cache, uint32_t lines);
void ms_causes_close_optimal_cache(struct ms_causes_optimal_cache *cache);
uint64_t ms_causes_measure_optimal_cache(const struct ms_causes_optimal_cache *cache);
/* Accesses were left out: nothing is known of those before. */
void ms_causes_reset_optimal_cache(struct ms_causes_optimal_cache *cache);

enum ms_causes_optimal_verdict {
	MS_CAUSES_OPTIMAL_HITS,
	MS_CAUSES_OPTIMAL_MISSES,
	MS_CAUSES_OPTIMAL_AMBIGUOUS
};
/* is_first: the line was never used before. */
enum ms_causes_optimal_verdict ms_causes_access_optimal(struct ms_causes_optimal_cache *cache,
							uint64_t line, bool is_first);

#endif
