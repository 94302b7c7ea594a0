/*
 * bench/time/phase.h - timed phases of the programs in this folder.
 *
 *    PHASE(read_stream(a, n, rounds));    calls a function and measures its time
 *    return phase_end_program();          writes the times to the file that $PHASE_TIMES names
 *
 * A line of that file is "NAME CPU-NANOSECONDS WALL-NANOSECONDS". The driver uses processor time,
 * because other processes may run in between.
 *
 * With $PHASE_RESIDENT the program executes the same loops, with the same number of instructions,
 * on data that fit in the first-level cache: every size is phase_size(FULL, RESIDENT), every number
 * of repetitions phase_rounds(TOTAL, SIZE). The difference of both times is the memory stall time.
 */
#ifndef BENCH_TIME_PHASE_H
#define BENCH_TIME_PHASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A phase is one function of the profile: neither inlined, nor cloned, nor found to have no effect.
 */
#ifdef __clang__
#define PHASE_FUNCTION __attribute__((noinline))
#else
#define PHASE_FUNCTION __attribute__((noipa))
#endif
#define PHASE_UNUSED __attribute__((unused))

enum { PHASE_MOST = 16, PHASE_NAME = 48, PHASE_PAGE = 4096 };
#define KIB(n) ((size_t)(n) << 10)
#define MIB(n) ((size_t)(n) << 20)

struct phase_time {
	char name[PHASE_NAME];
	uint64_t cpu, wall;
};

static struct {
	struct phase_time phases[PHASE_MOST];
	int n;
	double sum;
} phase_results;

static inline uint64_t phase_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static inline void phase_begin(const char *call)
{
	struct phase_time *phase = &phase_results.phases[phase_results.n];
	size_t length = strcspn(call, "(");

	if (phase_results.n == PHASE_MOST || length >= PHASE_NAME)
		abort();
	memcpy(phase->name, call, length);
	phase->wall = phase_clock(CLOCK_MONOTONIC);
	phase->cpu = phase_clock(CLOCK_THREAD_CPUTIME_ID);
}

static inline void phase_end(double result)
{
	struct phase_time *phase = &phase_results.phases[phase_results.n++];

	phase->cpu = phase_clock(CLOCK_THREAD_CPUTIME_ID) - phase->cpu;
	phase->wall = phase_clock(CLOCK_MONOTONIC) - phase->wall;
	phase_results.sum += result;
}

#define PHASE(call)                        \
	do {                               \
		phase_begin(#call);        \
		phase_end((double)(call)); \
	} while (0)

static inline int phase_end_program(void)
{
	const char *path = getenv("PHASE_TIMES");
	FILE *out = path != NULL ? fopen(path, "w") : stdout;

	if (out == NULL) {
		perror(path);
		return 1;
	}
	for (int i = 0; i < phase_results.n; i++)
		fprintf(out, "%s %llu %llu\n", phase_results.phases[i].name,
			(unsigned long long)phase_results.phases[i].cpu,
			(unsigned long long)phase_results.phases[i].wall);
	printf("%g\n", phase_results.sum);
	return 0;
}

/* --- sizes --- */

static inline size_t phase_size(size_t full, size_t resident)
{
	return getenv("PHASE_RESIDENT") != NULL ? resident : full;
}

static inline size_t phase_rounds(size_t total, size_t size)
{
	return total > size ? total / size : 1;
}

/* Levels of a binary search or tree of n entries: its lookups are total / phase_depth(n) many. */
static PHASE_UNUSED size_t phase_depth(size_t n)
{
	size_t depth = 0;

	for (; n > 0; n /= 2)
		depth++;
	return depth;
}

/* --- data --- */

/*
 * Marsaglia's xorshift: the same numbers everywhere, in registers. It is a macro, as all that
 * phases use: memspy counts inlined functions as functions of their own.
 */
#define phase_random(state) \
	(*(state) ^= *(state) << 13, *(state) ^= *(state) >> 7, *(state) ^= *(state) << 17)

/* A number of about 40 bits for each k: Fibonacci hashing. */
#define phase_hash(k) (((uint64_t)(k)*0x9e3779b97f4a7c15U) >> 24)

/* Another one, for keys that a table finds by the first. */
#define phase_key(k) (((uint64_t)(k)*0xd1342543de82ef95U) >> 30)

#define PHASE_SEED 88172645463325252ULL

/* Not memset(): phases that call it would be charged for this, too. */
static PHASE_UNUSED __attribute__((noinline)) void phase_clear(uint64_t *at, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		at[i] = 0;
		__asm__ volatile("" ::: "memory");
	}
}

/* Zeroed memory whose pages exist already, so that phases do not measure page faults. */
static PHASE_UNUSED void *phase_alloc(size_t count, size_t size)
{
	size_t bytes = (count * size + PHASE_PAGE - 1) / PHASE_PAGE * PHASE_PAGE;
	void *at = aligned_alloc(PHASE_PAGE, bytes);

	if (at == NULL) {
		fprintf(stderr, "no memory for %zu x %zu bytes\n", count, size);
		exit(1);
	}
	phase_clear((uint64_t *)at, bytes / sizeof(uint64_t));
	return at;
}

/* The numbers 0 to n - 1 in random order. */
static PHASE_UNUSED uint32_t *phase_permutation(size_t n)
{
	uint32_t *order = (uint32_t *)phase_alloc(n, sizeof(*order));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n; i > 1; i--) {
		size_t other = (phase_random(&state) >> 20) % i;
		uint32_t swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
	return order;
}

#endif
