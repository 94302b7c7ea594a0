/* build: -O1 -g -pthread
   storm [threads] [children]: threads that fork, vfork and spawn at the same time while others of
   them compute and allocate. Each child computes, some make threads or children of their own; how
   each ends is checked. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };
extern char **environ;
static int children = 12;

static __attribute__((noinline)) uint64_t work(uint64_t seed, int n)
{
	uint64_t *table = calloc(1024, sizeof(*table));

	for (int i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		table[seed % 1024] += seed;
		seed += table[(seed >> 20) % 1024];
	}
	free(table);
	return seed;
}

static void *compute(void *arg)
{
	*(uint64_t *)arg = work(*(uint64_t *)arg, 20000);
	return NULL;
}

/* In a child, whose parent had several threads. */
static int child(unsigned number)
{
	uint64_t sum = number + 1;
	pthread_t thread;
	int status = 0;

	if (number % 4 == 1 && pthread_create(&thread, NULL, compute, &sum) == 0)
		pthread_join(thread, NULL);
	else
		sum = work(sum, 20000);
	if (number % 4 == 2) {
		pid_t pid = fork();

		if (pid == 0)
			_exit((int)(work(sum, 5000) % 100));
		waitpid(pid, &status, 0);
		sum += (uint64_t)WEXITSTATUS(status);
	}
	return (int)(sum % 100);
}

static int spawned(void)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)"exit 9", NULL };
	pid_t pid;
	int status = 0;

	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) != 0)
		return -1;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int borrowed(void)
{
	int status = 0;
	pid_t pid = vfork();

	if (pid == 0)
		_exit(8);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int forked(unsigned number)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(child(number));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

struct thread {
	pthread_t id;
	unsigned number;
	uint64_t sum;
};

static void *storm(void *arg)
{
	struct thread *t = arg;

	for (int i = 0; i < children; i++) {
		unsigned number = t->number * 100 + (unsigned)i;
		int status = i % 6 == 4 ? spawned() : i % 6 == 5 ? borrowed() : forked(number);

		t->sum = work(t->sum + (uint64_t)status, 10000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	struct thread threads[MOST_THREADS];

	children = argc > 2 ? atoi(argv[2]) : children;
	if (n < 1 || n > MOST_THREADS)
		return 2;
	for (int i = 0; i < n; i++) {
		threads[i] = (struct thread){ .number = (unsigned)i, .sum = 1 };
		if (pthread_create(&threads[i].id, NULL, storm, &threads[i]) != 0)
			return 3;
	}
	for (int i = 0; i < n; i++) {
		pthread_join(threads[i].id, NULL);
		printf("thread %d: %016llx\n", i, (unsigned long long)threads[i].sum);
	}
	return 6;
}
