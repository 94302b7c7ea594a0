/* engine/windows/window_state.h - the state of caches that are seen in windows. */
#ifndef MS_ENGINE_WINDOWS_WINDOW_STATE_H
#define MS_ENGINE_WINDOWS_WINDOW_STATE_H

#include "base/arena.h"
#include "engine/windows/windows.h"

struct ms_caches_array;
struct ms_count_bin;
struct ms_caches_attribution;
struct ms_caches_attributions;
struct ms_filter_pending_list;
struct ms_engine;
struct ms_engine_shard;
struct ms_count_misses;

/* A line of some of the sets: when it came and was used last. Times go round. */
struct ms_engine_windows_stamp {
	uint32_t came;
	uint32_t used;
	uint32_t owner; /* data */
	bool known;     /* that it came then, in this window */
};

/* Windows are numbered here as they are seen, from 1. */
struct ms_engine_windows_set {
	uint32_t window;   /* that it was used in last */
	uint32_t fresh;    /* ways used in it: the first ones */
	uint32_t complete; /* window in which all have been, and nobody asks when */
};

struct ms_engine_windows_level {
	uint32_t ways;
	uint32_t stamped_every; /* so many sets that are seen, one has stamps */
	/* Of so many neighbouring sets, those of one group are seen: so many, as powers of two. */
	uint32_t block_shift, group_shift;
	uint64_t sets;
	struct ms_engine_windows_set *set;
	struct ms_engine_windows_stamp *stamp; /* set after set, the most recent way first */
	uint64_t stamps;
	uint64_t unknown;
};

/* What windows go to, one after the other. */
struct ms_engine_windows_parts {
	uint32_t first, n;
};

/* Of a reference in this turn; block: the group of sets, of those that one of is seen. */
uint32_t ms_engine_windows_choose_part(const struct ms_engine_windows_parts *parts,
				       const struct ms_engine_windows_sets *sets, uint32_t step,
				       uint64_t block);

/* From this doubt on, window plus 1, and the turn that it is in. */
struct ms_engine_windows_mark {
	size_t index;
	uint32_t window;
	uint32_t step;
	struct ms_engine_windows_parts parts;
};

/* References of one of a sieve's cells. */
struct ms_engine_windows_references {
	uint64_t all; /* up to the turn before */
	uint64_t in[MS_ENGINE_WINDOWS_PARTS];
};

/* Of all of them, as they are listed. */
struct ms_engine_windows_bins {
	MS_VEC(struct ms_engine_windows_references) at;
};

/* A sieve's half: see window_filter.c. */
struct ms_engine_windows_filter {
	uint32_t window; /* that references are in now, plus 1; 0: none was told of */
	uint32_t before; /* windows that other parts had */
	uint32_t step;
	struct ms_engine_windows_parts parts;
	uint64_t seen[MS_ENGINE_WINDOWS_PARTS]; /* references of all cells, up to then */
	uint64_t words;                         /* that were sifted in this turn */
	struct ms_engine_windows_bins cells;    /* of one processor; others have their own */
	MS_VEC(uint64_t) executions;            /* by block, up to the turn before */
	/* Where sets are sampled: the part of a reference, by its address. */
	uint8_t *part;
	const uint8_t *sampled_groups; /* NULL: all */
	uint64_t part_mask;
	uint32_t part_shift;
};

/* Now. */
static inline uint32_t ms_engine_windows_get_part(const struct ms_engine_windows_filter *filter,
						  uint64_t address)
{
	return filter->part[address >> filter->part_shift & filter->part_mask];
}

/* What one cell has at one level, by part. */
struct ms_engine_windows_counts {
	struct {
		uint64_t known, unknown_hits, unknown_misses, unseen_known, unseen_unknown;
		uint64_t lost, surely_lost;
	} part[MS_ENGINE_WINDOWS_PARTS];
};

struct ms_engine_windows_life {
	uint64_t generations, dead, whole;
};

/* Where there are several processors, of one of their caches. */
struct ms_engine_windows_array {
	uint32_t *used; /* by set, then way: the window that its line was used in last */
	struct ms_engine_windows_set_use {
		uint32_t window; /* that it was used in last */
		uint32_t ways;   /* with lines used in it, as many as there were at a time */
	} * claims;              /* by set */
};

