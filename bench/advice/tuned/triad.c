/* Reads two arrays and writes one, in order: the memory is the limit. */
#include "../common.h"

enum { N = 4000000, ROUNDS = 12 };

static double *a, *b, *c;

static KEEP void triad(double factor)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + factor * c[i];
}

int main(void)
{
	a = malloc(N * sizeof(*a));
	b = malloc(N * sizeof(*b));
	c = malloc(N * sizeof(*c));
	for (int i = 0; i < N; i++) {
		b[i] = i;
		c[i] = 1;
	}
	for (int r = 0; r < ROUNDS; r++)
		triad(r);
	printf("%g\n", a[N / 2]);
	return 0;
}
