/*
 * collect/flight.c - how workers process the chunks of the stream.
 *
 * A single worker runs a chunk through the L1 filter and simulates it. Or it only filters, and a
 * second thread simulates, some chunks later. Several workers filter chunks in round-robin order.
 *
 * A worker that does not filter a chunk still needs its events, in order, before it filters a later
 * chunk; the front-end's index contains their positions. All workers simulate each chunk, some
 * chunks later, when its filtering is probably complete. Before a worker sleeps because there is no
 * new chunk, it simulates all chunks that remain, so that no chunk is delayed.
 */
#include "base/mem.h"
#include "collect/ahead.h"
#include "collect/collect_priv.h"

/* Frequent enough for a progress line, rare enough to cost nothing: the more counters an update
 * adds up, the more chunks are processed before the next one. */
enum { CHUNKS_PER_TELLING = 64, FIGURES_PER_CHUNK = 64, FEW_FIGURES = 4096 };

/*
 * A worker that has failed continues to release chunks, so that the program never waits for it. The
 * other workers continue to count.
 */
static void fail(struct worker *w)
{
	struct collector *c = w->collector;

	pthread_mutex_lock(&c->binding.lock);
	if (c->pool.failure.code == MS_OK)
		c->pool.failure = w->err;
	pthread_mutex_unlock(&c->binding.lock);
}

/* All engines know the same basic blocks, so all consume the same number of words. */
static size_t sift_executions(struct worker *w, const uint64_t *words, size_t n)
{
	size_t taken = 0;

	for (size_t i = 0; i < w->collector->sim.engine_count; i++)
		taken = ms_engine_filter_executions(w->shards[i], words, n);
	ms_event_taken_up(w);
	return taken;
}

static int sift(struct worker *w, const uint64_t *words, size_t n)
{
	struct ahead ahead = { 0 };
	size_t at = 0;

	while (at < n) {
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			at += sift_executions(w, words + at, n - at);
		if (at == n)
			break;
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			return ms_fail(
				&w->err, MS_EFORMAT,
				"stream: a block left by exit %u, which was not described, or "
				"cut short",
				ms_wire_arg_of(words[at]));
		ms_ahead(&ahead, w, words, n, at);
		MS_TRY(ms_collect_event(w, words + at, n - at, &w->err));
		at += ms_wire_words_of(words[at]);
	}
	return MS_OK;
}

static void tell(struct worker *w, uint32_t k)
{
	if ((int32_t)(k - w->tells) < 0)
		return;
	w->figures = ms_engine_update_progress(w->shards[0]);
	w->tells = k + (CHUNKS_PER_TELLING + w->figures / FIGURES_PER_CHUNK) *
			       (uint32_t)w->collector->pool.count;
}

/* A program that waits for something may write no further chunk for a long time. */
static void tell_before_waiting(struct worker *w)
{
	if (w->figures < FEW_FIGURES)
		w->figures = ms_engine_update_progress(w->shards[0]);
}

/* Waits for the next chunk. A worker is at rest while it waits, and when it is to be quiesced. */
static bool next_chunk(struct worker *w, uint32_t k, const uint64_t **words, size_t *n)
{
	struct collector *c = w->collector;

	if (ms_stream_ring_is_ready(&c->ring, k) && !ms_still_is_wanted(&c->pool.quiesce))
		return ms_stream_ring_wait(&c->ring, k, words, n);
	tell_before_waiting(w);
	ms_still_rest(&c->pool.quiesce);
	bool more = ms_stream_ring_wait(&c->ring, k, words, n);
	ms_still_go(&c->pool.quiesce);
	return more;
}

void ms_worker_read_alone(struct worker *w)
{
	struct collector *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; next_chunk(w, k, &words, &n); k++) {
		if (w->err.code == MS_OK && sift(w, words, n) != MS_OK)
			fail(w);
		tell(w, k);
		for (size_t i = 0; i < c->sim.engine_count; i++) {
			ms_engine_distribute_batch(w->shards[i], 0);
			ms_engine_simulate_batch(w->shards[i], 0);
			ms_engine_finish_batch(c->sim.engines[i], 0);
		}
		ms_pace_look(c);
		ms_stream_ring_release(&c->ring, k);
	}
}