/* What agents have done with a unit in a window. */
struct ms_engine_windows_unit {
	uint64_t number; /* and of 64 agents */
	uint64_t users;
	uint32_t window;
	bool written; /* by whomever; where the agents are the first ones */
};

struct ms_engine_windows_units {
	struct ms_engine_windows_unit
		*at;   /* a hash table: those of earlier windows are empty places */
	uint64_t mask; /* its size - 1 */
	uint64_t n;
	uint32_t window;
};

/* What is known of a line at a level. */
enum ms_engine_windows_certainty {
	MS_ENGINE_WINDOWS_KNOWN_HIT,
	MS_ENGINE_WINDOWS_UNKNOWN_HIT,
	MS_ENGINE_WINDOWS_UNKNOWN_MISS,
	MS_ENGINE_WINDOWS_KNOWN_MISS,
};

struct ms_engine_windows_state {
	struct ms_engine_windows_sets sets;
	uint8_t *sampled_groups; /* of these, our own */
	uint32_t every_shift;    /* `every` is a power of two */
	unsigned levels;
	struct ms_engine_windows_level *level;
	uint32_t now;    /* doubts so far */
	uint32_t window; /* plus 1; 0: none was told of */
	uint32_t step;
	struct ms_engine_windows_parts parts;
	uint32_t seen; /* windows with references */
	struct ms_arena arena;
	MS_VEC(struct ms_engine_windows_counts *)
	counts; /* by tally's number, then level; NULL: none yet */
	MS_VEC(struct ms_engine_windows_life) lives; /* by data, then level */
	MS_VEC(uint32_t) ways;                       /* scratch: see struct fall_seen */
	/* Of several processors: */
	struct ms_engine_windows_units units;
	enum ms_engine_windows_certainty *known; /* by level, of one access ... */
	bool *taken; /* ... and whether another one had surely taken the line */
};

/* One line, of one of several processors. */
struct ms_engine_windows_access {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path;
	struct ms_count_bin *cell;
	uint64_t line; /* of the first level */
	uint32_t agent;
	bool writes;
};

struct ms_engine_windows_state *ms_engine_windows_open(const struct ms_machine *machine,
						       const struct ms_engine_windows_sets *sets);
void ms_engine_windows_close(struct ms_engine_windows_state *windows);
uint64_t ms_engine_windows_measure(const struct ms_engine_windows_state *windows);
/* Where sets are sampled a reference's part depends on its line: sieves count by it. */
void ms_engine_windows_open_filter(struct ms_engine_shard *shard);
/* Before a shard sifts n words: the list gets a mark if the window is another one. */
void ms_engine_windows_mark_batch(struct ms_engine_shard *shard, size_t n);
/* All is sifted, and settled: what sieves have counted is told, and each cell has a tally. */
void ms_engine_windows_finish_steps(struct ms_engine *engine);
void ms_engine_windows_free_filter(struct ms_engine_windows_filter *filter);
void ms_engine_windows_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index,
				      struct ms_filter_pending_list *share);
/* So many misses of one kind. */
void ms_engine_windows_count_misses(struct ms_caches_attributions *attributions,
				    const struct ms_caches_attribution *charge);
/* What comes next is in this window. */
void ms_engine_windows_enter(struct ms_engine_windows_state *windows,
			     const struct ms_engine_windows_mark *mark);
/* By level. */
struct ms_engine_windows_counts *
ms_engine_windows_get_counts(struct ms_engine_windows_state *windows, uint32_t counters);

/* window_filter.c: that a shard sifts just now. */
struct ms_engine_windows_mark ms_engine_windows_make_mark(const struct ms_engine_shard *shard);

/* window_processors.c: before a line is used, when it misses a level, and afterwards; missed:
 * levels that its reference did. */
void ms_engine_windows_classify_line(const struct ms_engine_windows_access *a);
void ms_engine_windows_count_miss(struct ms_engine_shard *shard,
				  const struct ms_count_misses *counters, unsigned level,
				  uint32_t record);
void ms_engine_windows_use_line(const struct ms_engine_windows_access *a, unsigned missed);
void ms_engine_windows_close_array(struct ms_caches_array *array);

#endif
