/*
 * engine/causes/set_histogram.h - misses of each data structure at each level by cache set, counted
 * in observed batches. Neighbouring sets are counted together.
 */
#ifndef MS_ENGINE_CAUSES_SET_HISTOGRAM_H
#define MS_ENGINE_CAUSES_SET_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct ms_engine_totals;

/* At most so many groups of sets, and data structures at a level; further ones are omitted. */
enum { MS_CAUSES_SET_GROUPS = 64, MS_CAUSES_MAX_HISTOGRAMS = 4096 };

struct ms_causes_set_misses {
	uint32_t data;
	uint32_t level;
	uint64_t misses[MS_CAUSES_SET_GROUPS];
	uint64_t replaced[MS_CAUSES_SET_GROUPS]; /* of these */
};

struct ms_causes_histogram {
	uint64_t *set_counts; /* by level */
	unsigned levels;
	struct ms_map numbers; /* of data and level: index of its counts */
	uint32_t last;         /* index that was found last */
	MS_VEC(struct ms_causes_set_misses) at;
};

void ms_causes_open_histogram(struct ms_causes_histogram *histogram, unsigned levels);
void ms_causes_close_histogram(struct ms_causes_histogram *histogram);
uint64_t ms_causes_measure_histogram(const struct ms_causes_histogram *histogram);
/* line: at the line size of the level. */
void ms_causes_count_set(struct ms_causes_histogram *histogram, uint32_t data, uint32_t level,
			 uint64_t line, uint64_t count, bool replaced);
/* Adds those of data with a visible share of the misses of a level; sorted. */
void ms_causes_add_set_totals(const struct ms_causes_histogram *histogram,
			      struct ms_engine_totals *totals);

#endif
