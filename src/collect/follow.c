/*
 * collect/follow.c - children of the program, with --follow-forks.
 *
 * The keeper is a process of memspy that is started before anything else. It listens at an abstract
 * socket; the front-end has its name. A forked child's front-end connects to it, or memspy in place
 * of an executed program. For each connection the keeper forks a collector. The collector creates a
 * stream, passes it to the child, collects until the child ends, saves the run, and reports the
 * run's number to memspy. So collectors share no state, and a failure affects one child only.
 *
 *    memspy ----------- keeper --------- collector of child 1
 *      |    control            \-------- collector of child 2 ...
 *      program
 *
 * Children beyond MOST_AT_ONCE at a time are not followed: they run untraced, and are counted.
 */
#include "collect/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/process_stat.h"
#include "base/text.h"
#include "collect/collect_priv.h"
#include "schedule/merge.h"

enum { MOST_AT_ONCE = 64, PAUSE_MS = 250 };

/* Seconds that children have to end by themselves, after the user has interrupted the program. */
static const double GRACE = 2;

/* Seconds that children have to be loaded after the program has ended. One that takes longer does
 * not request a stream at all. */
static const double LOADED = 20;

/* A forked child that executes a program after fewer references has no run of its own. */
static const uint64_t FEW_REFERENCES = 1000000;

/* Messages of the control socket. */
enum { CONTROL_ENDED = 'E', CONTROL_STOP = 'S' };

/* --- a collector: the process of one child's collection --- */

struct child {
	const struct ms_collect_options *options;
	const struct ms_choice *choice;
	int control;
	int connection;
	pid_t pid;
	uint64_t order; /* among the children that requested a stream */
	struct ms_wire_ask ask;
	const char *trace; /* NULL: none is kept */
	bool trace_made;   /* this process has created the file */
};

/* The program's own trace is FILE, those of its children are FILE.2, FILE.3 ... */
static const char *trace_name(struct ms_arena *arena, const char *trace, uint64_t number)
{
	return ms_arena_printf(arena, "%s.%llu", trace, (unsigned long long)number + 1);
}

/* The file is numbered by the child's order: it is not known in advance which runs are kept. */
static void start_trace(struct collector *c, struct child *child, const char *const *argv,
			struct ms_run *run)
{
	const struct ms_collect_options *options = child->options;

	if (options->trace == NULL)
		return;
	child->trace = trace_name(&run->arena, options->trace, child->order);
	child->trace_made =
		ms_collect_start_trace(c, child->choice->name, child->trace, options->trace_limit,
				       argv, &c->trace.failure) == MS_OK;
}

static void finish_trace(struct collector *c, const struct child *child, bool kept,
			 struct follow_record *record)
{
	if (child->trace == NULL)
		return;
	if (!kept && child->trace_made)
		unlink(child->trace);
	record->traced = kept;
	record->trace_made = kept && child->trace_made;
	record->trace_failed = kept && c->trace.failure.code != MS_OK;
}

/* Why the wait ends: the process has executed another program, or memspy is to stop. */
enum { BECAME_ANOTHER = SIGUSR1, STOP = SIGUSR2 };
static volatile sig_atomic_t told;

