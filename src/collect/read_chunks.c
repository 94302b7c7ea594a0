/*
 * collect/read_chunks.c - how workers process the chunks of the stream.
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
#include "collect/collect_priv.h"
#include "collect/heap_lookahead.h"
#include "collect/polling.h"

/* Frequent enough for a progress line, rare enough to cost nothing: the more counters an update
 * adds up, the more chunks are processed before the next one. */
enum { CHUNKS_PER_UPDATE = 64, FIGURES_PER_CHUNK = 64, FEW_FIGURES = 4096 };

/*
 * A worker that has failed continues to release chunks, so that the program never waits for it. The
 * other workers continue to count.
 */
static void fail(struct ms_collect_worker *w)
{
	struct ms_collect_state *c = w->collector;

	pthread_mutex_lock(&c->binding.lock);
	if (c->pool.failure.code == MS_OK)
		c->pool.failure = w->err;
	pthread_mutex_unlock(&c->binding.lock);
}

/* All engines know the same basic blocks, so all consume the same number of words. */
static size_t filter_executions(struct ms_collect_worker *w, const uint64_t *words, size_t n)
{
	size_t taken = 0;

	for (size_t i = 0; i < w->collector->sim.engine_count; i++)
		taken = ms_engine_filter_executions(w->shards[i], words, n);
	ms_collect_follow_switches(w);
	return taken;
}

static int filter_chunk(struct ms_collect_worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	struct ms_collect_lookahead ahead = { 0 };
	size_t at = 0;

	ms_collect_polling_examine(w->collector->pool.polling[w->number], k, words, n);
	for (size_t i = 0; i < w->collector->sim.engine_count; i++)
		ms_engine_begin_batch(w->shards[i], k);
	while (at < n) {
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			at += filter_executions(w, words + at, n - at);
		if (at == n)
			break;
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			return ms_fail(
				&w->err, MS_EFORMAT,
				"stream: a block left by exit %u, which was not described, or "
				"cut short",
				ms_wire_arg_of(words[at]));
		ms_collect_look_ahead(&ahead, w, words, n, at);
		MS_TRY(ms_collect_process_event(w, words + at, n - at, &w->err));
		at += ms_wire_words_of(words[at]);
	}
	return MS_OK;
}

static void update_progress(struct ms_collect_worker *w, uint32_t k)
{
	if ((int32_t)(k - w->next_update) < 0)
		return;
	w->figures = ms_engine_update_progress(w->shards[0]);
	w->next_update = k + (CHUNKS_PER_UPDATE + w->figures / FIGURES_PER_CHUNK) *
				     (uint32_t)w->collector->pool.count;
}

/* A program that waits for something may write no further chunk for a long time. */
static void update_before_waiting(struct ms_collect_worker *w)
{
	if (w->figures < FEW_FIGURES)
		w->figures = ms_engine_update_progress(w->shards[0]);
}

/* Waits for the next chunk. A worker is at rest while it waits, and when it is to be quiesced. */
static bool next_chunk(struct ms_collect_worker *w, uint32_t k, const uint64_t **words, size_t *n)
{
	struct ms_collect_state *c = w->collector;

	if (ms_stream_ring_is_ready(&c->ring, k) && !ms_collect_quiesce_is_wanted(&c->pool.quiesce))
		return ms_stream_ring_wait(&c->ring, k, words, n);
	update_before_waiting(w);
	ms_collect_quiesce_rest(&c->pool.quiesce);
	bool more = ms_stream_ring_wait(&c->ring, k, words, n);
	ms_collect_quiesce_resume(&c->pool.quiesce);
	return more;
}

/* One worker, which has simulated all earlier chunks. */
static void add_processors(struct ms_collect_worker *w)
{
	ms_collect_add_processors(w->collector);
	ms_collect_assign_resume(w->assignments[0], w->collector->sim.instructions);
}

void ms_collect_read_alone(struct ms_collect_worker *w)
{
	struct ms_collect_state *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; next_chunk(w, k, &words, &n); k++) {
		if (ms_collect_needs_processors(c, k))
			add_processors(w);
		if (w->err.code == MS_OK && filter_chunk(w, k, words, n) != MS_OK)
			fail(w);
		update_progress(w, k);
		for (size_t i = 0; i < c->sim.engine_count; i++) {
			ms_engine_distribute_batch(w->shards[i], 0);
			ms_engine_simulate_batch(w->shards[i], 0);
			ms_engine_finish_batch(c->sim.engines[i], 0);
		}
		ms_collect_plan_windows(c);
		ms_stream_ring_release(&c->ring, k);
	}
}

/* --- one worker, in two halves --- */