/* --- one worker, in two halves --- */

void ms_worker_sift_only(struct worker *w)
{
	struct collector *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; next_chunk(w, k, &words, &n); k++) {
		ms_pipeline_make_room(&c->pool.pipeline, &c->pool.quiesce, k);
		if (w->err.code == MS_OK && sift(w, words, n) != MS_OK)
			fail(w);
		tell(w, k);
		ms_stream_ring_release(&c->ring, k);
		for (size_t i = 0; i < c->sim.engine_count; i++)
			ms_engine_distribute_batch(w->shards[i], ms_pipeline_slot(k));
		ms_pipeline_sifted(&c->pool.pipeline, k);
	}
	ms_pipeline_end(&c->pool.pipeline);
}

static void settle_half(struct collector *c, uint32_t k)
{
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		ms_engine_simulate_batch(ms_engine_get_shard(c->sim.engines[i], 0),
					 ms_pipeline_slot(k));
		ms_engine_finish_batch(c->sim.engines[i], ms_pipeline_slot(k));
	}
	ms_pipeline_settled(&c->pool.pipeline, k);
}

void ms_collector_settle(struct collector *c)
{
	for (uint32_t k = 0; ms_pipeline_wait(&c->pool.pipeline, &c->pool.quiesce, k); k++)
		settle_half(c, k);
}

/* --- several workers --- */

/*
 * Chunks in flight for each worker: being filtered, being simulated, and waiting. More would only
 * evict each other from the caches of this machine.
 */
enum { FLIGHTS_EACH = 4 };

static unsigned owner_of(const struct collector *c, uint32_t k)
{
	return k % c->pool.filtering;
}

static unsigned slot_of(const struct collector *c, uint32_t k)
{
	return k % c->pool.chunk_count;
}

static struct flight *flight_of(const struct collector *c, uint32_t k)
{
	return &c->pool.chunks[slot_of(c, k)];
}

/* The gate's number when the previous chunk of this entry is finished: its chunk number plus 1. */
static uint32_t before(const struct collector *c, uint32_t k)
{
	return k + 1 - c->pool.chunk_count;
}

/* A worker that waits for others must be at rest, or the workers could not be quiesced. */
static void wait_at(struct worker *w, struct gate *gate, uint32_t number)
{
	if (ms_gate_try(gate, number))
		return;
	ms_still_rest(&w->collector->pool.quiesce);
	ms_gate_wait(gate, number);
	ms_still_go(&w->collector->pool.quiesce);
}

static void take_own(struct worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	struct collector *c = w->collector;
	struct flight *f = flight_of(c, k);

	wait_at(w, &f->finished, before(c, k));
	f->unsettled = c->pool.count;
	if (w->err.code == MS_OK && sift(w, words, n) != MS_OK)
		fail(w);
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		ms_engine_distribute_batch(w->shards[i], slot_of(c, k));
		if (owner_of(c, k + 1) != w->number)
			ms_engine_reset_filter(w->shards[i]);
	}
	ms_gate_open(&f->sifted, k + 1);
	tell(w, k);
}

/* Whether there is a whole record; if not, the worker that filters the chunk reports the error. */
static bool is_whole(const uint64_t *words, size_t n, size_t at)
{
	return at < n && ms_wire_words_of(words[at]) > 0 && ms_wire_words_of(words[at]) <= n - at;
}

