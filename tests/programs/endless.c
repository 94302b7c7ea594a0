/*
 * build: -O1 -g -pthread
 * Two threads that walk a random ring through `ring` for ever, and print when they have begun; half
 * of the time they add up. `endless heap` has its ring in a block that malloc maps, `endless
 * sleeps` does nothing instead.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 1 << 18, STEPS = 20000 };
static struct node {
	struct node *next;
	char rest[120];
} ring[NODES];
static struct node *volatile here;
static volatile uint64_t sum;

static __attribute__((noinline)) struct node *chase(struct node *at, int steps)
{
	while (steps-- > 0)
		at = at->next;
	return at;
}

static __attribute__((noinline)) uint64_t compute(uint64_t x)
{
	for (int i = 0; i < 20 * STEPS; i++)
		x = x * 6364136223846793005u + 1;
	return x;
}

static void *work(void *arg)
{
	struct node *at = arg;

	for (;;) {
		at = chase(at, STEPS);
		here = at;
		sum = compute(sum);
	}
	return arg;
}

static void link_up(struct node *nodes)
{
	static uint32_t order[NODES];

	for (uint32_t i = 0; i < NODES; i++)
		order[i] = i;
	for (uint32_t i = NODES - 1; i > 0; i--) {
		uint32_t j = (uint32_t)rand() % (i + 1), was = order[i];

		order[i] = order[j];
		order[j] = was;
	}
	for (uint32_t i = 0; i < NODES; i++)
		nodes[order[i]].next = &nodes[order[(i + 1) % NODES]];
}

int main(int argc, char **argv)
{
	struct node *nodes = ring;
	pthread_t thread;

	if (argc > 1 && strcmp(argv[1], "heap") == 0)
		nodes = malloc(sizeof(ring));
	if (nodes == NULL)
		return 1;
	link_up(nodes);
	puts("up");
	fflush(stdout);
	if (argc > 1 && strcmp(argv[1], "sleeps") == 0)
		for (;;)
			pause();
	if (pthread_create(&thread, NULL, work, nodes) != 0)
		return 1;
	work(nodes);
}