void ms_collect_filter_chunks(struct ms_collect_worker *w)
{
	struct ms_collect_state *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; next_chunk(w, k, &words, &n); k++) {
		ms_collect_pipeline_wait_for_room(&c->pool.pipeline, &c->pool.quiesce, k);
		if (ms_collect_needs_processors(c, k)) {
			ms_collect_pipeline_drain(&c->pool.pipeline, &c->pool.quiesce, k);
			add_processors(w);
		}
		if (w->err.code == MS_OK && filter_chunk(w, k, words, n) != MS_OK)
			fail(w);
		update_progress(w, k);
		ms_stream_ring_release(&c->ring, k);
		for (size_t i = 0; i < c->sim.engine_count; i++)
			ms_engine_distribute_batch(w->shards[i], ms_collect_pipeline_batch(k));
		ms_collect_pipeline_filtered(&c->pool.pipeline, k);
	}
	ms_collect_pipeline_end(&c->pool.pipeline);
}

static void simulate_filtered(struct ms_collect_state *c, uint32_t k)
{
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		ms_engine_simulate_batch(ms_engine_get_shard(c->sim.engines[i], 0),
					 ms_collect_pipeline_batch(k));
		ms_engine_finish_batch(c->sim.engines[i], ms_collect_pipeline_batch(k));
	}
	ms_collect_pipeline_simulated(&c->pool.pipeline, k);
}

void ms_collect_simulate_chunks(struct ms_collect_state *c)
{
	for (uint32_t k = 0; ms_collect_pipeline_wait(&c->pool.pipeline, &c->pool.quiesce, k); k++)
		simulate_filtered(c, k);
}

/* --- several workers --- */

/*
 * Chunks in flight for each worker: being filtered, being simulated, and waiting. More would only
 * evict each other from the caches of this machine.
 */
enum { CHUNKS_EACH = 4 };

static unsigned owner_of(const struct ms_collect_state *c, uint32_t k)
{
	return k % c->pool.filtering;
}

static unsigned batch_of(const struct ms_collect_state *c, uint32_t k)
{
	return k % c->pool.chunk_count;
}

static struct ms_collect_chunk *chunk_state(const struct ms_collect_state *c, uint32_t k)
{
	return &c->pool.chunks[batch_of(c, k)];
}

/* The counter's number when the previous chunk of this entry is finished: its chunk number plus 1.
 */
static uint32_t before(const struct ms_collect_state *c, uint32_t k)
{
	return k + 1 - c->pool.chunk_count;
}

/* A worker that waits for others must be at rest, or the workers could not be quiesced. */
static void wait_at(struct ms_collect_worker *w, struct ms_collect_counter *counter,
		    uint32_t number)
{
	if (ms_collect_counter_has_reached(counter, number))
		return;
	ms_collect_quiesce_rest(&w->collector->pool.quiesce);
	ms_collect_counter_wait(counter, number);
	ms_collect_quiesce_resume(&w->collector->pool.quiesce);
}

static void take_own(struct ms_collect_worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	struct ms_collect_state *c = w->collector;
	struct ms_collect_chunk *f = chunk_state(c, k);

	wait_at(w, &f->finished, before(c, k));
	f->unsimulated = c->pool.count;
	if (w->err.code == MS_OK && filter_chunk(w, k, words, n) != MS_OK)
		fail(w);
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		ms_engine_distribute_batch(w->shards[i], batch_of(c, k));
		if (owner_of(c, k + 1) != w->number)
			ms_engine_reset_filter(w->shards[i]);
	}
	ms_collect_counter_set(&f->filtered, k + 1);
	update_progress(w, k);
}

/* Whether there is a whole record; if not, the worker that filters the chunk reports the error. */
static bool is_whole(const uint64_t *words, size_t n, size_t at)
{
	return at < n && ms_wire_words_of(words[at]) > 0 && ms_wire_words_of(words[at]) <= n - at;
}

