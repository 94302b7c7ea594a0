/* engine/engine_totals.h - the counts of an engine. See engine.h. */
#ifndef MS_ENGINE_ENGINE_TOTALS_H
#define MS_ENGINE_ENGINE_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/engine_line_totals.h"

enum {
	MS_ENGINE_MISS_FIRST,
	MS_ENGINE_MISS_REPLACED,
	MS_ENGINE_MISS_INVALIDATED,
	MS_ENGINE_MISS_CAUSES
};

/*
 * The totals are sums over all shards. They are sorted, so equal runs give equal totals.
 *
 * With sampled sets, one line of a reference can be in a sampled set and another one not. If its
 * first line is sampled, it crosses out; if only a later one is, it crosses into the sample. Such a
 * reference is observed twice as often as others. It has cells of its own, which have misses and no
 * references: the caller that sums them has to supply how often both lines missed, which is one
 * miss.
 */
enum ms_engine_crossing {
	MS_ENGINE_CROSSES_NONE,
	MS_ENGINE_CROSSES_OUT,
	MS_ENGINE_CROSSES_INTO,
	MS_ENGINE_CROSSINGS
};

/*
 * The timing model of out-of-order processors (timing/timing.h) counts the exposed part of a miss,
 * which is the part of its latency that the processor waited for, in this part of a miss.
 */
enum { MS_ENGINE_MISS_UNIT = 1024 };

/* What the address of a reference depends on. */
enum ms_engine_dependence {
	MS_ENGINE_DEPENDENCE_UNKNOWN, /* the front-end did not describe registers */
	MS_ENGINE_DEPENDENCE_AFFINE,  /* on no load */
	MS_ENGINE_DEPENDENCE_LED,     /* on other loads: a gather */
	MS_ENGINE_DEPENDENCE_CHAINED, /* on an earlier load of its own site: a pointer chain */
	MS_ENGINE_DEPENDENCES
};

struct ms_engine_total_cell {
	uint32_t site;
	uint32_t data;
	uint32_t processor;
	uint32_t crosses; /* enum ms_engine_crossing */
	uint64_t references;
	uint64_t upgrades; /* lines that were present, but had to be invalidated elsewhere before
			      the write */
	/* By the timing model; 0 for in-order processors: */
	uint64_t walks; /* page walks */
	/* Waiting for translations, also of the second TLB level: in 1/MS_ENGINE_MISS_UNIT of a
	 * walk. */
	uint64_t exposed_walks;
	uint64_t waited_bytes; /* their transfer from memory limited the speed */
	uint64_t dependences[MS_ENGINE_DEPENDENCES]; /* misses of the first level by class */
};

struct ms_engine_total_miss {
	uint32_t cell; /* index into cells */
	uint32_t level;
	uint64_t causes[MS_ENGINE_MISS_CAUSES];
	uint64_t covered; /* of these: the level's prefetcher would have loaded the line before */
	/*
	 * Of the replaced ones: a fully associative LRU cache of the same size would have hit, or
	 * missed; the rest is ambiguous (causes/causes.h). And line accesses that hit, which that
	 * cache would have missed.
	 */
	uint64_t conflict;
	uint64_t capacity;
	uint64_t saved;
	uint64_t maybe_saved; /* of estimates: hits of which that is not known */
	/* Of the invalidated ones: the bytes that the reference touches were not written since. */
	uint64_t falsely;
	/*
	 * Of these: this was the last level missed, and a cache of another processor answered
	 * instead of the next level.
	 */
	uint64_t peer;
	uint64_t remote; /* of the last level's misses: memory of another node answered */
	/*
	 * Lines that private caches evicted or had to share, and had to write back; at the last
	 * private level, also without a miss.
	 */
	uint64_t write_backs;
	/* Misses, each divided by the number of processors that were busy at that time. */
	double weighted;
	/*
	 * By the timing model, of the misses that went no further than this level, in
	 * 1/MS_ENGINE_MISS_UNIT of a miss: the exposed part, and the part that prefetching hid. The
	 * rest was hidden by overlap with other misses and with computation.
	 */
	uint64_t exposed;
	uint64_t prefetched;
};

