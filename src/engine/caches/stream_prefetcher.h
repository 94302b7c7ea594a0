/*
 * engine/caches/stream_prefetcher.h - a stream prefetcher that is only observed: it determines
 * which misses of its level it would have covered, and loads no lines.
 *
 * Models:   a number of streams, of which the least recently used is replaced by a new one. A
 * stream begins at a miss, is confirmed by a miss on an adjacent line, and then covers the next
 *           lines in that direction, within its page.
 * Does not: time (a covered line is assumed to arrive early enough), bandwidth, lines that useless
 *           prefetches evict, strides other than one line, prefetches on hits.
 */
#ifndef MS_ENGINE_CACHES_STREAM_PREFETCHER_H
#define MS_ENGINE_CACHES_STREAM_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"

/* How many lines a confirmed stream prefetches beyond its last miss. */
enum { MS_CACHES_PREFETCH_AHEAD = 4 };

struct ms_caches_stream {
	uint64_t last; /* the line that missed last */
	int direction; /* 1 up, -1 down, 0 not confirmed yet */
};

struct ms_caches_streams {
	struct ms_caches_stream *at; /* the most recent first */
	uint32_t n;
	uint32_t most;
	uint32_t page_shift; /* shift from line numbers to page numbers */
};

/* level->prefetch must be above 0. */
void ms_caches_open_streams(struct ms_caches_streams *streams,
			    const struct ms_machine_level *level);
void ms_caches_close_streams(struct ms_caches_streams *streams);
/* A line (by number) missed the level. Returns whether the prefetcher would have loaded it. */
bool ms_caches_observe_miss(struct ms_caches_streams *streams, uint64_t line);

#endif
