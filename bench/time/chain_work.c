/*
 * chain_work.c - a chain of pointers with work at each cell: work that the processor can do while
 * it waits for the next cell, work that the address of the next cell needs, and independent loads
 * beside the chain.
 */
#include "chain.h"

/* `x`, which is changed, in rounds that each wait for the last one. */
#define MIX(x, rounds)                                  \
	do {                                            \
		for (int i_ = 0; i_ < (rounds); i_++) { \
			(x) ^= (x) >> 29;               \
			(x) *= 0xbf58476d1ce4e5b9U;     \
		}                                       \
	} while (0)

PHASE_FUNCTION uint64_t chase_only(const struct cell *at, size_t steps)
{
	for (size_t k = 0; k < steps; k++)
		at = at->next;
	return at->value[0];
}

PHASE_FUNCTION uint64_t work_beside_chain(const struct cell *at, size_t steps)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < steps; k++) {
		uint64_t hash = k;

		MIX(hash, 16);
		sum += hash;
		at = at->next;
	}
	return sum + at->value[0];
}

/* The hash is never 1: the processor cannot know that. */
PHASE_FUNCTION uint64_t work_within_chain(const struct cell *at, size_t steps)
{
	for (size_t k = 0; k < steps; k++) {
		uint64_t hash = at->value[6] & 0xffff;

		MIX(hash, 16);
		at = at->next + (hash == 1);
	}
	return at->value[0];
}

PHASE_FUNCTION uint64_t gather_beside_chain(const struct cell *at, const struct cell *cells,
					    size_t mask, size_t steps)
{
	uint64_t sum = 0, state = PHASE_SEED;

	for (size_t k = 0; k < steps; k++) {
		for (int i = 0; i < 4; i++)
			sum += cells[(phase_random(&state) >> 24) & mask].value[0];
		at = at->next;
	}
	return sum + at->value[0];
}

int main(void)
{
	size_t n = phase_size(MIB(64) / sizeof(struct cell), 512);
	struct cell *cells = chain_shuffle(chain_make(n), n);

	PHASE(chase_only(cells, 500000));
	PHASE(work_beside_chain(cells, 500000));
	PHASE(work_within_chain(cells, 500000));
	PHASE(gather_beside_chain(cells, cells, n - 1, 500000));
	return phase_end_program();
}
