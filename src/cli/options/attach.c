/* cli/options/attach.c - the program of a process that runs already, as if it had been typed. */
#include "cli/options/attach.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int ms_options_attached_program(pid_t pid, struct ms_arena *arena, struct ms_words *words,
				struct ms_err *err)
{
	char path[64], program[PATH_MAX], text[65536];
	bool first = true;

	if (words->at.n > 0)
		return ms_fail(err, MS_EUSAGE, "--attach takes a program that runs: omit '%s'",
			       words->at.at[0]);
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, program, sizeof(program) - 1);
	if (n <= 0)
		return ms_fail_errno(err,
				     "--attach %d: there is no such process that you may look at",
				     (int)pid);
	program[n] = '\0';
	*ms_vec_add(&words->at) = ms_arena_strdup(arena, program);
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	FILE *file = fopen(path, "re");
	size_t got = file != NULL ? fread(text, 1, sizeof(text) - 1, file) : 0;
	if (file != NULL)
		fclose(file);
	text[got] = '\0';
	for (size_t at = 0; at < got; at += strlen(text + at) + 1, first = false)
		if (!first)
			*ms_vec_add(&words->at) = ms_arena_strdup(arena, text + at);
	return MS_OK;
}
