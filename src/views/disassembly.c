#include "views/disassembly.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

extern char **environ;

/* The end of a pipe to which it writes; -1: it could not be started. */
static int spawn(char *const argv[], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	int failed = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed == 0)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* "  4011e3:\tpush   %r15": an offset, and what follows the tab. */
static void take_line(struct ms_views_disassembly *d, char *line)
{
	char *end;
	uint64_t offset = strtoull(line, &end, 16);

	if (end == line || end[0] != ':' || end[1] != '\t')
		return;
	end += 2;
	end[strcspn(end, "\n")] = '\0';
	for (char *c = end; *c != '\0'; c++)
		*c = *c == '\t' ? ' ' : *c;
	*ms_vec_add(&d->at) =
		(struct ms_views_instruction){ offset, ms_arena_strdup(&d->arena, end) };
}

static void read_lines(struct ms_views_disassembly *d, FILE *in, size_t most)
{
	char *line = NULL;
	size_t room = 0;

	while (d->at.n < most && getline(&line, &room, in) > 0)
		take_line(d, line);
	free(line);
}

/* A database may name anything, such as a FIFO. */
static bool is_file(const char *path)
{
	struct stat st;

	return path != NULL && path[0] == '/' && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static const char *run_objdump(struct ms_views_disassembly *d, char *path, uint64_t from,
			       uint64_t to, size_t most)
{
	char start[48], stop[48];
	char program[] = "objdump", all[] = "-d", plain[] = "--no-show-raw-insn", end[] = "--";
	char *const argv[] = { program, all, plain, start, stop, end, path, NULL };
	pid_t pid;

	snprintf(start, sizeof(start), "--start-address=0x%" PRIx64, from);
	snprintf(stop, sizeof(stop), "--stop-address=0x%" PRIx64, to);
	int fd = spawn(argv, &pid);
	FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (in == NULL)
		return "objdump cannot be started; it is in the package binutils";
	read_lines(d, in, most);
	fclose(in); /* objdump may end early */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return d->at.n == 0 ? "objdump finds no instructions there" : NULL;
}

void ms_views_disassemble(struct ms_views_disassembly *d, const char *module, uint64_t from,
			  uint64_t to, size_t most)
{
	*d = (struct ms_views_disassembly){ .arena = MS_ARENA_INIT };
	if (!is_file(module)) {
		d->trouble = "the program or library is not there";
		return;
	}
	d->trouble = run_objdump(d, ms_arena_strdup(&d->arena, module), from, to, most);
}

void ms_views_disassembly_free(struct ms_views_disassembly *d)
{
	ms_vec_free(&d->at);
	ms_arena_free(&d->arena);
}
