/* engine/engine_priv.h - types and functions shared by the files of the engine. */
#ifndef MS_ENGINE_ENGINE_PRIV_H
#define MS_ENGINE_ENGINE_PRIV_H

#include "base/arena.h"
#include "base/vec.h"
#include "engine/address_map/address_map.h"
#include "engine/caches/configurable_caches.h"
#include "engine/caches/line_records.h"
#include "engine/caches/lru_cache.h"
#include "engine/coherence/processors.h"
#include "engine/count/bin_counters.h"
#include "engine/count/cache_occupancy.h"
#include "engine/count/miss_counters.h"
#include "engine/engine.h"
#include "engine/pmu/pmu_state.h"
#include "engine/windows/window_state.h"
#include "stream/wire.h"

/*
 * State of one static reference of a block in the L1 filter. While an address lies in `range`, its
 * data is that of `cell`. The number of references made so far follows from the counts of the
 * block's exits. Those since `since` belong to the bin, and have not been added to it yet.
 */
struct ms_filter_ref_state {
	struct ms_address_map_range *range;
	struct ms_count_bin *cell;
	uint64_t since;
	uint32_t block;
	uint16_t reach; /* size - 1 */
	uint16_t room;  /* at an offset in a line below this it touches one line only */
};

/* An exit of a block: how often it was taken, and the references made before it. */
struct ms_filter_exit {
	uint64_t count;
	struct ms_filter_ref_state *ref_states;
	uint32_t refs;
	uint16_t period;             /* see loop_filter.h; 0: not a loop */
	uint16_t pause;              /* executions whose iterations are not to be compared */
	struct ms_filter_loop *loop; /* NULL: not known yet */
};

struct ms_filter_block {
	const struct ms_engine_block *desc;
	struct ms_filter_ref_state *ref_states;
	uint32_t first_exit;
};

/* An access that the L1 filter kept: its line is not the most recent one of its set. */
struct ms_filter_pending {
	/* Number of the line at the first level's line size; and the two bits below. */
	uint64_t line;
	struct ms_count_bin *cell;
};

#define MS_FILTER_SAME_REFERENCE \
	(UINT64_C(1) << 63) /* same reference as the pending access before */
#define MS_FILTER_SPLIT_REFERENCE \
	(UINT64_C(1) << 62) /* other shards own other lines of the reference */

/* From here on, pending accesses belong to this phase. */
struct ms_filter_phase_span {
	size_t from;
	uint32_t phase;
};

/*
 * A pending access of a reference whose other lines other shards own, and the reference's number in
 * all shards.
 */
struct ms_filter_split_reference {
	size_t index;
	uint32_t reference;
};

/* The pending accesses of a batch, in order: all of them, or those of one shard. */
struct ms_filter_pending_list {
	struct ms_filter_pending *at;
	size_t n;
	size_t room;
	MS_VEC(struct ms_filter_phase_span) spans;
	MS_VEC(struct ms_filter_split_reference) split_references;
	/* Of an engine with a PMU monitor: */
	MS_VEC(struct ms_pmu_change_mark) change_marks;
	MS_VEC(struct ms_pmu_time_mark) time_marks;
	/* Of an engine with windows: */
	MS_VEC(struct ms_engine_windows_mark) window_marks;
} MS_ALIGNED(128); /* avoids false sharing between shards */

/* A batch in flight. */
struct ms_engine_batch {
	struct ms_filter_pending_list *shares; /* by shard */
	uint64_t steps;                        /* see cache_occupancy.h */
	struct ms_count_pair_list
		*pairs; /* by shard: pairs of the epoch that ends with this batch */
};

/* A line that is looked up level by level, up to the last level that it missed so far. */
struct ms_caches_miss {
	uint64_t line;
	struct ms_count_bin *cell;
	uint32_t *record; /* the line's record; set when the line has missed the first level */
	/* The line that the last missed level evicted, at that level's line size. */
	uint64_t victim;
	uint32_t reference; /* index of its reference's first line in the shard's share */
	/* Phase of the reference; with windows, after window_simulation.c, its part. */
	uint32_t phase : 30;
	uint32_t unknown : 1; /* unknown whether it misses: see window_simulation.c */
	uint32_t split : 1;   /* see MS_FILTER_SPLIT_REFERENCE */
};

/*
 * A miss of a level by a reference whose lines belong to several shards. ms_engine_finish_batch()
 * merges those of all shards for a batch, because a reference misses a level only once.
 */
struct ms_caches_split_miss {
	uint64_t line; /* the first of the reference's lines that missed in this shard */
	uint32_t reference;
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint32_t record; /* the line's record at the time of the miss */
	uint32_t phase;
};

struct ms_caches_split_misses {
	MS_VEC(struct ms_caches_split_miss) at;
};

