#include "cli/options/sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void ms_options_check_sources(const struct ms_opt_list *folders)
{
	for (size_t i = 0; i < folders->words.n; i++) {
		const char *folder = folders->words.at[i];
		struct stat found;

		if (stat(folder, &found) != 0)
			fprintf(stderr, "memspy: --source %s: %s\n", folder, strerror(errno));
		else if (!S_ISDIR(found.st_mode))
			fprintf(stderr, "memspy: --source %s: %s\n", folder, strerror(ENOTDIR));
	}
}
