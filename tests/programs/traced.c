/* build: -O1 -g
   traced self|child: ptrace in the program itself. self: it lets its parent trace it
   (PTRACE_TRACEME), as programs do that do not want to be debugged, and computes. child: it traces
   a child of its own, from signal to signal and step by step. Exit status 77: not permitted. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noinline)) uint64_t work(uint64_t seed, int n)
{
	static uint64_t table[4096];

	for (int i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		table[seed % 4096] += seed;
		seed += table[(seed >> 20) % 4096];
	}
	return seed;
}

static int trace_self(void)
{
	uint64_t sum = work(1, 300000);

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
		printf("PTRACE_TRACEME: %s\n", strerror(errno));
		return errno == EPERM ? 77 : 3;
	}
	for (int i = 0; i < 30; i++)
		sum = work(sum, 200000);
	/* A second tracer is refused. */
	errno = 0;
	long again = ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	printf("sum %016llx, again %ld %s\n", (unsigned long long)sum, again, strerror(errno));
	return 5;
}

static volatile uint64_t watched = 1;

static int traced_child(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		return 77;
	for (int i = 0; i < 5; i++) {
		watched = work(watched, 20000);
		raise(SIGUSR1); /* whose default is to end it: the tracer takes it away */
	}
	return 4;
}

static int trace_child(void)
{
	int stops = 0, steps = 0, status = 0;
	uint64_t last = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(traced_child());
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		int signal = WSTOPSIG(status);

		if (signal == SIGUSR1) {
			stops++;
			last = (uint64_t)ptrace(PTRACE_PEEKDATA, child, &watched, NULL);
			steps = 0;
		}
		if (signal == SIGUSR1 || (signal == SIGTRAP && ++steps < 20))
			ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
		else
			ptrace(PTRACE_CONT, child, NULL,
			       (void *)(uintptr_t)(signal == SIGTRAP ? 0 : signal));
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return 77;
	printf("stops %d, value %016llx, status %x\n", stops, (unsigned long long)last, status);
	return (int)(work(last, 100000) % 50);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "self") == 0)
		return trace_self();
	if (argc == 2 && strcmp(argv[1], "child") == 0)
		return trace_child();
	fprintf(stderr, "usage: traced self|child\n");
	return 2;
}
