/*
 * collect/snapshot.c - makes a run of the counts so far while the program runs.
 *
 * On request, the workers are quiesced while this process is forked. The copy simulates the pending
 * chunks, names everything, and passes on a complete run, as if the program had ended there. The
 * original continues to count. So a snapshot contains everything that a run does, and cannot change
 * the run. Its cost is known: the copy, and the pages that the original writes next. The next
 * snapshot is delayed until the mean cost is low enough.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/collect_priv.h"

static const double SHORTEST = 1;      /* seconds from one to the next */
static const double STOPPED_MOST = 50; /* workers are quiesced for at most 1/50 of the time ... */
static const double USED_MOST = 4;     /* ... and copies use at most 1/4 of one processor */

static uint64_t used_by(pid_t program, uint64_t before)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(program, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return now > before ? now - before : 0;
}

void ms_collect_snapshot_count(struct ms_collect_state *c, pid_t program)
{
	if (!ms_collect_is_measured(c))
		return;
	c->hardware->about.cpu_ns = used_by(program, c->snapshots.before);
	if (c->hardware->perf != NULL)
		ms_hardware_count(c->hardware);
}

/* In the copy: nothing here reaches the program, the user's terminal or the trace. */
static _Noreturn void hand_over(struct ms_collect_state *c, pid_t collector, pid_t program,
				double seconds)
{
	ms_collect_copy_begin(collector);
	setpriority(PRIO_PROCESS, 0, 10);
	ms_collect_finish_chunks(c);
	c->run->wall_seconds = seconds;
	c->run->end = MS_END_LOST;
	ms_collect_snapshot_count(c, program);
	ms_collect_result(c, 0, c->run);
	_exit(c->snapshots.options->keep(c->run, c->snapshots.options->arg) == MS_OK ? 0 : 1);
}

static void take(struct ms_collect_state *c, pid_t program, double started)
{
	struct ms_collect_snapshots *s = &c->snapshots;
	double asked = ms_seconds_now();
	pid_t self = getpid();

	ms_collect_quiesce_begin(&c->pool.quiesce);
	s->pid = fork();
	if (s->pid == 0)
		hand_over(c, self, program, ms_seconds_now() - started);
	ms_collect_quiesce_end(&c->pool.quiesce);
	double now = ms_seconds_now();
	s->next = now + SHORTEST + STOPPED_MOST * (now - asked);
	if (s->pid < 0)
		s->pid = 0; /* not enough memory for a copy: tries again later */
}

/* Whether the last snapshot is complete. Delays the next one in proportion to its cost. */
static bool is_free(struct ms_collect_snapshots *s, bool wait)
{
	struct rusage used;
	pid_t who = 0;

	if (s->pid == 0)
		return true;
	do
		who = wait4(s->pid, NULL, wait ? 0 : WNOHANG, &used);
	while (who < 0 && errno == EINTR);
	if (who == 0)
		return false;
	double cost = ms_collect_copy_seconds(&used);
	double paid = ms_seconds_now() + USED_MOST * cost;
	s->used += who > 0 ? cost : 0;
	s->next = paid > s->next ? paid : s->next;
	s->pid = 0;
	return true;
}

void ms_collect_snapshot_if_wanted(struct ms_collect_state *c, pid_t program, double started)
{
	struct ms_collect_snapshots *s = &c->snapshots;

	if (c->snapshots.options == NULL || c->checkpoints.pid != 0 || !is_free(s, false) ||
	    ms_seconds_now() < s->next || !c->snapshots.options->wanted(c->snapshots.options->arg))
		return;
	take(c, program, started);
}

double ms_collect_snapshot_finish(struct ms_collect_state *c)
{
	if (c->snapshots.pid != 0)
		kill(c->snapshots.pid, SIGKILL);
	is_free(&c->snapshots, true);
	return c->snapshots.used;
}
