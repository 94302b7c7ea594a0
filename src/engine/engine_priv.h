/* engine/engine_priv.h - what the engine's own files share. */
#ifndef MS_ENGINE_ENGINE_PRIV_H
#define MS_ENGINE_ENGINE_PRIV_H

#include "base/arena.h"
#include "base/vec.h"
#include "engine/cache.h"
#include "engine/cells.h"
#include "engine/engine.h"
#include "engine/general.h"
#include "engine/lines.h"
#include "engine/monitor.h"
#include "engine/occupancy.h"
#include "engine/places.h"
#include "engine/processors.h"
#include "engine/tallies.h"
#include "engine/windows_priv.h"
#include "stream/wire.h"

/*
 * One reference of a block, as the sieve sees it. While an address lies in `place` its data is that
 * of `cell`. How many references it has made follows from its block's exits; those since `since`
 * belong to the cell, and have not been added to it.
 */
struct slot {
	struct place *place;
	struct cell *cell;
	uint64_t since;
	uint32_t block;
	uint16_t reach; /* size - 1 */
	uint16_t room;  /* offsets in a line below this: it touches one line only */
};

/* A way out of a block: how often it was taken, and what was referenced on the way there. */
struct shard_exit {
	uint64_t count;
	struct slot *slots;
	uint32_t refs;
	uint16_t period;   /* see loop.h; 0: it is no loop */
	uint16_t pause;    /* executions whose turns are not to be compared */
	struct loop *loop; /* NULL: not known yet */
};

struct shard_block {
	const struct ms_block *about;
	struct slot *slots;
	uint32_t first_exit;
};

/* A line that is not its set's most recent one, as the sieve hands it on. */
struct doubt {
	uint64_t line; /* in the first level's lines; and the two bits below */
	struct cell *cell;
};

#define MS_LINE_GOES_ON (UINT64_C(1) << 63) /* of the same reference as the doubt before it */
#define MS_LINE_SPLIT   (UINT64_C(1) << 62) /* other lines of the reference are other shards' */

/* From here on, doubts are of this phase. */
struct span {
	size_t from;
	uint32_t phase;
};

/* A doubt of a reference that other shards have lines of, and what they all call it. */
struct joint {
	size_t doubt;
	uint32_t reference;
};

/* What the sieve kept of a batch, in order: all of it, or the lines of one shard. */
struct doubts {
	struct doubt *at;
	size_t n;
	size_t room;
	MS_VEC(struct span) spans;
	MS_VEC(struct joint) joints;
	/* Of a monitored engine: */
	MS_VEC(struct change_mark) change_marks;
	MS_VEC(struct time_mark) time_marks;
	/* Of an engine that sees windows: */
	MS_VEC(struct window_mark) window_marks;
} MS_ALIGNED(128); /* no shard disturbs another one's */

/* A batch in flight. */
struct batch {
	struct doubts *shares; /* by shard */
	uint64_t steps;        /* see occupancy.h */
	struct pair_list *pairs; /* by shard: those of the epoch that ends with this batch */
};

/* A line on its way down the levels, as far as it has missed them. */
struct falling {
	uint64_t line;
	struct cell *cell;
	uint32_t *record;     /* the line's; found when it has missed the first level */
	uint64_t victim;      /* the line, in that level's lines, that left the level missed last */
	uint32_t reference;   /* the number of its first line in the shard's share */
	uint32_t phase : 30;  /* in which it was made; with windows, from windows.c on, the part */
	uint32_t unknown : 1; /* whether it has missed: see windows.c */
	uint32_t split : 1;   /* see MS_LINE_SPLIT */
};

/*
 * A level that one reference over lines of several shards missed here. The shards' notes of a batch
 * are put together by ms_engine_finish(): a reference misses a level once.
 */
struct split {
	uint64_t line; /* the first of the reference's lines that missed here */
	uint32_t reference;
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint32_t record; /* what the line's record said */
	uint32_t phase;
};

struct split_list {
	MS_VEC(struct split) at;
};

