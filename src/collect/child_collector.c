/*
 * collect/child_collector.c - collects one child of the program, in a process of its own
 * (launch/follow_children.c).
 */
#include "collect/child_collector.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/collect_priv.h"
#include "launch/unfollowable.h"
#include "schedule/merge.h"

/* A forked child that executes a program after fewer references has no run of its own. */
static const uint64_t FEW_REFERENCES = 1000000;

/* A sampled process's clock cannot be read when it has ended and its parent knows that. */
enum { PAUSE_MS = 250, CLOCK_PAUSE_MS = 20 };

struct child {
	const struct ms_collect_options *options;
	const struct ms_launch_choice *choice;
	const struct ms_launch_child *process;
	int ended_by;      /* MS_LAUNCH_CHILD_EXECED or MS_LAUNCH_CHILD_STOP; 0: it has ended */
	const char *trace; /* NULL: none is kept */
	bool trace_made;   /* this process has created the file */
	struct ms_hardware *hardware; /* NULL: it is simulated */
	clockid_t clock;              /* its processor time, if it is sampled: */
	uint64_t cpu_began;
};

/* Nanoseconds of processor time of the process; 0: it is gone. */
static uint64_t read_clock(const struct child *child)
{
	struct timespec t;

	return clock_gettime(child->clock, &t) == 0
		       ? (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec
		       : 0;
}

static void begin_clock(struct child *child)
{
	if (child->hardware != NULL && clock_getcpuclockid(child->process->pid, &child->clock) == 0)
		child->cpu_began = read_clock(child);
}

static void look_at_clock(struct child *child)
{
	uint64_t now = child->hardware != NULL ? read_clock(child) : 0;

	if (now > child->cpu_began)
		child->hardware->about.cpu_ns = now - child->cpu_began;
}

/* The file is numbered by the child's order: it is not known in advance which runs are kept. */
static void start_trace(struct ms_collect_state *c, struct child *child, const char *const *argv,
			struct ms_run *run)
{
	const struct ms_collect_options *options = child->options;

	if (options->trace == NULL)
		return;
	child->trace = ms_launch_trace_name(&run->arena, options->trace, child->process->order);
	child->trace_made =
		ms_collect_start_trace(c, child->choice->name, child->trace, options->trace_limit,
				       argv, &c->trace.failure) == MS_OK;
}

static void finish_trace(struct ms_collect_state *c, const struct child *child, bool kept,
			 struct ms_launch_follow_record *record)
{
	if (child->trace == NULL)
		return;
	if (!kept && child->trace_made)
		unlink(child->trace);
	record->traced = kept;
	record->trace_made = kept && child->trace_made;
	record->trace_failed = kept && c->trace.failure.code != MS_OK;
}

/* The signal that has ended the wait: MS_LAUNCH_CHILD_EXECED or MS_LAUNCH_CHILD_STOP. */
static volatile sig_atomic_t pending_signal;

static void on_signal(int signal)
{
	pending_signal = signal;
}

/* "tool --option ... program arguments", as Valgrind was started, or all its own; NULL at the end.
 */
static const char *const *arguments_of(pid_t pid, bool native, struct ms_arena *arena)
{
	static char text[65536];
	MS_VEC(const char *) argv = MS_VEC_INIT;
	char path[64];
	size_t n = 0, at = 0;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	n = got > 0 ? (size_t)got : 0;
	if (!native) {
		at = strnlen(text, n) + 1;
		while (at < n && text[at] == '-')
			at += strlen(text + at) + 1;
	}
	for (; at < n; at += strlen(text + at) + 1)
		*ms_vec_add(&argv) = ms_arena_strdup(arena, text + at);
	*ms_vec_add(&argv) = NULL;

	const char **kept = ms_arena_take(arena, argv.n * sizeof(*kept));
	memcpy(kept, argv.at, argv.n * sizeof(*kept));
	ms_vec_free(&argv);
	return kept;
}

/* A forked child that soon executes another program is not saved: see FEW_REFERENCES. */
static void look_at_checkpoint(struct ms_collect_state *c, const struct child *child,
			       double started)
{
	struct ms_engine_progress progress;

	ms_engine_read_progress(c->sim.engines[0], &progress);
	if (progress.references >= FEW_REFERENCES || child->process->ask.kind == MS_WIRE_ASK_EXEC)
		ms_collect_checkpoint_if_due(c, child->process->pid, started,
					     child->options->keep_child,
					     child->options->keep_child_arg);
}

/* Until the process ends, or is another program's. A process that has ended was not stopped. */
static void wait_for_child(struct ms_collect_state *c, struct child *child, int fd, double started)
{
	struct pollfd end = { fd, POLLIN, 0 };
	pid_t pid = child->process->pid;

	int pause_ms = child->hardware != NULL ? CLOCK_PAUSE_MS : PAUSE_MS;

	while (pending_signal == 0) {
		look_at_checkpoint(c, child, started);
		look_at_clock(child);
		if (fd >= 0 && poll(&end, 1, pause_ms) > 0)
			break;
		if (fd < 0) {
			const struct timespec pause = { 0, pause_ms * 1000000L };

			if (kill(pid, 0) != 0 && errno == ESRCH)
				break;
			nanosleep(&pause, NULL);
		}
	}
	look_at_clock(child);
	bool has_ended = fd >= 0 && poll(&end, 1, 0) > 0;
	child->ended_by = pending_signal != MS_LAUNCH_CHILD_STOP || !has_ended ? pending_signal : 0;
}

static void set_end(const struct ms_collect_state *c, const struct child *child, int process,
		    struct ms_run *run)
{
	if (child->ended_by == MS_LAUNCH_CHILD_EXECED) {
		run->end = MS_END_EXITED; /* the process continues as another program */
	} else if (child->ended_by == MS_LAUNCH_CHILD_STOP) {
		run->end = MS_END_INTERRUPTED;
		run->exit_status = SIGINT;
	} else {
		ms_launch_follow_end_status(c->ring.stream, child->process->pid, process, run);
	}
}

static uint64_t references_of(const struct ms_run *run)
{
	uint64_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		n += run->cells.at[i].references;
	return n;
}

/* The child has ended: saves its run, and sends the record about it. */
static void keep_child(struct ms_collect_state *c, struct child *child, struct ms_run *run,
		       bool ran)
{
	const struct ms_collect_options *options = child->options;
	struct ms_launch_follow_record record = { .why = "its collector failed",
						  .order = child->process->order,
						  .pid = child->process->pid,
						  .parent = (pid_t)child->process->ask.parent,
						  .relation = child->process->ask.kind ==
									      MS_WIRE_ASK_EXEC
								      ? MS_RELATION_EXEC
								      : MS_RELATION_FORK };
	bool kept = false;

	if (ran) {
		ms_collect_result(c, 0, run);
		bool on_the_way = record.relation == MS_RELATION_FORK &&
				  child->ended_by == MS_LAUNCH_CHILD_EXECED &&
				  references_of(run) < FEW_REFERENCES;

		if (!on_the_way)
			record.failed = options->keep_child(run, options->keep_child_arg) != MS_OK;
		record.id = on_the_way ? 0 : run->id;
		record.cost = run->cost;
		record.seconds = run->wall_seconds;
		record.windowless = record.id != 0 && ms_run_has_no_window(run);
		kept = !on_the_way;
	}
	finish_trace(c, child, kept, &record);
	record.refused = !ran;
	if (ran)
		ms_launch_unfollowable_send_unreached(c->ring.stream, child->process->pid,
						      child->process->control);
	send(child->process->control, &record, sizeof(record), MSG_NOSIGNAL);
}

/* The workers, and what puts the lanes of threads together. */
static int start_reading(struct ms_collect_state *c, const struct child *child,
			 struct ms_schedule_merger **merger, struct ms_err *err)
{
	MS_TRY(ms_collect_start_workers(c, err));
	return child->choice->native ? ms_collect_start_merger(c, merger, err) : MS_OK;
}

/* Whether the front-end has started. A program that ends before its first window has a run without
 * figures. */
static bool has_come(const struct ms_collect_state *c)
{
	return ms_bins_blocks(c->binding.binder) > 0 ||
	       ((c->setup.sampling != NULL || ms_collect_is_measured(c)) &&
		c->ring.stream->writer_pid != 0);
}

/* The native front-end needs its own address space's maps at the start, and may be in a chroot
 * without /proc. */
static bool answer(struct ms_collect_state *c, const struct child *child, int log_fd)
{
	char path[64];
	int maps = -1;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child->process->pid);
	if (child->choice->native)
		maps = open(path, O_RDONLY | O_CLOEXEC);
	bool taken = ms_launch_follow_answer(child->process->connection, c->ring.fd, log_fd, maps);
	if (maps >= 0)
		close(maps);
	return taken;
}

