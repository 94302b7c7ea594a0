/*
 * engine/causes/distance_bounds.h - bounds of stack distances in the accesses of one cache level.
 *
 * The stack distance of an access is the number of other lines used since the last use of its line.
 * A fully associative LRU cache of N lines hits if it is below N.
 *
 * Batches are numbered from 1. For each batch it is known how many lines were last used in it. So
 * it is known how many different lines were used since a batch: the distance of a line that was
 * last used in batch b is at least the number of lines used after b and before the current batch,
 * and at most the number of lines used since the beginning of b. Both bounds are exact counts; the
 * order of accesses within a batch does not matter.
 *
 * The number of lines used since a batch never decreases. So the batches since which more lines
 * were used than the cache has are found by two positions that only advance.
 */
#ifndef MS_ENGINE_CAUSES_DISTANCE_BOUNDS_H
#define MS_ENGINE_CAUSES_DISTANCE_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Lines used since the beginning of a batch. */
struct ms_causes_used_since {
	uint32_t batch;
	uint64_t lines;
};

struct ms_causes_distances {
	uint64_t capacity;      /* lines of the cache */
	uint32_t first;         /* batch of the first count; lines last used before it miss */
	MS_VEC(uint32_t) lines; /* by batch: lines that were last used in it */
	/* Lines last used before this batch certainly miss ... */
	struct ms_causes_used_since misses;
	/* ... and those last used in this one or later certainly hit. */
	struct ms_causes_used_since hits;
};

enum ms_causes_verdict {
	MS_CAUSES_AMBIGUOUS,
	MS_CAUSES_HITS,
	MS_CAUSES_MISSES,
};

void ms_causes_open_distances(struct ms_causes_distances *distances, uint64_t capacity);
void ms_causes_close_distances(struct ms_causes_distances *distances);
/* The next batch begins; batches are numbered from 1. */
void ms_causes_begin_distances(struct ms_causes_distances *distances);
/* Lines are used for the first time in the batch; they were last used in these (0: never). */
void ms_causes_use_lines(struct ms_causes_distances *distances, const uint32_t *last, size_t n);
void ms_causes_end_distances(struct ms_causes_distances *distances);
/* An access of the batch that was ended, to a line that was last used in this one (0: never). */
enum ms_causes_verdict ms_causes_classify(const struct ms_causes_distances *distances,
					  uint32_t last);

#endif