static void be_told(int signal)
{
	told = signal;
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

/* Of a forked child that executes another program soon nothing is kept: see FEW_REFERENCES. */
static void look_at_checkpoint(struct collector *c, const struct child *child, double started)
{
	struct ms_engine_progress progress;

	ms_engine_read_progress(c->sim.engines[0], &progress);
	if (progress.references >= FEW_REFERENCES || child->ask.kind == MS_WIRE_ASK_EXEC)
		ms_checkpoint_look(c, child->pid, started, child->options->keep_child,
				   child->options->keep_child_arg);
}

/* Until the process ends, or is another program's. */
static void wait_for_child(struct collector *c, const struct child *child, int fd, double started)
{
	struct pollfd end = { fd, POLLIN, 0 };
	pid_t pid = child->pid;

	while (told == 0) {
		look_at_checkpoint(c, child, started);
		if (fd >= 0 && poll(&end, 1, PAUSE_MS) > 0)
			break;
		if (fd < 0) {
			const struct timespec pause = { 0, PAUSE_MS * 1000000L };

			if (kill(pid, 0) != 0 && errno == ESRCH)
				break;
			nanosleep(&pause, NULL);
		}
	}
}

static void set_end(const struct collector *c, const struct child *child, int process,
		    struct ms_run *run)
{
	if (told == BECAME_ANOTHER) {
		run->end = MS_END_EXITED; /* it goes on as something else */
	} else if (told == STOP) {
		run->end = MS_END_INTERRUPTED;
		run->exit_status = SIGINT;
	} else {
		ms_follow_end(c->ring.stream, child->pid, process, run);
	}
}

static uint64_t references_of(const struct ms_run *run)
{
	uint64_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		n += run->cells.at[i].references;
	return n;
}

/* Nothing is asked of the child's collector any more: what there is becomes a run. */
static void keep_child(struct collector *c, struct child *child, struct ms_run *run, bool ran)
{
	const struct ms_collect_options *options = child->options;
	struct follow_record record = { .why = "its collector failed",
					.order = child->order,
					.pid = child->pid,
					.parent = (pid_t)child->ask.parent,
					.relation = child->ask.kind == MS_WIRE_ASK_EXEC
							    ? MS_RELATION_EXEC
							    : MS_RELATION_FORK };
	bool kept = false;

	if (ran) {
		ms_collect_result(c, 0, run);
		bool on_the_way = record.relation == MS_RELATION_FORK && told == BECAME_ANOTHER &&
				  references_of(run) < FEW_REFERENCES;

		if (!on_the_way)
			record.failed = options->keep_child(run, options->keep_child_arg) != MS_OK;
		record.id = on_the_way ? 0 : run->id;
		record.windowless = record.id != 0 && ms_run_has_no_window(run);
		kept = !on_the_way;
	}
	finish_trace(c, child, kept, &record);
	record.refused = !ran;
	if (ran)
		ms_unseen_tell_unreached(c->ring.stream, child->pid, child->control);
	send(child->control, &record, sizeof(record), MSG_NOSIGNAL);
}

/* The workers, and what puts the lanes of threads together. */
static int start_reading(struct collector *c, const struct child *child,
			 struct ms_schedule_merger **merger, struct ms_err *err)
{
	MS_TRY(ms_workers_start(c, err));
	return child->choice->native ? ms_collector_merge(c, merger, err) : MS_OK;
}

/* Of a program that is over before its first window there is nothing but that it was there. */
static bool has_come(const struct collector *c)
{
	return ms_bins_blocks(c->binding.binder) > 0 ||
	       (c->setup.sampling != NULL && c->ring.stream->writer_pid != 0);
}

/* The native front-end needs its own address space's maps at the start, and may be in a chroot
 * without /proc. */
static bool answer(struct collector *c, const struct child *child, int log_fd)
{
	char path[64];
	int maps = -1;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)child->pid);
	if (child->choice->native)
		maps = open(path, O_RDONLY | O_CLOEXEC);
	bool taken = ms_follow_answer(child->connection, c->ring.fd, log_fd, maps);
	if (maps >= 0)
		close(maps);
	return taken;
}

static bool follow_child(struct collector *c, struct child *child, struct ms_run *run)
{
	struct ms_launch launch = { .pid = child->pid,
				    .log_fd = child->choice->native
						      ? ms_native_log()
						      : memfd_create("memspy-log", MFD_CLOEXEC) };
	double started = ms_collector_now();
	struct ms_schedule_merger *merger = NULL;
	struct ms_err err;

	if (launch.log_fd < 0 || start_reading(c, child, &merger, &err) != MS_OK) {
		ms_stream_ring_abandon(&c->ring);
		return false;
	}
	int process = (int)syscall(SYS_pidfd_open, child->pid, 0); /* while it waits for us */
	bool taken = answer(c, child, launch.log_fd);
	close(child->connection);
	if (taken)
		wait_for_child(c, child, process, started);
	ms_checkpoint_finish(c);
	/* In this order: of a ring that is abandoned nothing more is handed over. */
	ms_schedule_merge_finish(merger);
	ms_stream_ring_abandon(&c->ring);
	ms_stream_ring_end(&c->ring);
	ms_workers_join(c);
	run->wall_seconds = ms_collector_now() - started;
	run->messages = ms_launch_log(&launch, &run->arena);
	set_end(c, child, process, run);
	if (process >= 0)
		close(process);
	close(launch.log_fd);
	return taken && has_come(c);
}

