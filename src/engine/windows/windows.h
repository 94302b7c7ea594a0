/*
 * engine/windows/windows.h - simulates caches in windows of the execution only.
 *
 * Models: LRU write-back machines (engine.h) of one or several processors. Between windows the
 * caches keep their contents (stitched state). With LRU, the lines of a set that were used in this
 * window are its most recent ones, whatever the set held before. So a reference is
 *
 *   a known hit    if its line was used in this window and is still present;
 *   a known miss   if its line is absent and all ways of its set were used in this window;
 *   unknown        otherwise: the stale lines of the set decide whether it counts as hit or miss.
 *
 * An unknown hit of a level is unknown at all levels below. An unknown miss is unknown at the
 * levels below, too, unless it hits there. A line that another processor has written in this
 * window is a known miss, too.
 *
 * Does not model: other replacement policies than LRU, other inclusion policies. An unknown
 * reference accesses the lower levels as if the guess were right; their state is as good as that
 * guess. With several processors there are no generations.
 *
 * A generation lasts from the known miss that brings a line to the known miss that evicts it, in
 * the same window. The line is dead from its last use on. Time is counted in simulated references.
 *
 * All counts are also kept in MS_ENGINE_WINDOWS_PARTS parts. Consecutive windows go to consecutive
 * parts; if sets are sampled, consecutive groups do. If both are sampled, windows select one of
 * MS_ENGINE_WINDOWS_SIDE rows of parts and groups one of as many columns. The differences between
 * parts give the interval of the sum.
 */
#ifndef MS_ENGINE_WINDOWS_WINDOWS_H
#define MS_ENGINE_WINDOWS_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/engine.h"

enum { MS_ENGINE_WINDOWS_PARTS = 16, MS_ENGINE_WINDOWS_SIDE = 4 };

/* Sampled sets: of `every` neighbouring groups of lines, one is simulated. */
struct ms_engine_windows_sets {
	uint32_t shift; /* number of address bits below the group's number */
	uint64_t mask;  /* of the group's number, after the shift */
	uint64_t every; /* 1: all groups are simulated */
	/*
	 * A byte for each group: whether it is simulated. Lines of other groups are then left out,
	 * because the contents of their sets are unknown. NULL: unspecified; a reference to lines
	 * of several groups uses all of them.
	 */
	const uint8_t *seen;
	bool in_windows; /* the groups are simulated in windows only: both are sampled */
};

/* Returns the address bits that select the set at every level of the machine, with `every` = 1. */
struct ms_engine_windows_sets ms_engine_windows_find_set_groups(const struct ms_machine *machine);

bool ms_engine_windows_supports(const struct ms_machine *machine);
struct ms_engine *ms_engine_windows_open_engine(const struct ms_machine *machine, unsigned shards,
						unsigned batch_count,
						const struct ms_engine_fallback_data *data,
						const struct ms_engine_windows_sets *sets);

/* Opens a window: the executions that follow belong to it. Numbers increase. */
void ms_engine_windows_begin(struct ms_engine_shard *shard, uint32_t window);
/* Closes the window. This call is optional. */
void ms_engine_windows_end(struct ms_engine_shard *shard);
/* The windows that follow go to these parts, in turn. Without a call, they go to all parts. */
void ms_engine_windows_set_stratum(struct ms_engine_shard *shard, uint32_t first, uint32_t parts);

/* Sums over all cells so far, by part. */
struct ms_engine_windows_sums {
	double references[MS_ENGINE_WINDOWS_PARTS];
	double known[MS_ENGINE_WINDOWS_PARTS]; /* misses */
	double unknown[MS_ENGINE_WINDOWS_PARTS];
	double unknown_misses[MS_ENGINE_WINDOWS_PARTS];
};

/* The number of windows with references, and the sums of a level, so far. Only the thread that
 * simulates shard 0 may call these. */
uint32_t ms_engine_windows_count_windows(const struct ms_engine *engine);
void ms_engine_windows_sum_level(const struct ms_engine *engine, uint32_t level,
				 struct ms_engine_windows_sums *sums);

struct ms_engine_windows_total_references {
	uint32_t cell; /* index into the cells of the totals */
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
	uint64_t unknown_misses; /* totals contain these and the known misses */
	/* Of the known and of the unknown misses: those on lines that had never been simulated.
	 * The program may have used them between windows. */
	uint64_t unseen_known;
	uint64_t unseen_unknown;
	/* Of the known misses: those on lines that another processor has invalidated, as far as
	 * simulated; and of these, the certain ones, whose line was used in the same window. */
	uint64_t lost;
	uint64_t surely_lost;
};

/* Generations of the lines of one data structure in a level. */
struct ms_engine_windows_total_life {
	uint32_t level;
	uint32_t data;
	uint64_t generations;
	uint64_t dead;  /* sum of the dead times */
	uint64_t whole; /* sum of the lengths, dead times included */
};

struct ms_engine_windows_total_level {
	uint64_t frames;  /* lines that the simulated sets of all its caches hold */
	uint64_t unknown; /* accesses with unknown result, in all windows */
	uint32_t caches;
	uint32_t processors; /* that share one cache, at most */
};

struct ms_engine_windows_totals {
	uint32_t windows;                                             /* with references */
	MS_VEC(struct ms_engine_windows_total_references) references; /* by cell, part; no zeros */
	MS_VEC(struct ms_engine_windows_total_count) counts; /* by cell, level, part; no zeros */
	MS_VEC(struct ms_engine_windows_total_life) lives;   /* by level, data; no zeros */
	MS_VEC(struct ms_engine_windows_total_level) levels;
};

/* Call it after ms_engine_compute_totals(); the cells are those of its totals. */
void ms_engine_windows_compute_totals(struct ms_engine *engine,
				      struct ms_engine_windows_totals *sampled);
void ms_engine_windows_free_totals(struct ms_engine_windows_totals *sampled);

#endif
