/*
 * collect/checkpoint.c - saves a run while its program runs, so that a memspy that is killed leaves
 * what it had collected.
 *
 * A checkpoint is made as a snapshot is (snapshot.c): the workers are quiesced for as long as
 * fork() takes, and the copy of this process makes a run of what was counted and saves it. The
 * collector continues with its own memory, so checkpoints cannot change the result. If the
 * collector ends, the copy is killed with it, and its transaction is rolled back: the checkpoint
 * before stays.
 *
 * The workers stay quiesced until the copy has the counters in its own arrays and has released the
 * engine's tables: pages of these that the collector writes are not copied.
 *
 * Cost: the processor time of all copies and the time in which workers were quiesced stay below one
 * part in SPENT_MOST of the run's time, from the second checkpoint on; the first one shows what
 * they cost. Memory: that of the arrays of the run, as at the end of a run. Where it is short the
 * kernel kills the copy first.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process_id.h"
#include "collect/checkpoint.h"
#include "collect/collect_priv.h"

static const double SPENT_MOST = 10;
static const double LONGEST_RELEASE = 30; /* seconds */

/* Takes the copy's exit status; false: it is still at work. */
static bool reap(struct ms_collect_checkpoints *s, bool wait)
{
	struct rusage used;
	pid_t who;

	if (s->pid == 0)
		return true;
	do
		who = wait4(s->pid, NULL, wait ? 0 : WNOHANG, &used);
	while (who < 0 && errno == EINTR);
	if (who == 0)
		return false;
	s->pid = 0;
	if (who < 0)
		return true;
	double processor = ms_collect_copy_seconds(&used);
	double cost = processor + s->quiesced;
	double allowed = s->started + SPENT_MOST * (s->spent + 2 * cost);

	s->used += processor;
	s->spent += cost;
	s->next = allowed > s->next ? allowed : s->next;
	return true;
}

static bool is_due(struct ms_collect_state *c, double started)
{
	struct ms_collect_checkpoints *s = &c->checkpoints;
	double now = ms_seconds_now();

	if (c->checkpoints.seconds <= 0)
		return false;
	if (s->next == 0) {
		s->started = started;
		s->next = started + c->checkpoints.seconds;
	}
	return reap(s, false) && now >= s->next && c->snapshots.pid == 0;
}

/* If memory is short, the kernel kills the copy, not the collector, whatever their sizes. */
static void be_killed_first(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		if (write(fd, "1000", 4) != 4)
			errno = 0; /* it is a precaution only */
		close(fd);
	}
}

void ms_collect_checkpoint_release(struct ms_collect_state *c)
{
	if (c->checkpoints.unreleased > 0)
		close(c->checkpoints.unreleased);
	c->checkpoints.unreleased = 0;
}

/*
 * Until the copy has released what both have, or has ended. A copy that takes too long is killed:
 * the program waits for the quiesced workers.
 */
static void wait_for_release(int end, pid_t copy)
{
	const double latest = ms_seconds_now() + LONGEST_RELEASE;
	struct pollfd released = { .fd = end }; /* the hang-up is what it waits for */

	while (poll(&released, 1, 100) <= 0)
		if (copy > 0 && ms_seconds_now() > latest)
			kill(copy, SIGKILL);
	close(end);
}

bool ms_collect_checkpoint_fork(struct ms_collect_state *c, double started)
{
	struct ms_collect_checkpoints *s = &c->checkpoints;
	pid_t self = getpid();
	int release[2];

	if (!is_due(c, started))
		return false;
	ms_process_self(&s->collector);
	double asked = ms_seconds_now();
	s->next = asked + c->checkpoints.seconds;
	if (pipe2(release, O_CLOEXEC) != 0)
		return false;
	ms_collect_quiesce_begin(&c->pool.quiesce);
	s->pid = fork();
	if (s->pid == 0) {
		close(release[0]);
		s->unreleased = release[1];
		ms_collect_copy_begin(self);
		be_killed_first();
		ms_collect_finish_chunks(c);
		return true;
	}
	close(release[1]);
	wait_for_release(release[0], s->pid);
	ms_collect_quiesce_end(&c->pool.quiesce);
	s->quiesced = ms_seconds_now() - asked;
	if (s->pid < 0)
		s->pid = 0; /* no memory for a copy: there may be at the next one */
	return false;
}

void ms_collect_checkpoint_mark(const struct ms_collect_state *c, struct ms_run *run,
				double seconds)
{
	const struct ms_process_id *id = &c->checkpoints.collector;

	run->end = MS_END_INCOMPLETE;
	run->exit_status = 0;
	run->wall_seconds = seconds;
	run->checkpoints.n = 0;
	*ms_vec_add(&run->checkpoints) = (struct ms_run_checkpoint){
		.pid = id->pid,
		.pid_start = id->start,
		.system = ms_arena_strdup(&run->arena, id->system),
		.saved = ms_collect_utc(&run->arena),
	};
}

void ms_collect_checkpoint_if_due(struct ms_collect_state *c, pid_t program, double started,
				  int (*keep)(struct ms_run *run, void *arg), void *arg)
{
	if (c->checkpoints.seconds <= 0)
		return;
	ms_run_make_uid(c->run);
	if (!ms_collect_checkpoint_fork(c, started))
		return;
	double seconds = ms_seconds_now() - started;
	ms_collect_snapshot_count(c, program);
	ms_collect_result(c, 0, c->run);
	ms_collect_checkpoint_mark(c, c->run, seconds);
	_exit(keep(c->run, arg) == MS_OK ? 0 : 1);
}

double ms_collect_checkpoint_finish(struct ms_collect_state *c)
{
	if (c->checkpoints.pid != 0)
		kill(c->checkpoints.pid, SIGKILL);
	reap(&c->checkpoints, true);
	return c->checkpoints.used;
}
