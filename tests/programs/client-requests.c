/* build: -O1 -g
   Client requests that name data, mark phases, and switch counting off and on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memspy.h"

static char table[4096];

static __attribute__((noipa)) void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = 1;
}

static __attribute__((noipa)) void name(void)
{
	char *block = malloc(1000);
	char local[256];

	MEMSPY_NAME(block, 1000, "the block");
	MEMSPY_NAME(table + 1024, 1024, "part of the table");
	MEMSPY_NAME(local, sizeof(local), "scratch pad");
	touch(block, 1000);
	touch(table, 4096);
	touch(local, 256);
	MEMSPY_UNNAME(block);
	MEMSPY_UNNAME(table + 1024);
	MEMSPY_UNNAME(local);
	touch(block, 1000);
	touch(table, 4096);
	touch(local, 256);
	/* Freed with its name on, and taken again. */
	MEMSPY_NAME(block, 1000, "the block");
	free(block);
	char *again = malloc(1000);
	touch(again, 1000);
	free(again);
	/* Mistakes. */
	MEMSPY_NAME(table, 0, "nothing");
	MEMSPY_NAME(table, ~0ul, "too much");
	MEMSPY_NAME(table, 10, (const char *)8);
	MEMSPY_NAME(table, 10, "");
	MEMSPY_UNNAME(table + 5);
	MEMSPY_PHASE((const char *)8);
}

static __attribute__((noipa)) void phases(void)
{
	MEMSPY_PHASE("build");
	touch(table, 4096);
	for (int i = 0; i < 3; i++) {
		MEMSPY_PHASE("solve");
		touch(table, 1000);
		MEMSPY_PHASE("write");
		touch(table, 100);
	}
	MEMSPY_PHASE("end");
}

/* Counted or not, memory that comes and goes is known. */
static __attribute__((noipa)) void stop(int counting)
{
	if (counting)
		MEMSPY_STOP();
	touch(table, 4096);
	char *meanwhile = malloc(3000);
	touch(meanwhile, 3000);
	MEMSPY_START();
	touch(meanwhile, 500);
	MEMSPY_START();
	touch(meanwhile, 500);
	MEMSPY_STOP();
	MEMSPY_STOP();
	for (int i = 0; i < 1000; i++)
		touch(table, 4096);
	free(meanwhile);
}

/* An allocator of the program's own: blocks of one array. */
struct node {
	char bytes[1000];
};
static char arena[4000];

static __attribute__((noipa)) void *take(size_t n, size_t at)
{
	return memspy_pool_alloc(arena + at, n);
}

static __attribute__((noipa)) void pool(void)
{
	struct node *list = take(sizeof(*list), 0);

	touch(list->bytes, 1000);
	struct node *other = take(sizeof(*other), 2000);
	touch(other->bytes, 1000);
	memspy_pool_free(list);
	touch(arena, 1000);
	for (int i = 0; i < 1; i++) {
		list = take(sizeof(*list), 0);
		touch(list->bytes, 1000);
	}
	void *named = memspy_alloc_named(500, "the named one");
	touch(named, 500);
	free(named);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "running") == 0)
		printf("%d\n", MEMSPY_RUNNING());
	if (strcmp(what, "name") == 0)
		name();
	if (strcmp(what, "pool") == 0)
		pool();
	if (strcmp(what, "phases") == 0)
		phases();
	if (strcmp(what, "stop") == 0)
		stop(1);
	if (strcmp(what, "start") == 0)
		stop(0);
	if (strcmp(what, "crash") == 0) {
		touch(table, 4096);
		MEMSPY_STOP();
		touch(table, 4096);
		abort();
	}
	return 0;
}
