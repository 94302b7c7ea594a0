/* build: -O1 -g
   A process, and one that comes out of it in the way the first argument says, which ends with
   status 3 after as many references as the second says (it may name another program instead); the
   first makes a few million before. It comes to its end with status 0 if the other one's was 3. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile char table[1 << 20];

static __attribute__((noipa)) void touch(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		table[i * 64 % sizeof(table)] = 1;
}

static int end_of(pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	char *again[] = { argv[0], (char[]){ "last" }, argv[2], NULL };
	pid_t pid = -1;

	if (strcmp(how, "last") == 0) {
		touch(n);
		return 3;
	}
	touch(4000000);
	if (strcmp(how, "fork") == 0) {
		pid = fork();
		if (pid == 0) {
			touch(n);
			exit(3);
		}
	} else if (strcmp(how, "underscore") == 0) {
		pid = fork();
		if (pid == 0) {
			touch(n);
			_exit(3);
		}
	} else if (strcmp(how, "fork-exec") == 0) {
		pid = fork();
		if (pid == 0) {
			execl(argv[0], argv[0], "last", argv[2], (char *)NULL);
			_exit(1);
		}
	} else if (strcmp(how, "vfork") == 0) {
		pid = vfork();
		if (pid == 0) {
			execv(argv[0], again);
			_exit(1);
		}
	} else if (strcmp(how, "spawn") == 0) {
		posix_spawnp(&pid, argv[0], NULL, NULL, again, environ);
	} else if (strcmp(how, "leave") == 0) { /* it is not waited for */
		return posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ);
	} else if (strcmp(how, "exec") == 0) {
		execvp(argv[0], again);
		return 1;
	}
	touch(400000);
	return end_of(pid);
}
