#include "engine/count/cache_occupancy.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "engine/engine.h"

enum { FIRST_SLICE = 16, SMALLEST_ROOM = 64 };

/* --- of a shard --- */

void ms_count_open_line_changes(struct ms_count_line_changes *m, unsigned levels,
				unsigned batch_count)
{
	*m = (struct ms_count_line_changes){ .levels = levels,
					     .by_batch =
						     ms_alloc(batch_count * sizeof(*m->by_batch)) };
}

void ms_count_close_line_changes(struct ms_count_line_changes *m, unsigned batch_count)
{
	for (unsigned i = 0; i < batch_count; i++)
		ms_vec_free(&m->by_batch[i].at);
	ms_free(m->by_batch);
	ms_free(m->of);
}

uint64_t ms_count_measure_line_changes(const struct ms_count_line_changes *m, unsigned batch_count)
{
	uint64_t bytes = batch_count * sizeof(*m->by_batch) + m->room * sizeof(*m->of);

	for (unsigned i = 0; i < batch_count; i++)
		bytes += m->by_batch[i].at.cap * sizeof(struct ms_count_line_change);
	return bytes;
}

void ms_count_begin_line_changes(struct ms_count_line_changes *m, unsigned batch_index)
{
	m->now = &m->by_batch[batch_index];
	if (++m->batch != 0)
		return;
	if (m->room > 0) /* the numbers have wrapped around */
		memset(m->of, 0, m->room * sizeof(*m->of));
	m->batch = 1;
}

static void make_room(struct ms_count_line_changes *m, size_t needed)
{
	size_t room = m->room * 2 > SMALLEST_ROOM ? m->room * 2 : SMALLEST_ROOM;

	if (room < needed)
		room = needed;
	m->of = ms_realloc(m->of, room * sizeof(*m->of));
	memset(m->of + m->room, 0, (room - m->room) * sizeof(*m->of));
	m->room = room;
}

MS_NOINLINE void ms_count_new_line_change(struct ms_count_line_changes *m, unsigned level,
					  uint32_t data)
{
	size_t i = (size_t)data * m->levels + level;

	if (i >= m->room)
		make_room(m, i + 1);
	m->of[i] = (struct ms_count_line_change_index){ m->batch, (uint32_t)m->now->at.n };
	*ms_vec_add(&m->now->at) = (struct ms_count_line_change){ level, data, 0, 0 };
}

/* --- of the engine --- */

void ms_count_open_occupancy(struct ms_count_occupancy *o, unsigned levels)
{
	*o = (struct ms_count_occupancy){ .levels = levels, .slice = FIRST_SLICE };
}

void ms_count_close_occupancy(struct ms_count_occupancy *o)
{
	for (size_t i = 0; i < o->of.n; i++)
		if (o->of.at[i] != NULL)
			ms_vec_free(&o->of.at[i]->stays);
	ms_vec_free(&o->of);
	ms_vec_free(&o->touched);
	ms_arena_free(&o->arena);
}

uint64_t ms_count_measure_occupancy(const struct ms_count_occupancy *o)
{
	uint64_t bytes = o->arena.taken + o->of.cap * sizeof(*o->of.at) +
			 o->touched.cap * sizeof(*o->touched.at);

	for (size_t i = 0; i < o->of.n; i++)
		if (o->of.at[i] != NULL)
			bytes += o->of.at[i]->stays.cap * sizeof(struct ms_count_residence);
	return bytes;
}

static struct ms_count_resident *resident_of(struct ms_count_occupancy *o,
					     const struct ms_count_line_change *move)
{
	size_t i = (size_t)move->data * o->levels + move->level;

	while (o->of.n <= i)
		ms_vec_add(&o->of);
	if (o->of.at[i] == NULL)
		o->of.at[i] = ms_arena_take(&o->arena, sizeof(struct ms_count_resident));
	return o->of.at[i];
}