static MS_NORETURN void collect_child(struct child *child)
{
	const struct ms_collect_options *options = child->options;
	bool native = child->choice->native;
	struct ms_run run = { .id = 0 };
	struct collector c = { .setup.machines = &options->machine,
			       .setup.machine_count = 1,
			       .setup.pmus = options->pmus,
			       .setup.pmu_count = options->pmu_count,
			       .setup.cpus = &options->cpus,
			       .setup.sampling = options->sampling,
			       .setup.misses_only = options->misses_only,
			       .setup.limits = options->limits,
			       .checkpoints.seconds = options->checkpoint.seconds,
			       .plan = { .waits = !native },
			       .run = &run };
	struct sigaction action = { .sa_handler = be_told };
	struct ms_err err;
	bool ran = false;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(BECAME_ANOTHER, &action, NULL);
	sigaction(STOP, &action, NULL);
	if (ms_collector_open(&c, 0, options->workers != 0 ? options->workers : 1,
			      options->trace != NULL, &err) == MS_OK &&
	    (!native || ms_native_lanes(&c.ring, options, &err) == MS_OK)) {
		const char *const *argv = arguments_of(child->pid, native, &run.arena);

		ms_collector_describe(&c, options->machine, child->choice->name, argv, &run);
		start_trace(&c, child, argv, &run);
		ran = follow_child(&c, child, &run);
		ms_collect_finish_trace(&c, &run);
	}
	keep_child(&c, child, &run, ran);
	_exit(0);
}

/* --- the keeper --- */

struct keeper {
	const struct ms_collect_options *options;
	const struct ms_choice *choice;
	int listener;
	int control;
	struct {
		pid_t collector; /* 0: none */
		pid_t child;
	} at[MOST_AT_ONCE];
	unsigned n;
	uint64_t asked;
	const char *name; /* of the socket */
	struct unseen unseen;
	bool ended;
	double ended_at;
};

static void reap(struct keeper *k)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (unsigned i = 0; i < MOST_AT_ONCE; i++)
			if (k->at[i].collector == pid) {
				k->at[i].collector = 0;
				k->n--;
			}
}

static void refuse(struct keeper *k, pid_t pid)
{
	struct follow_record record = { .pid = pid, .refused = true, .why = "too many at a time" };

	send(k->control, &record, sizeof(record), MSG_NOSIGNAL);
}

static void start_collector(struct keeper *k, struct child *child)
{
	unsigned i = 0;

	while (i < MOST_AT_ONCE && k->at[i].collector != 0)
		i++;
	pid_t pid = i < MOST_AT_ONCE ? fork() : -1;
	if (pid == 0) {
		close(k->listener);
		collect_child(child);
	}
	if (pid < 0) {
		refuse(k, child->pid);
		return;
	}
	k->at[i].collector = pid;
	k->at[i].child = child->pid;
	k->n++;
}

static void let_child_in(struct keeper *k, int connection, pid_t pid, struct ms_wire_ask ask)
{
	struct child child = { .options = k->options,
			       .choice = k->choice,
			       .control = k->control,
			       .connection = connection,
			       .pid = pid,
			       .order = ++k->asked,
			       .ask = ask };

	if (ask.kind == MS_WIRE_ASK_EXEC)
		ms_unseen_asked(&k->unseen, pid);
	for (unsigned i = 0; i < MOST_AT_ONCE; i++)
		if (k->at[i].collector != 0 && k->at[i].child == pid)
			kill(k->at[i].collector, BECAME_ANOTHER);
	start_collector(k, &child);
}

