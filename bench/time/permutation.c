/*
 * permutation.c - reorders records: by random loads, by random stores, by exchanges, and within
 * blocks only.
 *
 * fix: permute_by_stores permute_within_blocks 6
 */
#include "phase.h"

PHASE_FUNCTION uint64_t permute_by_loads(uint64_t *to, const uint64_t *from, const uint32_t *order,
					 size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			to[i] = from[order[i]];
	return to[n / 2];
}

#define BY_STORES(name)                                                                         \
	PHASE_FUNCTION uint64_t name(uint64_t *to, const uint64_t *from, const uint32_t *order, \
				     size_t n, size_t rounds)                                   \
	{                                                                                       \
		for (size_t round = 0; round < rounds; round++)                                 \
			for (size_t i = 0; i < n; i++)                                          \
				to[order[i]] = from[i];                                         \
		return to[n / 2];                                                               \
	}

BY_STORES(permute_by_stores)
BY_STORES(permute_within_blocks)

PHASE_FUNCTION uint64_t exchange(uint64_t *a, const uint32_t *order, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			uint64_t swap = a[order[i]];

			a[order[i]] = a[i];
			a[i] = swap;
		}
	return a[n / 2];
}

int main(void)
{
	enum { BLOCK = 1024 };
	size_t n = phase_size((size_t)4 << 20, BLOCK), total = (size_t)4 << 20;
	uint64_t *a = (uint64_t *)phase_alloc(n, sizeof(*a)),
		 *b = (uint64_t *)phase_alloc(n, sizeof(*b));
	uint32_t *order = phase_permutation(n), *within = phase_permutation(BLOCK);
	uint32_t *blocks = (uint32_t *)phase_alloc(n, sizeof(*blocks));

	for (size_t i = 0; i < n; i++) {
		a[i] = i;
		blocks[i] = (uint32_t)(i - i % BLOCK + within[i % BLOCK]);
	}
	PHASE(permute_by_loads(b, a, order, n, phase_rounds(2 * total, n)));
	PHASE(permute_by_stores(b, a, order, n, phase_rounds(total, n)));
	PHASE(permute_within_blocks(b, a, blocks, n, phase_rounds(6 * total, n)));
	PHASE(exchange(a, order, n, phase_rounds(total, n)));
	return phase_end_program();
}