/* Replacement misses of a cell by evictor, or lines evicted by a cell by victim. */
struct ms_engine_total_pair {
	uint32_t cell;
	uint32_t level;
	uint32_t other; /* data */
	uint64_t count;
};

/*
 * Line accesses that missed because another processor had written the line: the cell that missed,
 * the cell that invalidated the line, and the bytes of both. An access counts once, however many
 * levels it missed.
 */
struct ms_engine_total_sharing {
	uint32_t cell;
	uint32_t writer; /* cell */
	/* Address; UINT64_MAX: the sum of lines that were too many to keep separately. */
	uint64_t line;
	uint32_t offset;        /* in the line: the first byte touched ... */
	uint32_t writer_offset; /* ... and the first one written */
	uint64_t object;        /* start of the object that is touched; UINT64_MAX: unknown */
	uint64_t writer_object;
	uint64_t truly; /* a byte that the access touched had been written since */
	uint64_t falsely;
	uint64_t peer; /* of both, as above */
	uint64_t remote;
};

/* References and instructions of a thread on one processor. */
struct ms_engine_total_thread {
	uint32_t thread;
	uint32_t processor;
	uint64_t instructions;
	uint64_t references;
};

struct ms_engine_total_thread_miss {
	uint32_t thread; /* index into threads */
	uint32_t level;
	uint64_t misses;
	uint64_t peer;
	uint64_t remote;
};

/*
 * Number of lines that a data structure has in a level, over all caches of the level. Time is
 * counted in steps: one for each executed block and one for each of its references. Occupancy is
 * measured at the end of a batch and counts for the whole batch.
 */
struct ms_engine_total_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	uint64_t sum; /* lines times steps */
};

/* The same in one slice of the timeline. */
struct ms_engine_total_residence {
	uint32_t level;
	uint32_t data;
	uint32_t slice;
	uint64_t sum;
	uint64_t came; /* lines that entered the level: misses that were allocated */
};

/* Misses are recorded over time for so many levels, from the first. */
enum { MS_ENGINE_SLICE_LEVELS = 4 };

/* A slice of the run (count/timeline.h): at most 2047, in the order of time. */
struct ms_engine_total_slice {
	uint64_t steps;
	uint32_t phase; /* the one with the most steps */
};

/* Misses of a site and data in a slice: only those with the largest latency. */
struct ms_engine_total_slice_cell {
	uint32_t slice;
	uint32_t site;
	uint32_t data;
	uint32_t causes[MS_ENGINE_SLICE_LEVELS][MS_ENGINE_MISS_CAUSES];
};

/* Latency of the misses of a thread in a slice. */
struct ms_engine_total_slice_thread {
	uint32_t slice;
	uint32_t thread;
	uint64_t latency;
};

/* All misses of a processor in a slice. */
struct ms_engine_total_slice_sum {
	uint32_t slice;
	uint32_t processor;
	uint32_t level;
	uint64_t causes[MS_ENGINE_MISS_CAUSES];
};

/*
 * Estimated time of one block's instructions without waiting for misses, by the timing model. Only
 * a part of the executions is observed.
 */
struct ms_engine_total_compute {
	uint32_t block;
	uint64_t instructions; /* observed */
	uint64_t cycles;       /* of these, in 1/MS_ENGINE_MISS_UNIT of a cycle */
};

/*
 * A calling context: the call site and the context that contains it. The first ones are special:
 * callers that are not known (the outermost function), and contexts that were too many.
 */
enum {
	MS_ENGINE_ROOT_CONTEXT,
	MS_ENGINE_OTHER_CONTEXTS,
	MS_ENGINE_SPECIAL_CONTEXTS,
};
#define MS_ENGINE_NO_CALL_SITE UINT32_MAX

struct ms_engine_total_context {
	uint32_t parent; /* a lower number, except of special ones */
	uint32_t call_site;
};

/* Misses of a level by site, data and context. */
struct ms_engine_total_path_miss {
	uint32_t context;
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint64_t misses;
};

