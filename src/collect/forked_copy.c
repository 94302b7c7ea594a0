/*
 * collect/forked_copy.c - prepares a forked copy of the collector, and measures its cost. Such
 * copies make snapshots and checkpoints.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/collect_priv.h"

void ms_collect_copy_begin(pid_t collector)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != collector)
		_exit(1); /* it ended before the line above */
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

double ms_collect_copy_seconds(const struct rusage *used)
{
	return seconds_of(&used->ru_utime) + seconds_of(&used->ru_stime);
}
