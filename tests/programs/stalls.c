/* build: -O2 -g -pthread
   Waits for memory, in ways whose answers are known: memspy sample must find them.

   chase        a chase of pointers over A beside a stream over B; says how much of its processor
		time the chase took, by its own clock
   overwritten  loads that overwrite the register that they are addressed by
   nowhere      spins after a load that is never executed, of the last address of all
   threads N    N threads that each live for a moment
   crowd N      N threads at the same time, or nearly, that compute
   compute      waits for nothing
   resident     a chase of pointers within the first-level cache
   transpose    stores by columns what it loads by rows
   pages        touches new pages
   calls        is in system calls most of its time
   fork         has a child that computes
   signals      sets all signals to what they do by default, blocks them all, waits for all
   sleep        does nothing */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memspy.h"

struct node {
	struct node *next;
	long pad[7];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* One circle through all numbers below n. */
static uint32_t *circle(size_t n)
{
	uint32_t *order = malloc(n * sizeof(*order));
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n - 1; i > 0; i--) {
		state = state * 1664525u + 1013904223u;
		size_t j = (state >> 3) % (i + 1);
		uint32_t kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
	return order;
}

static __attribute__((noipa)) struct node *chase(struct node *p, long steps)
{
	while (steps-- > 0)
		p = p->next;
	return p;
}

static __attribute__((noipa)) long stream(const long *b, size_t n)
{
	long sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += b[i];
	return sum;
}

static void chases(void)
{
	enum { NODES = 1 << 18, WORDS = 1 << 19, ROUNDS = 60 };
	uint32_t *order = circle(NODES);
	struct node *A = malloc(NODES * sizeof(*A));
	long *B = calloc(WORDS, sizeof(*B)), sum = 0;
	double chased = 0, streamed = 0;

	for (size_t i = 0; i < NODES; i++)
		A[order[i]].next = &A[order[(i + 1) % NODES]];
	free(order);
	struct node *p = A;
	for (int i = 0; i < ROUNDS; i++) {
		double began = now();
		memspy_phase("chasing");
		p = chase(p, NODES / 8);
		double between = now();
		memspy_phase("streaming");
		sum += stream(B, WORDS);
		chased += between - began;
		streamed += now() - between;
	}
	printf("%.4f %d\n", chased / (chased + streamed), p == NULL && sum == 1);
	free(A);
	free(B);
}

struct item {
	uint32_t next;
	uint32_t pad[15];
};

/* The load puts the number of the next one where its own address was. */
static __attribute__((noipa)) uint32_t walk(const struct item *items, uint32_t i, long steps)
{
	while (steps-- > 0) {
#if defined(__x86_64__)
		register uintptr_t at __asm__("rax") = (uintptr_t)&items[i];
		__asm__ volatile("movl (%%rax), %%eax" : "+r"(at) : : "memory");
#else
		register uintptr_t at __asm__("x0") = (uintptr_t)&items[i];
		__asm__ volatile("ldr w0, [x0]" : "+r"(at) : : "memory");
#endif
		i = (uint32_t)at;
	}
	return i;
}

/* By turns: whatever else keeps the machine's memory busy, it does so for both. */
static void overwritten(void)
{
	enum { ITEMS = 1 << 18, STEPS = 1 << 20, TURNS = 64 };
	uint32_t *order = circle(ITEMS), i = 0, j = 0;
	struct item *twice = malloc(ITEMS * sizeof(*twice)), *once = malloc(ITEMS * sizeof(*once));

	for (size_t i = 0; i < ITEMS; i++)
		once[order[i]].next = twice[order[i]].next = order[(i + 1) % ITEMS];
	free(order);
	for (int turn = 0; turn < TURNS; turn++) {
		i = walk(twice, i, 2 * STEPS / TURNS);
		j = walk(once, j, STEPS / TURNS);
	}
	printf("%u\n", i + j);
}

static void nowhere(long n)
{
#if defined(__x86_64__)
	__asm__ volatile("jmp 1f\n\t"
			 "movq (%1), %%rcx\n"
			 "1:\tdecq %0\n\t"
			 "jnz 1b"
			 : "+r"(n)
			 : "r"(-1l)
			 : "rcx", "cc");
#else
	__asm__ volatile("b 1f\n\t"
			 "ldr x3, [%1]\n"
			 "1:\tsubs %0, %0, #1\n\t"
			 "b.ne 1b"
			 : "+r"(n)
			 : "r"(-1l)
			 : "x3", "cc");
#endif
}

static double compute(long n)
{
	double sum = 0;

	for (long i = 1; i < n; i++)
		sum += 1.0 / (double)i;
	return sum;
}

static void resident(void)
{
	enum { COUNT = 128 };
	struct node *small = malloc(COUNT * sizeof(*small));
	uint32_t *order = circle(COUNT);

	for (size_t i = 0; i < COUNT; i++)
		small[order[i]].next = &small[order[(i + 1) % COUNT]];
	printf("%d\n", chase(small, 200000000) != NULL);
	free(order);
	free(small);
}

static __attribute__((noipa)) void store_columns(double *to, const double *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			to[j * n + i] = from[i * n + j];
}

static void transposes(void)
{
	enum { SIDE = 2048, TIMES = 8 };
	double *rows = malloc(SIDE * SIDE * sizeof(*rows)),
	       *columns = malloc(SIDE * SIDE * sizeof(*columns));

	for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
		rows[i] = columns[i] = 1;
	for (int i = 0; i < TIMES; i++)
		store_columns(columns, rows, SIDE);
	printf("%d\n", columns[SIDE] == 1);
	free(columns);
	free(rows);
}

static void touch_pages(void)
{
	enum { TIMES = 40, BYTES = 32 << 20, STEP = 4096 };

	for (int i = 0; i < TIMES; i++) {
		volatile char *fresh = malloc(BYTES); /* is mapped anew each time */

		for (size_t k = 0; k < BYTES; k += STEP)
			fresh[k] = 1;
		free((void *)fresh);
	}
}

static void call_kernel(void)
{
	char bytes[256];
	int from = open("/dev/zero", O_RDONLY);

	for (int i = 0; i < 500000; i++)
		if (read(from, bytes, sizeof(bytes)) < 0)
			exit(1);
	close(from);
}

static void *moment(void *arg)
{
	volatile char *p = malloc(500);

	for (int i = 0; i < 20000; i++)
		p[i % 500] = (char)i;
	free((void *)p);
	return arg;
}

static void threads(int n)
{
	for (int i = 0; i < n; i += 4) {
		pthread_t thread[4];

		for (int k = 0; k < 4; k++)
			pthread_create(&thread[k], NULL, moment, NULL);
		for (int k = 0; k < 4; k++)
			pthread_join(thread[k], NULL);
	}
}

static void *computes(void *arg)
{
	*(double *)arg = compute(1000000);
	return NULL;
}

/* At the same time: none ends before all are there. */
static void crowd(int n)
{
	pthread_t *thread = calloc((size_t)n, sizeof(*thread));
	double *sum = calloc((size_t)n, sizeof(*sum));

	for (int i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, computes, &sum[i]);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum[n - 1] > 1);
	free(sum);
	free(thread);
}

