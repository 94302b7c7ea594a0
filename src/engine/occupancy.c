#include "engine/occupancy.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "engine/engine.h"

enum { FIRST_SLICE = 16, SMALLEST_ROOM = 64 };

/* --- a shard's --- */

void ms_movements_open(struct movements *m, unsigned levels, unsigned slots)
{
	*m = (struct movements){ .levels = levels, .slots = ms_alloc(slots * sizeof(*m->slots)) };
}

void ms_movements_close(struct movements *m, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		ms_vec_free(&m->slots[i].at);
	ms_free(m->slots);
	ms_free(m->of);
}

uint64_t ms_movements_bytes(const struct movements *m, unsigned slots)
{
	uint64_t bytes = slots * sizeof(*m->slots) + m->room * sizeof(*m->of);

	for (unsigned i = 0; i < slots; i++)
		bytes += m->slots[i].at.cap * sizeof(struct move);
	return bytes;
}

void ms_movements_begin(struct movements *m, unsigned slot)
{
	m->now = &m->slots[slot];
	if (++m->batch != 0)
		return;
	if (m->room > 0) /* the numbers begin again */
		memset(m->of, 0, m->room * sizeof(*m->of));
	m->batch = 1;
}

static void make_room(struct movements *m, size_t needed)
{
	size_t room = m->room * 2 > SMALLEST_ROOM ? m->room * 2 : SMALLEST_ROOM;

	if (room < needed)
		room = needed;
	m->of = ms_realloc(m->of, room * sizeof(*m->of));
	memset(m->of + m->room, 0, (room - m->room) * sizeof(*m->of));
	m->room = room;
}

MS_NOINLINE void ms_movements_add(struct movements *m, unsigned level, uint32_t data)
{
	size_t i = (size_t)data * m->levels + level;

	if (i >= m->room)
		make_room(m, i + 1);
	m->of[i] = (struct moved){ m->batch, (uint32_t)m->now->at.n };
	*ms_vec_add(&m->now->at) = (struct move){ level, data, 0, 0 };
}

/* --- the engine's --- */

void ms_occupancy_open(struct occupancy *o, unsigned levels)
{
	*o = (struct occupancy){ .levels = levels, .slice = FIRST_SLICE };
}

void ms_occupancy_close(struct occupancy *o)
{
	for (size_t i = 0; i < o->of.n; i++)
		if (o->of.at[i] != NULL)
			ms_vec_free(&o->of.at[i]->stays);
	ms_vec_free(&o->of);
	ms_vec_free(&o->touched);
	ms_arena_free(&o->arena);
}

uint64_t ms_occupancy_bytes(const struct occupancy *o)
{
	uint64_t bytes = o->arena.taken + o->of.cap * sizeof(*o->of.at) +
			 o->touched.cap * sizeof(*o->touched.at);

	for (size_t i = 0; i < o->of.n; i++)
		if (o->of.at[i] != NULL)
			bytes += o->of.at[i]->stays.cap * sizeof(struct stay);
	return bytes;
}

static struct resident *resident_of(struct occupancy *o, const struct move *move)
{
	size_t i = (size_t)move->data * o->levels + move->level;

	while (o->of.n <= i)
		ms_vec_add(&o->of);
	if (o->of.at[i] == NULL)
		o->of.at[i] = ms_arena_take(&o->arena, sizeof(struct resident));
	return o->of.at[i];
}

static void add_stay(struct resident *r, struct stay stay)
{
	size_t n = r->stays.n;

	if (n > 0 && r->stays.at[n - 1].slice == stay.slice) {
		r->stays.at[n - 1].sum += stay.sum;
		r->stays.at[n - 1].came += stay.came;
	} else {
		*ms_vec_add(&r->stays) = stay;
	}
}

/* The lines that are there have been there until now. */
static void stay_until(const struct occupancy *o, struct resident *r, uint64_t until)
{
	uint64_t lines = (uint64_t)r->lines;

	while (lines > 0 && r->since < until) {
		uint64_t slice = r->since / o->slice, end = (slice + 1) * o->slice;
		uint64_t to = end < until ? end : until;

		add_stay(r, (struct stay){ (uint32_t)slice, lines * (to - r->since), 0 });
		r->sum += lines * (to - r->since);
		r->since = to;
	}
	r->since = until;
}

/* Two slices become one. */
static void widen(struct occupancy *o)
{
	o->slice *= 2;
	for (size_t i = 0; i < o->of.n; i++) {
		struct resident *r = o->of.at[i];
		size_t n = r != NULL ? r->stays.n : 0;

		if (n == 0)
			continue;
		r->stays.n = 0;
		for (size_t k = 0; k < n; k++) {
			struct stay stay = r->stays.at[k];

			add_stay(r, (struct stay){ stay.slice / 2, stay.sum, stay.came });
		}
	}
}

void ms_occupancy_begin(struct occupancy *o, uint64_t steps)
{
	while (o->now + steps > o->slice * MS_SLICES)
		widen(o);
	o->batch++;
	o->touched.n = 0;
}

void ms_occupancy_take(struct occupancy *o, struct moves *moves)
{
	for (size_t i = 0; i < moves->at.n; i++) {
		struct resident *r = resident_of(o, &moves->at.at[i]);

		if (r->batch != o->batch) {
			stay_until(o, r, o->now);
			r->batch = o->batch;
			*ms_vec_add(&o->touched) = r;
		}
		r->lines += moves->at.at[i].lines;
		if (moves->at.at[i].came > 0)
			add_stay(r, (struct stay){ (uint32_t)(o->now / o->slice), 0,
						   moves->at.at[i].came });
	}
	moves->at.n = 0;
}

void ms_occupancy_end(struct occupancy *o, uint64_t steps)
{
	for (size_t i = 0; i < o->touched.n; i++) {
		struct resident *r = o->touched.at[i];

		assert(r->lines >= 0);
		if ((uint64_t)r->lines > r->peak)
			r->peak = (uint64_t)r->lines;
	}
	o->now += steps;
}

/* What came and went within one batch was never seen. */
static void list_one(struct occupancy *o, uint32_t level, uint32_t data, struct ms_totals *totals)
{
	struct resident *r = o->of.at[(size_t)data * o->levels + level];

	if (r == NULL || r->peak == 0)
		return;
	stay_until(o, r, o->now);
	*ms_vec_add(&totals->occupancy) = (struct ms_total_occupancy){
		level, data, (uint64_t)r->lines, r->peak, r->sum,
	};
	for (size_t i = 0; i < r->stays.n; i++)
		*ms_vec_add(&totals->stays) =
			(struct ms_total_stay){ level, data, r->stays.at[i].slice,
						r->stays.at[i].sum, r->stays.at[i].came };
}

void ms_occupancy_list(struct occupancy *o, struct ms_totals *totals)
{
	totals->steps = o->now;
	totals->slice = o->slice;
	for (uint32_t level = 0; level < o->levels; level++)
		for (uint32_t data = 0; data < o->of.n / o->levels + 1; data++)
			if ((size_t)data * o->levels + level < o->of.n)
				list_one(o, level, data, totals);
}
