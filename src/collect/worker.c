/* collect/worker.c - a thread per shard: every one reads the whole stream. */
#include <string.h>

#include "base/mem.h"
#include "collect/collect_priv.h"

/*
 * A worker that has failed goes on releasing chunks, so that the program never waits for it; the
 * others count on.
 */
static void fail(struct collector *c, const struct ms_err *err)
{
	pthread_mutex_lock(&c->lock);
	if (c->failure.code == MS_OK)
		c->failure = *err;
	pthread_mutex_unlock(&c->lock);
}

/* Often enough for a progress line, seldom enough to cost nothing. */
enum { CHUNKS_PER_TELLING = 64 };

/* All engines were told of the same blocks, so all take the same words. */
static size_t feed(struct worker *w, const uint64_t *words, size_t n, unsigned slot)
{
	size_t taken = 0;

	for (size_t i = 0; i < w->collector->machine_count; i++)
		taken = ms_shard_feed(w->shards[i], words, n, slot);
	return taken;
}

static int read_chunk(struct worker *w, const uint64_t *words, size_t n, unsigned slot,
		      struct ms_err *err)
{
	size_t at = 0;

	while (at < n) {
		at += feed(w, words + at, n - at, slot);
		if (at == n)
			break;
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			return ms_fail(
				err, MS_EFORMAT,
				"stream: a block left by exit %u, which was not described, or "
				"cut short",
				ms_wire_arg_of(words[at]));
		MS_TRY(ms_collect_event(w, words + at, n - at, err));
		at += ms_wire_words_of(words[at]);
	}
	return MS_OK;
}

static void release(struct collector *c, uint32_t k)
{
	if (!ms_ring_release(&c->ring, k))
		return;
	for (size_t i = 0; i < c->machine_count; i++)
		ms_engine_settle(c->engines[i], ms_ring_slot(&c->ring, k));
	ms_ring_recycle(&c->ring, k);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct collector *c = w->collector;
	struct ms_err err = { MS_OK, "" };
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_ring_wait(&c->ring, k, &words, &n); k++) {
		if (err.code == MS_OK &&
		    read_chunk(w, words, n, ms_ring_slot(&c->ring, k), &err) != MS_OK)
			fail(c, &err);
		if (w->number == 0 && k % CHUNKS_PER_TELLING == 0)
			ms_shard_tell(w->shards[0]);
		release(c, k);
	}
	return NULL;
}

/* Keeps the stream: one more reader, which understands nothing of it. */
static void *keep_trace(void *arg)
{
	struct collector *c = arg;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_ring_wait(&c->ring, k, &words, &n); k++) {
		if (c->trace_failure.code == MS_OK)
			ms_trace_add(c->trace, words, n, &c->trace_failure);
		release(c, k);
	}
	return NULL;
}

/* Reading debug information needs room, however little the user's limit gives to a thread. */
enum { STACK_BYTES = 8 << 20 };

static int start_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	int code = pthread_create(thread, &attributes, run, arg);
	pthread_attr_destroy(&attributes);
	return code;
}

static int start_worker(struct collector *c, unsigned number)
{
	struct worker *w = &c->worker[number];

	*w = (struct worker){ .collector = c,
			      .number = number,
			      .shards = ms_alloc(c->machine_count * sizeof(*w->shards)) };
	for (size_t i = 0; i < c->machine_count; i++)
		w->shards[i] = ms_engine_shard(c->engines[i], number);
	return start_thread(&w->thread, work, w);
}

int ms_workers_start(struct collector *c, struct ms_err *err)
{
	unsigned wanted = c->workers;
	int code = 0;

	c->worker = ms_alloc(wanted * sizeof(*c->worker));
	if (wanted > 1) {
		c->event_room =
			(uint64_t)c->ring.stream->chunk_bytes / 8 * c->ring.stream->chunk_count;
		c->events = ms_pages_alloc(c->event_room * sizeof(*c->events));
	}
	if (c->trace != NULL)
		code = start_thread(&c->trace_thread, keep_trace, c);
	c->trace_started = c->trace != NULL && code == 0;
	for (unsigned i = 0; i < wanted && code == 0; i++) {
		code = start_worker(c, i);
		c->started += code == 0;
	}
	if (code != 0)
		return ms_fail(err, MS_EIO, "cannot start a thread: %s", strerror(code));
	return MS_OK;
}

void ms_workers_join(struct collector *c)
{
	for (unsigned i = 0; i < c->started; i++) {
		pthread_join(c->worker[i].thread, NULL);
		ms_free(c->worker[i].shards);
		ms_vec_free(&c->worker[i].allocating);
	}
	if (c->trace_started)
		pthread_join(c->trace_thread, NULL);
	ms_free(c->worker);
	ms_pages_free(c->events, c->event_room * sizeof(*c->events));
}
