/*
 * launch/follow_children.c - children of the program, with --follow-forks; without it, only
 * programs that it, or a child of it, executes.
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
#include "launch/follow_children.h"

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
#include "base/seconds.h"
#include "base/text.h"
#include "launch/unfollowable.h"
#include "launch/wait.h"

enum { MOST_AT_ONCE = 64, MOST_EXECUTED = 64, PAUSE_MS = 250 };

/* Seconds that children have to end by themselves, after the user has interrupted the program. */
static const double GRACE = 2;

/* Seconds that children have to be loaded after the program has ended. One that takes longer does
 * not request a stream at all. */
static const double LOADED = 20;

/* Messages of the control socket. */
enum { CONTROL_ENDED = 'E', CONTROL_STOP = 'S' };

const char *ms_launch_trace_name(struct ms_arena *arena, const char *trace, uint64_t number)
{
	return ms_arena_printf(arena, "%s.%llu", trace, (unsigned long long)number + 1);
}

/* --- the keeper --- */

struct keeper {
	struct ms_launch_collector collect; /* runs in a process for each child */
	int listener;
	int control;
	struct {
		pid_t collector; /* 0: none */
		pid_t child;
	} at[MOST_AT_ONCE];
	unsigned n;
	uint64_t asked;
	bool forks;       /* as in struct ms_launch_follow */
	const char *name; /* of the socket */
	struct ms_launch_unfollowable unseen;
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
	struct ms_launch_follow_record record = { .pid = pid,
						  .refused = true,
						  .why = "too many at a time" };

	send(k->control, &record, sizeof(record), MSG_NOSIGNAL);
}

static void start_collector(struct keeper *k, struct ms_launch_child *child)
{
	unsigned i = 0;

	/* Without --follow-forks, a program that executes many others is none that only starts
	 * another one. They are counted as children that were not followed. */
	if (!k->forks && child->order > MOST_EXECUTED)
		return;
	while (i < MOST_AT_ONCE && k->at[i].collector != 0)
		i++;
	pid_t pid = i < MOST_AT_ONCE ? fork() : -1;
	if (pid == 0) {
		close(k->listener);
		k->collect.call(child, k->collect.arg);
	}
	if (pid < 0) {
		refuse(k, child->pid);
		return;
	}
	k->at[i].collector = pid;
	k->at[i].child = child->pid;
	k->n++;
}

static void follow_child(struct keeper *k, int connection, pid_t pid, struct ms_wire_ask ask)
{
	struct ms_launch_child child = { .control = k->control,
					 .connection = connection,
					 .pid = pid,
					 .order = ++k->asked,
					 .ask = ask };

	if (ask.kind == MS_WIRE_ASK_EXEC)
		ms_launch_unfollowable_requested(&k->unseen, pid);
	for (unsigned i = 0; i < MOST_AT_ONCE; i++)
		if (k->at[i].collector != 0 && k->at[i].child == pid)
			kill(k->at[i].collector, MS_LAUNCH_CHILD_EXECED);
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

static void accept_request(struct keeper *k)
{
	char path[MS_WIRE_MAX_TEXT + 1];
	struct ms_wire_ask ask;
	bool same_user;
	pid_t pid;
	int connection = ms_launch_follow_accept(k->listener, &pid, &same_user);

	if (connection < 0)
		return;
	if ((same_user || is_of_program(k, pid)) &&
	    ms_launch_follow_receive(connection, &ask, path)) {
		if (ask.kind == MS_WIRE_ASK_BECOMES)
			ms_launch_unfollowable_execs(&k->unseen, (pid_t)ask.parent, path);
		else
			follow_child(k, connection, pid, ask);
	}
	close(connection);
}

static void handle_control(struct keeper *k)
{
	char word = CONTROL_STOP;

	if (recv(k->control, &word, sizeof(word), 0) != sizeof(word))
		_exit(0); /* memspy is gone */
	k->ended = true;
	k->ended_at = word == CONTROL_STOP ? 0 : ms_seconds_now();
	for (unsigned i = 0; i < MOST_AT_ONCE && word == CONTROL_STOP; i++)
		if (k->at[i].collector != 0)
			kill(k->at[i].collector, MS_LAUNCH_CHILD_STOP);
}

/* A program that a vfork child executes sends its request when it is loaded. Its parent may have
 * ended by then. */
static bool expects_request(struct keeper *k)
{
	return ms_launch_follow_is_pending(k->listener) ||
	       (ms_seconds_now() < k->ended_at + LOADED &&
		ms_launch_unfollowable_awaits(&k->unseen, k->name));
}

static MS_NORETURN void run_keeper(struct keeper *k)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR2 };
	struct pollfd in[2] = { { k->listener, POLLIN, 0 }, { k->control, POLLIN, 0 } };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < MS_COUNT(ignored); i++)
		signal(ignored[i], SIG_IGN);
	while (!k->ended || k->n > 0 || expects_request(k)) {
		if (poll(in, 2, PAUSE_MS) > 0) {
			if (in[1].revents != 0)
				handle_control(k);
			if (in[0].revents != 0)
				accept_request(k);
		}
		reap(k);
	}
	ms_launch_unfollowable_send(&k->unseen, k->control);
	_exit(0);
}

/* --- in memspy --- */

