/*
 * engine/count/set_misses.h - misses of each level by cache set and time.
 *
 * Neighboring sets are counted together, in at most 64 groups, as in causes/set_histogram.h. Time
 * is divided into at most 64 parts of the same number of batches: a part begins as one batch, and
 * when there are 64, pairs are merged. Each shard counts the lines of its sets; all shards simulate
 * all batches, so that their parts agree, and the totals are sums over shards.
 *
 * Counts line accesses, each of which brings in a line and, once the set is full, evicts one. Only
 * of one processor with LRU levels that are simulated as a whole.
 */
#ifndef MS_ENGINE_COUNT_SET_MISSES_H
#define MS_ENGINE_COUNT_SET_MISSES_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine_totals.h"
#include "machine/machine.h"

struct ms_caches_miss;
struct ms_engine;

enum { MS_COUNT_SET_GROUPS = 64, MS_COUNT_SET_PARTS = 64 };

struct ms_count_set_level {
	uint64_t sets;
	uint32_t shift; /* lines of the level: this much longer than those of the first */
	uint64_t misses[MS_COUNT_SET_PARTS][MS_COUNT_SET_GROUPS];
};

struct ms_count_sets {
	unsigned levels;
	unsigned shift;   /* a part has 2 to the power of this batches */
	uint64_t batches; /* counted in the open part */
	unsigned part;    /* the open one */
	struct ms_count_set_level *level;
};

void ms_count_open_sets(struct ms_count_sets *sets, const struct ms_machine *machine);
void ms_count_close_sets(struct ms_count_sets *sets);
uint64_t ms_count_measure_sets(const struct ms_count_sets *sets);
/* Before the misses of a batch are counted. */
void ms_count_begin_set_batch(struct ms_count_sets *sets);
void ms_count_add_set_misses(struct ms_count_sets *sets, unsigned level,
			     const struct ms_caches_miss *lines, size_t n);
void ms_count_list_sets(const struct ms_engine *engine, struct ms_engine_totals *totals);

#endif
