/*
 * collect/events.h - events of the stream: what handles them. For collect/ only.
 *
 * Every worker meets every event, in the same order. The first to meet one tells the binder, under
 * the lock, and writes down what came of it; then each worker tells its own shard.
 */
#ifndef MS_COLLECT_EVENTS_H
#define MS_COLLECT_EVENTS_H

#include "collect/collect_priv.h"

struct event {
	uint32_t arg;
	const uint64_t *words; /* behind the head */
	size_t n;
};

/* bind: once. apply: for each shard. Each may be NULL. */
struct ms_handler {
	const char *name;
	size_t words; /* at least; behind the head */
	int (*bind)(struct collector *c, const struct event *e, struct bound_event *b,
		    struct ms_err *err);
	void (*apply)(struct worker *w, const struct event *e, const struct bound_event *b);
};

#define EACH_SHARD(w, shard)                                                                \
	for (size_t shard##_i = 0; shard##_i < (w)->collector->engine_count; shard##_i++)   \
		for (struct ms_engine_shard *shard = (w)->shards[shard##_i]; shard != NULL; \
		     shard = NULL)

/* NULL for engines with one processor, which the functions of assign.c take calmly. */
#define EACH_ASSIGNMENT(w, p)                                                       \
	for (size_t p##_i = 0; p##_i < (w)->collector->engine_count; p##_i++)       \
		for (struct assignment *p = (w)->assignments[p##_i], *p##_once = p; \
		     p##_once != NULL; p##_once = NULL)

/* events_code.c */
extern const struct ms_handler ms_event_block, ms_event_module, ms_event_module_gone;
/* What is in static memory, for the shards. */
void ms_event_ranges(struct collector *c, const struct ms_bound_ranges *ranges,
		     struct bound_event *b);

/* events_heap.c */
extern const struct ms_handler ms_event_path, ms_event_alloc, ms_event_free, ms_event_heap_call,
	ms_event_inner_alloc, ms_event_inner_free;
/* An object of this data more; the first worker counts. */
void ms_event_count(struct worker *w, uint32_t data, uint64_t bytes);
/* A block, at an address and of a size, goes that was counted, but not placed: see passing.h. */
void ms_event_passes(struct worker *w, const uint64_t *block, uint32_t data);
/* Whether the thread is inside malloc or a relative. */
bool *ms_event_allocating(struct worker *w, uint32_t thread);
/* The thread that runs now may be another, or may have begun or ended to allocate. */
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
