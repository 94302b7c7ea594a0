/* collect/collect.c - runs a program and collects its run, from start to end. */
#include "collect/collect.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/collect_priv.h"
#include "collect/follow.h"
#include "collect/origin.h"
#include "collect/platform.h"
#include "schedule/merge.h"

/* The more a mark says, the later it stands: Valgrind's words may hold several. */
enum collapse { NO_COLLAPSE, IMPOSSIBLE, OUT_OF_MEMORY, TOO_MANY_THREADS, COLLAPSES };
static const struct {
	const char *mark; /* in Valgrind's own words */
	const char *meaning;
} collapses[] = {
	[IMPOSSIBLE] = { "the 'impossible' happened", "Valgrind itself has failed" },
	[OUT_OF_MEMORY] = { "memory management: out of memory",
			    "Valgrind ran out of memory. A limit on the address space (ulimit -v, "
			    "or RLIMIT_AS set by the program) must leave it 100 MB more than the "
			    "program needs" },
	[TOO_MANY_THREADS] = { "Max number of threads is too low", NULL },
};

/* Whether Valgrind gave up, and ended with a status that looks like the program's. */
static enum collapse find_collapse(const char *messages)
{
	enum collapse found = NO_COLLAPSE;

	for (enum collapse i = IMPOSSIBLE; messages != NULL && i < COLLAPSES; i++)
		if (strstr(messages, collapses[i].mark) != NULL)
			found = i;
	return found;
}

/* An end that the front-end did not see: it was not there any more, or a signal ended both. */
static void explain_unseen_end(struct collector *c, const struct ms_collect_options *options,
			       struct ms_run *run)
{
	if (options->attach != 0 || c->ring.stream->writer_pid == 0 || c->ring.stream->writer_done)
		return;
	enum collapse why = run->end == MS_END_EXITED ? find_collapse(run->messages) : NO_COLLAPSE;

	/* Not every end that was not seen: exit_group() may be called without the C library. */
	run->became_another = why == NO_COLLAPSE && c->children == NULL &&
			      (c->exec_watch.another || c->ring.stream->executes);
	if (why == TOO_MANY_THREADS)
		ms_fail(&c->pool.failure, MS_EIO,
			"the program has more threads at a time than there is room for (%u); "
			"--threads N makes room for N",
			options->threads > 0 ? options->threads : MS_COLLECT_THREADS);
	else if (why != NO_COLLAPSE)
		ms_fail(&c->pool.failure, MS_EIO, "%s", collapses[why].meaning);
	if (why > IMPOSSIBLE)
		run->messages = NULL; /* the same in a hundred lines */
}

/* A signal from outside, which may come before the front-end has begun. */
static bool was_stopped(const struct ms_run *run)
{
	static const int asking[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGKILL,
				      SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2 };
	bool asked = run->end == MS_END_INTERRUPTED;

	for (size_t i = 0; i < MS_COUNT(asking) && run->end == MS_END_SIGNALED; i++)
		asked |= run->exit_status == asking[i];
	return asked;
}

/* Natively a program may run without being traced anywhere; under Valgrind it may not. */
static bool has_run(const struct collector *c, const struct ms_choice *choice,
		    const struct ms_run *run)
{
	if (was_stopped(run))
		return true;
	return choice->native ? c->ring.stream->writer_pid != 0
			      : ms_bins_blocks(c->binding.binder) != 0;
}

/* Processor time of all children so far. */
static double child_seconds(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used) != 0)
		return 0;
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* From the program's start to the end of the stream. */
static int follow(struct collector *c, const struct ms_collect_options *options,
		  const struct ms_choice *choice, const struct ms_launch *launch,
		  struct ms_origin *origin, struct ms_run *run, struct ms_err *err)
{
	double started = ms_collector_now(), used = child_seconds();
	struct ms_schedule_merger *merger = NULL;
	int code = ms_workers_start(c, err);

	if (code == MS_OK && choice->native)
		code = ms_collector_merge(c, &merger, err);
	if (code != MS_OK)
		ms_stream_ring_abandon(&c->ring);
	double git = child_seconds();
	ms_origin_hear(origin, run);
	used += child_seconds() - git;
	if (options->attach != 0) {
		ms_attach_others(launch);
		ms_wait_attached(c, launch->pid, options);
		run->end = MS_END_LOST; /* it may go on, without us */
		ms_stream_ring_abandon(&c->ring);
	} else {
		ms_wait_for(c, launch->pid, options, &run->end, &run->exit_status);
	}
	double looked = ms_snapshot_finish(c) + ms_checkpoint_finish(c);

	if (options->ended != NULL)
		options->ended(options->counted_arg);
	ms_schedule_merge_finish(merger);
	ms_stream_ring_end(&c->ring);
	ms_workers_join(c);
	run->wall_seconds = ms_collector_now() - started;
	if (c->hardware != NULL) {
		c->hardware->about.cpu_ns = (uint64_t)((child_seconds() - used - looked) * 1e9);
		ms_hardware_end(c);
	}
	run->messages = ms_launch_log(launch, &run->arena);
	explain_unseen_end(c, options, run);
	if (code == MS_OK && !has_run(c, choice, run))
		code = ms_fail(err, MS_EBUG, "%s: the %s front-end could not run it%s%s",
			       run->program, choice->native ? "native" : "Valgrind",
			       run->messages != NULL ? ":\n" : "",
			       run->messages != NULL ? run->messages : "");
	return code;
}

