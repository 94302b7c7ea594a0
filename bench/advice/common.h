/* bench/advice/common.h - what the programs of this folder share. */
#ifndef BENCH_ADVICE_COMMON_H
#define BENCH_ADVICE_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marsaglia's xorshift: the same numbers everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Fills order[0..n) with a random permutation of 0..n-1. */
static inline void shuffle(uint32_t *order, uint32_t n, uint64_t seed)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t k = (uint32_t)(next_random(&seed) % (i + 1)), kept = order[i];

		order[i] = order[k];
		order[k] = kept;
	}
}

/* A function that reports name: neither inlined, nor found to have no effect. */
#define KEEP __attribute__((noipa))

#endif
