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
#include "engine/places.h"

/*
 * One reference of a block, as a shard sees it: its site made `count` references to the data of
 * `cell` since that was last asked; while an address lies in `place` it need not be asked again.
 */
struct slot {
	struct place *place;
	struct cell *cell;
	uint64_t count;
	uint16_t reach; /* size - 1 */
	uint16_t kind;  /* enum ms_wire_ref_kind */
	uint32_t site;
};

/* A way out of a block: how often it was taken, and what was referenced on the way there. */
struct shard_exit {
	uint64_t count;
	struct slot *slots;
	uint64_t refs;
};

struct shard_block {
	struct slot *slots;
	uint32_t first_exit;
	uint32_t refs;
};

/*
 * A level that one reference over lines of several shards missed here. The shards' notes of a batch
 * are put together by ms_engine_settle(): a reference misses a level once.
 */
struct split {
	uint64_t order; /* of the reference among those of the batch */
	uint32_t site;
	uint32_t data;
	uint32_t level;
	uint32_t line;   /* which of the reference's lines, from 0 */
	uint32_t record; /* what the line's record said */
	uint32_t phase;
};

struct split_list {
	MS_VEC(struct split) at;
};

/* Figures by phase: see phases.c. */
struct phase_counts {
	MS_VEC(uint64_t) at;
};

struct ms_shard {
	/* What the hot loop reads, close together. */
	const uint64_t *recent; /* the first level's most recent lines, by set */
	uint64_t recent_mask;
	const uint64_t *feed_end;

	struct ms_engine *engine;
	unsigned number;
	unsigned levels;
	uint32_t first_shift; /* of the first level's lines */
	bool uniform;         /* all levels have lines of one size */
	struct cache *cache;  /* by level */
	uint32_t *old;        /* scratch of one reference, by level: see outcome in access.c */
	uint32_t *old_line;

	struct general *general; /* NULL: the machine is plain; else `cache` is the first's only */

	struct places places;
	struct lines lines;
	struct cells cells;
	MS_VEC(struct shard_block) blocks;
	MS_VEC(struct shard_exit) exits; /* of all blocks */
	struct ms_arena arena;           /* of blocks */

	uint32_t phase;                   /* the one that counts now */
	struct phase_counts phases;       /* of those before, and of this one until it began */
	struct phase_counts phase_before; /* all that was counted until it began */

	struct split_list *splits; /* by slot of a batch in flight */
	uint64_t split_order;

	uint64_t references; /* these two for progress: written by one thread, read by others */
	uint64_t misses;     /* of the first level, by line */
};

struct ms_engine {
	unsigned shards; /* asked for; those beyond `groups` own nothing */
	unsigned slots;
	uint32_t group_shift; /* address bits below: one line of the largest kind */
	uint64_t group_mask;  /* groups - 1; groups is a power of two */
	uint8_t *owner;       /* by group: the shard, as long as there are few */
	struct ms_shard *shard;
	struct cells settled; /* references over several shards' lines */
	struct phase_counts settled_phases;
};

/* engine.c: the hot loop may not rely on the most recent lines alone. */
void ms_shard_forget_recent(struct ms_shard *shard);

/* totals.c: what slots have counted is added to their cells. */
void ms_shard_flush(struct ms_shard *shard);

/* phases.c */
void ms_phases_count_settled(struct ms_engine *engine, uint32_t phase, unsigned level);

/* access.c */

/* Brings a line in; returns how many levels, from the first, missed it; old[] what the record said.
 */
unsigned ms_shard_access(struct ms_shard *shard, struct cell *cell, uint64_t line, uint32_t *old);
/* A reference over several lines, all of them this shard's. */
void ms_shard_straddle(struct ms_shard *shard, struct slot *slot, uint64_t address);
/* A reference over lines of several shards: what this one missed is noted, and settled later. */
void ms_shard_split(struct ms_shard *shard, struct slot *slot, uint64_t address, unsigned batch);
/* Finds the data of address for the slot; false when there was no reference (address 0). */
bool ms_shard_bind(struct ms_shard *shard, struct slot *slot, uint64_t address);

MS_INLINE unsigned ms_engine_owner(const struct ms_engine *engine, uint64_t address)
{
	return engine->owner[(address >> engine->group_shift) & engine->group_mask];
}

#endif
