/*
 * engine/occupancy.h - how many lines each data has in each level, over time.
 *
 * Time goes in steps: one for a block that is executed and one for each reference, which are the
 * words of the stream. Shards note how lines come and go while they settle a batch; when all have
 * done so the notes are added up. So what is there is known at the ends of batches, and stands for
 * the whole batch; it does not depend on how many shards there are.
 *
 * The time line has at most MS_SLICES slices of equal length; when there would be more, two become
 * one. A slice holds lines times steps, so nothing is lost but where in it the lines were there;
 * and how many came into the level. Those of a batch came in the slice in which it began.
 */
#ifndef MS_ENGINE_OCCUPANCY_H
#define MS_ENGINE_OCCUPANCY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

struct ms_totals;

/* --- a shard's --- */

/* Lines of a data that came into a level in one batch, less those that left it. */
struct move {
	uint32_t level;
	uint32_t data;
	int64_t lines;
	uint64_t came; /* without those that left */
};

struct moves {
	MS_VEC(struct move) at;
};

/* Where the move of a level and data stands, if it is of this batch. */
struct moved {
	uint32_t batch;
	uint32_t at;
};

struct movements {
	unsigned levels;
	uint32_t batch;      /* the one that is being settled: a number that no other has */
	struct moves *now;   /* its moves */
	struct moves *slots; /* by batch in flight */
	struct moved *of;    /* by data, then level */
	size_t room;
};

void ms_movements_open(struct movements *movements, unsigned levels, unsigned slots);
void ms_movements_close(struct movements *movements, unsigned slots);
uint64_t ms_movements_bytes(const struct movements *movements, unsigned slots);
/* From here on, moves are of the batch in this slot. */
void ms_movements_begin(struct movements *movements, unsigned slot);
/* The first one of the batch. */
void ms_movements_add(struct movements *movements, unsigned level, uint32_t data);

/* So many lines more, of which so many came: those that left are not told apart. */
MS_INLINE void ms_move_both(struct movements *m, unsigned level, uint32_t data, int lines,
			    unsigned came)
{
	size_t i = (size_t)data * m->levels + level;

	if (MS_UNLIKELY(i >= m->room || m->of[i].batch != m->batch))
		ms_movements_add(m, level, data);
	struct move *move = &m->now->at.at[m->of[i].at];
	move->lines += lines;
	move->came += came;
}

MS_INLINE void ms_move(struct movements *m, unsigned level, uint32_t data, int lines)
{
	ms_move_both(m, level, data, lines, lines > 0 ? (unsigned)lines : 0);
}

/* So many lines of one data take the place of another's. */
MS_INLINE void ms_moves_over(struct movements *m, unsigned level, uint32_t came, uint32_t left,
			     int lines)
{
	ms_move_both(m, level, came, came != left ? lines : 0, (unsigned)lines);
	if (came != left)
		ms_move(m, level, left, -lines);
}

MS_INLINE void ms_move_over(struct movements *m, unsigned level, uint32_t came, uint32_t left)
{
	ms_moves_over(m, level, came, left, 1);
}

/* --- the engine's --- */

enum { MS_SLICES = 64 };

struct stay {
	uint32_t slice;
	uint64_t sum;  /* lines times steps */
	uint64_t came; /* lines that came into the level */
};

/* One data in one level. */
struct resident {
	int64_t lines; /* there now, and since: */
	uint64_t since;
	uint64_t sum; /* until then: lines times steps */
	uint64_t peak;
	uint64_t batch; /* that moved it last */
	MS_VEC(struct stay) stays;
};

struct occupancy {
	unsigned levels;
	uint64_t now;   /* steps */
	uint64_t slice; /* steps of one */
	uint64_t batch;
	MS_VEC(struct resident *) of;      /* by data, then level; NULL: never there */
	MS_VEC(struct resident *) touched; /* in this batch */
	struct ms_arena arena;
};

void ms_occupancy_open(struct occupancy *occupancy, unsigned levels);
void ms_occupancy_close(struct occupancy *occupancy);
uint64_t ms_occupancy_bytes(const struct occupancy *occupancy);

/* A batch of so many steps: begin, then the moves of every shard, which are forgotten, then end. */
void ms_occupancy_begin(struct occupancy *occupancy, uint64_t steps);
void ms_occupancy_take(struct occupancy *occupancy, struct moves *moves);
void ms_occupancy_end(struct occupancy *occupancy, uint64_t steps);

void ms_occupancy_list(struct occupancy *occupancy, struct ms_totals *totals);

#endif
