/*
 * collect/replay.c - simulates a trace on several machines in one pass; makes a run for each.
 *
 * A source provides chunks of the stream: a trace that memspy has written, or an importer of a
 * foreign format.
 */
#include <string.h>
#include <unistd.h>

#include "collect/collect_priv.h"
#include "stream/import/import.h"
#include "stream/writer.h"

struct source {
	const char *frontend;
	const char *const *argv;
	uint32_t chunk_bytes; /* no chunk is larger; 0: whatever the ring has */
	/* Gives the next chunk; *n == 0: there is none. */
	int (*read)(struct source *source, uint64_t *words, size_t room, size_t *n,
		    struct ms_err *err);
	/* How the program ended; what is missing, or NULL. */
	const char *(*end)(const struct source *source, struct ms_trace_end *end);
	struct ms_trace *trace;
	uint64_t next; /* chunk of the trace */
	struct ms_import *import;
	const char *import_argv[2];
	struct ms_stream_sampling sampling;     /* as the program was sampled ... */
	bool sampled;                           /* ... if it was */
	const struct ms_stream_sampling *marks; /* NULL: none */
	const struct ms_collect_checkpoint_options *checkpoint;
	struct ms_run *runs; /* of each machine */
};

/* --- traces --- */

static int read_trace(struct source *s, uint64_t *words, size_t room, size_t *n, struct ms_err *err)
{
	(void)room;
	*n = 0;
	while (*n == 0 && s->next < ms_trace_chunks(s->trace))
		MS_TRY(ms_trace_read(s->trace, s->next++, words, n, err));
	return MS_OK;
}

static const char *end_of_trace(const struct source *s, struct ms_trace_end *end)
{
	if (!ms_trace_ended(s->trace, end))
		*end = (struct ms_trace_end){ .end = MS_END_LOST };
	if (ms_trace_state(s->trace) == MS_TRACE_CUT)
		return "the trace was cut short";
	if (end->limited) {
		/* How the program ended is known, but that is not the end of what is simulated. */
		*end = (struct ms_trace_end){ .end = MS_END_LOST, .limited = true };
		return "the trace holds only the beginning (--trace-limit)";
	}
	if (ms_trace_state(s->trace) == MS_TRACE_NO_INDEX)
		return "the trace's index is damaged, all chunks are there";
	return NULL;
}

static int open_trace(struct source *s, const char *path, struct ms_err *err)
{
	MS_TRY(ms_trace_open(&s->trace, path, err));
	MS_TRY(ms_trace_follow(s->trace, err));

	const struct ms_trace_info *info = ms_trace_info(s->trace);
	s->frontend = info->frontend;
	s->argv = info->argv;
	s->chunk_bytes = (info->chunk_bytes + 7) & ~UINT32_C(7);
	s->read = read_trace;
	s->end = end_of_trace;
	s->sampled = info->sampling != NULL;
	if (s->sampled)
		s->sampling = *info->sampling;
	return MS_OK;
}

/* --- foreign formats --- */

static int read_import(struct source *s, uint64_t *words, size_t room, size_t *n,
		       struct ms_err *err)
{
	return ms_import_read(s->import, words, room, n, err);
}

/* Foreign formats do not record how the program ended. */
static const char *end_of_import(const struct source *s, struct ms_trace_end *end)
{
	(void)s;
	*end = (struct ms_trace_end){ .end = MS_END_EXITED };
	return NULL;
}

static void use_import(struct source *s, const char *path)
{
	s->import_argv[0] = path;
	s->frontend = ms_import_format(s->import);
	s->argv = s->import_argv;
	s->read = read_import;
	s->end = end_of_import;
}

static int open_source(struct source *s, const struct ms_collect_replay_options *options,
		       struct ms_err *err)
{
	const char *format = options->format;

	if (format != NULL && strcmp(format, MS_COLLECT_REPLAY_OWN) == 0)
		return open_trace(s, options->trace, err);
	MS_TRY(ms_import_open(&s->import, options->trace, format, err));
	if (s->import == NULL)
		return open_trace(s, options->trace, err);
	use_import(s, options->trace);
	return MS_OK;
}

static void close_source(struct source *s)
{
	ms_trace_close(s->trace);
	ms_import_close(s->import);
}

/* --- traces of sampled programs --- */

/* The omitted lines must be whole sets of this machine, too. */
static bool keeps_sets(const struct ms_stream_sampler_sets *seen, const struct ms_machine *machine)
{
	struct ms_stream_sampler_sets own = ms_collect_set_groups(&machine, 1);

	return seen->every == 1 || (seen->shift >= own.shift &&
				    seen->shift + (uint32_t)__builtin_popcountll(seen->mask) <=
					    own.shift + (uint32_t)__builtin_popcountll(own.mask));
}

