/*
 * Touches pages for the first time: `first` has 2000 of them and `second` 500, each in a function
 * of its own; then blocks of 64 pages come and go, at addresses that others had before. With an
 * argument it does that, and then: "fork" makes a child that touches 1000 pages of its own,
 * "exec" becomes `true`, "kill" kills itself, "threads" starts 2000 threads, one after another,
 * "stop" stops itself until somebody lets it go on.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, FIRST = 2000, SECOND = 500, SHORT = 64, TIMES = 40 };

/* Small pages only, and none in common with anybody. */
static char *pages(size_t n)
{
	char *block = aligned_alloc(PAGE, n * PAGE);

	if (block == NULL)
		abort();
	madvise(block, n * PAGE, MADV_NOHUGEPAGE);
	return block;
}

static __attribute__((noinline)) void fill(char *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)block)[i * PAGE] = 1;
}

static __attribute__((noinline)) void walk(char *block, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)block)[i * PAGE] = 2;
}

/* Odd ones are one thing, even ones another, often in the same place. */
static void come_and_go(void)
{
	for (int i = 0; i < TIMES; i++) {
		char *even = pages(SHORT);
		fill(even, SHORT);
		free(even);
		char *odd = pages(SHORT);
		walk(odd, SHORT);
		free(odd);
	}
}

static void *nothing(void *arg)
{
	return arg;
}

static void threads(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, nothing, NULL) != 0)
			abort();
		pthread_join(thread, NULL);
	}
}

static void family(void)
{
	if (fork() == 0) {
		fill(pages(1000), 1000);
		_exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char *first = pages(FIRST), *second = pages(SECOND);

	fill(first, FIRST);
	walk(second, SECOND);
	come_and_go();
	if (strcmp(what, "fork") == 0)
		family();
	else if (strcmp(what, "exec") == 0)
		execlp("true", "true", NULL);
	else if (strcmp(what, "kill") == 0)
		raise(SIGKILL);
	else if (strcmp(what, "threads") == 0)
		threads();
	else if (strcmp(what, "stop") == 0)
		raise(SIGSTOP);
	puts("done");
	return 3;
}
