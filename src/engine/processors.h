/*
 * engine/processors.h - executions of several processors: what sieve.c and settle.c are for one.
 *
 * Each processor has slots, exits and cells of its own, made when it first needs them. The sieve
 * (processors_sift.c) keeps what is no repeated use of a set's most recent line by the same first
 * level's cache; what it keeps goes through the caches in stream order (processors_settle.c), in
 * each shard those lines that it owns. What crosses shards is noted, and put together when a batch
 * is finished (processors_finish.c).
 */
#ifndef MS_ENGINE_PROCESSORS_H
#define MS_ENGINE_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "engine/cells.h"
#include "engine/engine.h"
#include "engine/placement.h"
#include "engine/sharing.h"
#include "engine/threads.h"
#include "engine/windows_priv.h"

struct stretch;

/* As struct slot, of one processor. */
struct own_slot {
	struct place *place;
	struct cell *cell;
	uint64_t since;
	uint32_t block;
	uint32_t site;
	uint16_t reach;
	uint8_t kind; /* enum ms_wire_ref_kind */
	uint8_t room; /* of lines of at most 64 bytes: offsets below it touch one line only */
};

/* As struct unbound. */
struct own_unbound {
	uint64_t address;
	struct own_slot *slot;
	const uint32_t *where;
	uint32_t kept; /* the first of its lines that was kept of the batch ... */
	uint32_t lines;
};

/* A line that the sieve kept, of one reference. */
struct met {
	uint64_t address; /* the first byte of the line that is touched; and the marks below */
	struct cell *cell;
	uint64_t object;  /* where what is touched begins; UINT64_MAX: not known */
	uint64_t written; /* of a store: the bytes of the line, a bit each, see processors_sift.c;
			     where MS_MET_PART is set, of any: the bytes from, and to << 32 */
};

/* It is of the same reference as the line before it. */
#define MS_MET_GOES_ON (UINT64_C(1) << 63)
#define MS_MET_WRITES  (UINT64_C(1) << 62)
/* Not all of the reference is in the line, or lines have more bytes than a word has bits. */
#define MS_MET_PART    (UINT64_C(1) << 61)
#define MS_MET_ADDRESS (MS_MET_PART - 1)

/* Whose they are from here on. */
struct mark {
	size_t from;
	uint32_t processor;
	uint32_t agent; /* whose it is */
	uint32_t thread;
	uint32_t phase;
	uint32_t weight;  /* of MS_WEIGHT */
	uint32_t changes; /* of where pages are placed, that have been made: see placement.h */
	struct window_mark window; /* of an engine that sees windows */
};

struct met_batch {
	struct met *at;
	size_t n;
	size_t room;
	MS_VEC(struct mark) marks;
};

/* A way out of a block, as one processor takes it; slots is NULL until it does. */
struct own_exit {
	uint64_t count;
	uint64_t weighted; /* of MS_WEIGHT */
	struct own_slot *slots;
	uint32_t words; /* of an execution; UINT32_MAX: as above */
	uint16_t instructions;
	uint8_t period; /* see loop.h; 0: it is no loop */
	uint8_t pause;  /* executions that are not to be followed */
};

struct processor {
	uint32_t number;
	uint32_t agent; /* number of its first level's cache */
	struct cells cells;
	MS_VEC(struct own_exit) exits;   /* of all blocks that were known when it last ran */
	MS_VEC(struct own_slot *) slots; /* by block; NULL: it has not run it */
	MS_VEC(struct loop *) loops;     /* by exit; NULL: it was not followed */
	uint64_t known; /* counts up when slots may remember other places than before */
	struct ms_arena arena;
	/* Of an engine that sees windows, by cell: see windows_sieve.c. */
	struct window_cells window_cells;
};

/* The two most recent lines of a set of an agent's first level, as long as no other agent writes
 * them; and where each was kept for a store, as long as no other one touches it: the number of what
 * was kept, over all batches; 0: it was not. */
struct recent {
	uint64_t line[2]; /* MS_LINE_NONE: not known */
	uint64_t stored[2];
	uint32_t last; /* the more recent of them ... */
	uint32_t told; /* ... and which it was when something of the set was last kept */
};

/* A level that a line of a reference over several shards' lines missed. */
struct crossing {
	struct cell *cell;
	uint32_t at; /* the line's number in the batch */
	uint32_t reference;
	uint32_t level;
	uint32_t record; /* what its record said */
	uint32_t mark;   /* of the batch */
	bool falsely;
	bool peer;   /* it was the last level that the line missed: another cache answered ... */
	bool memory; /* ... or memory */
};

