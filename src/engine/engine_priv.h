/* engine/engine_priv.h - what the engine's own files share. */
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
 * One reference of a block, as the sieve sees it. While an address lies in `place` its data is that
 * of `cell`. How many references it has made follows from its block's exits; those since `since`
 * belong to the cell, and have not been added to it.
 */
struct ms_filter_ref_state {
	struct ms_address_map_range *range;
	struct ms_count_bin *cell;
	uint64_t since;
	uint32_t block;
	uint16_t reach; /* size - 1 */
	uint16_t room;  /* offsets in a line below this: it touches one line only */
};

/* A way out of a block: how often it was taken, and what was referenced on the way there. */
struct ms_filter_exit {
	uint64_t count;
	struct ms_filter_ref_state *ref_states;
	uint32_t refs;
	uint16_t period;             /* see loop_filter.h; 0: it is no loop */
	uint16_t pause;              /* executions whose turns are not to be compared */
	struct ms_filter_loop *loop; /* NULL: not known yet */
};

struct ms_filter_block {
	const struct ms_engine_block *desc;
	struct ms_filter_ref_state *ref_states;
	uint32_t first_exit;
};

/* A line that is not its set's most recent one, as the sieve hands it on. */
struct ms_filter_pending {
	uint64_t line; /* in the first level's lines; and the two bits below */
	struct ms_count_bin *cell;
};

#define MS_FILTER_SAME_REFERENCE \
	(UINT64_C(1) << 63) /* of the same reference as the doubt before it */
#define MS_FILTER_SPLIT_REFERENCE \
	(UINT64_C(1) << 62) /* other lines of the reference are other shards' */

/* From here on, doubts are of this phase. */
struct ms_filter_phase_span {
	size_t from;
	uint32_t phase;
};

/* A doubt of a reference that other shards have lines of, and what they all call it. */
struct ms_filter_split_reference {
	size_t index;
	uint32_t reference;
};

/* What the sieve kept of a batch, in order: all of it, or the lines of one shard. */
struct ms_filter_pending_list {
	struct ms_filter_pending *at;
	size_t n;
	size_t room;
	MS_VEC(struct ms_filter_phase_span) spans;
	MS_VEC(struct ms_filter_split_reference) split_references;
	/* Of a monitored engine: */
	MS_VEC(struct ms_pmu_change_mark) change_marks;
	MS_VEC(struct ms_pmu_time_mark) time_marks;
	/* Of an engine that sees windows: */
	MS_VEC(struct ms_engine_windows_mark) window_marks;
} MS_ALIGNED(128); /* no shard disturbs another one's */

/* A batch in flight. */
struct ms_engine_batch {
	struct ms_filter_pending_list *shares; /* by shard */
	uint64_t steps;                        /* see cache_occupancy.h */
	struct ms_count_pair_list
		*pairs; /* by shard: those of the epoch that ends with this batch */
};

/* A line on its way down the levels, as far as it has missed them. */
struct ms_caches_miss {
	uint64_t line;
	struct ms_count_bin *cell;
	uint32_t *record;    /* the line's; found when it has missed the first level */
	uint64_t victim;     /* the line, in that level's lines, that left the level missed last */
	uint32_t reference;  /* the number of its first line in the shard's share */
	uint32_t phase : 30; /* in which it was made; with windows, from window_simulation.c on, the
				part */
	uint32_t unknown : 1; /* whether it has missed: see window_simulation.c */
	uint32_t split : 1;   /* see MS_FILTER_SPLIT_REFERENCE */
};

/*
 * A level that one reference over lines of several shards missed here. The shards' notes of a batch
 * are put together by ms_engine_finish_batch(): a reference misses a level once.
 */
struct ms_caches_split_miss {
	uint64_t line; /* the first of the reference's lines that missed here */
	uint32_t reference;
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint32_t record; /* what the line's record said */
	uint32_t phase;
};

struct ms_caches_split_misses {
	MS_VEC(struct ms_caches_split_miss) at;
};

/* Figures by phase: see phase_counters.c. */
struct ms_count_phases {
	MS_VEC(uint64_t) at;
	uint64_t *last; /* figures of the phase that was counted last; NULL: none */
	uint32_t last_phase;
};

/* A reference whose data is not known yet: see l1_filter.c. */
struct ms_filter_unbound {
	uint64_t address;
	struct ms_filter_ref_state *ref_state;
	const uint32_t *where;             /* see ms_address_map_find_entry() */
	struct ms_filter_pending *pending; /* the first of its lines ... */
	uint32_t lines;                    /* ... and how many there are */
	uint32_t crosses;                  /* enum ms_engine_crossing */
};

