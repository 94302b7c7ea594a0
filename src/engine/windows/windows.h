/*
 * engine/windows/windows.h - caches of which only windows of the program are seen.
 *
 * Models:   plain machines (engine.h) of one processor, or of several. Between windows the caches
 *           keep what they had: stitched state. With LRU, the lines of a set that were used in this
 * window are its most recent ones, whatever was there before it. So a reference is a known hit
 * where its line was used in this window, and is still there; a known miss    where it is not
 * there, and all of its set was used in this window; unknown         else: a hit or a miss by the
 * stale lines that the set still has. A reference that is unknown at a level, and hits there by
 * what is stale, is unknown at all levels behind it; what misses a level only so is unknown at
 * those, unless it hits. What another processor has written in this window is a known miss, too.
 * Does not: other replacement than LRU, other contents. That the levels behind the first are asked
 *           for what an unknown reference is taken for is as good as that guess. With several
 *           processors there are no generations.
 *
 * Generations: from the known miss that brings a line to the one for which it has to leave, in one
 * window. From its last use on it is dead. Time is counted in references that were seen.
 *
 * Everything is also counted in MS_ENGINE_WINDOWS_PARTS parts: window after window, and where sets
 * are sampled group after group, goes to the next one; where both are, windows to the next of
 * MS_ENGINE_WINDOWS_SIDE rows, and groups to the next of as many columns. What the parts differ by
 * tells how far the sum may be from the truth.
 */
#ifndef MS_ENGINE_WINDOWS_WINDOWS_H
#define MS_ENGINE_WINDOWS_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/engine.h"

enum { MS_ENGINE_WINDOWS_PARTS = 16, MS_ENGINE_WINDOWS_SIDE = 4 };

/* Where sets are sampled: of `every` neighbouring groups of lines one is seen. */
struct ms_engine_windows_sets {
	uint32_t shift; /* address bits below a group's number ... */
	uint64_t mask;  /* ... which is as long as this */
	uint64_t every; /* 1: all are seen */
	/* Which are seen, a byte for each group; NULL: nobody says, and a reference over lines of
	 * several groups uses all of them. Else those that are not are not simulated: nobody knows
	 * what they hold. */
	const uint8_t *seen;
	bool in_windows; /* and these only in windows: both were drawn */
};

/* Address bits that all levels of the machine choose sets by; every: 1. */
struct ms_engine_windows_sets ms_engine_windows_find_set_groups(const struct ms_machine *machine);

bool ms_engine_windows_supports(const struct ms_machine *machine);
struct ms_engine *ms_engine_windows_open_engine(const struct ms_machine *machine, unsigned shards,
						unsigned batch_count,
						const struct ms_engine_fallback_data *data,
						const struct ms_engine_windows_sets *sets);

/* A window opens: executions from here on are in it. Numbers go up. */
void ms_engine_windows_begin(struct ms_engine_shard *shard, uint32_t window);
/* It closes. Need not be told. */
void ms_engine_windows_end(struct ms_engine_shard *shard);
/* Windows from here on go to these parts, one after the other; as long as nothing is told, to all.
 */
void ms_engine_windows_set_stratum(struct ms_engine_shard *shard, uint32_t first, uint32_t parts);

/* So far, of all cells, by part. */
struct ms_engine_windows_sums {
	double references[MS_ENGINE_WINDOWS_PARTS];
	double known[MS_ENGINE_WINDOWS_PARTS]; /* misses */
	double unknown[MS_ENGINE_WINDOWS_PARTS];
	double unknown_misses[MS_ENGINE_WINDOWS_PARTS];
};

/* Windows with references so far; sums of a level. For the thread that settles shard 0. */
uint32_t ms_engine_windows_count_windows(const struct ms_engine *engine);
void ms_engine_windows_sum_level(const struct ms_engine *engine, uint32_t level,
				 struct ms_engine_windows_sums *sums);

struct ms_engine_windows_total_references {
	uint32_t cell; /* index into the totals' cells */
	uint32_t part;
	uint64_t references;
};

/* References of a cell at a level; all others are known hits. */
struct ms_engine_windows_total_count {
	uint32_t cell;
	uint32_t level;
	uint32_t part;
	uint64_t known; /* misses */
	uint64_t unknown_hits;
	uint64_t unknown_misses; /* totals count these, and the known ones */
	/* Of these two: lines that were never seen before, and may have been used between windows.
	 */
	uint64_t unseen_known;
	uint64_t unseen_unknown;
	/* Of the known ones: those of lines that another processor has taken away, as far as was
	 * seen; and of them those where it surely did, as the line was used in the same window. */
	uint64_t lost;
	uint64_t surely_lost;
};

/* Generations of a data's lines in a level. */
struct ms_engine_windows_total_life {
	uint32_t level;
	uint32_t data;
	uint64_t generations;
	uint64_t dead;  /* time, of all of them together ... */
	uint64_t whole; /* ... and from their beginnings on */
};

struct ms_engine_windows_total_level {
	uint64_t frames;  /* lines that it holds, of the sets that are seen, in all its caches */
	uint64_t unknown; /* accesses of lines that were unknown, over all windows */
	uint32_t caches;
	uint32_t processors; /* that each of them serves; there may be fewer */
};

struct ms_engine_windows_totals {
	uint32_t windows;                                             /* with references */
	MS_VEC(struct ms_engine_windows_total_references) references; /* by cell, part; no zeros */
	MS_VEC(struct ms_engine_windows_total_count) counts; /* by cell, level, part; no zeros */
	MS_VEC(struct ms_engine_windows_total_life) lives;   /* by level, data; no zeros */
	MS_VEC(struct ms_engine_windows_total_level) levels;
};

/* After ms_engine_compute_totals(), whose cells these are. */
void ms_engine_windows_compute_totals(struct ms_engine *engine,
				      struct ms_engine_windows_totals *sampled);
void ms_engine_windows_free_totals(struct ms_engine_windows_totals *sampled);

#endif