/* A line that memory answered. */
struct memory_note {
	uint64_t address;
	uint32_t at;
	uint32_t mark;
	bool split;       /* see the crossing */
	uint64_t *remote; /* what counts it if the memory is another node's: of the tally, */
	uint64_t *thread; /* the thread, */
	uint64_t *shared; /* and the sharing; NULL: nothing */
};

/* What a shard notes of a batch. */
struct notes {
	MS_VEC(struct crossing) crossings;
	MS_VEC(struct memory_note) memory; /* where there is more than one node */
};

/* A thread that has run, as the stream calls it; and what is different while it does. */
struct known_thread {
	uint32_t name;
	uint32_t thread;
	uint64_t since; /* it counts as long as this is the shard's */
	struct processor *processor;
	struct thread_count *count;
	uint32_t freed; /* whose the memory of freed blocks is */
};

enum { MS_KNOWN_THREADS = 64 };

struct known_exit {
	uint32_t block;
	uint32_t number; /* in the block */
};

struct processors {
	uint32_t count;
	uint32_t sharers; /* processors of a first level's cache */
	struct processor **at;
	/* The sieve's half. */
	struct met_batch met;        /* of the batch that it is at */
	struct own_unbound *unbound; /* MS_ROOM_UNBOUND */
	unsigned unbound_count;
	struct processor *running;
	uint32_t thread;
	uint32_t weight;
	struct known_thread known[MS_KNOWN_THREADS]; /* by name */
	uint64_t known_since;
	uint64_t taken_up; /* so often one of them was, since that was asked, ... */
	uint32_t took;     /* ... and its name */
	MS_VEC(const struct ms_block *) blocks;
	MS_VEC(uint32_t) first_exits; /* by block */
	MS_VEC(struct known_exit) exits;
	uint64_t kept_before;        /* how many lines were kept in earlier batches, and 1 more */
	uint64_t kept;               /* and in this one */
	struct thread_counts sifted; /* what threads executed ... */
	struct thread_count *thread_count; /* ... of the running one; NULL: to be looked for */
	uint64_t sets;                     /* of a first level's cache */
	struct recent **recent;            /* by agent, by set; NULL: it has not run */
	bool *owes;                        /* by agent: the order of its sets may have to be told */
	MS_VEC(uint32_t) ran;              /* agents that have */
	struct recent **hearers;           /* scratch of processors_tell.c: by agent */
	uint64_t references;               /* all that were sifted, and those ... */
	uint64_t skipped;                  /* ... of them that did not happen */
	struct changes changes;
	unsigned char apart[128]; /* another thread may settle than sifts */
	/* The levels' half. */
	struct thread_counts threads; /* what they missed */
	struct sharing sharing;
	struct notes *notes;     /* by slot */
	struct stretch *stretch; /* scratch of stretch.c; NULL: it is not for this machine */
};

struct ms_engine;
struct ms_shard;
struct tallies;

struct processors *ms_processors_open(const struct ms_shard *shard,
				      const struct ms_machine *machine);
void ms_processors_close(struct processors *processors, unsigned slots);
uint64_t ms_processors_bytes(const struct processors *processors, unsigned slots);
struct processor *ms_processors_at(struct ms_shard *shard, uint32_t number);
void ms_processors_add_block(struct ms_shard *shard, const struct ms_block *block);
/* What slots have counted is added to their cells; no execution may be under way. */
void ms_processors_flush(struct processors *processors);
void ms_own_slot_flush(const struct processors *processors, const struct processor *processor,
		       struct own_slot *slot);
/* Nothing is known of an agent's first level. */
void ms_recent_forget(struct recent *recent, uint64_t sets);
uint64_t ms_processors_exit_count(const struct processors *processors, uint32_t processor,
				  uint32_t block, uint32_t exit, uint64_t *weighted);
/* The slots of a block, made for the processor. */
struct own_slot *ms_processor_slots(struct ms_shard *shard, struct processor *processor,
				    uint32_t block);

/* Pages there are placed again. */
void ms_processors_unmap(struct ms_shard *shard, uint64_t start, uint64_t end);

/* As ms_shard_sift(), ...; of a shard that has processors. */
size_t ms_processors_sift(struct ms_shard *shard, const uint64_t *words, size_t n);
void ms_processors_share(struct ms_shard *shard, unsigned slot);
void ms_processors_forget(struct ms_shard *shard);
void ms_processors_settle(struct ms_shard *shard, unsigned slot);
void ms_processors_finish(struct ms_engine *engine, unsigned slot);

/* Sharing and threads, when cells are listed. */
void ms_processors_list(struct ms_engine *engine, struct ms_totals *totals);

#endif