static volatile int caught;
static void catch (int signal)
{
	caught = signal;
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, was;
	const struct timespec soon = { 0, 1000000 };
	double sum;
	sigset_t all;

	for (int i = 1; i <= 64; i++)
		sigaction(i, &action, NULL);
	sum = compute(20000000);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sum += compute(20000000);
	printf("%d", sigtimedwait(&all, NULL, &soon));
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	/* The one that the sampler uses is the program's too. */
	action.sa_handler = catch;
	sigaction(61, &action, NULL);
	sigaction(61, NULL, &was);
	raise(61);
	sum += compute(20000000);
	printf(" %d %d %d\n", was.sa_handler == catch, caught, sum > 1);
}

/* The child computes, and is another program: nothing of it counts. */
static void forks(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(compute(50000000) < 0);
	moment(NULL);
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "chase") == 0)
		chases();
	if (strcmp(what, "overwritten") == 0)
		overwritten();
	if (strcmp(what, "nowhere") == 0)
		nowhere(300000000);
	if (strcmp(what, "threads") == 0)
		threads(argc > 2 ? atoi(argv[2]) : 1000);
	if (strcmp(what, "crowd") == 0)
		crowd(argc > 2 ? atoi(argv[2]) : 100);
	if (strcmp(what, "signals") == 0)
		signals();
	if (strcmp(what, "fork") == 0)
		forks();
	if (strcmp(what, "compute") == 0)
		printf("%d\n", compute(100000000) > 1);
	if (strcmp(what, "resident") == 0)
		resident();
	if (strcmp(what, "transpose") == 0)
		transposes();
	if (strcmp(what, "pages") == 0)
		touch_pages();
	if (strcmp(what, "calls") == 0)
		call_kernel();
	if (strcmp(what, "sleep") == 0)
		sleep(1);
	return 0;
}
