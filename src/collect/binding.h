/*
 * collect/binding.h - results of binding events. The first worker that reads an event applies it to
 * the binder, under the lock; the others use its result (events.h).
 */
#ifndef MS_COLLECT_BINDING_H
#define MS_COLLECT_BINDING_H

#include <pthread.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "engine/engine.h"

struct ms_collect_state;

/* The result of binding an event, kept until every worker has applied it to its shard. */
struct ms_collect_bound_event {
	uint64_t number_plus_1; /* 0: not bound yet */
	int code;               /* MS_OK, or the error of binding it */
	uint32_t data;
	const struct ms_engine_block *block;
	const struct ms_bins_bound_pc *mpi; /* a block of MPI's: its first instruction */
	const struct ms_engine_stack *stack;
	const struct ms_engine_range *places;
	size_t place_count;
	uint64_t stride; /* of an allocation: the members' ranges repeat at this distance */
	bool is_watched; /* of an allocation: the lines of the block are observed */
	const struct ms_engine_range *watched; /* of static memory: the lines of these, too */
	size_t watched_count;
};

struct ms_collect_binding {
	pthread_mutex_t lock;
	struct ms_bins *binder;
	struct ms_arena arena;                 /* owns what events pass to the shards */
	struct ms_collect_bound_event *events; /* by number modulo event_room; NULL: not kept */
	uint64_t event_room;
	uint32_t thread;        /* the thread that runs at the event that is being bound */
	uint64_t exits;         /* of basic blocks that were described */
	struct ms_map stack_of; /* (hashes of the addresses) to stacks: unwound_calls.c */
	MS_VEC(const struct ms_engine_stack *) stacks;
};

/* Keeps the results of the last `room` events, so that each is bound once for all workers. */
void ms_collect_keep_events(struct ms_collect_state *collector, uint64_t room);

#endif