static void add_residence(struct ms_count_resident *r, struct ms_count_residence stay)
{
	size_t n = r->stays.n;

	if (n > 0 && r->stays.at[n - 1].slice == stay.slice) {
		r->stays.at[n - 1].sum += stay.sum;
		r->stays.at[n - 1].came += stay.came;
	} else {
		*ms_vec_add(&r->stays) = stay;
	}
}

/* Adds the time since the last change, in which the number of lines was constant. */
static void extend_until(const struct ms_count_occupancy *o, struct ms_count_resident *r,
			 uint64_t until)
{
	uint64_t lines = (uint64_t)r->lines;

	while (lines > 0 && r->since < until) {
		uint64_t slice = r->since / o->slice, end = (slice + 1) * o->slice;
		uint64_t to = end < until ? end : until;

		add_residence(r, (struct ms_count_residence){ (uint32_t)slice,
							      lines * (to - r->since), 0 });
		r->sum += lines * (to - r->since);
		r->since = to;
	}
	r->since = until;
}

/* Merges pairs of slices. */
static void double_slices(struct ms_count_occupancy *o)
{
	o->slice *= 2;
	for (size_t i = 0; i < o->of.n; i++) {
		struct ms_count_resident *r = o->of.at[i];
		size_t n = r != NULL ? r->stays.n : 0;

		if (n == 0)
			continue;
		r->stays.n = 0;
		for (size_t k = 0; k < n; k++) {
			struct ms_count_residence stay = r->stays.at[k];

			add_residence(r, (struct ms_count_residence){ stay.slice / 2, stay.sum,
								      stay.came });
		}
	}
}

void ms_count_begin_occupancy(struct ms_count_occupancy *o, uint64_t steps)
{
	while (o->now + steps > o->slice * MS_COUNT_TIMELINE_SLICES)
		double_slices(o);
	o->batch++;
	o->touched.n = 0;
}

void ms_count_take_line_changes(struct ms_count_occupancy *o,
				struct ms_count_line_change_list *moves)
{
	for (size_t i = 0; i < moves->at.n; i++) {
		struct ms_count_resident *r = resident_of(o, &moves->at.at[i]);

		if (r->batch != o->batch) {
			extend_until(o, r, o->now);
			r->batch = o->batch;
			*ms_vec_add(&o->touched) = r;
		}
		r->lines += moves->at.at[i].lines;
		if (moves->at.at[i].came > 0)
			add_residence(r, (struct ms_count_residence){ (uint32_t)(o->now / o->slice),
								      0, moves->at.at[i].came });
	}
	moves->at.n = 0;
}

void ms_count_end_occupancy(struct ms_count_occupancy *o, uint64_t steps)
{
	for (size_t i = 0; i < o->touched.n; i++) {
		struct ms_count_resident *r = o->touched.at[i];

		assert(r->lines >= 0);
		if ((uint64_t)r->lines > r->peak)
			r->peak = (uint64_t)r->lines;
	}
	o->now += steps;
}

/* Lines that entered and left within one batch are not observed: their data has a peak of 0. */
static void list_one(struct ms_count_occupancy *o, uint32_t level, uint32_t data,
		     struct ms_engine_totals *totals)
{
	struct ms_count_resident *r = o->of.at[(size_t)data * o->levels + level];

	if (r == NULL || r->peak == 0)
		return;
	extend_until(o, r, o->now);
	*ms_vec_add(&totals->occupancy) = (struct ms_engine_total_occupancy){
		level, data, (uint64_t)r->lines, r->peak, r->sum,
	};
	for (size_t i = 0; i < r->stays.n; i++)
		*ms_vec_add(&totals->stays) = (struct ms_engine_total_residence){
			level, data, r->stays.at[i].slice, r->stays.at[i].sum, r->stays.at[i].came
		};
}

void ms_count_list_occupancy(struct ms_count_occupancy *o, struct ms_engine_totals *totals)
{
	totals->steps = o->now;
	totals->slice = o->slice;
	for (uint32_t level = 0; level < o->levels; level++)
		for (uint32_t data = 0; data < o->of.n / o->levels + 1; data++)
			if ((size_t)data * o->levels + level < o->of.n)
				list_one(o, level, data, totals);
}