/*
 * Every process of the machine can connect to an abstract socket. A process of another user is
 * accepted only if it descends from the program: then it has called setuid(). Its ancestors still
 * exist, because each of them waits until its child has sent its request.
 */
static bool is_of_program(const struct keeper *k, pid_t pid)
{
	pid_t from[MOST_AT_ONCE + 1] = { getppid() };

	for (unsigned i = 0; i < MOST_AT_ONCE; i++)
		from[1 + i] = k->at[i].collector != 0 ? k->at[i].child : from[0];
	return ms_process_descends(pid, from, MS_COUNT(from));
}

static void let_in(struct keeper *k)
{
	char path[MS_WIRE_MAX_TEXT + 1];
	struct ms_wire_ask ask;
	bool same_user;
	pid_t pid;
	int connection = ms_follow_accept(k->listener, &pid, &same_user);

	if (connection < 0)
		return;
	if ((same_user || is_of_program(k, pid)) && ms_follow_receive(connection, &ask, path)) {
		if (ask.kind == MS_WIRE_ASK_BECOMES)
			ms_unseen_becomes(&k->unseen, (pid_t)ask.parent, path);
		else
			let_child_in(k, connection, pid, ask);
	}
	close(connection);
}

static void obey(struct keeper *k)
{
	char word = CONTROL_STOP;

	if (recv(k->control, &word, sizeof(word), 0) != sizeof(word))
		_exit(0); /* memspy is gone */
	k->ended = true;
	k->ended_at = word == CONTROL_STOP ? 0 : ms_collector_now();
	for (unsigned i = 0; i < MOST_AT_ONCE && word == CONTROL_STOP; i++)
		if (k->at[i].collector != 0)
			kill(k->at[i].collector, STOP);
}

/* A program that a vfork child executes sends its request when it is loaded. Its parent may have
 * ended by then. */
static bool one_comes(struct keeper *k)
{
	return ms_follow_waits(k->listener) ||
	       (ms_collector_now() < k->ended_at + LOADED && ms_unseen_awaits(&k->unseen, k->name));
}

static MS_NORETURN void keep(struct keeper *k)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR2 };
	struct pollfd in[2] = { { k->listener, POLLIN, 0 }, { k->control, POLLIN, 0 } };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < MS_COUNT(ignored); i++)
		signal(ignored[i], SIG_IGN);
	while (!k->ended || k->n > 0 || one_comes(k)) {
		if (poll(in, 2, PAUSE_MS) > 0) {
			if (in[1].revents != 0)
				obey(k);
			if (in[0].revents != 0)
				let_in(k);
		}
		reap(k);
	}
	ms_unseen_tell(&k->unseen, k->control);
	_exit(0);
}

/* --- in memspy --- */

int ms_follow_open(struct follow *f, const struct ms_collect_options *options,
		   const struct ms_choice *choice, struct ms_err *err)
{
	struct timespec now;
	int control[2];

	*f = (struct follow){ .control = -1 };
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(f->name, sizeof(f->name), "memspy-%d-%lx%lx", (int)getpid(), (long)now.tv_sec,
		 now.tv_nsec);
	int listener = ms_follow_listen(f->name, MOST_AT_ONCE);
	if (listener < 0)
		return ms_fail_errno(err, "cannot listen for the program's children");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
		close(listener);
		return ms_fail_errno(err, "cannot listen for the program's children");
	}
	f->keeper = fork();
	if (f->keeper == 0) {
		struct keeper k = { .options = options,
				    .choice = choice,
				    .listener = listener,
				    .control = control[1],
				    .name = f->name };

		close(control[0]);
		keep(&k);
	}
	close(listener);
	close(control[1]);
	if (f->keeper < 0) {
		close(control[0]);
		return ms_fail_errno(err, "cannot start a process");
	}
	f->control = control[0];
	return MS_OK;
}

static void tell(struct follow *f, char word)
{
	send(f->control, &word, sizeof(word), MSG_NOSIGNAL);
}