/* Figures by phase: see phases.c. */
struct phase_counts {
	MS_VEC(uint64_t) at;
	uint64_t *last; /* figures of the phase that was counted last; NULL: none */
	uint32_t last_phase;
};

/* A reference whose data is not known yet: see sieve.c. */
struct unbound {
	uint64_t address;
	struct slot *slot;
	const uint32_t *where; /* see ms_places_where() */
	struct doubt *doubts;  /* the first of its lines ... */
	uint32_t lines;        /* ... and how many there are */
	uint32_t crosses;      /* enum ms_crossing */
};

/* So many wait for each other; an execution, shorter than a chunk's reserve, adds all of its own.
 */
enum { MS_MOST_UNBOUND = 32, MS_ROOM_UNBOUND = MS_MOST_UNBOUND + MS_WIRE_RESERVE_WORDS };

enum { MS_ODD_SLOTS = 256 };

struct ms_shard {
	struct ms_engine *engine;
	unsigned number;
	unsigned levels;
	uint32_t first_shift; /* of the first level's lines */

	struct general *general;       /* NULL: the machine is plain */
	struct processors *processors; /* NULL: there is one */

	/* The sieve's half: batches that this shard sifts. */
	struct doubts doubts;
	uint64_t *recent; /* by set of the first level: its most recent line, as far as known */
	bool few_doubts;  /* of late: see sieve.c; and what will tell next: */
	size_t judged_words;
	size_t judged_doubts;
	const struct loop_way *loop_way; /* see loop.h */
	uint64_t known;   /* counts up when slots may remember other places than before */
	bool keeps_all;   /* even the most recent line makes a difference */
	bool misses_only; /* see ms_engine_skip_hits() */
	uint32_t hits;    /* the data that references count for then */
	struct places places;
	struct cells cells;
	MS_VEC(struct shard_block) blocks;
	MS_VEC(struct shard_exit) exits; /* of all blocks */
	uint32_t most_lines;             /* of the first level that one reference can touch */
	struct ms_arena arena;           /* of blocks */
	struct unbound *unbound;         /* MS_ROOM_UNBOUND */
	unsigned unbound_count;
	uint64_t odd[MS_ODD_SLOTS]; /* by slot, roughly: about where it last knew no data */
	uint64_t steps;             /* that were sifted of the batch */
	uint64_t references;        /* for progress: others read it */

	uint32_t phase;             /* the one that references belong to now */
	uint64_t phase_from;        /* references that were counted before it began */
	struct phase_counts sifted; /* references of each phase */

	struct window_sieve windows; /* see windows_sieve.c */

	/* The levels' half: the lines that this shard owns. Another thread may settle than sifts.
	 */
	struct cache first MS_ALIGNED(128); /* of machines that are not plain only its shape */
	struct cache *cache;                /* the others; by level, [0] is not used */
	struct lines lines;
	struct tallies tallies;
	struct movements movements;
	MS_VEC(struct falling) falling; /* scratch of one batch */
	struct split_list *splits;      /* by batch in flight */
	uint32_t epoch_batches;         /* settled of the epoch: see pairs.h */

	/* Of a monitored engine: see monitor_settle.c. */
	uint64_t changes;
	MS_VEC(uint16_t) exit_times; /* by exit: instructions on the way there */
	size_t timed_blocks;         /* blocks whose exits are among these */

	struct phase_counts phases; /* misses of each phase, those of the lines owned */
	uint64_t misses;            /* of the first level, by line; for progress, others read it */
} MS_ALIGNED(128);                  /* no shard disturbs its neighbour */

struct ms_engine {
	unsigned shards;  /* asked for; those beyond the number of groups own nothing */
	unsigned sifters; /* shards that may sift, from the first */
	unsigned slots;
	uint32_t group_shift; /* address bits below: one line of the largest kind */
	uint64_t group_mask;  /* groups - 1; groups is a power of two */
	uint8_t *owner;       /* by group: the shard, as long as there are few */
	struct ms_shard *shard;
	struct batch *batch;     /* by slot */
	struct tallies finished; /* references over several shards' lines */
	struct pair_sums pairs;  /* of all epochs that have ended */
	uint32_t epoch;          /* batches of each */
	uint32_t epoch_finished; /* batches finished of the present one */
	struct occupancy occupancy;
	struct phase_counts finished_phases;
	struct monitor *monitor; /* NULL: nobody watches */
	struct windows *windows; /* NULL: everything is seen */