int ms_launch_follow_open(struct ms_launch_follow *f, const struct ms_launch_collector *collect,
			  bool forks, struct ms_err *err)
{
	struct timespec now;
	int control[2];

	*f = (struct ms_launch_follow){ .control = -1, .forks = forks };
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(f->name, sizeof(f->name), "memspy-%d-%lx%lx", (int)getpid(), (long)now.tv_sec,
		 now.tv_nsec);
	int listener = ms_launch_follow_listen(f->name, MOST_AT_ONCE);
	if (listener < 0)
		return ms_fail_errno(err, "cannot listen for the program's children");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
		close(listener);
		return ms_fail_errno(err, "cannot listen for the program's children");
	}
	f->keeper = fork();
	if (f->keeper == 0) {
		struct keeper k = { .collect = *collect,
				    .listener = listener,
				    .control = control[1],
				    .forks = forks,
				    .name = f->name };

		close(control[0]);
		run_keeper(&k);
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

static void send_word(struct ms_launch_follow *f, char word)
{
	send(f->control, &word, sizeof(word), MSG_NOSIGNAL);
}

/* False: there will be no more. */
static bool take_record(struct ms_launch_follow *f)
{
	struct ms_launch_follow_record record;

	if (recv(f->control, &record, sizeof(record), 0) != sizeof(record))
		return false;
	*ms_vec_add(&f->records) = record;
	return true;
}

void ms_launch_follow_receive_records(struct ms_launch_follow *f)
{
	struct pollfd in = { f->control, POLLIN, 0 };

	while (f->control >= 0 && poll(&in, 1, 0) > 0 && take_record(f))
		;
}

/* The last record of the process with a smaller order; NULL: none. */
static const struct ms_launch_follow_record *find_before(const struct ms_launch_follow *f,
							 uint64_t order, pid_t pid)
{
	const struct ms_launch_follow_record *found = NULL;

	for (size_t i = 0; i < f->records.n; i++) {
		const struct ms_launch_follow_record *r = &f->records.at[i];

		if (r->pid == pid && !r->refused && r->order < order &&
		    (found == NULL || r->order > found->order))
			found = r;
	}
	return found;
}

static void add_child(const struct ms_launch_follow *f, const struct ms_launch_follow_record *r,
		      struct ms_run *run)
{
	struct ms_run_child child = { .id = r->id,
				      .relation = r->relation,
				      .cost = r->cost,
				      .trace = r->trace,
				      .order = r->order,
				      .is_program = r->pid == f->program };
	const struct ms_launch_follow_record *from =
		find_before(f, r->order, r->relation == MS_RELATION_EXEC ? r->pid : r->parent);

	/* A child of vfork() that executes a program natively was not reported before. */
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
	const struct ms_launch_follow_record *x = a, *y = b;

	return ms_cmp_u64(x->order, y->order);
}

/* Traces that are kept get numbers without gaps, in the order of their children. */
static void number_traces(struct ms_launch_follow *f, const char *trace, struct ms_run *run)
{
	uint64_t number = 0;

	for (size_t i = 0; i < f->records.n; i++) {
		struct ms_launch_follow_record *r = &f->records.at[i];

		if (!r->trace_made)
			continue;
		r->trace = ++number;
		if (number != r->order)
			rename(ms_launch_trace_name(&run->arena, trace, r->order),
			       ms_launch_trace_name(&run->arena, trace, number));
	}
}

static bool explains_exec(const struct ms_run *run)
{
	for (size_t i = 0; i < run->children.n; i++)
		if (run->children.at[i].is_program)
			return true;
	for (size_t i = 0; i < run->untraced.n; i++)
		if (run->untraced.at[i].who == MS_WHO_CHILD)
			return true;
	return false;
}

void ms_launch_follow_end(struct ms_launch_follow *f)
{
	/* What a program leaves running is not waited for without --follow-forks. */
	if (!f->ended)
		send_word(f, f->forks ? CONTROL_ENDED : CONTROL_STOP);
	f->ended = true;
}

void ms_launch_follow_finish(struct ms_launch_follow *f,
			     const struct ms_launch_follow_finish_options *end, struct ms_run *run)
{
	struct pollfd in = { f->control, POLLIN, 0 };
	bool said = false, stopped = false;
	double began = ms_seconds_now();

	ms_launch_follow_end(f);
	run->only_execs = !f->forks;
	for (int waits = 0;; waits++) {
		if (poll(&in, 1, PAUSE_MS) > 0 && !take_record(f))
			break;
		if (!said && waits >= 4 && f->forks && end->waiting != NULL) {
			end->waiting(end->waiting_arg);
			said = true;
		}
		bool late = f->interrupted && ms_seconds_now() - began > GRACE;
		if (!stopped && (late || ms_launch_wait_interrupted())) {
			send_word(f, CONTROL_STOP);
			stopped = true;
		}
	}
	close(f->control);
	waitpid(f->keeper, NULL, 0);
	if (f->records.n > 1)
		qsort(f->records.at, f->records.n, sizeof(*f->records.at), by_order);
	if (f->records.n > 0 && end->trace != NULL)
		number_traces(f, end->trace, run);
	for (size_t i = 0; i < f->records.n; i++) {
		ms_launch_unfollowable_result(&f->records.at[i], run);
		run->not_kept += f->records.at[i].failed;
		run->children_windowless += f->records.at[i].windowless;
		if (f->records.at[i].pid != f->program) /* else it is no child's time */
			run->children_seconds -= f->records.at[i].seconds;
		run->child_traces += f->records.at[i].traced;
		run->child_traces_failed += f->records.at[i].trace_failed;
		if (f->records.at[i].id != 0)
			add_child(f, &f->records.at[i], run);
	}
	/* It was followed, or there is a reason why not. */
	run->became_another &= !explains_exec(run);
	if (run->children_seconds < 0)
		run->children_seconds = 0;
	ms_vec_free(&f->records);
}
