/*
 * engine/count/miss_counters.h - counters of misses per (site, data), per level, and per pair of
 * data.
 *
 * Miss counters keep pairs in small hash tables of their own until the epoch ends
 * (eviction_pairs.h).
 */
#ifndef MS_ENGINE_COUNT_MISS_COUNTERS_H
#define MS_ENGINE_COUNT_MISS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/vec.h"
#include "engine/count/eviction_pairs.h"
#include "engine/count/timeline.h"
#include "engine/engine.h"

/* Replacement misses by data of the evictor, or evicted lines by data of the victim. */
struct ms_count_pair {
	uint64_t count;
	uint32_t other_plus_1; /* data; 0: an empty entry of the table */
};

struct ms_count_pair_table {
	struct ms_count_pair *at; /* by other, modulo its size; NULL: none yet */
	uint32_t n;
	uint32_t mask; /* size - 1 */
};

struct ms_count_level_misses {
	uint64_t causes[MS_ENGINE_MISS_CAUSES];
	uint64_t evictions; /* lines evicted, in the epochs that have ended */
	uint64_t covered;   /* of the misses: a prefetcher would have loaded the line before */
	/* By ms_causes_finish_batch() only: replacement misses that it examined; see causes.h. */
	uint64_t examined;
	uint64_t conflict; /* of these */
	uint64_t capacity;
	uint64_t saved; /* hits that a fully associative cache would have missed */
};

/* Additional counters by level, for several processors: see ms_engine_total_miss. */
struct ms_count_processor_misses {
	uint64_t falsely;
	uint64_t peer;
	uint64_t remote; /* by ms_engine_finish_batch() only */
	uint64_t write_backs;
	uint64_t weighted; /* in units of 1 / MS_COUNT_WEIGHT_UNIT */
};

/* The unit of weights is divisible by all numbers of busy processors up to 16. */
enum { MS_COUNT_WEIGHT_UNIT = 720720 };

struct ms_count_misses {
	uint64_t upgrades;
	/*
	 * Pairs of the epoch, by level and kind. Most miss counters count none in most epochs;
	 * these share tables that are always empty.
	 */
	struct ms_count_pair_table *pairs;
	uint32_t site;
	uint32_t data;
	uint32_t processor;
	uint32_t number;                      /* index in its list ... */
	uint32_t total_index;                 /* ... and in totals: of its cell */
	uint32_t crosses;                     /* enum ms_engine_crossing of its cell */
	uint32_t slice;                       /* the last one with a miss: timeline.h */
	struct ms_count_level_misses level[]; /* then, for several processors, struct
						 ms_count_processor_misses by level */
};

struct ms_count_miss_table {
	struct ms_arena arena;
	unsigned levels;
	bool has_processors; /* there are several processors */
	/* By site, data and processor; only those made by ms_count_get_misses(). */
	struct ms_map by_site_data;
	MS_VEC(struct ms_count_misses *) list;
	struct ms_count_pair_table *no_pairs; /* empty tables, by level and kind */
	struct ms_arena pair_arena;           /* tables of the epoch */
	MS_VEC(struct ms_count_misses *) with_pairs;
	struct ms_count_slice_recorder slice;
};

void ms_count_open_misses(struct ms_count_miss_table *miss_counters, unsigned levels, bool more);
void ms_count_close_misses(struct ms_count_miss_table *miss_counters);
/* Makes new counters, which the caller keeps in its cell; or finds those of this site and data. */
struct ms_count_misses *ms_count_new_misses(struct ms_count_miss_table *miss_counters,
					    uint32_t site, uint32_t data, uint32_t processor);
struct ms_count_misses *ms_count_get_misses(struct ms_count_miss_table *miss_counters,
					    uint32_t site, uint32_t data, uint32_t processor);
/* The epoch has ended: moves all pairs to the list. */
void ms_count_take_pairs(struct ms_count_miss_table *miss_counters,
			 struct ms_count_pair_list *list);
size_t ms_count_get_misses_size(const struct ms_count_miss_table *miss_counters);
void ms_count_enter_pairs(struct ms_count_miss_table *miss_counters,
			  struct ms_count_misses *counters, unsigned level,
			  enum ms_count_pair_kind kind, uint32_t other, uint64_t count);

MS_INLINE struct ms_count_processor_misses *
ms_count_get_processor_misses(const struct ms_count_miss_table *miss_counters,
			      struct ms_count_misses *counters, unsigned level)
{
	return (struct ms_count_processor_misses *)&counters->level[miss_counters->levels] + level;
}

MS_INLINE void ms_count_add_pairs(struct ms_count_miss_table *miss_counters,
				  struct ms_count_misses *counters, unsigned level,
				  enum ms_count_pair_kind kind, uint32_t other, uint64_t count)
{
	const struct ms_count_pair_table *table =
		&counters->pairs[level * MS_COUNT_PAIR_KINDS + kind];

	if (MS_LIKELY(table->at != NULL &&
		      table->at[other & table->mask].other_plus_1 == other + 1))
		table->at[other & table->mask].count += count;
	else
		ms_count_enter_pairs(miss_counters, counters, level, kind, other, count);
}

MS_INLINE void ms_count_add_pair(struct ms_count_miss_table *miss_counters,
				 struct ms_count_misses *counters, unsigned level,
				 enum ms_count_pair_kind kind, uint32_t other)
{
	ms_count_add_pairs(miss_counters, counters, level, kind, other, 1);
}

/* Before misses are added to the causes of these counters: see timeline.h. */
MS_INLINE void ms_count_follow_slice(struct ms_count_miss_table *miss_counters,
				     struct ms_count_misses *counters)
{
	if (MS_UNLIKELY(counters->slice != miss_counters->slice.number))
		ms_count_start_slice(miss_counters, counters);
}

/*
 * Counts references that missed this level. record: of the line in this level, see line_records.h.
 */
void ms_count_add_misses(struct ms_count_miss_table *miss_counters,
			 struct ms_count_misses *counters, unsigned level, uint32_t record,
			 uint64_t count);

MS_INLINE void ms_count_add_miss(struct ms_count_miss_table *miss_counters,
				 struct ms_count_misses *counters, unsigned level, uint32_t record)
{
	ms_count_add_misses(miss_counters, counters, level, record, 1);
}

#endif
