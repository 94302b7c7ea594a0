/*
 * emulated.c - stands in the place of memspy's native runtime where programs are to run under an
 * emulator: memspy preloads it into the program, and it becomes the emulator (EMULATOR's words),
 * which runs the same program with the real runtime (RUNTIME) preloaded. Files and the number of
 * the process stay, so that memspy sees nothing of this.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 200 };

__attribute__((constructor)) static void start(int argc, char **argv)
{
	static char *words[MOST], program[4096], preload[4096];
	char *emulator = strdup(getenv("EMULATOR"));
	int n = 0;

	if (argc > MOST - 20 || readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		_exit(124);
	for (char *word = strtok(emulator, " "); word != NULL && n < 8; word = strtok(NULL, " "))
		words[n++] = word;
	words[n++] = "-0";
	words[n++] = argv[0];
	words[n++] = "-E";
	words[n++] = preload;
	words[n++] = program;
	for (int i = 1; i < argc; i++)
		words[n++] = argv[i];
	/* All else in the environment the emulator hands on; what is preloaded it would load too.
	 */
	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", getenv("RUNTIME"));
	unsetenv("LD_PRELOAD");
	execv(words[0], words);
	_exit(124);
}
