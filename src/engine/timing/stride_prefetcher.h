/*
 * engine/timing/stride_prefetcher.h - a prefetcher that follows the misses of each site.
 *
 * Models:   a table of streams, indexed by site. Two misses of a site with the same distance start
 *           a stream; from then on, each miss requests the line that is `distance` misses ahead. A
 *           line that was requested before arrives a latency after that request, which may be too
 *           late. Distances of up to two lines in the same direction count as equal, because
 *           strides that are no multiple of a line alternate between two distances.
 *           Besides, a site whose misses are near each other in any order, as in a gather from a
 *           window that moves, is covered by prefetchers that request neighbouring lines.
 * Does not: evict useful lines by useless requests.
 *
 * When a replay starts, a stream that was confirmed before has been running meanwhile, at the speed
 * that it had when it was last seen.
 */
#ifndef MS_ENGINE_TIMING_STRIDE_PREFETCHER_H
#define MS_ENGINE_TIMING_STRIDE_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/timing/core_config.h"

enum { MS_TIMING_MAX_DISTANCE = 64, MS_TIMING_NEAREST = 8 };

struct ms_timing_stream {
	uint32_t site_plus_1; /* 0: unused */
	uint32_t run;         /* misses since the stream was confirmed; 0: not confirmed */
	uint32_t batch;       /* number of the replayed batch of the last miss */
	uint64_t line;
	int64_t stride;                         /* in lines */
	uint32_t near;                          /* counts misses near the one before, up to
						   MS_TIMING_NEAREST; others decrease it */
	uint64_t interval;                      /* mean time between two misses */
	uint32_t made;                          /* number of the latest miss; see resume() */
	uint64_t times[MS_TIMING_MAX_DISTANCE]; /* of the latest misses, by number, modulo */
};

struct ms_timing_prefetcher {
	const struct ms_timing_config *config;
	struct ms_timing_stream *streams;
	uint32_t batch;
};

void ms_timing_open_prefetcher(struct ms_timing_prefetcher *prefetcher,
			       const struct ms_timing_config *config);
void ms_timing_close_prefetcher(struct ms_timing_prefetcher *prefetcher);
/* Another batch is replayed: time starts again, and misses between the two are unknown. */
void ms_timing_restart_prefetcher(struct ms_timing_prefetcher *prefetcher);
/*
 * A miss of this site at this time. Returns whether the line was requested before; *requested
 * receives when.
 */
bool ms_timing_prefetch(struct ms_timing_prefetcher *prefetcher, uint32_t site, uint64_t line,
			uint64_t now, uint64_t *requested);

#endif
