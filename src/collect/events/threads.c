/* collect/events/threads.c - events of threads, and of the processors and memory that they want. */
#include <string.h>

#include "collect/events/events.h"

static int bind_switch(struct ms_collect_state *c, const struct ms_collect_event *e,
		       struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	(void)err;
	c->windows.has_threads |= e->arg > 1;
	return MS_OK;
}

static void apply_switch(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	(void)b;
	w->running = e->arg;
	EACH_SHARD(w, shard)
		ms_engine_follow_thread(shard, e->arg);
	ms_collect_set_freed(w);
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_switch(p, e->arg);
	/* All engines take the same words. */
	if (w->collector->sim.engine_count == 1 && w->assignments[0] != NULL)
		ms_engine_register_thread(w->shards[0], e->arg);
}

void ms_collect_follow_switches(struct ms_collect_worker *w)
{
	uint32_t thread;
	uint64_t times = ms_engine_take_thread_switches(w->shards[0], &thread);

	if (times == 0)
		return;
	w->events += times;
	w->running = thread;
	ms_collect_assign_switched(w->assignments[0], thread);
}

static void apply_thread(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_engine_map_region(shard, e->words[0], e->words[1], MS_BOUND_STACK, true);
	ms_collect_count_object(w, MS_BOUND_STACK, e->words[1] - e->words[0]);
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_thread(p, e->arg, e->n > 2 ? e->words[2] : MS_WIRE_NO_THREAD);
}

static int bind_thread_end(struct ms_collect_state *c, const struct ms_collect_event *e,
			   struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	(void)err;
	if (c->setup.sampling != NULL)
		ms_estimate_end_thread(&c->windows.concurrency, e->arg);
	return MS_OK;
}

static int bind_clock(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	(void)b;
	(void)err;
	if (c->setup.sampling != NULL)
		ms_estimate_add_clock(&c->windows.concurrency, e->arg, e->words[0]);
	return MS_OK;
}

static void apply_thread_end(struct ms_collect_worker *w, const struct ms_collect_event *e,
			     const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_thread_end(p, e->arg, e->n > 0 && e->words[0] == MS_WIRE_END_TAKEN);
}

static void apply_clock(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_clock(p, e->arg, e->words[0]);
}

static void apply_thread_at(struct ms_collect_worker *w, const struct ms_collect_event *e,
			    const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_path(p, e->arg, e->words[0]);
}

static void apply_wait(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_wait(p, e->arg, e->words[0], e->words[1]);
}

static void apply_wake(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_wake(p, e->arg, e->words[0]);
}

static void apply_spin(struct ms_collect_worker *w, const struct ms_collect_event *e,
		       const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_spin(p, e->arg, e->words[0], e->words[1]);
}

static void apply_affinity(struct ms_collect_worker *w, const struct ms_collect_event *e,
			   const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_affinity(p, e->arg, e->words, e->n);
}

static void apply_policy(struct ms_collect_worker *w, const struct ms_collect_event *e,
			 const struct ms_collect_bound_event *b)
{
	struct ms_wire_policy policy;

	(void)b;
	memcpy(&policy, e->words, sizeof(policy));
	EACH_ASSIGNMENT(w, p)
	ms_collect_assign_policy(p, &policy);
}

static int bind_tls(struct ms_collect_state *c, const struct ms_collect_event *e,
		    struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_bins_bound_ranges ranges = { NULL, 0 };

	(void)err;
	if (e->words[0] != 0)
		ms_bins_tls(c->binding.binder, e->words[0], &ranges);
	ms_collect_bind_ranges(c, &ranges, b);
	return MS_OK;
}

static void apply_tls(struct ms_collect_worker *w, const struct ms_collect_event *e,
		      const struct ms_collect_bound_event *b)
{
	(void)e;
	for (size_t i = 0; i < b->place_count; i++) {
		const struct ms_engine_range *p = &b->places[i];

		EACH_SHARD(w, shard)
			ms_engine_map_region(shard, p->start, p->end, p->data, true);
		ms_collect_count_object(w, p->data, p->end - p->start);
	}
	ms_collect_watch_ranges(w, b);
}

const struct ms_collect_handler ms_collect_event_thread = { "thread", 2, NULL, apply_thread };
const struct ms_collect_handler ms_collect_event_thread_end = { "thread's end", 0, bind_thread_end,
								apply_thread_end };
const struct ms_collect_handler ms_collect_event_switch = { "switch", 0, bind_switch,
							    apply_switch };
const struct ms_collect_handler ms_collect_event_tls = { "thread pointer", 1, bind_tls, apply_tls };
const struct ms_collect_handler ms_collect_event_clock = { "clock", 1, bind_clock, apply_clock };
const struct ms_collect_handler ms_collect_event_thread_at = { "place of a thread", 1, NULL,
							       apply_thread_at };
const struct ms_collect_handler ms_collect_event_wait = { "wait", 2, NULL, apply_wait };
const struct ms_collect_handler ms_collect_event_wake = { "wake-up", 1, NULL, apply_wake };
const struct ms_collect_handler ms_collect_event_spin = { "spin", 2, NULL, apply_spin };
const struct ms_collect_handler ms_collect_event_affinity = { "affinity", 1, NULL, apply_affinity };
const struct ms_collect_handler ms_collect_event_policy = { "memory policy",
							    sizeof(struct ms_wire_policy) / 8, NULL,
							    apply_policy };
