/* triad.c [ELEMENTS [ROUNDS]] - a STREAM triad: three arrays, walked in order, nothing reused. */
#include "number.h"

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 1000000), rounds = number(argc, argv, 2, 16);
	double *a = room(n, sizeof(*a)), *b = room(n, sizeof(*b)), *c = room(n, sizeof(*c));

	for (uint64_t i = 0; i < n; i++) {
		b[i] = (double)i;
		c[i] = 1.0 / (double)(i + 1);
	}
	for (uint64_t round = 0; round < rounds; round++)
		for (uint64_t i = 0; i < n; i++)
			a[i] = b[i] + (double)(round + 3) * c[i];

	double sum = 0;
	for (uint64_t i = 0; i < n; i++)
		sum += a[i];
	printf("triad %.6f\n", sum);
	free(a);
	free(b);
	free(c);
	return 0;
}
