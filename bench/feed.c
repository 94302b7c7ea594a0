#include "feed.h"

#include <string.h>
#include <time.h>

#include "stream/futex.h"
#include "stream/writer.h"

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t *chunk_of(const struct ms_stream_ring *ring, uint32_t k)
{
	return (uint64_t *)(ring->base + ring->stream->chunks_at +
			    (uint64_t)ms_stream_ring_slot(ring, k) * ring->stream->chunk_bytes);
}

/* As ms_stream_ring_room(), for a chunk that is not the next one to be handed over. */
static void wait_for_room(struct ms_stream_ring *ring, uint32_t k)
{
	struct ms_wire_lane *lane = ring->lane;

	for (;;) {
		uint32_t freed = __atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST);

		if (k - freed < ring->stream->chunk_count)
			return;
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST) == freed)
			ms_stream_futex_wait_a_second(&lane->freed, freed);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

/* The next chunk, once there is room for it; false: there are no more. */
static bool claim(struct feed *f, uint32_t *k)
{
	double started = now(CLOCK_MONOTONIC);

	pthread_mutex_lock(&f->lock);
	*k = f->next;
	bool more = *k != f->from->lane->filled;
	if (more) {
		wait_for_room(f->to, *k);
		f->next++;
	}
	f->waited += (now(CLOCK_MONOTONIC) - started) / f->feeders;
	pthread_mutex_unlock(&f->lock);
	return more;
}

/* By words, as front-ends do, which also ask for lines before they write them. */
static void copy(uint64_t *to, const uint64_t *from, size_t n)
{
	enum { FAR = 1024, NEAR = 128, LINE = 8 };

	for (size_t i = 0; i < n; i += LINE) {
		__builtin_prefetch(from + i + FAR);
		__builtin_prefetch(to + i + NEAR, 1);
		for (size_t k = i; k < i + LINE && k < n; k++)
			to[k] = from[k];
	}
}

static void copy_index(const struct feed *f, uint32_t k)
{
	const struct ms_wire_index *from = ms_stream_ring_index(f->from, k);
	struct ms_wire_index *to = (struct ms_wire_index *)ms_stream_ring_index(f->to, k);
	uint32_t indexed = from->count < MS_WIRE_INDEXED ? from->count : MS_WIRE_INDEXED;

	to->count = from->count;
	memcpy(to->at, from->at, indexed * sizeof(*to->at));
}

static void *run_feeder(void *arg)
{
	struct feed *f = arg;
	const struct ms_stream_ring *from = f->from, *to = f->to;
	const uint32_t *lengths = (const uint32_t *)(from->base + from->lane->words_at);
	uint32_t k;

	while (claim(f, &k)) {
		uint32_t n = lengths[ms_stream_ring_slot(from, k)];

		copy(chunk_of(to, k), chunk_of(from, k), n);
		copy_index(f, k);
		if (!ms_collect_counter_has_reached(&f->handed_over, k))
			ms_collect_counter_wait(&f->handed_over, k);
		ms_stream_ring_hand_over(f->to, n);
		ms_collect_counter_set(&f->handed_over, k + 1);
	}
	pthread_mutex_lock(&f->lock);
	f->processor_seconds += now(CLOCK_THREAD_CPUTIME_ID);
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

int feed_start(struct feed *f, const struct ms_stream_ring *from, struct ms_stream_ring *to,
	       unsigned feeders, struct ms_err *err)
{
	*f = (struct feed){ .from = from, .to = to, .feeders = feeders };
	pthread_mutex_init(&f->lock, NULL);
	for (unsigned i = 0; i < feeders; i++) {
		int code = pthread_create(&f->thread[i], NULL, run_feeder, f);

		if (code != 0)
			return ms_fail(err, MS_EIO, "cannot start a thread: %s", strerror(code));
	}
	return MS_OK;
}

void feed_join(struct feed *f)
{
	for (unsigned i = 0; i < f->feeders; i++)
		pthread_join(f->thread[i], NULL);
	ms_stream_ring_end(f->to);
	pthread_mutex_destroy(&f->lock);
}
