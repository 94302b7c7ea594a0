/*
 * collect/became.c - whether the program has become another one (exec), which is not followed.
 *
 * A front-end that ends in good order says so. One that does not was left behind by exec, or ended
 * with the program by a signal, and cannot tell which. The process can: exec gives it the name of
 * what it executes, which is there until somebody asks how it has ended, and takes the stream out
 * of its memory. One whose name is another and that still has the stream has given the name to
 * itself.
 */
#include <stdio.h>
#include <string.h>

#include "collect/collect_priv.h"

void ms_became_begin(struct became *became, const char *path)
{
	const char *slash = strrchr(path, '/');

	*became = (struct became){ .another = false };
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

void ms_became_look(struct became *became, pid_t pid)
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
