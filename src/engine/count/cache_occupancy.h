/*
 * engine/count/cache_occupancy.h - how many lines each data has in each level, over time.
 *
 * Time goes in steps: one for a block that is executed and one for each reference, which are the
 * words of the stream. Shards note how lines come and go while they settle a batch; when all have
 * done so the notes are added up. So what is there is known at the ends of batches, and stands for
 * the whole batch; it does not depend on how many shards there are.
 *
 * The time line has at most MS_COUNT_TIMELINE_SLICES slices of equal length; when there would be
 * more, two become one. A slice holds lines times steps, so nothing is lost but where in it the
 * lines were there; and how many came into the level. Those of a batch came in the slice in which
 * it began.
 */
#ifndef MS_ENGINE_COUNT_CACHE_OCCUPANCY_H
#define MS_ENGINE_COUNT_CACHE_OCCUPANCY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

struct ms_engine_totals;

/* --- a shard's --- */

/* Lines of a data that came into a level in one batch, less those that left it. */
struct ms_count_line_change {
	uint32_t level;
	uint32_t data;
	int64_t lines;
	uint64_t came; /* without those that left */
};

struct ms_count_line_change_list {
	MS_VEC(struct ms_count_line_change) at;
};

/* Where the move of a level and data stands, if it is of this batch. */
struct ms_count_line_change_index {
	uint32_t batch;
	uint32_t at;
};

struct ms_count_line_changes {
	unsigned levels;
	uint32_t batch; /* the one that is being settled: a number that no other has */
	struct ms_count_line_change_list *now;      /* its moves */
	struct ms_count_line_change_list *by_batch; /* by batch in flight */
	struct ms_count_line_change_index *of;      /* by data, then level */
	size_t room;
};

void ms_count_open_line_changes(struct ms_count_line_changes *movements, unsigned levels,
				unsigned batch_count);
void ms_count_close_line_changes(struct ms_count_line_changes *movements, unsigned batch_count);
uint64_t ms_count_measure_line_changes(const struct ms_count_line_changes *movements,
				       unsigned batch_count);
/* From here on, moves are of the batch in this slot. */
void ms_count_begin_line_changes(struct ms_count_line_changes *movements, unsigned batch_index);
/* The first one of the batch. */
void ms_count_new_line_change(struct ms_count_line_changes *movements, unsigned level,
			      uint32_t data);

/* So many lines more, of which so many came: those that left are not told apart. */
MS_INLINE void ms_count_change_lines(struct ms_count_line_changes *m, unsigned level, uint32_t data,
				     int lines, unsigned came)
{
	size_t i = (size_t)data * m->levels + level;

	if (MS_UNLIKELY(i >= m->room || m->of[i].batch != m->batch))
		ms_count_new_line_change(m, level, data);
	struct ms_count_line_change *move = &m->now->at.at[m->of[i].at];
	move->lines += lines;
	move->came += came;
}

MS_INLINE void ms_count_add_lines(struct ms_count_line_changes *m, unsigned level, uint32_t data,
				  int lines)
{
	ms_count_change_lines(m, level, data, lines, lines > 0 ? (unsigned)lines : 0);
}

/* So many lines of one data take the place of another's. */
MS_INLINE void ms_count_replace_lines(struct ms_count_line_changes *m, unsigned level,
				      uint32_t came, uint32_t left, int lines)
{
	ms_count_change_lines(m, level, came, came != left ? lines : 0, (unsigned)lines);
	if (came != left)
		ms_count_add_lines(m, level, left, -lines);
}

MS_INLINE void ms_count_replace_line(struct ms_count_line_changes *m, unsigned level, uint32_t came,
				     uint32_t left)
{
	ms_count_replace_lines(m, level, came, left, 1);
}

/* --- the engine's --- */

enum { MS_COUNT_TIMELINE_SLICES = 64 };

struct ms_count_residence {
	uint32_t slice;
	uint64_t sum;  /* lines times steps */
	uint64_t came; /* lines that came into the level */
};

/* One data in one level. */
struct ms_count_resident {
	int64_t lines; /* there now, and since: */
	uint64_t since;
	uint64_t sum; /* until then: lines times steps */
	uint64_t peak;
	uint64_t batch; /* that moved it last */
	MS_VEC(struct ms_count_residence) stays;
};

struct ms_count_occupancy {
	unsigned levels;
	uint64_t now;   /* steps */
	uint64_t slice; /* steps of one */
	uint64_t batch;
	MS_VEC(struct ms_count_resident *) of;      /* by data, then level; NULL: never there */
	MS_VEC(struct ms_count_resident *) touched; /* in this batch */
	struct ms_arena arena;
};

void ms_count_open_occupancy(struct ms_count_occupancy *occupancy, unsigned levels);
void ms_count_close_occupancy(struct ms_count_occupancy *occupancy);
uint64_t ms_count_measure_occupancy(const struct ms_count_occupancy *occupancy);

/* A batch of so many steps: begin, then the moves of every shard, which are forgotten, then end. */
void ms_count_begin_occupancy(struct ms_count_occupancy *occupancy, uint64_t steps);
void ms_count_take_line_changes(struct ms_count_occupancy *occupancy,
				struct ms_count_line_change_list *moves);
void ms_count_end_occupancy(struct ms_count_occupancy *occupancy, uint64_t steps);

void ms_count_list_occupancy(struct ms_count_occupancy *occupancy, struct ms_engine_totals *totals);

#endif