/* Counters by phase: see phase_counters.c. */
struct ms_count_phases {
	MS_VEC(uint64_t) at;
	uint64_t *last; /* counters of the phase that was counted last; NULL: none */
	uint32_t last_phase;
};

/* A reference whose data is still to be looked up: see l1_filter.c. */
struct ms_filter_unbound {
	uint64_t address;
	struct ms_filter_ref_state *ref_state;
	const uint32_t *where;             /* see ms_address_map_find_entry() */
	struct ms_filter_pending *pending; /* the first of its pending lines ... */
	uint32_t lines;                    /* ... and how many there are */
	uint32_t crosses;                  /* enum ms_engine_crossing */
};

/*
 * This many references wait before they are looked up together. An execution, which is shorter than
 * a chunk's reserve, adds all its references before the check.
 */
enum {
	MS_FILTER_MAX_UNBOUND = 32,
	MS_FILTER_UNBOUND_CAPACITY = MS_FILTER_MAX_UNBOUND + MS_WIRE_RESERVE_WORDS
};

enum { MS_FILTER_RECENT_UNKNOWN = 256 };

struct ms_engine_shard {
	struct ms_engine *engine;
	unsigned number;
	unsigned levels;
	uint32_t first_shift; /* of the first level's lines */

	struct ms_caches_configurable *configurable; /* NULL: all levels are LRU and write back */
	struct ms_coherence_processors *processors;  /* NULL: one processor */

	/* The filter half: batches that this shard filters. */
	struct ms_filter_pending_list pending;
	uint64_t *recent; /* by set of the first level: its most recent line, as far as known */
	bool few_pending; /* recently: see l1_filter.c; the next decision uses: */
	size_t measured_words;
	size_t measured_pending;
	const struct ms_filter_loop_impl *loop_impl; /* see loop_filter.h */
	/* Incremented when ref_states may refer to other ranges than before. */
	uint64_t binding_epoch;
	bool keeps_all;   /* even an access to the most recent line changes state */
	bool misses_only; /* see ms_engine_skip_hits() */
	uint32_t hits;    /* with misses_only: the data that references count for */
	struct ms_address_map address_map;
	struct ms_count_bins cells;
	MS_VEC(struct ms_filter_block) blocks;
	MS_VEC(struct ms_filter_exit) exits; /* of all blocks */
	/* Most lines of the first level that one reference can touch. */
	uint32_t most_lines;
	struct ms_arena arena;             /* memory of blocks */
	struct ms_filter_unbound *unbound; /* MS_FILTER_UNBOUND_CAPACITY */
	unsigned unbound_count;
	/* By ref_state, hashed: roughly the address where it last had no data. */
	uint64_t recent_unknown[MS_FILTER_RECENT_UNKNOWN];
	uint64_t steps;      /* steps filtered of the batch */
	uint64_t references; /* for progress; other threads read it */

	uint32_t phase;                          /* phase of current references */
	uint64_t phase_from;                     /* references counted before it began */
	struct ms_count_phases phase_references; /* references of each phase */

	struct ms_engine_windows_filter windows; /* see window_filter.c */

	/*
	 * The simulation half: the lines that this shard owns. Another thread can simulate than the
	 * one that filters.
	 */
	struct ms_caches_lru
		first MS_ALIGNED(128); /* for configurable machines, only its geometry is used */
	struct ms_caches_lru *cache;   /* the other levels; by level, [0] is unused */
	struct ms_caches_line_records lines;
	struct ms_count_miss_table miss_counters;
	struct ms_count_line_changes line_changes;
	MS_VEC(struct ms_caches_miss) missed_lines; /* scratch of one batch */
	struct ms_caches_split_misses *splits;      /* by batch in flight */
	/* Batches simulated of the epoch: see eviction_pairs.h. */
	uint32_t epoch_batches;

	/* Of an engine with a PMU monitor: see pmu_simulation.c. */
	uint64_t changes;
	MS_VEC(uint16_t) exit_times; /* by exit: instructions before it */
	size_t timed_blocks;         /* blocks whose exits exit_times has */

	struct ms_count_phases phases; /* misses of each phase, of lines that this shard owns */
	/* Lines that missed the first level; for progress, other threads read it. */
	uint64_t misses;
} MS_ALIGNED(128); /* avoids false sharing between shards */

struct ms_engine {
	unsigned shards;           /* as requested; those beyond the number of groups own nothing */
	unsigned filtering_shards; /* shards that can filter, from the first */
	unsigned batch_count;
	/* Address bits below: one line of the largest size, or more where groups are bounded. */
	uint32_t group_shift;
	uint64_t group_mask; /* groups - 1; groups is a power of two */
	uint8_t *owner;      /* by group: its shard; there are at most 255 */
	struct ms_engine_shard *shard;
	struct ms_engine_batch *batch;       /* by batch index */
	struct ms_count_miss_table finished; /* references over lines of several shards */
	struct ms_count_pair_sums pairs;     /* sums over all epochs that have ended */
	uint32_t epoch;                      /* number of batches in each epoch */
	uint32_t epoch_finished;             /* batches finished of the current epoch */
	struct ms_count_occupancy occupancy;
	struct ms_count_phases finished_phases;
	struct ms_pmu_monitor *monitor;          /* NULL: no monitor */
	struct ms_engine_windows_state *windows; /* NULL: everything is simulated */

