/*
 * collect/worker.c - the threads that process the stream: one worker for each shard, or one worker
 * with two threads; and the thread that writes the trace.
 */
#include "base/mem.h"
#include "base/thread.h"
#include "collect/collect_priv.h"

static void *work(void *arg)
{
	struct worker *w = arg;

	ms_still_go(&w->collector->still);
	if (w->collector->halved)
		ms_worker_sift_only(w);
	else if (w->collector->workers == 1)
		ms_worker_read_alone(w);
	else
		ms_worker_read_together(w);
	ms_still_rest(&w->collector->still);
	return NULL;
}

/* The other half of the worker's work. */
static void *settle(void *arg)
{
	struct collector *c = arg;

	ms_still_go(&c->still);
	ms_collector_settle(c);
	ms_still_rest(&c->still);
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
		ms_ring_release(&c->ring, k);
	}
	return NULL;
}

static int start_worker(struct collector *c, unsigned number, struct ms_err *err)
{
	struct worker *w = &c->worker[number];

	*w = (struct worker){ .collector = c,
			      .number = number,
			      .shards = ms_alloc(c->engine_count * sizeof(*w->shards)),
			      .assignments = ms_alloc(c->engine_count * sizeof(*w->assignments)) };
	for (size_t i = 0; i < c->engine_count; i++) {
		w->shards[i] = ms_engine_get_shard(c->engines[i], number);
		w->assignments[i] = ms_assign_open(ms_collector_machine(c, i), c->cpus,
						   w->shards[i], number == 0 ? c->clocks[i] : NULL);
	}
	return ms_thread_start(&w->thread, work, w, err);
}

int ms_workers_start(struct collector *c, struct ms_err *err)
{
	unsigned wanted = c->workers;
	int code = MS_OK;

	c->worker = ms_alloc(wanted * sizeof(*c->worker));
	if (wanted > 1) {
		if (c->events == NULL)
			ms_collector_keep_events(c, (uint64_t)c->ring.stream->chunk_bytes / 8 *
							    c->ring.stream->chunk_count);
		ms_flights_open(c);
	}
	/* The ring counts on a reader, also where the file could not be made. */
	bool traces = c->trace != NULL || c->trace_failure.code != MS_OK;

	if (traces)
		code = ms_thread_start(&c->trace_thread, keep_trace, c, err);
	c->trace_started = traces && code == MS_OK;
	if (c->halved && code == MS_OK) {
		code = ms_thread_start(&c->pipeline.thread, settle, c, err);
		c->pipeline.started = code == MS_OK;
	}
	for (unsigned i = 0; i < wanted && code == MS_OK; i++) {
		code = start_worker(c, i, err);
		c->started += code == MS_OK;
	}
	return code;
}

void ms_workers_join(struct collector *c)
{
	for (unsigned i = 0; i < c->started; i++) {
		pthread_join(c->worker[i].thread, NULL);
		for (size_t m = 0; m < c->engine_count; m++)
			ms_assign_close(c->worker[i].assignments[m]);
		ms_free(c->worker[i].assignments);
		ms_free(c->worker[i].shards);
		ms_vec_free(&c->worker[i].allocating);
		ms_free(c->worker[i].passing);
	}
	if (c->pipeline.started) {
		if (c->started == 0)
			ms_pipeline_end(&c->pipeline); /* else the filtering thread does */
		pthread_join(c->pipeline.thread, NULL);
	}
	if (c->trace_started)
		pthread_join(c->trace_thread, NULL);
	ms_free(c->worker);
	ms_flights_close(c);
}
