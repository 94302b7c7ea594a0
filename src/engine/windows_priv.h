/* engine/windows_priv.h - the state of caches that are seen in windows. */
#ifndef MS_ENGINE_WINDOWS_PRIV_H
#define MS_ENGINE_WINDOWS_PRIV_H

#include "base/arena.h"
#include "engine/windows.h"

struct doubts;
struct ms_engine;
struct ms_shard;

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
	uint32_t stamped_every; /* so many sets, one has stamps */
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

/* A sieve's half: see windows_sieve.c. */
struct window_sieve {
	uint32_t window; /* that references are in now, plus 1; 0: none was told of */
	uint32_t before; /* windows that other parts had */
	uint32_t turn;
	struct window_parts parts;
	uint64_t seen[MS_SAMPLE_PARTS];              /* references of all cells, up to then */
	uint64_t words;                              /* that were sifted in this turn */
	MS_VEC(struct window_references) references; /* by cell, as the shard lists them */
	MS_VEC(uint64_t) executions;                 /* by block, up to the turn before */
};

/* What one cell has in one part. */
struct window_counts {
	/* Where sets are sampled; else sieves know it. */
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
	uint32_t now;    /* doubts so far */
	uint32_t window; /* plus 1; 0: none was told of */
	uint32_t turn;
	struct window_parts parts;
	uint32_t seen; /* windows with references */
	struct ms_arena arena;
	MS_VEC(struct window_counts *) counts; /* by tally's number; NULL: none yet */
	MS_VEC(struct window_life) lives;      /* by data, then level */
};

struct windows *ms_windows_open(const struct ms_machine *machine,
				const struct ms_sampled_sets *sets);
void ms_windows_close(struct windows *windows);
uint64_t ms_windows_bytes(const struct windows *windows);
/* Whether sieves must keep all references: which part one is in depends on its line. */
bool ms_windows_keep_all(const struct windows *windows);
/* Before a shard sifts n words: the list gets a mark if the window is another one. */
void ms_windows_mark(struct ms_shard *shard, size_t n);
/* All is sifted, and settled: what sieves have counted is told, and each cell has a tally. */
void ms_windows_finish(struct ms_engine *engine);
void ms_window_sieve_free(struct window_sieve *sieve);
void ms_windows_settle(struct ms_shard *shard, unsigned slot, struct doubts *share);

#endif
