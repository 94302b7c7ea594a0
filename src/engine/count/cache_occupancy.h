/*
 * engine/count/cache_occupancy.h - how many lines of each data structure are in each level, over
 * time.
 *
 * Time is counted in steps: one for each executed block and one for each reference, which are the
 * words of the stream. Shards record how the numbers of lines change while they simulate a batch.
 * When all shards have simulated it, the changes are summed. So the occupancy is known at the end
 * of each batch and counts for the whole batch. It does not depend on the number of shards.
 *
 * The timeline has at most MS_COUNT_TIMELINE_SLICES slices of equal length; when there would be
 * more, two become one. A slice has the product of lines and steps, so only the position of the
 * lines within the slice is lost. It also has the number of lines that entered the level; those of
 * a batch count for the slice in which the batch begins.
 */
#ifndef MS_ENGINE_COUNT_CACHE_OCCUPANCY_H
#define MS_ENGINE_COUNT_CACHE_OCCUPANCY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/vec.h"

struct ms_engine_totals;

/* --- of a shard --- */

/* Lines of a data structure that entered a level in one batch, minus those that left it. */
struct ms_count_line_change {
	uint32_t level;
	uint32_t data;
	int64_t lines;
	uint64_t came; /* lines that entered, without subtracting those that left */
};

struct ms_count_line_change_list {
	MS_VEC(struct ms_count_line_change) at;
};

/* Position of the change of a level and data, if it is of this batch. */
struct ms_count_line_change_index {
	uint32_t batch;
	uint32_t at;
};

struct ms_count_line_changes {
	unsigned levels;
	uint32_t batch; /* number of the batch that is being simulated; unique */
	struct ms_count_line_change_list *now;      /* its changes */
	struct ms_count_line_change_list *by_batch; /* by batch in flight */
	struct ms_count_line_change_index *of;      /* by data, then level */
	size_t room;
};

void ms_count_open_line_changes(struct ms_count_line_changes *movements, unsigned levels,
				unsigned batch_count);
void ms_count_close_line_changes(struct ms_count_line_changes *movements, unsigned batch_count);
uint64_t ms_count_measure_line_changes(const struct ms_count_line_changes *movements,
				       unsigned batch_count);
/* From here on, changes belong to this batch. */
void ms_count_begin_line_changes(struct ms_count_line_changes *movements, unsigned batch_index);
/* Adds the first change of this level and data in the batch. */
void ms_count_new_line_change(struct ms_count_line_changes *movements, unsigned level,
			      uint32_t data);

/* lines: the net change; came: how many lines entered the level. */
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

/* Lines of one data structure replace lines of another one. */
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

/* --- of the engine --- */

enum { MS_COUNT_TIMELINE_SLICES = 64 };

struct ms_count_residence {
	uint32_t slice;
	uint64_t sum;  /* lines times steps */
	uint64_t came; /* lines that entered the level */
};

/* One data structure in one level. */
struct ms_count_resident {
	int64_t lines; /* present now, and since: */
	uint64_t since;
	uint64_t sum; /* until `since`: lines times steps */
	uint64_t peak;
	uint64_t batch; /* the last batch that changed it */
	MS_VEC(struct ms_count_residence) stays;
};

struct ms_count_occupancy {
	unsigned levels;
	uint64_t now;   /* steps */
	uint64_t slice; /* steps per slice */
	uint64_t batch;
	MS_VEC(struct ms_count_resident *) of;      /* by data, then level; NULL: never present */
	MS_VEC(struct ms_count_resident *) touched; /* changed in this batch */
	struct ms_arena arena;
};

void ms_count_open_occupancy(struct ms_count_occupancy *occupancy, unsigned levels);
void ms_count_close_occupancy(struct ms_count_occupancy *occupancy);
uint64_t ms_count_measure_occupancy(const struct ms_count_occupancy *occupancy);

/* For each batch: begin, then the changes of every shard, which are consumed, then end. */
void ms_count_begin_occupancy(struct ms_count_occupancy *occupancy, uint64_t steps);
void ms_count_take_line_changes(struct ms_count_occupancy *occupancy,
				struct ms_count_line_change_list *moves);
void ms_count_end_occupancy(struct ms_count_occupancy *occupancy, uint64_t steps);

void ms_count_list_occupancy(struct ms_count_occupancy *occupancy, struct ms_engine_totals *totals);

#endif
