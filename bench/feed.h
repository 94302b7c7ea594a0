/*
 * bench/feed.h - threads that write a recorded stream into a ring, as a front-end would.
 *
 * Their stores leave the words in the caches of the processors that they run on, or in what these
 * share with the reader's: where a live run's are. One thread copies as fast as it can read what
 * was recorded from memory, which may be less than several workers take; so there may be several,
 * which take turns, chunk by chunk, and hand chunks over in order.
 */
#ifndef MS_BENCH_FEED_H
#define MS_BENCH_FEED_H

#include <pthread.h>

#include "collect/chunk_counter.h"
#include "stream/ring.h"

enum { MS_MOST_FEEDERS = 16 };

struct feed {
	const struct ms_stream_ring *from; /* which holds all of the stream */
	struct ms_stream_ring *to;
	unsigned feeders;
	pthread_t thread[MS_MOST_FEEDERS];
	pthread_mutex_t lock; /* of the chunk that is copied next, and of the figures */
	uint32_t next;
	struct ms_collect_counter handed_over; /* so many chunks */
	double processor_seconds;
	double waited; /* seconds without room in the ring, on average of all feeders */
};

/* At most MS_MOST_FEEDERS. */
int feed_start(struct feed *feed, const struct ms_stream_ring *from, struct ms_stream_ring *to,
	       unsigned feeders, struct ms_err *err);
/* Waits until all is written, and its end is recorded. */
void feed_join(struct feed *feed);

#endif