/* What the program's process executes first. */
static void note_name(struct collector *c, const struct ms_choice *choice, const char *path)
{
	char tool[64];

	snprintf(tool, sizeof(tool), "memspy-%s", ms_platform_valgrind);
	ms_became_begin(&c->exec_watch, choice->native ? path : tool);
}

static int launch(const struct ms_choice *choice, struct ms_launch *launched,
		  const struct ms_collect_options *options, const char *path, int stream_fd,
		  const char *collector, struct hardware *hardware, struct ms_err *err)
{
	return choice->native
		       ? ms_launch_native(launched, options, path, stream_fd, collector, hardware,
					  err)
		       : ms_launch_valgrind(launched, options, path, stream_fd, collector, err);
}

static int run_program(struct collector *c, const struct ms_collect_options *options,
		       const struct ms_choice *choice, const char *path, struct ms_origin *origin,
		       struct ms_run *run, struct ms_err *err)
{
	struct ms_launch launched = { .log_fd = -1 };
	struct follow children;
	int code = ms_collect_start_trace(c, choice->name, options->trace, options->trace_limit,
					  (const char *const *)options->argv, err);

	if (code == MS_OK && options->follow) {
		code = ms_follow_open(&children, options, choice, err);
		c->children = code == MS_OK ? &children : NULL;
	}
	if (code == MS_OK) {
		ms_wait_prepare();
		note_name(c, choice, path);
		code = options->attach != 0 ? ms_attach(&launched, options, c->ring.fd, err)
					    : launch(choice, &launched, options, path, c->ring.fd,
						     c->children != NULL ? children.name : NULL,
						     c->hardware, err);
		if (c->children != NULL)
			children.program = launched.pid;
		if (code == MS_OK) {
			code = follow(c, options, choice, &launched, origin, run, err);
			close(launched.log_fd);
		}
		if (c->children != NULL) {
			ms_unseen_unreached(c->ring.stream, run);
			ms_follow_finish(&children, options, run);
		}
		ms_collect_finish_trace(c, run);
		ms_wait_finish();
	}
	return code;
}

/* The real machine's caches are what they are: nothing of a description was used. */
void ms_collector_forget_machine(struct ms_run *run)
{
	run->machine_origin = "the real machine";
	run->memory_latency = 0;
	run->levels.n = 0;
}

static void close_all(struct collector *c)
{
	ms_collector_close(c);
	if (c->hardware != NULL)
		ms_hardware_close(c->hardware);
}

static int collect(const struct ms_collect_options *options, const struct ms_choice *choice,
		   const char *path, struct ms_run *run, struct ms_err *err)
{
	struct collector c = { .setup.machines = &options->machine,
			       .setup.machine_count = 1,
			       .setup.pmus = options->pmus,
			       .setup.pmu_count = options->pmu_count,
			       .setup.cpus = &options->cpus,
			       .setup.sampling = options->sampling,
			       .setup.misses_only = options->misses_only,
			       .setup.limits = options->limits,
			       .splits.choose = options->split,
			       .splits.arg = options->split_arg,
			       .setup.progress = options->progress,
			       .setup.progress_arg = options->progress_arg,
			       .snapshots.options = options->snapshot,
			       .checkpoints.seconds = options->checkpoint.seconds,
			       .plan = { .waits = !choice->native },
			       .program.starts_natively = choice->native && options->attach == 0 &&
							  options->hardware == NULL,
			       .run = run };

	struct hardware hardware;
	struct ms_origin origin;

	if (options->hardware != NULL) {
		ms_hardware_open(&hardware, options->hardware);
		c.hardware = &hardware;
	}
	/* Of samples one worker takes care. */
	MS_TRY(ms_collector_open(&c, 0, c.hardware != NULL ? 1 : options->workers,
				 options->trace != NULL, err));
	if (choice->native && ms_native_lanes(&c.ring, options, err) != MS_OK) {
		close_all(&c);
		return err->code;
	}
	ms_collector_describe(&c, options->machine, choice->name,
			      (const char *const *)options->argv, run);
	run->seed = options->machine->processors > 1 ? options->seed : 0;
	ms_origin_note(&origin, run, path, options->keep_variables);
	if (c.hardware != NULL) {
		ms_collector_forget_machine(run);
		ms_origin_hear(&origin, run); /* before: the machine is measured from then on */
	}
	int code = run_program(&c, options, choice, path, &origin, run, err);
	if (code != MS_OK)
		ms_origin_hear(&origin, run); /* in case it has not begun */
	if (code == MS_OK) {
		if (c.pool.failure.code != MS_OK) {
			run->end = MS_END_LOST;
			run->failure = ms_arena_strdup(&run->arena, c.pool.failure.text);
		}
		c.setup.counted = options->counted;
		c.setup.counted_arg = options->counted_arg;
		ms_collect_result(&c, 0, run);
	}
	close_all(&c);
	if (code != MS_OK)
		ms_run_free(run);
	return code;
}

int ms_collect(const struct ms_collect_options *options, struct ms_run *run, struct ms_err *err)
{
	struct ms_choice choice;
	char *path = NULL;

	memset(run, 0, sizeof(*run));
	MS_TRY(ms_launch_check(options->argv[0], &path, err));
	int code = ms_choose(options, path, &choice, err);
	if (code == MS_OK)
		code = collect(options, &choice, path, run, err);
	ms_free(path);
	return code;
}
