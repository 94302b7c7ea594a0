/*
 * collect/follow_end.c - how a process ended that is somebody else's child. Only its parent is told
 * by the kernel; what is left over are the process's own words, and what the kernel lets everybody
 * see while nobody has asked.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "collect/collect_priv.h"
#include "collect/follow.h"

/* The kernel tells a stranger how a process ended only as long as nobody has asked. */
static int status_of(pid_t pid)
{
	char path[64], text[1024];
	int status = -1;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return -1;
	size_t n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	char *last = strrchr(text, ' ');
	if (strstr(text, ") Z ") != NULL && last != NULL)
		sscanf(last, "%d", &status);
	return status;
}

/* The signal that Valgrind says it died of; 0: none. */
static int signal_in(const char *log)
{
	const char *words = "default action of signal ";
	const char *at = log != NULL ? strstr(log, words) : NULL;
	int signal = 0;

	if (at != NULL)
		sscanf(at + strlen(words), "%d", &signal);
	return signal;
}

void ms_follow_end(const struct ms_wire_stream *stream, pid_t pid, struct ms_run *run)
{
	int status = status_of(pid);
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