/* False: there will be no more. */
static bool take_record(struct follow *f)
{
	struct follow_record record;

	if (recv(f->control, &record, sizeof(record), 0) != sizeof(record))
		return false;
	*ms_vec_add(&f->records) = record;
	return true;
}

void ms_follow_look(struct follow *f)
{
	struct pollfd in = { f->control, POLLIN, 0 };

	while (f->control >= 0 && poll(&in, 1, 0) > 0 && take_record(f))
		;
}

/* What the process was when it, or its child, asked: the last that had asked before. NULL: none. */
static const struct follow_record *find_before(const struct follow *f, uint64_t order, pid_t pid)
{
	const struct follow_record *found = NULL;

	for (size_t i = 0; i < f->records.n; i++) {
		const struct follow_record *r = &f->records.at[i];

		if (r->pid == pid && !r->refused && r->order < order &&
		    (found == NULL || r->order > found->order))
			found = r;
	}
	return found;
}

static void add_child(const struct follow *f, const struct follow_record *r, struct ms_run *run)
{
	struct ms_run_child child = { r->id, 0, r->relation };
	const struct follow_record *from =
		find_before(f, r->order, r->relation == MS_RELATION_EXEC ? r->pid : r->parent);

	/* What a child by vfork executes natively comes without having been seen before. */
	if (r->relation == MS_RELATION_EXEC && from == NULL && r->pid != f->program) {
		child.relation = MS_RELATION_FORK;
		from = find_before(f, r->order, r->parent);
	}
	/* A fork that was only the way to exec: its parent is this one's. */
	if (r->relation == MS_RELATION_EXEC && from != NULL && from->id == 0) {
		child.relation = MS_RELATION_FORK;
		from = find_before(f, from->order, from->parent);
	}
	child.parent = from != NULL ? from->id : 0;
	*ms_vec_add(&run->children) = child;
}

static int by_order(const void *a, const void *b)
{
	const struct follow_record *x = a, *y = b;

	return ms_cmp_u64(x->order, y->order);
}

/* Traces that are kept get numbers without gaps, in the order of their children. */
static void number_traces(struct follow *f, const struct ms_collect_options *options,
			  struct ms_run *run)
{
	uint64_t number = 0;

	qsort(f->records.at, f->records.n, sizeof(*f->records.at), by_order);
	for (size_t i = 0; i < f->records.n; i++) {
		const struct follow_record *r = &f->records.at[i];

		if (r->trace_made && ++number != r->order)
			rename(trace_name(&run->arena, options->trace, r->order),
			       trace_name(&run->arena, options->trace, number));
	}
}

void ms_follow_finish(struct follow *f, const struct ms_collect_options *options,
		      struct ms_run *run)
{
	struct pollfd in = { f->control, POLLIN, 0 };
	bool said = false, stopped = false;
	double began = ms_collector_now();

	tell(f, CONTROL_ENDED);
	for (int waits = 0;; waits++) {
		if (poll(&in, 1, PAUSE_MS) > 0 && !take_record(f))
			break;
		if (!said && waits >= 4 && options->waiting != NULL) {
			options->waiting(options->progress_arg);
			said = true;
		}
		bool late = f->interrupted && ms_collector_now() - began > GRACE;
		if (!stopped && (late || ms_wait_interrupted())) {
			tell(f, CONTROL_STOP);
			stopped = true;
		}
	}
	close(f->control);
	waitpid(f->keeper, NULL, 0);
	if (f->records.n > 0 && options->trace != NULL)
		number_traces(f, options, run);
	for (size_t i = 0; i < f->records.n; i++) {
		ms_unseen_result(&f->records.at[i], run);
		run->not_kept += f->records.at[i].failed;
		run->children_windowless += f->records.at[i].windowless;
		run->child_traces += f->records.at[i].traced;
		run->child_traces_failed += f->records.at[i].trace_failed;
		if (f->records.at[i].id != 0)
			add_child(f, &f->records.at[i], run);
	}
	ms_vec_free(&f->records);
}
