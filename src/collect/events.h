/*
 * collect/events.h - handlers for the events of the stream. For collect/ only.
 *
 * Every worker processes every event, in the same order. The first worker that reaches an event
 * applies it to the binder, under the lock, and stores the result. Then each worker applies the
 * result to its own shard.
 */
#ifndef MS_COLLECT_EVENTS_H
#define MS_COLLECT_EVENTS_H

#include "collect/collect_priv.h"

struct event {
	uint32_t arg;
	const uint64_t *words; /* after the head */
	size_t n;
};

/* bind: called once for all workers. apply: called by each worker. Each may be NULL. */
struct ms_handler {
	const char *name;
	size_t words; /* the least number after the head */
	int (*bind)(struct collector *c, const struct event *e, struct bound_event *b,
		    struct ms_err *err);
	void (*apply)(struct worker *w, const struct event *e, const struct bound_event *b);
};

#define EACH_SHARD(w, shard)                                                                  \
	for (size_t shard##_i = 0; shard##_i < (w)->collector->sim.engine_count; shard##_i++) \
		for (struct ms_engine_shard *shard = (w)->shards[shard##_i]; shard != NULL;   \
		     shard = NULL)

/* NULL for engines with one processor; the functions of assign.c accept NULL. */
#define EACH_ASSIGNMENT(w, p)                                                       \
	for (size_t p##_i = 0; p##_i < (w)->collector->sim.engine_count; p##_i++)   \
		for (struct assignment *p = (w)->assignments[p##_i], *p##_once = p; \
		     p##_once != NULL; p##_once = NULL)

/* events_code.c */
extern const struct ms_handler ms_event_block, ms_event_module, ms_event_module_gone;
/* Stores the ranges of static memory in the bound event, for the shards. */
void ms_event_ranges(struct collector *c, const struct ms_bins_bound_ranges *ranges,
		     struct bound_event *b);

/* events_heap.c */
extern const struct ms_handler ms_event_path, ms_event_alloc, ms_event_free, ms_event_heap_call,
	ms_event_inner_alloc, ms_event_inner_free;
/* Counts one more object of this data; only the first worker does. */
void ms_event_count(struct worker *w, uint32_t data, uint64_t bytes);
/* Frees a block (its address and size) that was counted but not entered in the address map: see
 * passing.h. */
void ms_event_passes(struct worker *w, const uint64_t *block, uint32_t data);
/* Whether the thread is inside malloc or a relative. */
bool *ms_event_allocating(struct worker *w, uint32_t thread);
/* To be called when another thread runs, or the thread has entered or left the allocator. */
void ms_event_set_freed(struct worker *w);

/* events_maps.c */
extern const struct ms_handler ms_event_map, ms_event_unmap;

/* events_told.c */
extern const struct ms_handler ms_event_name, ms_event_unname, ms_event_phase, ms_event_counting;

/* events_untraced.c */
extern const struct ms_handler ms_event_untraced;

/* events_windows.c */
extern const struct ms_handler ms_event_wait_loop;
extern const struct ms_handler ms_event_open, ms_event_close, ms_event_stratum, ms_event_left_out;

/* events_real.c */
extern const struct ms_handler ms_event_time, ms_event_sample;

/* events_threads.c */
extern const struct ms_handler ms_event_thread, ms_event_thread_end, ms_event_switch, ms_event_tls,
	ms_event_clock, ms_event_thread_at, ms_event_wait, ms_event_wake, ms_event_spin,
	ms_event_affinity, ms_event_policy;

#endif
