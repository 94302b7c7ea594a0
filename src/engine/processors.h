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

struct slot;

/* A line that the sieve kept, of one reference. */
struct met {
	uint64_t line; /* of the first level */
	struct cell *cell;
	uint64_t object;         /* where what is referenced begins; UINT64_MAX: not known */
	uint32_t reference : 31; /* the number in the batch of its first line */
	uint32_t writes : 1;
	uint16_t from; /* bytes of the line */
	uint16_t to;
};

/* Whose they are from here on. */
struct mark {
	size_t from;
	uint32_t processor;
	uint32_t thread;
	uint32_t phase;
	uint32_t weight;  /* of MS_WEIGHT */
	uint32_t changes; /* of where pages are placed, that have been made: see placement.h */
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
	struct slot *slots;
	uint32_t refs;
	uint32_t instructions;
};

struct processor {
	uint32_t number;
	uint32_t agent; /* number of its first level's cache */
	struct cells cells;
	MS_VEC(struct own_exit) exits; /* of all blocks that were known when it last ran */
	MS_VEC(struct slot *) slots;   /* by block; NULL: it has not run it */
	struct ms_arena arena;
};

/* The most recent line of a set of the first level, and the bytes of it that the same cache has
 * written since another one touched it (a bit for the 64th part of a line). */
struct recent {
	uint64_t line;
	uint64_t written;
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

struct known_exit {
	uint32_t block;
	uint32_t number; /* in the block */
};

struct processors {
	uint32_t count;
	uint32_t sharers; /* processors of a first level's cache */
	struct processor **at;
	/* The sieve's half. */
	struct processor *running;
	uint32_t thread;
	uint32_t weight;
	MS_VEC(const struct ms_block *) blocks;
	MS_VEC(uint32_t) first_exits; /* by block */
	MS_VEC(struct known_exit) exits;
	struct recent *recent; /* by set, 1 << recent_shift a set: by agent */
	uint32_t recent_shift;
	uint64_t references; /* all that were sifted, and those ... */
	uint64_t skipped;    /* ... of them that did not happen */
	struct changes changes;
	/* The levels' half. */
	struct thread_counts threads;
	struct sharing sharing;
	struct notes *notes; /* by slot */
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
/* What slots have counted is added to their cells. */
void ms_processors_flush(struct processors *processors);
uint64_t ms_processors_exit_count(const struct processors *processors, uint32_t processor,
				  uint32_t block, uint32_t exit, uint64_t *weighted);
/* The slots of a block, made for the processor. */
struct slot *ms_processor_slots(struct ms_shard *shard, struct processor *processor,
				uint32_t block);

/* Pages there are placed again. */
void ms_processors_unmap(struct ms_shard *shard, uint64_t start, uint64_t end);

/* As ms_shard_sift(), ...; of a shard that has processors. */
size_t ms_processors_sift(struct ms_shard *shard, const uint64_t *words, size_t n, unsigned slot);
void ms_processors_forget(struct ms_shard *shard);
void ms_processors_settle(struct ms_shard *shard, unsigned slot);
void ms_processors_finish(struct ms_engine *engine, unsigned slot);

/* Sharing and threads; place: by number of a tally of sum, where its cell is listed. */
void ms_processors_list(struct ms_engine *engine, struct ms_totals *totals, struct tallies *sum,
			const uint32_t *place);

#endif
