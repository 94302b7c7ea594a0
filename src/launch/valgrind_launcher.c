/*
 * launch/valgrind_launcher.c - memspy in place of Valgrind's launcher. When a program that is
 * followed executes another one, Valgrind starts its launcher with its own options, that program
 * and its arguments. memspy then requests a stream and starts the front-end with it. If it gets no
 * stream, it starts the program itself.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "launch/follow_children.h"
#include "launch/launch.h"
#include "launch/platform.h"

bool ms_launch_is_launcher(int argc, char *const argv[])
{
	return argc > 2 && strcmp(argv[1], MS_LAUNCH_TOOL) == 0;
}

static const char *value_of(const char *arg, const char *option)
{
	size_t n = strlen(option);

	return strncmp(arg, option, n) == 0 ? arg + n : NULL;
}

/* The options with our own descriptors in place of the ones they came with. */
static char **front_end_command(int argc, char *const argv[], int program, const char *tool,
				const int fds[2], struct ms_arena *arena)
{
	char **command = ms_arena_take(arena, ((size_t)argc + 1) * sizeof(*command));
	int n = 0;

	command[n++] = (char *)tool;
	for (int i = 1; i < program; i++) {
		if (value_of(argv[i], "--stream-fd=") != NULL)
			command[n++] = ms_arena_printf(arena, "--stream-fd=%d", fds[0]);
		else if (value_of(argv[i], "--log-fd=") != NULL)
			command[n++] = ms_arena_printf(arena, "--log-fd=%d", fds[1]);
		else if (value_of(argv[i], "--spare-fd=") != NULL)
			command[n++] = ms_arena_printf(arena, "--spare-fd=%d", fds[1]);
		else
			command[n++] = argv[i];
	}
	for (int i = program; i < argc; i++)
		command[n++] = argv[i];
	return command;
}

int ms_launch_run_launcher(int argc, char *const argv[], const char *frontend_dir)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *collector = NULL, *value;
	char self[PATH_MAX];
	int program = 1, fds[2];

	for (; program < argc && strncmp(argv[program], "--", 2) == 0; program++)
		if ((value = value_of(argv[program], "--collector=")) != NULL)
			collector = value;
	if (program == argc)
		return 126;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n > 0 && collector != NULL && ms_launch_follow_request(collector, fds) == MS_OK) {
		const char *tool = ms_arena_printf(&arena, "%s/memspy-%s", frontend_dir,
						   ms_launch_platform_valgrind);

		self[n] = '\0';
		setenv("VALGRIND_LAUNCHER", self, 1);
		fcntl(fds[0], F_SETFD, 0);
		fcntl(fds[1], F_SETFD, 0);
		execv(tool, front_end_command(argc, argv, program, tool, fds, &arena));
		unsetenv("VALGRIND_LAUNCHER");
	}
	execv(argv[program], argv + program);
	return 126;
}
