/* collect/collect.c - runs a program and collects its run, from start to end. */
#include "collect/collect.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/child_collector.h"
#include "collect/collect_priv.h"
#include "launch/follow_children.h"
#include "launch/platform.h"
#include "launch/unfollowable.h"
#include "name/run_origin.h"
#include "schedule/merge.h"

/* In the order of precedence: Valgrind's messages may contain several of these marks. */
enum collapse { NO_COLLAPSE, IMPOSSIBLE, OUT_OF_MEMORY, TOO_MANY_THREADS, COLLAPSES };
static const struct {
	const char *mark; /* in Valgrind's messages */
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

/* The front-end did not record the end: exec has removed it, or a signal has ended both. */
static void explain_unseen_end(struct ms_collect_state *c, const struct ms_collect_options *options,
			       struct ms_run *run)
{
	if (options->launch.attach != 0 || c->ring.stream->writer_pid == 0 ||
	    c->ring.stream->writer_done)
		return;
	enum collapse why = run->end == MS_END_EXITED ? find_collapse(run->messages) : NO_COLLAPSE;

	/* Not every end that was not seen: exit_group() may be called without the C library. */
	run->became_another = why == NO_COLLAPSE && (c->children == NULL || !c->children->forks) &&
			      (c->exec_watch.another || c->ring.stream->executes);
	if (why == TOO_MANY_THREADS)
		ms_fail(&c->pool.failure, MS_EIO,
			"the program has more threads at a time than there is room for (%u); "
			"--threads N makes room for N",
			options->launch.threads > 0 ? options->launch.threads : MS_LAUNCH_THREADS);
	else if (why != NO_COLLAPSE)
		ms_fail(&c->pool.failure, MS_EIO, "%s", collapses[why].meaning);
	if (why > IMPOSSIBLE)
		run->messages = NULL; /* they only repeat this at length */
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

/* Natively, a program may run without any traced block; under Valgrind it cannot. */
static bool has_run(const struct ms_collect_state *c, const struct ms_launch_choice *choice,
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

struct look {
	struct ms_collect_state *c;
	pid_t pid;
	const struct ms_collect_options *options;
};

/* While the program runs: reports progress, and saves what there is. No checkpoint is made before
 * the front-end has started: if it cannot run the program, nothing is kept. */
static void look_at_program(double started, void *arg)
{
	const struct look *look = arg;
	const struct ms_collect_checkpoint_options *checkpoint = &look->options->checkpoint;

	ms_collect_report_progress(look->c, started);
	ms_collect_snapshot_if_wanted(look->c, look->pid, started);
	if (look->c->ring.stream->writer_pid != 0)
		ms_collect_checkpoint_if_due(look->c, look->pid, started, checkpoint->keep,
					     checkpoint->arg);
}

/* From the program's start to the end of the stream. */
static int follow(struct ms_collect_state *c, const struct ms_collect_options *options,
		  const struct ms_launch_choice *choice, const struct ms_launch_process *launch,
		  struct ms_name_origin *origin, struct ms_run *run, struct ms_err *err)
{
	double started = ms_seconds_now(), used = child_seconds();
	struct ms_schedule_merger *merger = NULL;
	int code = ms_collect_start_workers(c, err);

	if (code == MS_OK && choice->native)
		code = ms_collect_start_merger(c, &merger, err);
	if (code != MS_OK)
		ms_stream_ring_abandon(&c->ring);
	double git = child_seconds();
	ms_name_origin_finish(origin, run);
	used += child_seconds() - git;
	struct look look = { c, launch->pid, options };
	struct ms_launch_wait wait = { .pid = launch->pid,
				       .stream = c->ring.stream,
				       .exec_watch = &c->exec_watch,
				       .children = c->children,
				       .look = look_at_program,
				       .arg = &look };

	if (options->launch.attach != 0) {
		ms_launch_attach_others(launch);
		ms_launch_wait_attached(&wait, options->launch.duration);
		run->end = MS_END_LOST; /* it may continue, untraced */
		ms_stream_ring_abandon(&c->ring);
	} else {
		ms_launch_wait_for(&wait, &run->end, &run->exit_status);
		run->children_seconds = wait.children_seconds;
		if (c->children != NULL)
			ms_launch_follow_end(c->children);
	}
	double looked = ms_collect_snapshot_finish(c) + ms_collect_checkpoint_finish(c);

	if (options->ended != NULL)
		options->ended(options->counted_arg);
	ms_schedule_merge_finish(merger);
	ms_stream_ring_end(&c->ring);
	ms_collect_join_workers(c);
	run->wall_seconds = ms_seconds_now() - started;
	if (ms_collect_is_measured(c)) {
		c->hardware->about.cpu_ns = (uint64_t)((child_seconds() - used - looked) * 1e9);
		ms_hardware_end(c->hardware);
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
static void note_name(struct ms_collect_state *c, const struct ms_launch_choice *choice,
		      const char *path)
{
	char tool[64];

	snprintf(tool, sizeof(tool), "memspy-%s", ms_launch_platform_valgrind);
	ms_launch_exec_watch_begin(&c->exec_watch, choice->native ? path : tool);
}

static int begin_sampling(pid_t pid, void *hardware, struct ms_err *err)
{
	return ms_hardware_begin(hardware, pid, err);
}

static int launch(const struct ms_launch_choice *choice, struct ms_launch_process *launched,
		  const struct ms_launch_options *options, const char *path, int stream_fd,
		  const char *collector, struct ms_hardware *hardware, struct ms_err *err)
{
	const struct ms_launch_before_exec before = { begin_sampling, hardware };

	return choice->native
		       ? ms_launch_native(launched, options, path, stream_fd, collector,
					  hardware != NULL ? &before : NULL, err)
		       : ms_launch_valgrind(launched, options, path, stream_fd, collector, err);
}

/* Without --follow-forks: a program that it executes may be the one that is meant. */
static bool follows_execs(const struct ms_collect_options *options,
			  const struct ms_launch_choice *choice)
{
	const struct ms_hardware_options *hardware = options->launch.hardware;

	/* Samples of the kernel are those of the program that was started. */
	return choice->native && options->launch.attach == 0 && options->keep_child != NULL &&
	       (hardware == NULL || hardware->source == MS_RUN_TIMER);
}

static int run_program(struct ms_collect_state *c, const struct ms_collect_options *options,
		       const struct ms_launch_choice *choice, const char *path,
		       struct ms_name_origin *origin, struct ms_run *run, struct ms_err *err)
{
	struct ms_launch_process launched = { .log_fd = -1 };
	struct ms_launch_follow children;
	struct ms_collect_child child = { options, choice };
	const struct ms_launch_collector collector = { ms_collect_child, &child };
	const struct ms_launch_follow_finish_options end = { options->waiting,
							     options->progress_arg,
							     options->trace };
	int code = ms_collect_start_trace(c, choice->name, options->trace, options->trace_limit,
					  (const char *const *)options->launch.argv, err);

	if (code == MS_OK && (options->launch.follow || follows_execs(options, choice))) {
		code = ms_launch_follow_open(&children, &collector, options->launch.follow, err);
		c->children = code == MS_OK ? &children : NULL;
		if (!options->launch.follow)
			code = MS_OK; /* most programs execute no other */
	}
	if (code == MS_OK) {
		ms_launch_wait_prepare();
		note_name(c, choice, path);
		code = options->launch.attach != 0
			       ? ms_launch_attach(&launched, &options->launch, c->ring.fd, err)
			       : launch(choice, &launched, &options->launch, path, c->ring.fd,
					c->children != NULL ? children.name : NULL,
					ms_collect_is_measured(c) ? c->hardware : NULL, err);
		if (c->children != NULL)
			children.program = launched.pid;
		if (code == MS_OK) {
			code = follow(c, options, choice, &launched, origin, run, err);
			close(launched.log_fd);
		}
		if (c->children != NULL) {
			ms_launch_unfollowable_unreached(c->ring.stream, run);
			ms_launch_follow_finish(&children, &end, run);
		}
		ms_collect_finish_trace(c, run);
		ms_launch_wait_finish();
	}
	return code;
}

void ms_collect_forget_machine(struct ms_run *run)
{
	run->machine_origin = "the real machine";
	run->memory_latency = 0;
	run->levels.n = 0;
}

/* Whether it does not matter whose block it is, nor what simulated processors did meanwhile. */
static bool may_stamp(const struct ms_collect_options *options)
{
	return options->launch.machine->processors == 1 && options->launch.several == NULL &&
	       options->split == NULL;
}

static void close_all(struct ms_collect_state *c)
{
	bool measured = ms_collect_is_measured(c);

	ms_collect_close(c);
	if (measured)
		ms_hardware_close(c->hardware);
}

static int collect(const struct ms_collect_options *options, const struct ms_launch_choice *choice,
		   const char *path, struct ms_run *run, struct ms_err *err)
{
	struct ms_collect_state c = { .setup = ms_collect_make_setup(options),
				      .splits.choose = options->split,
				      .splits.arg = options->split_arg,
				      .snapshots.options = options->snapshot,
				      .checkpoints.seconds = options->checkpoint.seconds,
				      .plan = { .waits = !choice->native },
				      .program.starts_natively = choice->native &&
								 options->launch.attach == 0 &&
								 options->launch.hardware == NULL,
				      .run = run };

	struct ms_hardware hardware;
	struct ms_name_origin origin;

	c.setup.progress = options->progress;
	c.setup.progress_arg = options->progress_arg;
	if (options->launch.hardware != NULL) {
		ms_hardware_open(&hardware, options->launch.hardware);
		c.hardware = &hardware;
	}
	/* Samples need a single worker. */
	MS_TRY(ms_collect_open(&c, 0, c.hardware != NULL ? 1 : options->workers,
			       options->trace != NULL, err));
	if (choice->native &&
	    ms_launch_native_lanes(&c.ring, &options->launch, may_stamp(options), err) != MS_OK) {
		close_all(&c);
		return err->code;
	}
	ms_collect_describe_run(&c, options->launch.machine, choice->name,
				(const char *const *)options->launch.argv, run);
	run->seed = options->launch.machine->processors > 1 ? options->launch.seed : 0;
	ms_name_origin_start(&origin, run, path, options->keep_variables);
	if (ms_collect_is_measured(&c)) {
		ms_collect_forget_machine(run);
		ms_name_origin_finish(&origin,
				      run); /* before: the machine is measured from then on */
	}
	int code = run_program(&c, options, choice, path, &origin, run, err);
	if (code != MS_OK)
		ms_name_origin_finish(&origin, run); /* in case it has not begun */
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

int ms_collect_program(const struct ms_collect_options *options, struct ms_run *run,
		       struct ms_err *err)
{
	struct ms_launch_choice choice;
	char *path = NULL;

	memset(run, 0, sizeof(*run));
	MS_TRY(ms_launch_check(options->launch.argv[0], &path, err));
	int code = ms_launch_choose_frontend(&options->launch, path, &choice, err);
	struct ms_collect_options own = *options;
	if (code == MS_OK && !choice.native && own.launch.several != NULL) {
		own.launch.several = NULL;
		own.launch.why_one = "Valgrind needs to know the number before";
	}
	if (code == MS_OK)
		code = collect(&own, &choice, path, run, err);
	ms_free(path);
	return code;
}