static bool follow_child(struct ms_collect_state *c, struct child *child, struct ms_run *run)
{
	struct ms_launch_process launch = {
		.pid = child->process->pid,
		.log_fd = child->choice->native ? ms_launch_native_log()
						: memfd_create("memspy-log", MFD_CLOEXEC)
	};
	double started = ms_seconds_now();
	struct ms_schedule_merger *merger = NULL;
	struct ms_err err;

	if (launch.log_fd < 0 || start_reading(c, child, &merger, &err) != MS_OK) {
		ms_stream_ring_abandon(&c->ring);
		return false;
	}
	int process =
		(int)syscall(SYS_pidfd_open, child->process->pid, 0); /* while it waits for us */
	begin_clock(child);
	bool taken = answer(c, child, launch.log_fd);
	close(child->process->connection);
	if (taken)
		wait_for_child(c, child, process, started);
	ms_collect_checkpoint_finish(c);
	/* In this order: an abandoned ring accepts no further chunks. */
	ms_schedule_merge_finish(merger);
	ms_stream_ring_abandon(&c->ring);
	ms_stream_ring_end(&c->ring);
	ms_collect_join_workers(c);
	if (child->hardware != NULL)
		ms_hardware_end(child->hardware);
	run->wall_seconds = ms_seconds_now() - started;
	run->messages = ms_launch_log(&launch, &run->arena);
	set_end(c, child, process, run);
	if (process >= 0)
		close(process);
	close(launch.log_fd);
	return taken && has_come(c);
}

