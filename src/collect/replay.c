/* collect/replay.c - a trace in, a run for each machine out, in one pass over the trace. */
#include <string.h>

#include "collect/collect_priv.h"
#include "stream/writer.h"

/* The trace's reader is the ring's writer. */
static int pour(struct collector *c, struct ms_trace *trace, struct ms_err *err)
{
	double started = ms_collector_now();

	for (uint64_t k = 0; k < ms_trace_chunks(trace); k++) {
		uint64_t *room = ms_ring_room(&c->ring);
		size_t n = 0;

		if (room == NULL)
			break; /* the workers have given up, and say why */
		MS_TRY(ms_trace_read(trace, k, room, &n, err));
		ms_ring_publish(&c->ring, n);
		ms_collector_tell(c, started);
	}
	return MS_OK;
}

static int replay(struct collector *c, struct ms_trace *trace, double *seconds, struct ms_err *err)
{
	double started = ms_collector_now();
	int code = ms_workers_start(c, err);

	if (code == MS_OK)
		code = pour(c, trace, err);
	else
		ms_ring_abandon(&c->ring);
	ms_ring_end(&c->ring);
	ms_workers_join(c);
	*seconds = ms_collector_now() - started;
	if (code == MS_OK && c->failure.code != MS_OK) {
		*err = c->failure;
		code = c->failure.code;
	}
	return code;
}

static void make_runs(struct collector *c, struct ms_trace *trace, double seconds,
		      struct ms_run *runs)
{
	const struct ms_trace_info *info = ms_trace_info(trace);
	struct ms_trace_end end;
	bool whole = ms_trace_is_whole(trace, &end);

	for (size_t i = 0; i < c->machine_count; i++) {
		ms_collector_describe(c, c->machines[i], info->frontend, info->argv, &runs[i]);
		runs[i].wall_seconds = seconds;
		runs[i].end = whole ? end.end : MS_END_LOST;
		runs[i].exit_status = whole ? end.exit_status : 0;
		if (!whole)
			runs[i].failure = "the trace was cut short";
		ms_collect_result(c, i, &runs[i]);
	}
}

int ms_replay(const struct ms_replay_options *options, struct ms_run *runs, struct ms_err *err)
{
	struct collector c = { .machines = options->machines,
			       .machine_count = options->machine_count,
			       .progress = options->progress,
			       .progress_arg = options->progress_arg };
	struct ms_trace *trace;
	double seconds = 0;

	memset(runs, 0, options->machine_count * sizeof(*runs));
	MS_TRY(ms_trace_open(&trace, options->trace, err));
	int code = ms_collector_open(&c, ms_trace_info(trace)->chunk_bytes, options->workers, false,
				     err);
	if (code == MS_OK) {
		code = replay(&c, trace, &seconds, err);
		if (code == MS_OK)
			make_runs(&c, trace, seconds, runs);
		ms_collector_close(&c);
	}
	ms_trace_close(trace);
	return code;
}
