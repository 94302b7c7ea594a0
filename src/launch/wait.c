/*
 * launch/wait.c - waits for the program, forwards signals to it and reports progress to the user.
 *
 * Signals from the terminal (Ctrl-C) reach the program directly, because it is in the same process
 * group. Signals sent to memspy alone are forwarded. In both cases memspy waits until the program
 * has ended, and saves the run.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/seconds.h"
#include "launch/wait.h"

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

void ms_launch_wait_prepare(void)
{
	sigset_t ours = passed_on_set();

	sigaddset(&ours, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
}

void ms_launch_wait_restore_in_child(void)
{
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* What came in while the program was ending is meant for it, not for memspy: drop it. */
void ms_launch_wait_finish(void)
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
static bool is_over(const struct ms_launch_wait *w)
{
	pid_t pid = w->pid;
	siginfo_t how = { .si_pid = 0 };
	int failed;

	do
		failed = waitid(P_PID, (id_t)pid, &how, WEXITED | WNOHANG | WNOWAIT);
	while (failed && errno == EINTR);
	if (w->stream->writer_pid != 0)
		ms_launch_exec_watch_look(w->exec_watch, pid);
	/* wait4() returns stops of a tracee, with WUNTRACED or without. */
	return !failed && how.si_pid == pid &&
	       (how.si_code == CLD_EXITED || how.si_code == CLD_KILLED ||
		how.si_code == CLD_DUMPED);
}

/* Processor time of a process that has ended and was not waited for yet, without its children. */
static double own_seconds(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
		return HUGE_VAL; /* not known: nothing is said about children */
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Of all: the process, and the children that it has waited for. */
static double seconds_of(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
	       (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
}

static bool ended(struct ms_launch_wait *w, int interrupted, uint32_t *end, int *exit_status)
{
	pid_t pid = w->pid;
	struct rusage used;
	int status;

	if (!is_over(w))
		return false;
	double own = own_seconds(pid);
	if (wait4(pid, &status, WNOHANG, &used) != pid)
		return false;
	if (w->children == NULL || !w->children->forks)
		w->children_seconds = fmax(seconds_of(&used) - own, 0);
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

void ms_launch_wait_for(struct ms_launch_wait *w, uint32_t *end, int *exit_status)
{
	const struct timespec pause = { 0, 250 * 1000 * 1000 };
	double started = ms_seconds_now();
	int interrupted = 0;
	sigset_t ours = passed_on_set();

	sigaddset(&ours, SIGCHLD);
	while (!ended(w, interrupted, end, exit_status)) {
		siginfo_t info;
		int signal = sigtimedwait(&ours, &info, &pause);

		ms_launch_tracee_resume(w->pid);
		if (signal > 0 && signal != SIGCHLD) {
			interrupted = signal;
			if (came_to_us_alone(signal, &info))
				kill(w->pid, signal);
		}
		if (w->children != NULL)
			ms_launch_follow_receive_records(w->children);
		w->look(started, w->arg);
	}
	if (w->children != NULL)
		w->children->interrupted = asks_for_end(interrupted) || *end == MS_END_INTERRUPTED;
}

void ms_launch_wait_attached(const struct ms_launch_wait *w, double seconds)
{
	const struct timespec pause = { 0, 50 * 1000 * 1000 };
	double started = ms_seconds_now();
	sigset_t ours = passed_on_set();

	while ((kill(w->pid, 0) == 0 || errno == EPERM) &&
	       (seconds == 0 || ms_seconds_now() - started < seconds)) {
		if (sigtimedwait(&ours, NULL, &pause) > 0)
			break;
		w->look(started, w->arg);
	}
}

bool ms_launch_wait_interrupted(void)
{
	const struct timespec none = { 0, 0 };
	sigset_t ours = passed_on_set();

	return sigtimedwait(&ours, NULL, &none) > 0;
}
