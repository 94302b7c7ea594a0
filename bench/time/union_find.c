/*
 * union_find.c - sets of connected elements: roots found along parents, for elements in random
 * order and in order, and a scan of all parents.
 *
 * fix: find_random_roots find_near_roots 15
 */
#include "phase.h"

#define FIND(name)                                                                     \
	PHASE_FUNCTION uint64_t name(const uint32_t *parent, size_t step, size_t mask, \
				     size_t lookups)                                   \
	{                                                                              \
		uint64_t sum = 0;                                                      \
		size_t element = 0;                                                    \
                                                                                       \
		for (size_t k = 0; k < lookups; k++) {                                 \
			uint32_t at = (uint32_t)element;                               \
                                                                                       \
			while (parent[at] != at)                                       \
				at = parent[at];                                       \
			sum += at;                                                     \
			element = (element + step) & mask;                             \
		}                                                                      \
		return sum;                                                            \
	}

FIND(find_random_roots)
FIND(find_near_roots)

PHASE_FUNCTION uint64_t count_roots(const uint32_t *parent, size_t n, size_t rounds)
{
	uint64_t roots = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			roots += parent[i] == i;
	return roots;
}

/* Each element's parent is four generations at most from its root. */
static uint32_t *make(size_t n, size_t reach)
{
	uint32_t *parent = (uint32_t *)phase_alloc(n, sizeof(*parent));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++) {
		size_t generation = i % 5, group = i - generation;
		size_t other = (group + (phase_random(&state) >> 24) % reach) % n;

		parent[i] =
			(uint32_t)(generation == 0 ? i : (other - other % 5 + generation - 1) % n);
	}
	return parent;
}

int main(void)
{
	size_t n = phase_size((size_t)16 << 20, 2048), total = 1000000;
	uint32_t *wide = make(n, n), *narrow = make(n, 200);

	PHASE(find_random_roots(wide, phase_size(7368787, 787), n - 1, total));
	PHASE(find_near_roots(narrow, 1, n - 1, 15 * total));
	PHASE(count_roots(wide, n, phase_rounds((size_t)48 << 20, n)));
	return phase_end_program();
}
