/*
 * gather.c - sums x[index[i]]: random indices in memory, in the second level, near to i, and sorted
 * ones.
 *
 * fix: gather_random gather_sorted 2
 */
#include "phase.h"

#define GATHER(name)                                                                              \
	PHASE_FUNCTION double name(const double *x, const uint32_t *index, size_t mask, size_t n, \
				   size_t rounds)                                                 \
	{                                                                                         \
		double sum = 0;                                                                   \
                                                                                                  \
		for (size_t round = 0; round < rounds; round++)                                   \
			for (size_t i = 0; i < n; i++)                                            \
				sum += x[index[i] & mask];                                        \
		return sum;                                                                       \
	}

GATHER(gather_random)
GATHER(gather_second_level)
GATHER(gather_near)
GATHER(gather_sorted)

static int by_value(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

int main(void)
{
	size_t elements = phase_size((size_t)8 << 20, 2048), n = phase_size((size_t)1 << 20, 4096);
	size_t total = (size_t)6 << 20;
	double *x = (double *)phase_alloc(elements, sizeof(*x));
	uint32_t *random = (uint32_t *)phase_alloc(n, sizeof(*random));
	uint32_t *near = (uint32_t *)phase_alloc(n, sizeof(*near));
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++) {
		random[i] = (uint32_t)((phase_random(&state) >> 24) & (elements - 1));
		near[i] = (uint32_t)((8 * i + (random[i] & 255)) & (elements - 1));
	}
	PHASE(gather_random(x, random, elements - 1, n, phase_rounds(total, n)));
	PHASE(gather_second_level(x, random, phase_size(65535, 2047), n,
				  phase_rounds(5 * total, n)));
	PHASE(gather_near(x, near, elements - 1, n, phase_rounds(2 * total, n)));
	qsort(random, n, sizeof(*random), by_value);
	PHASE(gather_sorted(x, random, elements - 1, n, phase_rounds(2 * total, n)));
	return phase_end_program();
}