static int meet_at(struct worker *w, const uint64_t *words, size_t n, size_t at)
{
	if (!is_whole(words, n, at) || ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
		return MS_OK;
	/* Contending threads cause millions of time slices; this path avoids the lock of other
	 * events. */
	if (ms_engine_switch_thread(w->shards[0], words[at]))
		return MS_OK;
	ms_event_taken_up(w);
	return ms_collect_event(w, words + at, n - at, &w->err);
}

/* Processes the events that did not fit into the index. */
static int meet_rest(struct worker *w, const uint64_t *words, size_t n, size_t at)
{
	for (; is_whole(words, n, at); at += ms_wire_words_of(words[at]))
		MS_TRY(meet_at(w, words, n, at));
	return MS_OK;
}

static int meet_events(struct worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	const struct ms_wire_index *index = ms_stream_ring_index(&w->collector->ring, k);
	uint32_t told = index->count < MS_WIRE_INDEXED ? index->count : MS_WIRE_INDEXED - 1;

	for (uint32_t i = 0; i < told; i++)
		MS_TRY(meet_at(w, words, n, index->at[i]));
	if (told < index->count)
		return meet_rest(w, words, n, index->at[told]);
	return MS_OK;
}

static void take_others(struct worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	if (w->err.code == MS_OK && meet_events(w, k, words, n) != MS_OK)
		fail(w);
	ms_event_taken_up(w);
}

static void settle(struct worker *w, uint32_t k)
{
	struct collector *c = w->collector;
	struct flight *f = flight_of(c, k);

	wait_at(w, &f->sifted, k + 1);
	for (size_t i = 0; i < c->sim.engine_count; i++)
		ms_engine_simulate_batch(w->shards[i], slot_of(c, k));
	if (__atomic_sub_fetch(&f->unsettled, 1, __ATOMIC_ACQ_REL) == 0) {
		for (size_t i = 0; i < c->sim.engine_count; i++)
			ms_engine_finish_batch(c->sim.engines[i], slot_of(c, k));
		if (c->plan.waits && !ms_stream_ring_is_ready(&c->ring, k + 1))
			ms_pace_look(c);
		ms_gate_open(&f->finished, k + 1);
	}
	if (w->number == 0 && !c->plan.waits)
		ms_pace_look(c);
	ms_stream_ring_release(&c->ring, k);
}

static void settle_until(struct worker *w, uint32_t k)
{
	for (; w->settled != k; w->settled++)
		settle(w, w->settled);
}

void ms_worker_read_together(struct worker *w)
{
	struct collector *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0;; k++) {
		if (!ms_stream_ring_is_ready(&c->ring, k))
			settle_until(w, k);
		if (!next_chunk(w, k, &words, &n))
			break;
		if (owner_of(c, k) == w->number)
			take_own(w, k, words, n);
		else
			take_others(w, k, words, n);
		if (k + 1 - w->settled > c->pool.lag)
			settle_until(w, k + 1 - c->pool.lag);
	}
}

unsigned ms_flights_most(const struct collector *c)
{
	unsigned slots = ms_stream_ring_slots(&c->ring), wanted = FLIGHTS_EACH * c->pool.count;

	if (c->pool.halved)
		return MS_PIPELINE_CHUNKS;
	return c->pool.count == 1 ? 1 : wanted < slots ? wanted : slots;
}

/* The lag must be less than the number of flights: a worker must not wait for an entry that only
 * becomes free when this worker has simulated its chunk. */
void ms_flights_open(struct collector *c)
{
	c->pool.chunk_count = ms_flights_most(c);
	c->pool.lag = c->pool.count;
	if (c->pool.lag >= c->pool.chunk_count)
		c->pool.lag = c->pool.chunk_count - 1;
	c->pool.chunks = ms_alloc(c->pool.chunk_count * sizeof(*c->pool.chunks));
}

static uint32_t first_unsettled(const struct collector *c)
{
	uint32_t k = c->pool.workers[0].settled;

	for (unsigned i = 1; i < c->pool.started; i++)
		if ((int32_t)(c->pool.workers[i].settled - k) < 0)
			k = c->pool.workers[i].settled;
	return k;
}

void ms_flights_land(struct collector *c)
{
	for (uint32_t k = c->pool.pipeline.settled.number; k != c->pool.pipeline.sifted.number; k++)
		settle_half(c, k);
	if (c->pool.chunks == NULL)
		return;
	for (uint32_t k = first_unsettled(c); ms_gate_try(&flight_of(c, k)->sifted, k + 1); k++) {
		for (unsigned i = 0; i < c->pool.started; i++) {
			struct worker *w = &c->pool.workers[i];

			for (size_t m = 0; m < c->sim.engine_count && w->settled == k; m++)
				ms_engine_simulate_batch(w->shards[m], slot_of(c, k));
			w->settled += w->settled == k;
		}
		for (size_t m = 0; m < c->sim.engine_count; m++)
			ms_engine_finish_batch(c->sim.engines[m], slot_of(c, k));
	}
}

void ms_flights_close(struct collector *c)
{
	ms_free(c->pool.chunks);
	c->pool.chunks = NULL;
}
