/*
 * engine/timing/shared_resource.h - a resource that serves a limited number of requests in a time:
 * page walkers, the divider.
 *
 * Requests do not arrive in the order of their times: the address of a chained load is known long
 * after that of an independent one that follows it. So time is divided into intervals, each of
 * which has room for a number of requests, and a request takes the first interval with room.
 */
#ifndef MS_ENGINE_TIMING_SHARED_RESOURCE_H
#define MS_ENGINE_TIMING_SHARED_RESOURCE_H

#include <stdint.h>

enum { MS_TIMING_INTERVALS = 512 };

struct ms_timing_interval {
	uint64_t number;
	uint64_t used; /* ticks of all servers */
};

struct ms_timing_resource {
	uint64_t cost;    /* ticks of one request; 0: unlimited */
	uint32_t servers; /* requests at the same time */
	uint32_t shift;   /* log2 of an interval's ticks */
	struct ms_timing_interval intervals[MS_TIMING_INTERVALS]; /* by number, modulo */
};

void ms_timing_open_resource(struct ms_timing_resource *resource, uint64_t cost, uint32_t servers);
/* All requests so far are forgotten. */
void ms_timing_restart_resource(struct ms_timing_resource *resource);
/* A request at this time; cost: its own. Returns when it has been served. */
uint64_t ms_timing_serve(struct ms_timing_resource *resource, uint64_t at, uint64_t cost);

#endif
