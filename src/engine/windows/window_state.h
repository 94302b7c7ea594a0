/* engine/windows/window_state.h - the state of caches that are simulated in windows. */
#ifndef MS_ENGINE_WINDOWS_WINDOW_STATE_H
#define MS_ENGINE_WINDOWS_WINDOW_STATE_H

#include "base/arena.h"
#include "engine/windows/window_units.h"
#include "engine/windows/windows.h"

struct ms_caches_array;
struct ms_count_cell;
struct ms_caches_attribution;
struct ms_caches_attributions;
struct ms_filter_pending_list;
struct ms_engine;
struct ms_engine_shard;
struct ms_count_misses;

/* Times of a line in a stamped set, in pending accesses. They wrap around. */
struct ms_engine_windows_stamp {
	uint32_t came;
	uint32_t used;
	uint32_t owner; /* the data that the line belongs to */
	bool known;     /* `came` is exact: a known miss of this window brought the line */
};

/* Windows are numbered from 1 here, in the order in which they are simulated. */
struct ms_engine_windows_set {
	uint32_t window;   /* window of the last use */
	uint32_t fresh;    /* number of ways used in that window; with LRU, the first ones */
	uint32_t complete; /* window in which all ways have been used, in sets without stamps */
};

struct ms_engine_windows_level {
	uint32_t ways;
	uint32_t stamped_every; /* one of so many blocks of sets has stamps */
	/* Of 2^block_shift neighbouring sets, the 2^group_shift sets of one group are simulated. */
	uint32_t block_shift, group_shift;
	uint64_t sets;
	struct ms_engine_windows_set *set;
	struct ms_engine_windows_stamp *stamp; /* by set, then by recency, the most recent first */
	uint64_t stamps;
	uint64_t unknown;
};

/* The parts of a stratum: consecutive steps go to consecutive parts. */
struct ms_engine_windows_parts {
	uint32_t first, n;
};

/* Returns the part of a reference in this step; block: number of the block of groups, of which one
 * group is simulated. */
uint32_t ms_engine_windows_choose_part(const struct ms_engine_windows_parts *parts,
				       const struct ms_engine_windows_sets *sets, uint32_t step,
				       uint64_t block);

/* The window (plus 1) and its step, from this pending access on. */
struct ms_engine_windows_mark {
	size_t index;
	uint32_t window;
	uint32_t step;
	struct ms_engine_windows_parts parts;
};

/* The marks of a batch. */
struct ms_engine_windows_marks {
	MS_VEC(struct ms_engine_windows_mark) at;
};

/* References of one cell of a filter. */
struct ms_engine_windows_references {
	uint64_t all; /* up to the end of the last step */
	uint64_t in[MS_ENGINE_WINDOWS_PARTS];
};

/* By cell, in the order of the list of cells. */
struct ms_engine_windows_cells {
	MS_VEC(struct ms_engine_windows_references) at;
};

/* The filter's part of the state: see window_filter.c. */
struct ms_engine_windows_filter {
	struct ms_engine_windows_marks marks; /* of the batch that is being filtered */
	uint32_t window; /* the present window, plus 1; 0: none was announced */
	uint32_t before; /* windows before the present stratum */
	uint32_t step;
	struct ms_engine_windows_parts parts;
	uint64_t seen[MS_ENGINE_WINDOWS_PARTS]; /* references, up to the end of the last step */
	uint64_t words;                         /* filtered in this step */
	struct ms_engine_windows_cells cells;   /* of one processor; others have their own */
	MS_VEC(uint64_t) executions;            /* by bound block, up to the end of the last step */
	/* If sets are sampled: the part of a reference in this step, by its address. */
	uint8_t *part;
	const uint8_t *sampled_groups; /* NULL: all groups */
	uint64_t part_mask;
	uint32_t part_shift;
};

static inline uint32_t ms_engine_windows_get_part(const struct ms_engine_windows_filter *filter,
						  uint64_t address)
{
	return filter->part[address >> filter->part_shift & filter->part_mask];
}

/* Counts of one cell at one level, by part. */
struct ms_engine_windows_counts {
	struct {
		uint64_t known, unknown_hits, unknown_misses, unseen_known, unseen_unknown;
		uint64_t lost, surely_lost;
	} part[MS_ENGINE_WINDOWS_PARTS];
};

struct ms_engine_windows_life {
	uint64_t generations, dead, whole;
};

struct ms_engine_windows_state {
	struct ms_engine_windows_sets sets;
	uint8_t *sampled_groups; /* our copy of sets.seen */
	uint32_t every_shift;    /* log2 of sets.every */
	unsigned levels;
	struct ms_engine_windows_level *level;
	uint32_t now;    /* time: pending accesses so far */
	uint32_t window; /* plus 1; 0: none was announced */
	uint32_t step;
	struct ms_engine_windows_parts parts;
	uint32_t seen; /* windows with references */
	struct ms_arena arena;
	MS_VEC(struct ms_engine_windows_counts *)
	counts; /* by number of the miss counters, then level; NULL: none yet */
	MS_VEC(struct ms_engine_windows_life) lives; /* by data, then level */
	struct ms_engine_windows_marks *marks;       /* by batch in flight */
	MS_VEC(uint32_t) ways; /* scratch: see struct ms_caches_window_lookup */
	/* With several processors: */
	struct ms_engine_windows_units units;
	enum ms_engine_windows_certainty *known; /* by level, for the present access */
	bool *taken; /* likewise: another agent has certainly invalidated the line */
};

/* Counts the misses of an attribution, which are all of one kind. */
void ms_engine_windows_count_misses(struct ms_caches_attributions *attributions,
				    const struct ms_caches_attribution *charge);
/* What follows is in the window of the mark. */
void ms_engine_windows_enter(struct ms_engine_windows_state *windows,
			     const struct ms_engine_windows_mark *mark);
/* Returns the counts by level. */
struct ms_engine_windows_counts *
ms_engine_windows_get_counts(struct ms_engine_windows_state *windows, uint32_t counters);

/* window_filter.c: a mark for the window that the shard filters now. */
struct ms_engine_windows_mark ms_engine_windows_make_mark(const struct ms_engine_shard *shard);

#endif