	/* With several processors: */
	struct ms_coherence_batch *processor_batches; /* by batch index */
	/* Of references over lines of several shards. */
	struct ms_count_threads threads;
	struct ms_address_map_numa placement;
};

/* batch_distribution.c */
void ms_filter_reserve_pending(struct ms_filter_pending_list *pending_list, size_t more);
void ms_filter_begin_span(struct ms_filter_pending_list *pending_list, uint32_t phase);
void ms_filter_free_pending(struct ms_filter_pending_list *pending_list);
/* Index of the first access after the span. */
MS_INLINE size_t ms_filter_find_span_end(const struct ms_filter_pending_list *pending_list,
					 size_t span)
{
	return span + 1 < pending_list->spans.n ? pending_list->spans.at[span + 1].from
						: pending_list->n;
}
/* The number that all shards use for the reference of a split pending access. */
uint32_t ms_filter_find_reference(const struct ms_filter_pending_list *pending_list,
				  size_t pending);

/* Records a miss that ms_engine_finish_batch() merges with those of other shards. */
void ms_caches_record_split_miss(struct ms_engine_shard *shard, unsigned batch_index,
				 const struct ms_caches_miss *f, unsigned level, uint32_t record);

/* l1_filter.c: ms_engine_filter_executions() for one processor. */
size_t ms_filter_process_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* l1_filter.c: filters the references of an execution that has been counted. */
struct ms_filter_pending *ms_filter_process_references(struct ms_engine_shard *shard,
						       const struct ms_filter_exit *exit,
						       const uint64_t *addresses,
						       struct ms_filter_pending *out);
/* l1_filter.c: looks up the data of references that wait for it. */
void ms_filter_bind_references(struct ms_engine_shard *shard);
/* l1_filter.c: adds the references counted by the ref_state to its bin. Not during an execution. */
void ms_filter_flush_ref_state(const struct ms_engine_shard *shard,
			       struct ms_filter_ref_state *ref_state);

/* totals.c: adds the references counted by all ref_states to their bins. */
void ms_count_flush_shard(struct ms_engine_shard *shard);

/* phase_counters.c: the counters of a phase: references, then misses by level. */
uint64_t *ms_count_get_phase(struct ms_count_phases *counts, uint32_t phase, unsigned levels);

MS_INLINE void ms_count_add_phase_misses(struct ms_count_phases *counts, uint32_t phase,
					 unsigned level, unsigned levels, uint64_t misses)
{
	if (MS_UNLIKELY(counts->last == NULL || counts->last_phase != phase)) {
		counts->last = ms_count_get_phase(counts, phase, levels);
		counts->last_phase = phase;
	}
	counts->last[1 + level] += misses;
}

MS_INLINE void ms_count_add_phase_miss(struct ms_count_phases *counts, uint32_t phase,
				       unsigned level, unsigned levels)
{
	ms_count_add_phase_misses(counts, phase, level, levels, 1);
}

/* engine.c: allocates the miss counters of a bin. */
struct ms_count_misses *ms_engine_add_miss_counters(struct ms_engine_shard *shard,
						    const struct ms_count_bin *cell);

MS_INLINE struct ms_count_misses *ms_engine_get_miss_counters(struct ms_engine_shard *shard,
							      struct ms_count_bin *cell)
{
	struct ms_count_misses **counters = &cell->counters[shard->number];

	if (MS_UNLIKELY(*counters == NULL))
		*counters = ms_engine_add_miss_counters(shard, cell);
	return *counters;
}

/* A reference missed this level; f is its first line that did. */
MS_INLINE void ms_engine_count_miss(struct ms_engine_shard *shard, unsigned batch_index,
				    const struct ms_caches_miss *f, unsigned level, uint32_t record)
{
	if (MS_UNLIKELY(f->split)) {
		ms_caches_record_split_miss(shard, batch_index, f, level, record);
		return;
	}
	ms_count_add_miss(&shard->miss_counters, ms_engine_get_miss_counters(shard, f->cell), level,
			  record);
	ms_count_add_phase_miss(&shard->phases, f->phase, level, shard->levels);
}

MS_INLINE unsigned ms_engine_find_owner(const struct ms_engine *engine, uint64_t address)
{
	return engine->owner[(address >> engine->group_shift) & engine->group_mask];
}

#endif