void ms_collect_child(struct ms_launch_child *process, void *arg)
{
	const struct ms_collect_child *how = arg;
	const struct ms_collect_options *options = how->options;
	struct child this_child = { .options = options, .choice = how->choice, .process = process };
	struct child *child = &this_child;
	bool native = child->choice->native;
	struct ms_run run = { .id = 0 };
	struct ms_collect_state c = { .setup = ms_collect_make_setup(options),
				      .checkpoints.seconds = options->checkpoint.seconds,
				      .plan = { .waits = !native },
				      .run = &run };
	struct sigaction action = { .sa_handler = on_signal };
	struct ms_hardware hardware;
	struct ms_err err;
	bool ran = false;

	if (options->launch.hardware != NULL) {
		ms_hardware_open(&hardware, options->launch.hardware);
		c.hardware = child->hardware = &hardware;
	}

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(MS_LAUNCH_CHILD_EXECED, &action, NULL);
	sigaction(MS_LAUNCH_CHILD_STOP, &action, NULL);
	/* Without --follow-forks, hardly more than one runs at a time. */
	unsigned workers = options->workers != 0 || !options->launch.follow ? options->workers : 1;
	if (child->hardware != NULL) /* samples need a single worker */
		workers = 1;
	if (ms_collect_open(&c, 0, workers, options->trace != NULL, &err) == MS_OK &&
	    (!native || ms_launch_native_lanes(&c.ring, &options->launch,
					       options->launch.machine->processors == 1 &&
						       options->launch.several == NULL &&
						       options->split == NULL,
					       &err) == MS_OK)) {
		const char *const *argv = arguments_of(child->process->pid, native, &run.arena);

		ms_collect_describe_run(&c, options->launch.machine, child->choice->name, argv,
					&run);
		if (child->hardware != NULL)
			ms_collect_forget_machine(&run);
		start_trace(&c, child, argv, &run);
		ran = follow_child(&c, child, &run);
		ms_collect_finish_trace(&c, &run);
	}
	keep_child(&c, child, &run, ran);
	_exit(0);
}
