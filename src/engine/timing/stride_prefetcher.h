/*
 * engine/timing/stride_prefetcher.h - a prefetcher that follows the misses of each site.
 *
 * Models:   a table of streams, indexed by site. Two misses of a site with the same distance start
 *           a stream; from then on, each miss requests the line that is `distance` misses ahead. A
 *           line that was requested before arrives a latency after that request, which may be too
 *           late. Distances of up to two lines in the same direction count as equal, because
 *           strides that are no multiple of a line alternate between two distances.
 *           Besides, a site whose misses return to regions that it has left, as a gather from a
 *           window that moves, is covered by prefetchers that request whole regions into the
 *           second level. Misses that stay in one region, as the last steps of a binary search,
 *           show no such pattern.
 *           Far misses of any sites on consecutive lines, with single ones left out, are covered
 *           from the third on, as by prefetchers that look at lines only.
 *           Memory is read in pairs of lines: streams of larger strides use one of each pair.
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

enum { MS_TIMING_MAX_DISTANCE = 64, MS_TIMING_REGIONS = 1024, MS_TIMING_RECENT_LINES = 1024 };

struct ms_timing_stream {
	uint32_t site_plus_1; /* 0: unused */
	uint32_t run;         /* misses since the stream was confirmed; 0: not confirmed */
	uint32_t batch;       /* number of the replayed batch of the last miss */
	uint64_t line;
	int64_t stride;                         /* in lines */
	uint32_t returns;                       /* see learn_region() */
	uint64_t interval;                      /* mean time between two misses */
	uint32_t made;                          /* number of the latest miss; see resume() */
	uint64_t times[MS_TIMING_MAX_DISTANCE]; /* of the latest misses, by number, modulo */
};

/* A region in which a site has missed. */
struct ms_timing_region {
	uint64_t number;
	uint32_t site_plus_1;
	uint32_t batch; /* as in struct ms_timing_stream */
};

/* A line that missed the second level. */
struct ms_timing_recent_line {
	uint64_t line;
	uint64_t at;
	uint32_t batch; /* as in struct ms_timing_stream */
};

struct ms_timing_prefetcher {
	const struct ms_timing_config *config;
	struct ms_timing_stream *streams;
	struct ms_timing_region regions[MS_TIMING_REGIONS]; /* by site and region, hashed */
	struct ms_timing_recent_line recent[MS_TIMING_RECENT_LINES]; /* by line, modulo */
	uint32_t batch;
};

struct ms_timing_prefetched {
	bool is_requested;  /* before the miss */
	bool wastes_pair;   /* the other line of its pair is transferred as well, and not used */
	uint64_t requested; /* when */
};

void ms_timing_open_prefetcher(struct ms_timing_prefetcher *prefetcher,
			       const struct ms_timing_config *config);
void ms_timing_close_prefetcher(struct ms_timing_prefetcher *prefetcher);
/* Another batch is replayed: time starts again, and misses between the two are unknown. */
void ms_timing_restart_prefetcher(struct ms_timing_prefetcher *prefetcher);
/* A miss of this site at this time. is_far: it missed the second level, too. */
struct ms_timing_prefetched ms_timing_prefetch(struct ms_timing_prefetcher *prefetcher,
					       uint32_t site, uint64_t line, uint64_t now,
					       bool is_far);

#endif