/* So many wait for each other; an execution, shorter than a chunk's reserve, adds all of its own.
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

	struct ms_caches_configurable *configurable; /* NULL: the machine is plain */
	struct ms_coherence_processors *processors;  /* NULL: there is one */

	/* The sieve's half: batches that this shard sifts. */
	struct ms_filter_pending_list pending;
	uint64_t *recent; /* by set of the first level: its most recent line, as far as known */
	bool few_pending; /* of late: see l1_filter.c; and what will tell next: */
	size_t measured_words;
	size_t measured_pending;
	const struct ms_filter_loop_impl *loop_impl; /* see loop_filter.h */
	uint64_t binding_epoch; /* counts up when slots may remember other places than before */
	bool keeps_all;         /* even the most recent line makes a difference */
	bool misses_only;       /* see ms_engine_skip_hits() */
	uint32_t hits;          /* the data that references count for then */
	struct ms_address_map address_map;
	struct ms_count_bins cells;
	MS_VEC(struct ms_filter_block) blocks;
	MS_VEC(struct ms_filter_exit) exits; /* of all blocks */
	uint32_t most_lines;                 /* of the first level that one reference can touch */
	struct ms_arena arena;               /* of blocks */
	struct ms_filter_unbound *unbound;   /* MS_FILTER_UNBOUND_CAPACITY */
	unsigned unbound_count;
	uint64_t recent_unknown[MS_FILTER_RECENT_UNKNOWN]; /* by slot, roughly: about where it last
							      knew no data */
	uint64_t steps;                                    /* that were sifted of the batch */
	uint64_t references;                               /* for progress: others read it */

	uint32_t phase;                          /* the one that references belong to now */
	uint64_t phase_from;                     /* references that were counted before it began */
	struct ms_count_phases phase_references; /* references of each phase */

	struct ms_engine_windows_filter windows; /* see window_filter.c */

	/* The levels' half: the lines that this shard owns. Another thread may settle than sifts.
	 */
	struct ms_caches_lru
		first MS_ALIGNED(128); /* of machines that are not plain only its shape */
	struct ms_caches_lru *cache;   /* the others; by level, [0] is not used */
	struct ms_caches_line_records lines;
	struct ms_count_miss_table miss_counters;
	struct ms_count_line_changes line_changes;
	MS_VEC(struct ms_caches_miss) missed_lines; /* scratch of one batch */
	struct ms_caches_split_misses *splits;      /* by batch in flight */
	uint32_t epoch_batches;                     /* settled of the epoch: see eviction_pairs.h */

	/* Of a monitored engine: see pmu_simulation.c. */
	uint64_t changes;
	MS_VEC(uint16_t) exit_times; /* by exit: instructions on the way there */
	size_t timed_blocks;         /* blocks whose exits are among these */

	struct ms_count_phases phases; /* misses of each phase, those of the lines owned */
	uint64_t misses; /* of the first level, by line; for progress, others read it */
} MS_ALIGNED(128);       /* no shard disturbs its neighbour */

struct ms_engine {
	unsigned shards;           /* asked for; those beyond the number of groups own nothing */
	unsigned filtering_shards; /* shards that may sift, from the first */
	unsigned batch_count;
	uint32_t group_shift; /* address bits below: one line of the largest kind */
	uint64_t group_mask;  /* groups - 1; groups is a power of two */
	uint8_t *owner;       /* by group: the shard, as long as there are few */
	struct ms_engine_shard *shard;
	struct ms_engine_batch *batch;       /* by slot */
	struct ms_count_miss_table finished; /* references over several shards' lines */
	struct ms_count_pair_sums pairs;     /* of all epochs that have ended */
	uint32_t epoch;                      /* batches of each */
	uint32_t epoch_finished;             /* batches finished of the present one */
	struct ms_count_occupancy occupancy;
	struct ms_count_phases finished_phases;
	struct ms_pmu_monitor *monitor;          /* NULL: nobody watches */
	struct ms_engine_windows_state *windows; /* NULL: everything is seen */

	/* With several processors: */
	struct ms_coherence_batch *processor_batches; /* by slot */
	struct ms_count_threads threads;              /* of references over several shards' lines */
	struct ms_address_map_numa placement;
};

/* batch_distribution.c */
void ms_filter_reserve_pending(struct ms_filter_pending_list *pending_list, size_t more);
void ms_filter_begin_span(struct ms_filter_pending_list *pending_list, uint32_t phase);
void ms_filter_free_pending(struct ms_filter_pending_list *pending_list);
/* Where a span ends. */
MS_INLINE size_t ms_filter_find_span_end(const struct ms_filter_pending_list *pending_list,
					 size_t span)
{
	return span + 1 < pending_list->spans.n ? pending_list->spans.at[span + 1].from
						: pending_list->n;
}
/* What all shards call the reference of a split doubt. */
uint32_t ms_filter_find_reference(const struct ms_filter_pending_list *pending_list,
				  size_t pending);

/* To be put together by ms_engine_finish_batch(). */
void ms_caches_record_split_miss(struct ms_engine_shard *shard, unsigned batch_index,
				 const struct ms_caches_miss *f, unsigned level, uint32_t record);

/* l1_filter.c: what ms_engine_filter_executions() is for one processor. */
size_t ms_filter_process_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
/* l1_filter.c: the references of an execution, which has been counted. */
struct ms_filter_pending *ms_filter_process_references(struct ms_engine_shard *shard,
						       const struct ms_filter_exit *exit,
						       const uint64_t *addresses,
						       struct ms_filter_pending *out);
/* l1_filter.c: finds the data of references that wait for it. */
void ms_filter_bind_references(struct ms_engine_shard *shard);
/* l1_filter.c: what the slot has counted is added to its cell. No execution may be under way. */
void ms_filter_flush_ref_state(const struct ms_engine_shard *shard,
			       struct ms_filter_ref_state *ref_state);

/* totals.c: what slots have counted is added to their cells. */
void ms_count_flush_shard(struct ms_engine_shard *shard);

/* phase_counters.c: the figures of a phase: references, then misses by level. */
uint64_t *ms_count_get_phase(struct ms_count_phases *counts, uint32_t phase, unsigned levels);

/* So many misses more. */
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

/* engine.c: a new one for the cell. */
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

/* A reference missed this level; f is the first of its lines that did. */
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