static int process_event_at(struct ms_collect_worker *w, const uint64_t *words, size_t n, size_t at)
{
	if (!is_whole(words, n, at) || ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
		return MS_OK;
	/* Contending threads cause millions of time slices; this path avoids the lock of other
	 * events. */
	if (ms_engine_switch_thread(w->shards[0], words[at]))
		return MS_OK;
	ms_collect_follow_switches(w);
	return ms_collect_process_event(w, words + at, n - at, &w->err);
}

/* Processes the events that did not fit into the index. */
static int process_unindexed(struct ms_collect_worker *w, const uint64_t *words, size_t n,
			     size_t at)
{
	for (; is_whole(words, n, at); at += ms_wire_words_of(words[at]))
		MS_TRY(process_event_at(w, words, n, at));
	return MS_OK;
}

static int process_events(struct ms_collect_worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	const struct ms_wire_index *index = ms_stream_ring_index(&w->collector->ring, k);
	uint32_t indexed = index->count < MS_WIRE_INDEXED ? index->count : MS_WIRE_INDEXED - 1;

	for (uint32_t i = 0; i < indexed; i++)
		MS_TRY(process_event_at(w, words, n, index->at[i]));
	if (indexed < index->count)
		return process_unindexed(w, words, n, index->at[indexed]);
	return MS_OK;
}

static void take_others(struct ms_collect_worker *w, uint32_t k, const uint64_t *words, size_t n)
{
	if (w->err.code == MS_OK && process_events(w, k, words, n) != MS_OK)
		fail(w);
	ms_collect_follow_switches(w);
}

static void simulate_chunk(struct ms_collect_worker *w, uint32_t k)
{
	struct ms_collect_state *c = w->collector;
	struct ms_collect_chunk *f = chunk_state(c, k);

	wait_at(w, &f->filtered, k + 1);
	for (size_t i = 0; i < c->sim.engine_count; i++)
		ms_engine_simulate_batch(w->shards[i], batch_of(c, k));
	if (__atomic_sub_fetch(&f->unsimulated, 1, __ATOMIC_ACQ_REL) == 0) {
		for (size_t i = 0; i < c->sim.engine_count; i++)
			ms_engine_finish_batch(c->sim.engines[i], batch_of(c, k));
		if (c->plan.waits && !ms_stream_ring_is_ready(&c->ring, k + 1))
			ms_collect_plan_windows(c);
		ms_collect_counter_set(&f->finished, k + 1);
	}
	if (w->number == 0 && !c->plan.waits)
		ms_collect_plan_windows(c);
	ms_stream_ring_release(&c->ring, k);
}

static void simulate_until(struct ms_collect_worker *w, uint32_t k)
{
	for (; w->simulated != k; w->simulated++)
		simulate_chunk(w, w->simulated);
}

/* Every worker comes here before it processes chunk k. */
static void add_processors_together(struct ms_collect_worker *w, uint32_t k)
{
	struct ms_collect_state *c = w->collector;

	simulate_until(w, k);
	if (k > 0)
		wait_at(w, &chunk_state(c, k - 1)->finished, k);
	if (w->number == 0)
		ms_collect_add_processors(c);
	else
		wait_at(w, &c->sim.added, 1);
	ms_collect_assign_resume(w->assignments[0], c->sim.instructions);
}

void ms_collect_read_together(struct ms_collect_worker *w)
{
	struct ms_collect_state *c = w->collector;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0;; k++) {
		if (!ms_stream_ring_is_ready(&c->ring, k))
			simulate_until(w, k);
		if (!next_chunk(w, k, &words, &n))
			break;
		if (ms_collect_needs_processors(c, k))
			add_processors_together(w, k);
		if (owner_of(c, k) == w->number)
			take_own(w, k, words, n);
		else
			take_others(w, k, words, n);
		if (k + 1 - w->simulated > c->pool.lag)
			simulate_until(w, k + 1 - c->pool.lag);
	}
}

unsigned ms_collect_most_chunks(const struct ms_collect_state *c)
{
	unsigned slots = ms_stream_ring_slots(&c->ring), wanted = CHUNKS_EACH * c->pool.count;

	if (c->pool.halved)
		return MS_COLLECT_PIPELINE_CHUNKS;
	return c->pool.count == 1 ? 1 : wanted < slots ? wanted : slots;
}

/* The lag must be less than the number of flights: a worker must not wait for an entry that only
 * becomes free when this worker has simulated its chunk. */
void ms_collect_open_chunks(struct ms_collect_state *c)
{
	c->pool.chunk_count = ms_collect_most_chunks(c);
	c->pool.lag = c->pool.count;
	if (c->pool.lag >= c->pool.chunk_count)
		c->pool.lag = c->pool.chunk_count - 1;
	c->pool.chunks = ms_alloc(c->pool.chunk_count * sizeof(*c->pool.chunks));
}

static uint32_t first_unsimulated(const struct ms_collect_state *c)
{
	uint32_t k = c->pool.workers[0].simulated;

	for (unsigned i = 1; i < c->pool.started; i++)
		if ((int32_t)(c->pool.workers[i].simulated - k) < 0)
			k = c->pool.workers[i].simulated;
	return k;
}

void ms_collect_finish_chunks(struct ms_collect_state *c)
{
	for (uint32_t k = c->pool.pipeline.simulated.number; k != c->pool.pipeline.filtered.number;
	     k++)
		simulate_filtered(c, k);
	if (c->pool.chunks == NULL)
		return;
	for (uint32_t k = first_unsimulated(c);
	     ms_collect_counter_has_reached(&chunk_state(c, k)->filtered, k + 1); k++) {
		for (unsigned i = 0; i < c->pool.started; i++) {
			struct ms_collect_worker *w = &c->pool.workers[i];

			for (size_t m = 0; m < c->sim.engine_count && w->simulated == k; m++)
				ms_engine_simulate_batch(w->shards[m], batch_of(c, k));
			w->simulated += w->simulated == k;
		}
		for (size_t m = 0; m < c->sim.engine_count; m++)
			ms_engine_finish_batch(c->sim.engines[m], batch_of(c, k));
	}
}

void ms_collect_close_chunks(struct ms_collect_state *c)
{
	ms_free(c->pool.chunks);
	c->pool.chunks = NULL;
}
