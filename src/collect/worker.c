/*
 * collect/worker.c - the threads that process the stream: one worker for each shard, or one worker
 * with two threads.
 */
#include "base/mem.h"
#include "base/thread.h"
#include "collect/collect_priv.h"
#include "collect/polling.h"

static void *work(void *arg)
{
	struct ms_collect_worker *w = arg;

	ms_collect_quiesce_resume(&w->collector->pool.quiesce);
	if (w->collector->pool.halved)
		ms_collect_filter_chunks(w);
	else if (w->collector->pool.count == 1)
		ms_collect_read_alone(w);
	else
		ms_collect_read_together(w);
	ms_collect_quiesce_rest(&w->collector->pool.quiesce);
	return NULL;
}

/* The second thread of a single worker: simulates the chunks that the first one has filtered. */
static void *simulate(void *arg)
{
	struct ms_collect_state *c = arg;

	ms_collect_quiesce_resume(&c->pool.quiesce);
	ms_collect_simulate_chunks(c);
	ms_collect_quiesce_rest(&c->pool.quiesce);
	return NULL;
}

static int start_worker(struct ms_collect_state *c, unsigned number, struct ms_err *err)
{
	struct ms_collect_worker *w = &c->pool.workers[number];

	*w = (struct ms_collect_worker){
		.collector = c,
		.number = number,
		.shards = ms_alloc(c->sim.engine_count * sizeof(*w->shards)),
		.assignments = ms_alloc(c->sim.engine_count * sizeof(*w->assignments))
	};
	for (size_t i = 0; i < c->sim.engine_count; i++) {
		w->shards[i] = ms_engine_get_shard(c->sim.engines[i], number);
		w->assignments[i] = ms_collect_assign_open(
			c->setup.several != NULL ? c->setup.several : ms_collect_machine_of(c, i),
			c->setup.cpus, w->shards[i], number == 0 ? c->sim.clocks[i] : NULL);
	}
	return ms_thread_start(&w->thread, work, w, err);
}

int ms_collect_start_workers(struct ms_collect_state *c, struct ms_err *err)
{
	unsigned wanted = c->pool.count;
	int code;

	c->pool.workers = ms_alloc(wanted * sizeof(*c->pool.workers));
	ms_collect_polling_open(c, wanted);
	if (wanted > 1) {
		if (c->binding.events == NULL)
			ms_collect_keep_events(c, (uint64_t)c->ring.stream->chunk_bytes / 8 *
							  c->ring.stream->chunk_count);
		ms_collect_open_chunks(c);
	}
	code = ms_collect_write_trace(c, err);
	if (c->pool.halved && code == MS_OK) {
		code = ms_thread_start(&c->pool.pipeline.thread, simulate, c, err);
		c->pool.pipeline.started = code == MS_OK;
	}
	for (unsigned i = 0; i < wanted && code == MS_OK; i++) {
		code = start_worker(c, i, err);
		c->pool.started += code == MS_OK;
	}
	return code;
}

void ms_collect_join_workers(struct ms_collect_state *c)
{
	for (unsigned i = 0; i < c->pool.started; i++) {
		pthread_join(c->pool.workers[i].thread, NULL);
		for (size_t m = 0; m < c->sim.engine_count; m++)
			ms_collect_assign_close(c->pool.workers[i].assignments[m]);
		ms_free(c->pool.workers[i].assignments);
		ms_free(c->pool.workers[i].shards);
		ms_vec_free(&c->pool.workers[i].allocating);
		ms_free(c->pool.workers[i].passing);
	}
	if (c->pool.pipeline.started) {
		if (c->pool.started == 0)
			ms_collect_pipeline_end(
				&c->pool.pipeline); /* else the filtering thread does */
		pthread_join(c->pool.pipeline.thread, NULL);
	}
	ms_collect_join_trace(c);
	ms_free(c->pool.workers);
	ms_collect_close_chunks(c);
}
