/* collect/trace_file.c - one more thread that reads the ring: it writes the chunks to a file. */
#include "base/thread.h"
#include "collect/collect_priv.h"

int ms_collect_start_trace(struct ms_collect_state *c, const char *frontend, const char *path,
			   uint64_t limit, const char *const *argv, struct ms_err *err)
{
	struct ms_trace_info info = { frontend, argv, c->ring.stream->chunk_bytes,
				      c->setup.sampling };

	return path != NULL ? ms_trace_create(&c->trace.writer, path, limit, &info, err) : MS_OK;
}

void ms_collect_finish_trace(struct ms_collect_state *c, struct ms_run *run)
{
	struct ms_trace_end end = { .end = run->end, .exit_status = run->exit_status };

	if (c->trace.writer == NULL)
		return;
	run->trace_limited = ms_trace_limited(c->trace.writer);
	if (c->trace.failure.code == MS_OK)
		ms_trace_finish(c->trace.writer, &end, &c->trace.failure);
	else
		ms_trace_finish(c->trace.writer, &end, NULL);
	if (c->trace.failure.code != MS_OK)
		run->trace_failure = ms_arena_strdup(&run->arena, c->trace.failure.text);
	c->trace.writer = NULL;
}

static void *write_chunks(void *arg)
{
	struct ms_collect_state *c = arg;
	const uint64_t *words;
	size_t n;

	for (uint32_t k = 0; ms_stream_ring_wait(&c->ring, k, &words, &n); k++) {
		if (c->trace.failure.code == MS_OK)
			ms_trace_add(c->trace.writer, words, n, &c->trace.failure);
		ms_stream_ring_release(&c->ring, k);
	}
	return NULL;
}

int ms_collect_write_trace(struct ms_collect_state *c, struct ms_err *err)
{
	int code = MS_OK;
	/* The ring expects this reader, also where the file could not be created. */
	bool reads = c->trace.writer != NULL || c->trace.failure.code != MS_OK;

	if (reads)
		code = ms_thread_start(&c->trace.thread, write_chunks, c, err);
	c->trace.started = reads && code == MS_OK;
	return code;
}

void ms_collect_join_trace(struct ms_collect_state *c)
{
	if (c->trace.started)
		pthread_join(c->trace.thread, NULL);
}