static int check_sampled(const struct source *s, const struct ms_collect_replay_options *options,
			 struct ms_err *err)
{
	if (options->sampling != NULL)
		return ms_fail(err, MS_EUSAGE,
			       "%s: is of a sampled program: there is nothing between its windows "
			       "and sets, and it is simulated as it is; omit --sample, "
			       "--error and --sample-sets",
			       options->trace);
	if (options->pmu_count > 0)
		return ms_fail(err, MS_EUSAGE,
			       "%s: is of a sampled program, and a monitor must see all of it; "
			       "omit --pmu",
			       options->trace);
	for (size_t i = 0; i < options->machine_count; i++) {
		const struct ms_machine *machine = options->machines[i];

		const char *why = ms_collect_no_sampling(machine, s->sampling.sets.every > 1);

		if (why != NULL)
			return ms_fail(err, MS_EUSAGE,
				       "%s: is of a sampled program, and machine %s cannot be "
				       "sampled: %s",
				       options->trace, machine->name, why);
		if (!keeps_sets(&s->sampling.sets, machine))
			return ms_fail(err, MS_EUSAGE,
				       "%s: has one of %llu sets of another machine; machine %s "
				       "chooses sets by other address bits",
				       options->trace, (unsigned long long)s->sampling.sets.every,
				       machine->name);
	}
	return MS_OK;
}

/* How the trace is sampled; NULL: it contains the whole program. */
static int find_sampling(struct source *s, const struct ms_collect_replay_options *options,
			 const struct ms_stream_sampling **sampling, struct ms_err *err)
{
	*sampling = options->marks ? NULL : options->sampling;
	s->marks = options->marks ? options->sampling : NULL;
	if (s->sampled && options->marks)
		return ms_fail(err, MS_EUSAGE,
			       "%s: is of a sampled program; --sample-phases needs all of it",
			       options->trace);
	if (!s->sampled)
		return MS_OK;
	MS_TRY(check_sampled(s, options, err));
	if (s->sampling.sets.every == 1)
		s->sampling.sets = ms_collect_set_groups(options->machines, options->machine_count);
	*sampling = &s->sampling;
	return MS_OK;
}

/* --- either --- */

/* Memory is that of one run at a time. */
static MS_NORETURN void save_checkpoints(struct ms_collect_state *c, struct source *s,
					 double seconds)
{
	int code = MS_OK;

	for (size_t i = 0; i < c->setup.machine_count && code == MS_OK; i++) {
		struct ms_run *run = &s->runs[i];

		ms_collect_describe_run(c, c->setup.machines[i], s->frontend, s->argv, run);
		ms_collect_result(c, i, run);
		ms_collect_checkpoint_mark(c, run, seconds);
		code = s->checkpoint->keep(run, s->checkpoint->arg);
		ms_run_free(run);
	}
	_exit(code == MS_OK ? 0 : 1);
}

static void checkpoint_if_due(struct ms_collect_state *c, struct source *s, double started)
{
	if (c->checkpoints.seconds > 0 && ms_collect_checkpoint_fork(c, started))
		save_checkpoints(c, s, ms_seconds_now() - started);
}

/* The largest size of a chunk: a sampler makes it a little larger. */
static uint32_t chunk_bytes(const struct source *source, bool sampler)
{
	if (!sampler || source->chunk_bytes == 0)
		return source->chunk_bytes;
	return (uint32_t)ms_stream_sampler_room(source->chunk_bytes / 8) * 8;
}

static void copy_skipped_counts(struct ms_collect_state *c, struct ms_stream_sampler *sampler)
{
	uint64_t *room;
	size_t n;

	while ((room = ms_stream_ring_room(&c->ring)) != NULL &&
	       (n = ms_stream_sampler_write_skipped(sampler, room,
						    c->ring.stream->chunk_bytes / 8)) > 0)
		ms_stream_ring_publish(&c->ring, n);
}

/* Chunks through a sampler. */
static int copy_sampled_chunks(struct ms_collect_state *c, struct source *source,
			       struct ms_stream_sampler *sampler, uint64_t *words,
			       struct ms_err *err)
{
	size_t room_words = c->ring.stream->chunk_bytes / 8 * 7 / 8 - 64, n = 1, at = 0, left = 0;
	double started = ms_seconds_now();

	if (source->chunk_bytes != 0)
		room_words = source->chunk_bytes / 8;
	while (n > 0) {
		uint64_t *room = ms_stream_ring_room(&c->ring);

		if (room == NULL)
			break; /* the workers have stopped, with an error */
		n = left;
		if (left == 0) {
			MS_TRY(source->read(source, words, room_words, &n, err));
			at = 0;
		}
		size_t kept = n > 0 ? ms_stream_sampler_filter(sampler, words + at, n, room)
				    : ms_stream_sampler_finish(sampler, room);
		if (kept > 0)
			ms_stream_ring_publish(&c->ring, kept);
		at += n - ms_stream_sampler_pending_words(sampler);
		left = ms_stream_sampler_pending_words(sampler);
		if (ms_stream_sampler_needs_plan(sampler)) {
			ms_stream_ring_wait_read(&c->ring);
			ms_stream_sampler_set_plan(sampler, c->ring.stream->pace);
		}
		ms_collect_report_progress(c, started);
		checkpoint_if_due(c, source, started);
	}
	copy_skipped_counts(c, sampler);
	return MS_OK;
}

