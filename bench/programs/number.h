/* bench/programs/number.h - a program's size: its first argument, or what it was made for. */
#ifndef BENCH_NUMBER_H
#define BENCH_NUMBER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t number(int argc, char **argv, int i, uint64_t otherwise)
{
	char *end = NULL;

	if (argc <= i)
		return otherwise;
	uint64_t value = strtoull(argv[i], &end, 10);
	if (*end != '\0' || value == 0) {
		fprintf(stderr, "%s: '%s' is no size; expected a number above 0\n", argv[0],
			argv[i]);
		exit(2);
	}
	return value;
}

/* Marsaglia's xorshift: the same numbers everywhere, and almost no memory of its own. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline void *room(uint64_t count, uint64_t size)
{
	void *at = calloc(count, size);

	if (at == NULL) {
		fprintf(stderr, "no memory for %llu x %llu bytes\n", (unsigned long long)count,
			(unsigned long long)size);
		exit(1);
	}
	return at;
}

#endif
