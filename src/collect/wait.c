/*
 * collect/wait.c - waits for the program, forwards signals to it and reports progress to the user.
 *
 * Signals from the terminal (Ctrl-C) reach the program directly, because it is in the same process
 * group. Signals sent to memspy alone are forwarded. In both cases memspy waits until the program
 * has ended, and saves the run.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process_stat.h"
#include "collect/collect_priv.h"
#include "collect/follow.h"

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
static sigset_t before;

static sigset_t passed_on_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < MS_COUNT(passed_on); i++)
		sigaddset(&set, passed_on[i]);
	return set;
}

void ms_wait_prepare(void)
{
	sigset_t ours = passed_on_set();

	sigaddset(&ours, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
}

void ms_wait_restore_in_child(void)
{
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* What came in while the program was ending is meant for it, not for memspy: drop it. */
void ms_wait_finish(void)
{
	const struct timespec none = { 0, 0 };
	sigset_t ours = passed_on_set();

	while (sigtimedwait(&ours, NULL, &none) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* It may have come to memspy, too, and wait to be taken: the program is ended by then. */
static bool came_as_well(int signal)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

/* Once it was asked how it has ended there is nothing left of it: it is looked at before. */
static bool is_over(struct collector *c, pid_t pid)
{
	siginfo_t how = { .si_pid = 0 };
	int failed;

	do
		failed = waitid(P_PID, (id_t)pid, &how, WEXITED | WNOHANG | WNOWAIT);
	while (failed && errno == EINTR);
	if (c->ring.stream->writer_pid != 0)
		ms_became_look(&c->exec_watch, pid);
	/* wait4() returns stops of a tracee, with WUNTRACED or without. */
	return !failed && how.si_pid == pid &&
	       (how.si_code == CLD_EXITED || how.si_code == CLD_KILLED ||
		how.si_code == CLD_DUMPED);
}

/*
 * Processor time of children that it has waited for, if that is worth a word: more than a moment,
 * and not next to nothing beside its own, which tracing makes longer.
 */
static double seconds_of_children(pid_t pid)
{
	const double least = 0.5, least_share = 0.02;
	unsigned long own_user = 0, own_system = 0;
	long user = 0, system = 0;
	char line[1024];
	const char *stat = ms_process_stat(pid, line, sizeof(line));

	if (stat == NULL || sscanf(stat,
				   "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu "
				   "%ld %ld",
				   &own_user, &own_system, &user, &system) != 4)
		return 0;
	double seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	double own = (double)(own_user + own_system) / (double)sysconf(_SC_CLK_TCK);
	return seconds >= least && seconds >= least_share * own ? seconds : 0;
}

static bool ended(struct collector *c, pid_t pid, int interrupted, uint32_t *end, int *exit_status)
{
	int status;

	if (!is_over(c, pid))
		return false;
	if (c->children == NULL)
		c->run->children_seconds = seconds_of_children(pid);
	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	if (WIFEXITED(status)) {
		*end = MS_END_EXITED;
		*exit_status = WEXITSTATUS(status);
	} else {
		*exit_status = WTERMSIG(status);
		*end = interrupted == *exit_status || came_as_well(*exit_status)
			       ? MS_END_INTERRUPTED
			       : MS_END_SIGNALED;
	}
	return true;
}

/*
 * The terminal sends its signals to the whole process group, which includes the program. Exception:
 * on hang-up, only the session leader gets the signal.
 */
static bool came_to_us_alone(int signal, const siginfo_t *info)
{
	return info->si_code <= 0 || (signal == SIGHUP && getsid(0) == getpid());
}

/* Signals that request termination; a program may catch them and terminate in its own way. */
static bool asks_for_end(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGQUIT;
}

/* Not before the front-end is there: of a program that it cannot run nothing is kept. */
static void look_at_checkpoint(struct collector *c, pid_t pid, double started,
			       const struct ms_collect_options *options)
{
	if (c->ring.stream->writer_pid != 0)
		ms_checkpoint_look(c, pid, started, options->checkpoint.keep,
				   options->checkpoint.arg);
}

void ms_wait_for(struct collector *c, pid_t pid, const struct ms_collect_options *options,
		 uint32_t *end, int *exit_status)
{
	const struct timespec pause = { 0, 250 * 1000 * 1000 };
	double started = ms_collector_now();
	int interrupted = 0;
	sigset_t ours = passed_on_set();

	sigaddset(&ours, SIGCHLD);
	while (!ended(c, pid, interrupted, end, exit_status)) {
		siginfo_t info;
		int signal = sigtimedwait(&ours, &info, &pause);

		ms_tracee_resume(pid);
		if (signal > 0 && signal != SIGCHLD) {
			interrupted = signal;
			if (came_to_us_alone(signal, &info))
				kill(pid, signal);
		}
		if (c->children != NULL)
			ms_follow_look(c->children);
		ms_collector_tell(c, started);
		ms_snapshot_look(c, pid, started);
		look_at_checkpoint(c, pid, started, options);
	}
	if (c->children != NULL)
		c->children->interrupted = asks_for_end(interrupted) || *end == MS_END_INTERRUPTED;
}

void ms_wait_attached(struct collector *c, pid_t pid, const struct ms_collect_options *options)
{
	double seconds = options->duration;
	const struct timespec pause = { 0, 50 * 1000 * 1000 };
	double started = ms_collector_now();
	sigset_t ours = passed_on_set();

	while ((kill(pid, 0) == 0 || errno == EPERM) &&
	       (seconds == 0 || ms_collector_now() - started < seconds)) {
		if (sigtimedwait(&ours, NULL, &pause) > 0)
			break;
		ms_collector_tell(c, started);
		ms_snapshot_look(c, pid, started);
		look_at_checkpoint(c, pid, started, options);
	}
}

bool ms_wait_interrupted(void)
{
	const struct timespec none = { 0, 0 };
	sigset_t ours = passed_on_set();

	return sigtimedwait(&ours, NULL, &none) > 0;
}
