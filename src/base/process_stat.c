#include "base/process_stat.h"

#include <stdio.h>
#include <string.h>

const char *ms_process_stat(pid_t pid, char *text, size_t room)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return NULL;
	text[fread(text, 1, room - 1, file)] = '\0';
	fclose(file);
	/* Its name may contain any characters, including brackets and blanks. */
	const char *bracket = strrchr(text, ')');
	return bracket != NULL && bracket[1] == ' ' ? bracket + 2 : NULL;
}

static pid_t parent_of(pid_t pid)
{
	char text[512];
	const char *stat = ms_process_stat(pid, text, sizeof(text));
	int parent = 0;

	return stat != NULL && sscanf(stat, "%*c %d", &parent) == 1 ? (pid_t)parent : 0;
}

bool ms_process_descends(pid_t pid, const pid_t *from, size_t n)
{
	enum { MOST_GENERATIONS = 256 }; /* parents change while they are read */

	for (unsigned i = 0; pid > 1 && i < MOST_GENERATIONS; i++, pid = parent_of(pid))
		for (size_t k = 0; k < n; k++)
			if (from[k] == pid)
				return true;
	return false;
}
