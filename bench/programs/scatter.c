/* build: -O1
   scatter.c [ELEMENTS [INDICES [ROUNDS]]] - y[index[i]] += r * x[i]: two walks in order, and a
   random one whose load also computes with what one of the others has brought. */
#include "number.h"

static __attribute__((noipa)) void spread(double *y, const double *x, const uint32_t *index,
					  uint64_t m, double r)
{
	for (uint64_t i = 0; i < m; i++)
		y[index[i]] += r * x[i];
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 4000000), m = number(argc, argv, 2, 1000000);
	uint64_t rounds = number(argc, argv, 3, 6);
	double *y = room(n, sizeof(*y)), *x = room(m, sizeof(*x));
	uint32_t *index = room(m, sizeof(*index));
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < n; i += 8)
		y[i] = (double)i;
	for (uint64_t i = 0; i < m; i++) {
		x[i] = (double)i;
		index[i] = (uint32_t)(next_random(&state) % n);
	}
	for (uint64_t round = 0; round < rounds; round++)
		spread(y, x, index, m, 1.5);
	printf("%g\n", y[index[0]]);
	free(index);
	free(x);
	free(y);
	return 0;
}
