/* collect/worker.c - a thread per shard: every one reads the whole stream. */
#include <string.h>

#include "base/mem.h"
#include "collect/collect_priv.h"

static void fail(struct collector *c, const struct ms_err *err)
{
	pthread_mutex_lock(&c->lock);
	if (c->failure.code == MS_OK)
		c->failure = *err;
	pthread_mutex_unlock(&c->lock);
	/* The program must not wait for readers that have given up. */
	ms_ring_abandon(&c->ring);
}

static int read_chunk(struct worker *w, const uint64_t *words, size_t n, unsigned slot,
		      struct ms_err *err)
{
	size_t at = 0;

	while (at < n) {
		at += ms_shard_feed(w->shard, words + at, n - at, slot);
		if (at == n)
			break;
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			return ms_fail(err, MS_EFORMAT,
				       "stream: a block left by exit %u, which was not described, or cut short",
				       ms_wire_arg_of(words[at]));
		MS_TRY(ms_collect_event(w, words + at, n - at, err));
		at += ms_wire_words_of(words[at]);
	}
	return MS_OK;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct collector *c = w->collector;
	struct ms_err err = { MS_OK, "" };
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_ring_wait(&c->ring, k, &words, &n); k++) {
		unsigned slot = ms_ring_slot(&c->ring, k);

		if (err.code == MS_OK && read_chunk(w, words, n, slot, &err) != MS_OK)
			fail(c, &err);
		if (ms_ring_release(&c->ring, k)) {
			ms_engine_settle(c->engine, slot);
			ms_ring_recycle(&c->ring, k);
		}
	}
	return NULL;
}

int ms_workers_start(struct collector *c, struct ms_err *err)
{
	c->worker = ms_alloc(c->workers * sizeof(*c->worker));
	if (c->workers > 1) {
		c->event_room = (uint64_t)c->ring.stream->chunk_bytes / 8 * c->ring.stream->chunk_count;
		c->events = ms_pages_alloc(c->event_room * sizeof(*c->events));
	}
	for (unsigned i = 0; i < c->workers; i++) {
		struct worker *w = &c->worker[i];

		*w = (struct worker){ .collector = c,
				      .number = i,
				      .shard = ms_engine_shard(c->engine, i) };
		int code = pthread_create(&w->thread, NULL, work, w);
		if (code != 0) {
			c->workers = i;
			return ms_fail(err, MS_EIO, "cannot start a worker thread: %s", strerror(code));
		}
	}
	return MS_OK;
}

void ms_workers_join(struct collector *c)
{
	for (unsigned i = 0; i < c->workers; i++)
		pthread_join(c->worker[i].thread, NULL);
	ms_free(c->worker);
	ms_pages_free(c->events, c->event_room * sizeof(*c->events));
}
