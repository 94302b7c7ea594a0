/*
 * A program that makes its parent its tracer. "traceme HOW": afterwards it sends itself five
 * signals, works, and then exits with status 7, or, by HOW, executes another program (exec), is
 * killed (term) or is stopped by itself (stop). "thread": another thread makes it.
 */
// build: -O1 -g -pthread
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

enum { BYTES = 1 << 20, ROUNDS = 20, SIGNALS = 5 };

static volatile sig_atomic_t handled;

static void handle(int signal)
{
	(void)signal;
	handled++;
}

static void work(void)
{
	volatile char *block = malloc(BYTES);

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < BYTES; i++)
			block[i] = (char)i;
	free((void *)block);
}

static void *ask(void *arg)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		puts("PTRACE_TRACEME failed");
	return arg;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;

	signal(SIGUSR1, handle);
	if (strcmp(how, "thread") == 0) {
		pthread_create(&thread, NULL, ask, NULL);
		pthread_join(thread, NULL);
	} else {
		ask(NULL);
	}
	for (int i = 0; i < SIGNALS; i++)
		raise(SIGUSR1);
	work();
	printf("%d handled\n", (int)handled);
	fflush(stdout);
	if (strcmp(how, "exec") == 0)
		execl("/bin/echo", "echo", "executed", (char *)NULL);
	if (strcmp(how, "term") == 0)
		raise(SIGTERM);
	if (strcmp(how, "stop") == 0)
		raise(SIGSTOP);
	return 7;
}
