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
	/* Its name may have anything in it, brackets and blanks, too. */
	const char *bracket = strrchr(text, ')');
	return bracket != NULL && bracket[1] == ' ' ? bracket + 2 : NULL;
}
