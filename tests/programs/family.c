/* build: -O1 -g
   Processes that come out of each other, in the way the first argument says. Each touches known
   amounts of memory that it had before, or that it takes itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memspy.h"

static char table[4096];

static __attribute__((noipa)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

static int end_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/* What was there before the fork has its names in the child. */
static int inherit(void)
{
	char *before = malloc(1000);
	char *freed = malloc(500);
	pid_t pid;

	touch(before, 1000);
	touch(freed, 500);
	pid = fork();
	if (pid == 0) {
		char *inside = malloc(300);

		touch(before, 700);
		touch(inside, 300);
		touch(table, 2000);
		free(freed);
		pid_t second = fork();
		if (second == 0) {
			touch(inside, 250);
			touch(before, 150);
			_exit(7);
		}
		exit(end_of(second) == 7 ? 3 : 99);
	}
	touch(table, 100);
	return end_of(pid);
}

static int become(char **argv)
{
	touch(table, 1500);
	execl(argv[0], argv[0], "became", (char *)NULL);
	return 1;
}

static int became(void)
{
	touch(table, 2500);
	return 4;
}

static int die(int by_signal)
{
	pid_t pid = fork();

	if (pid == 0) {
		touch(table, 600);
		if (by_signal == SIGABRT)
			abort();
		pause();
	}
	if (by_signal != SIGABRT) {
		usleep(700000);
		kill(pid, by_signal);
	}
	return end_of(pid);
}

/* As a shell script does: one after the other. */
static int many(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			touch(table, 10 * (size_t)i);
			if (i % 2 == 0)
				execlp("true", "true", (char *)NULL);
			_exit(0);
		}
		if (end_of(pid) != 0)
			return 1;
	}
	return 0;
}

/* Its parent has long ended. */
static int outlive_parent(int seconds)
{
	if (fork() == 0) {
		printf("%d\n", (int)getpid());
		fclose(stdout);
		for (int i = 0; i < seconds * 10; i++) {
			touch(table, 100);
			usleep(100000);
		}
		_exit(9);
	}
	return 0;
}

/* Likewise, and the child gets processor 0 only when it is idle. */
static int idles(void)
{
	const struct sched_param none = { 0 };
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	sched_setscheduler(0, SCHED_IDLE, &none);
	if (fork() == 0) {
		touch(table, 600);
		_exit(9);
	}
	sched_setscheduler(0, SCHED_OTHER, &none);
	return 0;
}

static int closes_all(void)
{
	pid_t pid;

	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	pid = fork();
	if (pid == 0) {
		touch(table, 800);
		execlp("true", "true", (char *)NULL);
	}
	return end_of(pid);
}

/* Stopped before the fork: the child counts from its own start on. */
static int stopped(void)
{
	pid_t pid;

	MEMSPY_STOP();
	pid = fork();
	if (pid == 0) {
		touch(table, 900);
		MEMSPY_START();
		touch(table, 40);
		_exit(0);
	}
	return end_of(pid);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (strcmp(how, "inherit") == 0)
		return inherit();
	if (strcmp(how, "become") == 0)
		return become(argv);
	if (strcmp(how, "became") == 0)
		return became();
	if (strcmp(how, "abort") == 0)
		return die(SIGABRT);
	if (strcmp(how, "kill") == 0)
		return die(SIGKILL);
	if (strcmp(how, "many") == 0)
		return many(12);
	if (strcmp(how, "orphan") == 0)
		return outlive_parent(2);
	if (strcmp(how, "forever") == 0)
		return outlive_parent(1000);
	if (strcmp(how, "idle") == 0)
		return idles();
	if (strcmp(how, "close") == 0)
		return closes_all();
	if (strcmp(how, "stopped") == 0)
		return stopped();
	return 1;
}