	/* With several processors: */
	struct met_batch *met;        /* by slot */
	struct thread_counts threads; /* of references over several shards' lines */
	struct placement placement;
};

/* share.c */
void ms_doubts_make_room(struct doubts *doubts, size_t more);
void ms_doubts_begin(struct doubts *doubts, uint32_t phase);
void ms_doubts_free(struct doubts *doubts);
/* Where a span ends. */
MS_INLINE size_t ms_span_end(const struct doubts *doubts, size_t span)
{
	return span + 1 < doubts->spans.n ? doubts->spans.at[span + 1].from : doubts->n;
}
/* What all shards call the reference of a split doubt. */
uint32_t ms_doubts_reference(const struct doubts *doubts, size_t doubt);

/* To be put together by ms_engine_finish(). */
void ms_shard_note_split(struct ms_shard *shard, unsigned slot, const struct falling *f,
			 unsigned level, uint32_t record);

/* sieve.c: what ms_shard_sift() is for one processor. */
size_t ms_sieve_sift(struct ms_shard *shard, const uint64_t *words, size_t n);
/* sieve.c: the references of an execution, which has been counted. */
struct doubt *ms_sieve_meet(struct ms_shard *shard, const struct shard_exit *exit,
			    const uint64_t *addresses, struct doubt *out);
/* sieve.c: finds the data of references that wait for it. */
void ms_sieve_bind(struct ms_shard *shard);
/* sieve.c: what the slot has counted is added to its cell. No execution may be under way. */
void ms_slot_flush(const struct ms_shard *shard, struct slot *slot);

/* totals.c: what slots have counted is added to their cells. */
void ms_shard_flush(struct ms_shard *shard);

/* phases.c: the figures of a phase: references, then misses by level. */
uint64_t *ms_phase_figures(struct phase_counts *counts, uint32_t phase, unsigned levels);

/* So many misses more. */
MS_INLINE void ms_phases_add(struct phase_counts *counts, uint32_t phase, unsigned level,
			     unsigned levels, uint64_t misses)
{
	if (MS_UNLIKELY(counts->last == NULL || counts->last_phase != phase)) {
		counts->last = ms_phase_figures(counts, phase, levels);
		counts->last_phase = phase;
	}
	counts->last[1 + level] += misses;
}

MS_INLINE void ms_phases_count(struct phase_counts *counts, uint32_t phase, unsigned level,
			       unsigned levels)
{
	ms_phases_add(counts, phase, level, levels, 1);
}

/* engine.c: a new one for the cell. */
struct tally *ms_shard_add_tally(struct ms_shard *shard, const struct cell *cell);

MS_INLINE struct tally *ms_shard_tally(struct ms_shard *shard, struct cell *cell)
{
	struct tally **tally = &cell->tally[shard->number];

	if (MS_UNLIKELY(*tally == NULL))
		*tally = ms_shard_add_tally(shard, cell);
	return *tally;
}

/* A reference missed this level; f is the first of its lines that did. */
MS_INLINE void ms_shard_count_miss(struct ms_shard *shard, unsigned slot, const struct falling *f,
				   unsigned level, uint32_t record)
{
	if (MS_UNLIKELY(f->split)) {
		ms_shard_note_split(shard, slot, f, level, record);
		return;
	}
	ms_tally_miss(&shard->tallies, ms_shard_tally(shard, f->cell), level, record);
	ms_phases_count(&shard->phases, f->phase, level, shard->levels);
}

MS_INLINE unsigned ms_engine_owner(const struct ms_engine *engine, uint64_t address)
{
	return engine->owner[(address >> engine->group_shift) & engine->group_mask];
}

#endif