/* Copies the chunks of the source into the ring. */
static int copy_chunks(struct ms_collect_state *c, struct source *source, struct ms_err *err)
{
	size_t room_words = c->ring.stream->chunk_bytes / 8, n = 1;
	double started = ms_seconds_now();

	while (n > 0) {
		uint64_t *room = ms_stream_ring_room(&c->ring);

		if (room == NULL)
			break; /* the workers have stopped, with an error */
		MS_TRY(source->read(source, room, room_words, &n, err));
		if (n > 0)
			ms_stream_ring_publish(&c->ring, n);
		ms_collect_report_progress(c, started);
		checkpoint_if_due(c, source, started);
	}
	return MS_OK;
}

static int copy_source(struct ms_collect_state *c, struct source *source, struct ms_err *err)
{
	struct ms_stream_sampler *sampler;
	uint64_t *words;
	int code;

	if (c->setup.sampling == NULL && source->marks == NULL)
		return copy_chunks(c, source, err);
	sampler = source->marks != NULL ? ms_stream_sampler_open_marks(source->marks)
					: ms_stream_sampler_open(c->setup.sampling);
	words = ms_alloc(c->ring.stream->chunk_bytes);
	code = copy_sampled_chunks(c, source, sampler, words, err);
	ms_free(words);
	ms_stream_sampler_close(sampler);
	return code;
}

static int replay(struct ms_collect_state *c, struct source *source, double *seconds,
		  struct ms_err *err)
{
	double started = ms_seconds_now();
	int code = ms_collect_start_workers(c, err);

	if (code == MS_OK)
		code = copy_source(c, source, err);
	else
		ms_stream_ring_abandon(&c->ring);
	ms_collect_checkpoint_finish(c);
	ms_stream_ring_end(&c->ring);
	ms_collect_join_workers(c);
	*seconds = ms_seconds_now() - started;
	if (code == MS_OK && c->pool.failure.code != MS_OK) {
		*err = c->pool.failure;
		code = c->pool.failure.code;
	}
	return code;
}

static void make_runs(struct ms_collect_state *c, const struct source *source, double seconds,
		      struct ms_run *runs)
{
	struct ms_trace_end end;
	const char *missing = source->end(source, &end);

	for (size_t i = 0; i < c->setup.machine_count; i++) {
		ms_collect_describe_run(c, c->setup.machines[i], source->frontend, source->argv,
					&runs[i]);
		runs[i].wall_seconds = seconds;
		runs[i].end = end.end;
		runs[i].exit_status = end.exit_status;
		runs[i].failure = missing;
		ms_collect_result(c, i, &runs[i]);
	}
}

int ms_collect_replay(const struct ms_collect_replay_options *options, struct ms_run *runs,
		      struct ms_err *err)
{
	struct ms_collect_state c = { .setup.machines = options->machines,
				      .setup.machine_count = options->machine_count,
				      .setup.pmus = options->pmus,
				      .setup.pmu_count = options->pmu_count,
				      .setup.cpus = &options->cpus,
				      .splits.choose = options->split,
				      .splits.arg = options->split_arg,
				      .setup.misses_only = options->misses_only,
				      .setup.line_rate = options->line_rate,
				      .setup.limits = options->limits,
				      .plan = { .waits = true },
				      .setup.progress = options->progress,
				      .setup.progress_arg = options->progress_arg,
				      .checkpoints.seconds = options->checkpoint.seconds };
	struct source source = { .checkpoint = &options->checkpoint, .runs = runs };
	double seconds = 0;

	memset(runs, 0, options->machine_count * sizeof(*runs));
	for (size_t i = 0; i < options->machine_count && c.checkpoints.seconds > 0; i++)
		ms_run_make_uid(&runs[i]);
	int code = open_source(&source, options, err);
	if (code == MS_OK)
		code = find_sampling(&source, options, &c.setup.sampling, err);
	if (code == MS_OK && c.setup.sampling != NULL && c.setup.misses_only)
		code = ms_fail(err, MS_EUSAGE,
			       "%s: a trace of windows, whose estimates need the hits, too; omit "
			       "--misses-only",
			       options->trace);
	if (code == MS_OK)
		code = ms_collect_open(
			&c, chunk_bytes(&source, c.setup.sampling != NULL || source.marks),
			options->workers, false, err);
	if (code == MS_OK) {
		code = replay(&c, &source, &seconds, err);
		if (code == MS_OK)
			make_runs(&c, &source, seconds, runs);
		ms_collect_close(&c);
	}
	close_source(&source);
	return code;
}
