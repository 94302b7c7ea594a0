/* What sampling costs a program: this one says how much processor time it took, in seconds.

   overhead memory [MILLION STEPS]     a chase of pointers
   overhead threads [MILLION STEPS]    four threads that do the same
   overhead blocks [THOUSAND BLOCKS]   that many are allocated, searched twice, and freed */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "number.h"

struct node {
	struct node *next;
	long pad[7];
};

static uint64_t steps;

static void *chase(void *arg)
{
	enum { NODES = 1 << 15 };
	struct node *nodes = room(NODES, sizeof(*nodes)), *p = nodes;

	for (uint64_t i = 0; i < NODES; i++)
		nodes[i].next = &nodes[(i + 12345) % NODES];
	for (uint64_t i = 0; i < steps; i++)
		p = p->next;
	((struct node **)arg)[0] = p;
	return NULL;
}

static void chases(unsigned threads)
{
	pthread_t thread[4];
	struct node *end[4];

	for (unsigned i = 1; i < threads; i++)
		pthread_create(&thread[i], NULL, chase, &end[i]);
	chase(&end[0]);
	for (unsigned i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
}

struct tree {
	struct tree *child[2];
	uint64_t key;
};

static void insert(struct tree **at, uint64_t key)
{
	while (*at != NULL)
		at = &(*at)->child[key > (*at)->key];
	*at = room(1, sizeof(**at));
	(*at)->key = key;
}

static int finds(const struct tree *t, uint64_t key)
{
	while (t != NULL && t->key != key)
		t = t->child[key > t->key];
	return t != NULL;
}

static void drop(struct tree *t)
{
	if (t == NULL)
		return;
	drop(t->child[0]);
	drop(t->child[1]);
	free(t);
}

/* In many trees of moderate size, as programs have. */
static uint64_t blocks(uint64_t n)
{
	enum { TREES = 1024, SEARCHES = 2 };
	static struct tree *trees[TREES];
	uint64_t state = 1, found = 0;

	for (uint64_t i = 0; i < n; i++)
		insert(&trees[i % TREES], next_random(&state));
	for (uint64_t i = 0; i < n * SEARCHES; i++)
		found += (uint64_t)finds(trees[i % TREES], next_random(&state));
	for (unsigned i = 0; i < TREES; i++)
		drop(trees[i]);
	return found;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "memory";
	struct timespec used;
	uint64_t found = 0;

	steps = number(argc, argv, 2, 12) * 1000000;
	if (strcmp(what, "memory") == 0)
		chases(1);
	else if (strcmp(what, "threads") == 0)
		chases(4);
	else
		found = blocks(number(argc, argv, 2, 1300) * 1000);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	printf("%.4f %s\n", (double)used.tv_sec + (double)used.tv_nsec / 1e9,
	       found > steps ? "?" : what);
	return 0;
}