/* How replacement misses are divided into conflict and capacity misses: causes/causes.h. */
enum ms_engine_division {
	MS_ENGINE_UNDIVIDED,
	MS_ENGINE_DIVIDED_BY_ESTIMATES,
	MS_ENGINE_DIVIDED_BY_BOUNDS,
	MS_ENGINE_DIVIDED_EXACTLY,
};

/* Line accesses that miss, by group of neighbouring sets; observed batches, weighted. */
struct ms_engine_total_set_miss {
	uint32_t data;
	uint32_t level;
	uint32_t sets;
	uint64_t misses;
	uint64_t replaced; /* of these */
};

/* Line accesses that miss, by part of the run and group of neighbouring sets (count/set_misses.h).
 */
struct ms_engine_total_set_part {
	uint32_t part;
	uint32_t level;
	uint32_t sets;
	uint64_t misses;
};

struct ms_engine_totals {
	enum ms_engine_division division;
	double observed_part; /* of the steps: what is known of the first level is from these */
	MS_VEC(struct ms_engine_total_division) divisions;  /* by cell, level; if estimated */
	MS_VEC(struct ms_engine_total_optimal) optimal;     /* by data, level */
	MS_VEC(struct ms_engine_total_set_miss) set_misses; /* by data, level, sets */
	MS_VEC(struct ms_engine_total_set_part) set_parts;  /* by part, level, sets; no zeros */
	MS_VEC(struct ms_engine_total_cell) cells;          /* by site, data, processor, crossing */
	MS_VEC(struct ms_engine_total_miss) misses;    /* by cell, level; none that is all zeros */
	MS_VEC(struct ms_engine_total_pair) replaced;  /* by cell, level, other */
	MS_VEC(struct ms_engine_total_pair) evictions; /* by cell, level, other */
	uint64_t pair_error;   /* a pair's count is too low by at most this */
	uint64_t merged_pairs; /* pairs that were merged, some repeatedly */
	uint64_t steps;
	uint64_t slice; /* steps of each slice; the last one can be incomplete. At most 64 slices */
	MS_VEC(struct ms_engine_total_occupancy)
	occupancy; /* by level, data; entries with a peak of 0 are omitted */
	/* By level, data, slice; zero entries are omitted. */
	MS_VEC(struct ms_engine_total_residence) stays;
	MS_VEC(struct ms_engine_total_slice) slices;
	MS_VEC(struct ms_engine_total_slice_cell) slice_cells; /* by slice, site, data */
	MS_VEC(struct ms_engine_total_slice_thread)
	slice_threads; /* by slice, thread; of several processors */
	MS_VEC(struct ms_engine_total_slice_sum)
	slice_sums; /* by slice, processor, level; zero entries are omitted */
	MS_VEC(struct ms_engine_total_compute)
	compute; /* by block; empty for in-order processors */
	/* Empty unless calls are followed (engine_calls.h): */
	MS_VEC(struct ms_engine_total_context) contexts;
	MS_VEC(struct ms_engine_total_path_miss) path_misses; /* by all up to level */
	/* Of selected lines; empty where none are observed: */
	bool all_lines; /* all lines are: the counts are exact, but for MS_SPATIAL_MAX_TOUCHES */
	MS_VEC(struct ms_engine_total_line_use) line_uses; /* by cell, level */
	MS_VEC(struct ms_engine_total_offsets) offsets;    /* by cell */
	MS_VEC(struct ms_engine_total_curve) curves;       /* by data */
	MS_VEC(struct ms_engine_total_range) ranges; /* by data, number; empty ones are omitted */
	MS_VEC(struct ms_engine_total_residency) residencies; /* by data */
	MS_VEC(struct ms_engine_total_reuse) reuses;          /* by data, sites */
	MS_VEC(struct ms_engine_total_stride) strides;        /* by site, stride */
	/* Empty for one processor: */
	MS_VEC(struct ms_engine_total_sharing) sharing; /* by all up to writer_object */
	MS_VEC(struct ms_engine_total_thread) threads;  /* by thread, processor */
	MS_VEC(struct ms_engine_total_thread_miss)
	thread_misses; /* by thread, level; zero entries are omitted */
};

#endif
