/* collect/events/heap.c - events of the heap; counts the memory of all data, also outside of it. */
#include <math.h>

#include "collect/events/events.h"

static struct ms_name_data_stats *stats_of(struct ms_collect_state *c, uint32_t data)
{
	if (data >= c->program.stats.n) {
		ms_vec_reserve(&c->program.stats, data + 1 - c->program.stats.n);
		c->program.stats.n = data + 1;
	}
	return &c->program.stats.at[data];
}

static void count_objects(struct ms_collect_worker *w, uint32_t data, uint64_t bytes,
			  double objects)
{
	struct ms_name_data_stats *s;

	if (w->number != 0)
		return;
	s = stats_of(w->collector, data);
	s->live -= (double)ms_engine_take_lost_bytes(w->shards[0], data);
	s->recorded++;
	s->objects += objects;
	s->bytes += objects * (double)bytes;
	s->live += objects * (double)bytes;
	if (s->live > s->peak)
		s->peak = s->live;
	if (bytes > s->largest)
		s->largest = bytes;
}

void ms_collect_count_object(struct ms_collect_worker *w, uint32_t data, uint64_t bytes)
{
	count_objects(w, data, bytes, 1);
}

/* A freed block represents as many objects as the average recorded block of its data. */
static void uncount_object(struct ms_collect_worker *w, const struct ms_engine_range *was)
{
	struct ms_name_data_stats *s = stats_of(w->collector, was->data);
	/* Most often one; and dividing takes long. */
	double objects = s->objects != (double)s->recorded ? s->objects / (double)s->recorded : 1;

	s->live -= objects * (double)(was->end - was->start);
	if (s->live < 0)
		s->live = 0;
}

static int bind_path(struct ms_collect_state *c, const struct ms_collect_event *e,
		     struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	return ms_bins_path(c->binding.binder, e->arg, e->words, e->n, err);
}

/* Splits the data of a block as the user has asked. */
static void split(struct ms_collect_state *c, uint64_t size, struct ms_collect_bound_event *b)
{
	struct ms_name_split_block block = ms_name_split_alloc(&c->splits, c->binding.binder,
							       b->data, size, c->binding.thread);

	b->data = block.data;
	b->is_watched = block.is_watched;
	if (block.members == NULL)
		return;
	b->places = block.members;
	b->place_count = block.member_count;
	b->stride = block.stride;
}

static int bind_alloc(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	b->stride = 0;
	b->is_watched = false;
	c->windows.heap_blocks++;
	MS_TRY(ms_bins_heap(c->binding.binder, e->arg, &b->data, err));
	if (c->splits.choose != NULL)
		split(c, e->words[1], b);
	return MS_OK;
}

/* Members of the structures in a block lie in it as objects of their own. */
static void place_members(struct ms_collect_worker *w, const struct ms_collect_event *e,
			  const struct ms_collect_bound_event *b)
{
	for (uint64_t at = 0; b->stride > 0 && at + b->stride <= e->words[1]; at += b->stride)
		for (size_t i = 0; i < b->place_count; i++) {
			const struct ms_engine_range *p = &b->places[i];

			EACH_SHARD(w, shard)
				ms_engine_add_nested_object(shard, e->words[0] + at + p->start,
							    p->end - p->start, p->data);
			ms_collect_count_object(w, p->data, p->end - p->start);
		}
}

/* Splitting gives members data of their own. */
static void watch_block(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard) {
		ms_engine_watch_lines(shard, e->words[0], e->words[1], b->data);
		for (size_t i = 0; b->stride > 0 && i < b->place_count; i++)
			ms_engine_watch_lines(shard, e->words[0], e->words[1], b->places[i].data);
	}
}

/* How many blocks one represents that was chosen by its size: see
 * frontends/native/heap/alloc_sampling.c. */
static double objects_of(const struct ms_collect_event *e)
{
	double mean = e->n > 2 ? (double)e->words[2] : 0;

	return mean <= 0 ? 1 : 1 / -expm1(-((double)e->words[1] + 1) / mean);
}

static void apply_alloc(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_engine_add_object(shard, e->words[0], e->words[1], b->data);
	count_objects(w, b->data, e->words[1], objects_of(e));
	if (e->n > 2 && w->number == 0 && w->collector->hardware != NULL)
		w->collector->hardware->thinned = true;
	place_members(w, e, b);
	if (b->is_watched)
		watch_block(w, e, b);
}

static void apply_free(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	struct ms_engine_range was;
	bool found = false;

	(void)b;
	EACH_SHARD(w, shard)
		found = ms_engine_free_object(shard, e->words[0], &was);
	if (found && w->number == 0)
		uncount_object(w, &was);
}

void ms_collect_free_short_lived(struct ms_collect_worker *w, const uint64_t *block, uint32_t data)
{
	uint64_t size = block[1] > 0 ? block[1] : 1;
	bool found = false;

	EACH_SHARD(w, shard)
		found = ms_engine_add_short_lived(shard, block[0], size);
	if (found && w->number == 0)
		uncount_object(w, &(struct ms_engine_range){ block[0], block[0] + size, data });
}

static void apply_inner_alloc(struct ms_collect_worker *w, const struct ms_collect_event *e,
			      const struct ms_collect_bound_event *b)
{
	EACH_SHARD(w, shard)
		ms_engine_add_nested_object(shard, e->words[0], e->words[1], b->data);
	ms_collect_count_object(w, b->data, e->words[1]);
	if (b->is_watched)
		watch_block(w, e, b);
}

static void apply_inner_free(struct ms_collect_worker *w, const struct ms_collect_event *e,
			     const struct ms_collect_bound_event *b)
{
	struct ms_engine_range was;
	bool found = false;

	(void)b;
	EACH_SHARD(w, shard)
		found = ms_engine_free_nested_object(shard, e->words[0], &was);
	if (found && w->number == 0)
		uncount_object(w, &was);
}

bool *ms_collect_is_allocating(struct ms_collect_worker *w, uint32_t thread)
{
	if (thread >= w->allocating.n) {
		ms_vec_reserve(&w->allocating, thread + 1 - w->allocating.n);
		w->allocating.n = thread + 1;
	}
	return &w->allocating.at[thread];
}

/* Freed memory belongs to the allocator while the allocator runs; else it belongs to no data. */
void ms_collect_set_freed(struct ms_collect_worker *w)
{
	EACH_SHARD(w, shard)
		ms_engine_set_freed_data(shard, *ms_collect_is_allocating(w, w->running)
							? MS_BOUND_ALLOCATOR
							: MS_BOUND_FREED);
}

static void apply_heap_call(struct ms_collect_worker *w, const struct ms_collect_event *e,
			    const struct ms_collect_bound_event *b)
{
	(void)b;
	*ms_collect_is_allocating(w, w->running) = e->arg != 0;
	EACH_SHARD(w, shard)
		ms_engine_forget_threads(shard);
	ms_collect_set_freed(w);
}

const struct ms_collect_handler ms_collect_event_path = { "path", 0, bind_path, NULL };
const struct ms_collect_handler ms_collect_event_alloc = { "allocation", 2, bind_alloc,
							   apply_alloc };
const struct ms_collect_handler ms_collect_event_free = { "free", 1, NULL, apply_free };
const struct ms_collect_handler ms_collect_event_heap_call = { "call of the allocator", 0, NULL,
							       apply_heap_call };
const struct ms_collect_handler ms_collect_event_inner_alloc = { "private allocation", 2,
								 bind_alloc, apply_inner_alloc };
const struct ms_collect_handler ms_collect_event_inner_free = { "private free", 1, NULL,
								apply_inner_free };
