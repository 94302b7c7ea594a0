/*
 * launch/follow_end.c - finds out how a process ended that is not a child of memspy. The kernel
 * reports the exit status to the parent only. Other sources are: the end that the process itself
 * has recorded; /proc/PID/stat, until the parent has waited for the process; and since Linux 6.15 a
 * pidfd that was open when the parent did.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "base/process_stat.h"
#include "launch/follow_children.h"
#include "launch/launch.h"

/* As in <linux/pidfd.h> of these kernels. */
struct process_info {
	uint64_t mask, cgroup;
	uint32_t ids[11];
	int32_t exit_code;
};
static_assert(sizeof(struct process_info) == 64, "the kernel's struct pidfd_info");

static int status_of_pidfd(int process)
{
	enum { EXIT = 8 };
	struct process_info info = { .mask = EXIT };

	if (process < 0 || ioctl(process, _IOWR(0xff, 11, struct process_info), &info) != 0 ||
	    (info.mask & EXIT) == 0)
		return -1;
	return info.exit_code;
}

/* /proc shows the exit status to other processes until the parent has waited for the process. */
static int status_seen(pid_t pid)
{
	char text[1024];
	const char *stat = ms_process_stat(pid, text, sizeof(text));
	const char *last = stat != NULL ? strrchr(stat, ' ') : NULL;
	int status = -1;

	if (last != NULL && stat[0] == 'Z')
		sscanf(last, "%d", &status);
	return status;
}

/* The fatal signal that Valgrind's messages name; 0: none. */
static int signal_in(const char *log)
{
	const char *words = "default action of signal ";
	const char *at = log != NULL ? strstr(log, words) : NULL;
	int signal = 0;

	if (at != NULL)
		sscanf(at + strlen(words), "%d", &signal);
	return signal;
}

/* In this order: the parent may wait for the process between the two. */
static int status_of(pid_t pid, int process)
{
	int status = status_seen(pid);

	return status >= 0 ? status : status_of_pidfd(process);
}

void ms_launch_follow_end_status(const struct ms_wire_stream *stream, pid_t pid, int process,
				 struct ms_run *run)
{
	int status = status_of(pid, process);
	int signal = status >= 0 ? WTERMSIG(status) : signal_in(run->messages);

	run->end = MS_END_LOST;
	if (signal != 0) {
		run->end = MS_END_SIGNALED;
		run->exit_status = signal;
	} else if (status >= 0 || (stream->writer_done && stream->exit_code != MS_WIRE_NO_EXIT)) {
		run->end = MS_END_EXITED;
		run->exit_status = status >= 0 ? WEXITSTATUS(status) : (int)stream->exit_code;
	}
}
