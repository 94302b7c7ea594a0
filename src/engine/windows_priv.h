/* engine/windows_priv.h - the state of caches that are seen in windows. */
#ifndef MS_ENGINE_WINDOWS_PRIV_H
#define MS_ENGINE_WINDOWS_PRIV_H

#include "base/arena.h"
#include "engine/windows.h"

struct doubts;
struct ms_shard;

struct window_way {
	uint64_t line; /* of this level; MS_LINE_NONE: empty */
	uint64_t came; /* time; 0: not known, or not in this window */
	uint64_t used;
};

struct window_set {
	uint32_t window; /* that it was used in last, plus 1 */
	uint32_t fresh;  /* ways used in it: the first ones */
};

struct window_level {
	uint32_t ways;
	uint32_t up; /* bits by which its lines are longer than the first level's */
	uint64_t sets;
	uint64_t mask; /* of a set's number; 0: sets are no power of two, or there is one */
	struct window_set *set;
	struct window_way *way; /* set after set, the most recent first */
	uint64_t unknown;
};

/* From this doubt on, window plus 1. */
struct window_mark {
	size_t doubt;
	uint32_t window;
};

/* What one cell has in one part. */
struct window_counts {
	uint64_t references[MS_SAMPLE_PARTS];
	struct {
		uint64_t known, unknown_hits, unknown_misses, unseen_known, unseen_unknown;
	} level[][MS_SAMPLE_PARTS];
};

struct window_life {
	uint64_t generations, dead, whole;
};

struct windows {
	struct ms_sampled_sets sets;
	uint32_t every_shift; /* `every` is a power of two */
	unsigned levels;
	struct window_level *level;
	uint64_t now;    /* references so far */
	uint32_t window; /* plus 1; 0: none was told of */
	uint32_t seen;   /* windows with references */
	struct ms_arena arena;
	MS_VEC(struct window_counts *) counts; /* by tally's number; NULL: none yet */
	MS_VEC(struct window_life) lives;      /* by data, then level */
	uint8_t *state;                        /* of one reference, by level: enum in windows.c */
};

struct windows *ms_windows_open(const struct ms_machine *machine,
				const struct ms_sampled_sets *sets);
void ms_windows_close(struct windows *windows);
uint64_t ms_windows_bytes(const struct windows *windows);
/* Before a shard sifts: the list gets a mark if the window is another one. */
void ms_windows_mark(struct ms_shard *shard);
void ms_windows_settle(struct ms_shard *shard, unsigned slot, struct doubts *share);

#endif
