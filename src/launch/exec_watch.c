/*
 * launch/exec_watch.c - detects that the program has executed another program (exec), which is not
 * followed.
 *
 * A front-end that ends normally records its end. If this record is missing, either exec has
 * removed the front-end, or a signal has ended the program. The process's name distinguishes the
 * two: exec sets it to the name of the new program, and it can be read until the process is waited
 * for. exec also unmaps the stream. A process with a new name that still maps the stream has
 * changed its name itself.
 */
#include <stdio.h>
#include <string.h>

#include "launch/launch.h"

void ms_launch_exec_watch_begin(struct ms_launch_exec_watch *became, const char *path)
{
	const char *slash = strrchr(path, '/');

	*became = (struct ms_launch_exec_watch){ .another = false };
	/* As the kernel does, cut short. */
	snprintf(became->name, sizeof(became->name), "%s", slash != NULL ? slash + 1 : path);
}

static bool has_stream(pid_t pid)
{
	char path[64], line[512];
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "re");
	while (maps != NULL && !found && fgets(line, sizeof(line), maps) != NULL)
		found = strstr(line, "/memfd:memspy-stream") != NULL;
	if (maps != NULL)
		fclose(maps);
	return found;
}

void ms_launch_exec_watch_look(struct ms_launch_exec_watch *became, pid_t pid)
{
	char path[64], name[sizeof(became->name)] = "";

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	FILE *comm = fopen(path, "re");
	size_t n = comm != NULL ? fread(name, 1, sizeof(name) - 1, comm) : 0;
	if (comm != NULL)
		fclose(comm);
	if (n > 0 && name[n - 1] == '\n')
		name[n - 1] = '\0';
	if (n == 0 || became->another || strcmp(name, became->name) == 0)
		return;
	became->another = !has_stream(pid);
	memcpy(became->name, name, sizeof(name));
}
