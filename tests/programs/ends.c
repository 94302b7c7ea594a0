/* build: -O1 -g -pthread
   Ends in the way its argument says, after 1000 writes to a global. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int marks[1000];
static int *volatile nowhere;

static __attribute__((noinline)) void mark(void)
{
	for (int i = 0; i < 1000; i++)
		marks[i] = i;
}

static void *end_here(void *arg)
{
	exit(arg != NULL ? 7 : 0);
}

static int in_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, end_here, (void *)1);
	pause();
	return 1;
}

static int in_main_only(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, end_here, (void *)1);
	pthread_exit(NULL);
}

/* A child that works on its own is not the program that is profiled. */
static int with_a_child(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		mark();
		mark();
		_exit(5);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) == 5 ? 0 : 1;
}

static int without_files(void)
{
	for (int fd = 0; fd < 4096; fd++)
		close(fd);
	syscall(SYS_close_range, 0u, ~0u, 0u);
	mark();
	return 9;
}

static int forever(void)
{
	puts("ready");
	fflush(stdout);
	for (;;)
		mark();
}

static int after_a_while(void)
{
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < 10000; i++)
		mark();
	puts("done");
	return 0;
}

static volatile sig_atomic_t caught;

static void catch (int number)
{
	caught = number;
}

static int until_caught(void)
{
	signal(SIGINT, catch);
	puts("ready");
	fflush(stdout);
	while (!caught)
		mark();
	return 40 + caught;
}

/* Waits for the end of its input, then works for a while, as its child does. */
static int after_input(bool with_child)
{
	char byte;
	pid_t child = with_child ? fork() : 1;
	const char *who = child == 0 ? "child\n" : "done\n";

	if (child != 0 && write(1, "ready\n", 6) != 6)
		return 1;
	while (read(0, &byte, 1) > 0)
		;
	for (int i = 0; i < 10000; i++)
		mark();
	return write(1, who, strlen(who)) < 0;
}

static int until_there_is(const char *file)
{
	puts("ready");
	fflush(stdout);
	while (access(file, F_OK) != 0)
		usleep(10000);
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	mark();
	if (strcmp(how, "segv") == 0)
		*nowhere = 1;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "term") == 0)
		raise(SIGTERM);
	if (strcmp(how, "_exit") == 0)
		_exit(6);
	if (strcmp(how, "thread") == 0)
		return in_a_thread();
	if (strcmp(how, "main") == 0)
		return in_main_only();
	if (strcmp(how, "fork") == 0)
		return with_a_child();
	if (strcmp(how, "exec") == 0)
		execl("/bin/echo", "echo", "another program", NULL);
	if (strcmp(how, "exec-kill") == 0)
		execl("/bin/sh", "sh", "-c", "kill -9 $$", NULL);
	if (strcmp(how, "files") == 0)
		return without_files();
	if (strcmp(how, "forever") == 0)
		return forever();
	if (strcmp(how, "while") == 0)
		return after_a_while();
	if (strcmp(how, "child") == 0)
		return after_input(true);
	if (strcmp(how, "input") == 0)
		return after_input(false);
	if (strcmp(how, "until") == 0 && argc > 2)
		return until_there_is(argv[2]);
	if (strcmp(how, "catch") == 0)
		return until_caught();
	return 0;
}
