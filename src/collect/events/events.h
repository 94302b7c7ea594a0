/*
 * collect/events/events.h - handlers for the events of the stream. For collect/ only.
 *
 * Every worker processes every event, in the same order. The first worker that reaches an event
 * applies it to the binder, under the lock, and stores the result. Then each worker applies the
 * result to its own shard.
 */
#ifndef MS_COLLECT_EVENTS_EVENTS_H
#define MS_COLLECT_EVENTS_EVENTS_H

#include "collect/collect_priv.h"

struct ms_collect_event {
	uint32_t arg;
	const uint64_t *words; /* after the head */
	size_t n;
};

/* bind: called once for all workers. apply: called by each worker. Each may be NULL. */
struct ms_collect_handler {
	const char *name;
	size_t words; /* the least number after the head */
	int (*bind)(struct ms_collect_state *c, const struct ms_collect_event *e,
		    struct ms_collect_bound_event *b, struct ms_err *err);
	void (*apply)(struct ms_collect_worker *w, const struct ms_collect_event *e,
		      const struct ms_collect_bound_event *b);
};

#define EACH_SHARD(w, shard)                                                                  \
	for (size_t shard##_i = 0; shard##_i < (w)->collector->sim.engine_count; shard##_i++) \
		for (struct ms_engine_shard *shard = (w)->shards[shard##_i]; shard != NULL;   \
		     shard = NULL)

/* NULL for engines with one processor; the functions of thread_assignment.c accept NULL. */
#define EACH_ASSIGNMENT(w, p)                                                                  \
	for (size_t p##_i = 0; p##_i < (w)->collector->sim.engine_count; p##_i++)              \
		for (struct ms_collect_assignment *p = (w)->assignments[p##_i], *p##_once = p; \
		     p##_once != NULL; p##_once = NULL)

/* code.c */
extern const struct ms_collect_handler ms_collect_event_block, ms_collect_event_module,
	ms_collect_event_module_gone;
/* block_calls.c: fills in the block's entry and its calls. */
void ms_collect_bind_calls(struct ms_collect_state *c, const struct ms_collect_event *e,
			   struct ms_engine_block *block);
/* Stores the ranges of static memory in the bound event, for the shards. */
void ms_collect_bind_ranges(struct ms_collect_state *c, const struct ms_bins_bound_ranges *ranges,
			    struct ms_collect_bound_event *b);
/* Observes the lines of those that are watched. */
void ms_collect_watch_ranges(struct ms_collect_worker *w, const struct ms_collect_bound_event *b);

/* heap.c */
extern const struct ms_collect_handler ms_collect_event_path, ms_collect_event_alloc,
	ms_collect_event_free, ms_collect_event_heap_call, ms_collect_event_inner_alloc,
	ms_collect_event_inner_free;
/* Counts one more object of this data; only the first worker does. */
void ms_collect_count_object(struct ms_collect_worker *w, uint32_t data, uint64_t bytes);
/* Frees a block (its address and size) that was counted but not entered in the address map: see
 * short_lived.h. */
void ms_collect_free_short_lived(struct ms_collect_worker *w, const uint64_t *block, uint32_t data);
/* Whether the thread is inside malloc or a relative. */
bool *ms_collect_is_allocating(struct ms_collect_worker *w, uint32_t thread);
/* To be called when another thread runs, or the thread has entered or left the allocator. */
void ms_collect_set_freed(struct ms_collect_worker *w);

/* maps.c */
extern const struct ms_collect_handler ms_collect_event_map, ms_collect_event_unmap;

/* requests.c */
extern const struct ms_collect_handler ms_collect_event_name, ms_collect_event_unname,
	ms_collect_event_phase, ms_collect_event_counting;

/* untraced.c */
extern const struct ms_collect_handler ms_collect_event_untraced;

/* windows.c */
extern const struct ms_collect_handler ms_collect_event_spin_loop;
extern const struct ms_collect_handler ms_collect_event_calls;
extern const struct ms_collect_handler ms_collect_event_open, ms_collect_event_close,
	ms_collect_event_stratum, ms_collect_event_outside;

/* samples.c */
extern const struct ms_collect_handler ms_collect_event_time, ms_collect_event_sample;

/* threads.c */
extern const struct ms_collect_handler ms_collect_event_thread, ms_collect_event_thread_end,
	ms_collect_event_switch, ms_collect_event_tls, ms_collect_event_clock,
	ms_collect_event_thread_at, ms_collect_event_wait, ms_collect_event_wake,
	ms_collect_event_spin, ms_collect_event_affinity, ms_collect_event_policy;

#endif
