/* What sampling costs a program, in slices of some milliseconds each.

   overhead memory [MILLION STEPS]     a chase of pointers
   overhead threads [MILLION STEPS]    four threads that do the same
   overhead blocks [THOUSAND BLOCKS]   that many are allocated, searched twice, and freed

   It says when main began and ended, how much processor time had been used by then, and of each
   slice its processor time and its time, all in nanoseconds, and what it did. Two of them take
   turns: with two numbers more, IN and OUT, a token is read from the descriptor IN before a slice
   and written to OUT afterwards. So slices of both lie side by side in time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "number.h"

enum { MOST_SLICES = 4096 };
static struct slice {
	const char *phase;
	uint64_t processor, elapsed;
} slices[MOST_SLICES];
static unsigned count;
static int in = -1, out = -1;

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void begin(const char *phase)
{
	char token;

	if (in >= 0 && read(in, &token, 1) != 1)
		in = -1; /* the other one has ended */
	slices[count].phase = phase;
	slices[count].processor = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	slices[count].elapsed = clock_of(CLOCK_MONOTONIC);
}

static void end(void)
{
	slices[count].elapsed = clock_of(CLOCK_MONOTONIC) - slices[count].elapsed;
	slices[count].processor = clock_of(CLOCK_PROCESS_CPUTIME_ID) - slices[count].processor;
	if (++count == MOST_SLICES) {
		fputs("too many slices\n", stderr);
		exit(1);
	}
	if (out >= 0 && write(out, "", 1) != 1)
		out = -1;
}

/* --- a chase --- */

struct node {
	struct node *next;
	long pad[7];
};

enum { NODES = 1 << 16, SLICE_STEPS = 400000, THREADS = 4, THREAD_STEPS = SLICE_STEPS / 4 };

static struct node *circle(void)
{
	struct node *nodes = room(NODES, sizeof(*nodes));

	for (uint64_t i = 0; i < NODES; i++)
		nodes[i].next = &nodes[(i + 12345) % NODES];
	return nodes;
}

static __attribute__((noipa)) struct node *chase(struct node *p, uint64_t steps)
{
	for (uint64_t i = 0; i < steps; i++)
		p = p->next;
	return p;
}

static void one_chases(uint64_t steps)
{
	struct node *p = circle();

	for (uint64_t done = 0; done < steps; done += SLICE_STEPS) {
		begin("chase");
		p = chase(p, SLICE_STEPS);
		end();
	}
}

static pthread_barrier_t all_there;
static uint64_t thread_slices;

static void *chases(void *arg)
{
	struct node *p = circle();

	for (uint64_t i = 0; i < thread_slices; i++) {
		pthread_barrier_wait(&all_there);
		p = chase(p, THREAD_STEPS);
		pthread_barrier_wait(&all_there);
	}
	free(p == NULL ? p : NULL);
	return arg;
}

static void all_chase(uint64_t steps)
{
	pthread_t thread[THREADS];

	thread_slices = (steps + THREAD_STEPS - 1) / THREAD_STEPS;
	pthread_barrier_init(&all_there, NULL, THREADS + 1);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, chases, NULL);
	for (uint64_t i = 0; i < thread_slices; i++) {
		begin("chase");
		pthread_barrier_wait(&all_there);
		pthread_barrier_wait(&all_there);
		end();
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* --- blocks --- */

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
	enum { TREES = 1024, SEARCHES = 2, SLICE = 20000, SLICE_TREES = 64 };
	static struct tree *trees[TREES];
	uint64_t state = 1, found = 0;

	for (uint64_t i = 0; i < n; i += SLICE) {
		begin("allocate");
		for (uint64_t k = i; k < i + SLICE && k < n; k++)
			insert(&trees[k % TREES], next_random(&state));
		end();
	}
	for (uint64_t i = 0; i < n * SEARCHES; i += SLICE) {
		begin("search");
		for (uint64_t k = i; k < i + SLICE && k < n * SEARCHES; k++)
			found += (uint64_t)finds(trees[k % TREES], next_random(&state));
		end();
	}
	for (unsigned i = 0; i < TREES; i += SLICE_TREES) {
		begin("free");
		for (unsigned k = i; k < i + SLICE_TREES; k++)
			drop(trees[k]);
		end();
	}
	return found;
}

/* On the last processor, with the other one: processors differ in what else they have to do. */
static void stay_here(void)
{
	cpu_set_t all, last;

	CPU_ZERO(&last);
	if (sched_getaffinity(0, sizeof(all), &all) != 0)
		return;
	for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&last) == 0; i--)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &last);
	sched_setaffinity(0, sizeof(last), &last);
}

static uint64_t default_of(const char *what)
{
	return strcmp(what, "blocks") == 0 ? 1300 : strcmp(what, "threads") == 0 ? 4 : 16;
}

int main(int argc, char **argv)
{
	uint64_t began = clock_of(CLOCK_MONOTONIC), used = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	const char *what = argc > 1 ? argv[1] : "memory";
	uint64_t size = number(argc, argv, 2, default_of(what)), found = 0;

	if (argc > 4) {
		in = (int)number(argc, argv, 3, 0);
		out = (int)number(argc, argv, 4, 0);
		signal(SIGPIPE, SIG_IGN);
		if (strcmp(what, "threads") != 0)
			stay_here();
	}
	if (strcmp(what, "memory") == 0)
		one_chases(size * 1000000);
	else if (strcmp(what, "threads") == 0)
		all_chase(size * 1000000);
	else
		found = blocks(size * 1000);
	if (out >= 0)
		close(out);
	printf("%llu %llu\n", (unsigned long long)began, (unsigned long long)used);
	printf("%llu %llu\n", (unsigned long long)clock_of(CLOCK_MONOTONIC),
	       (unsigned long long)clock_of(CLOCK_PROCESS_CPUTIME_ID));
	for (unsigned i = 0; i < count; i++)
		printf("%llu %llu %s\n", (unsigned long long)slices[i].processor,
		       (unsigned long long)slices[i].elapsed, slices[i].phase);
	return found > size * 1000;
}
