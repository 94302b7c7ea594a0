/* engine/windows_priv.h - the state of caches that are seen in windows. */
#ifndef MS_ENGINE_WINDOWS_PRIV_H
#define MS_ENGINE_WINDOWS_PRIV_H

#include "base/arena.h"
#include "engine/windows.h"

struct bank;
struct cell;
struct charge;
struct charges;
struct doubts;
struct ms_engine;
struct ms_shard;
struct tally;

/* A line of some of the sets: when it came and was used last. Times go round. */
struct window_stamp {
	uint32_t came;
	uint32_t used;
	uint32_t owner; /* data */
	bool known;     /* that it came then, in this window */
};

/* Windows are numbered here as they are seen, from 1. */
struct window_set {
	uint32_t window;  /* that it was used in last */
	uint32_t fresh;   /* ways used in it: the first ones */
	uint32_t settled; /* window in which all have been, and nobody asks when */
};

struct window_level {
	uint32_t ways;
	uint32_t stamped_every; /* so many sets that are seen, one has stamps */
	/* Of so many neighbouring sets, those of one group are seen: so many, as powers of two. */
	uint32_t block_shift, group_shift;
	uint64_t sets;
	struct window_set *set;
	struct window_stamp *stamp; /* set after set, the most recent way first */
	uint64_t stamps;
	uint64_t unknown;
};

/* What windows go to, one after the other. */
struct window_parts {
	uint32_t first, n;
};

/* Of a reference in this turn; block: the group of sets, of those that one of is seen. */
uint32_t ms_windows_part(const struct window_parts *parts, const struct ms_sampled_sets *sets,
			 uint32_t turn, uint64_t block);

/* From this doubt on, window plus 1, and the turn that it is in. */
struct window_mark {
	size_t doubt;
	uint32_t window;
	uint32_t turn;
	struct window_parts parts;
};

/* References of one of a sieve's cells. */
struct window_references {
	uint64_t all; /* up to the turn before */
	uint64_t in[MS_SAMPLE_PARTS];
};

/* Of all of them, as they are listed. */
struct window_cells {
	MS_VEC(struct window_references) at;
};

/* A sieve's half: see windows_sieve.c. */
struct window_sieve {
	uint32_t window; /* that references are in now, plus 1; 0: none was told of */
	uint32_t before; /* windows that other parts had */
	uint32_t turn;
	struct window_parts parts;
	uint64_t seen[MS_SAMPLE_PARTS]; /* references of all cells, up to then */
	uint64_t words;                 /* that were sifted in this turn */
	struct window_cells cells;      /* of one processor; others have their own */
	MS_VEC(uint64_t) executions;    /* by block, up to the turn before */
	/* Where sets are sampled: the part of a reference, by its address. */
	uint8_t *part;
	const uint8_t *seen_groups; /* NULL: all */
	uint64_t part_mask;
	uint32_t part_shift;
};

/* Now. */
static inline uint32_t ms_window_part(const struct window_sieve *sieve, uint64_t address)
{
	return sieve->part[address >> sieve->part_shift & sieve->part_mask];
}

/* What one cell has at one level, by part. */
struct window_counts {
	struct {
		uint64_t known, unknown_hits, unknown_misses, unseen_known, unseen_unknown;
		uint64_t lost, surely_lost;
	} part[MS_SAMPLE_PARTS];
};

struct window_life {
	uint64_t generations, dead, whole;
};

/* Where there are several processors, of one of their caches. */
struct window_bank {
	uint32_t *used; /* by set, then way: the window that its line was used in last */
	struct window_claim {
		uint32_t window; /* that it was used in last */
		uint32_t ways;   /* with lines used in it, as many as there were at a time */
	} * claims;              /* by set */
};

/* What agents have done with a unit in a window. */
struct window_unit {
	uint64_t number; /* and of 64 agents */
	uint64_t users;
	uint32_t window;
	bool written; /* by whomever; where the agents are the first ones */
};

struct window_units {
	struct window_unit *at; /* a hash table: those of earlier windows are empty places */
	uint64_t mask;          /* its size - 1 */
	uint64_t n;
	uint32_t window;
};

/* What is known of a line at a level. */
enum window_known {
	MS_WINDOW_KNOWN_HIT,
	MS_WINDOW_UNKNOWN_HIT,
	MS_WINDOW_UNKNOWN_MISS,
	MS_WINDOW_KNOWN_MISS,
};

struct windows {
	struct ms_sampled_sets sets;
	uint8_t *seen_groups; /* of these, our own */
	uint32_t every_shift; /* `every` is a power of two */
	unsigned levels;
	struct window_level *level;
	uint32_t now;    /* doubts so far */
	uint32_t window; /* plus 1; 0: none was told of */
	uint32_t turn;
	struct window_parts parts;
	uint32_t seen; /* windows with references */
	struct ms_arena arena;
	MS_VEC(struct window_counts *) counts; /* by tally's number, then level; NULL: none yet */
	MS_VEC(struct window_life) lives;      /* by data, then level */
	MS_VEC(uint32_t) ways;                 /* scratch: see struct fall_seen */
	/* Of several processors: */
	struct window_units units;
	enum window_known *known; /* by level, of one access ... */
	bool *taken;              /* ... and whether another one had surely taken the line */
};

/* One line, of one of several processors. */
struct window_access {
	struct ms_shard *shard;
	struct bank **path;
	struct cell *cell;
	uint64_t line; /* of the first level */
	uint32_t agent;
	bool writes;
};

struct windows *ms_windows_open(const struct ms_machine *machine,
				const struct ms_sampled_sets *sets);
void ms_windows_close(struct windows *windows);
uint64_t ms_windows_bytes(const struct windows *windows);
/* Where sets are sampled a reference's part depends on its line: sieves count by it. */
void ms_windows_open_sieve(struct ms_shard *shard);
/* Before a shard sifts n words: the list gets a mark if the window is another one. */
void ms_windows_mark(struct ms_shard *shard, size_t n);
/* All is sifted, and settled: what sieves have counted is told, and each cell has a tally. */
void ms_windows_finish(struct ms_engine *engine);
void ms_window_sieve_free(struct window_sieve *sieve);
void ms_windows_settle(struct ms_shard *shard, unsigned slot, struct doubts *share);
/* So many misses of one kind. */
void ms_windows_charge(struct charges *charges, const struct charge *charge);
/* What comes next is in this window. */
void ms_windows_follow(struct windows *windows, const struct window_mark *mark);
/* By level. */
struct window_counts *ms_windows_counts(struct windows *windows, uint32_t tally);

/* windows_sieve.c: that a shard sifts just now. */
struct window_mark ms_windows_now(const struct ms_shard *shard);

/* windows_processors.c: before a line is used, when it misses a level, and afterwards; missed:
 * levels that its reference did. */
void ms_windows_look(const struct window_access *a);
void ms_windows_count(struct ms_shard *shard, const struct tally *tally, unsigned level,
		      uint32_t record);
void ms_windows_use(const struct window_access *a, unsigned missed);
void ms_window_bank_close(struct bank *bank);

#endif
