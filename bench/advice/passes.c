/* advice: fusion data: value */
/* Three passes over large vectors; afterwards one. */
#include "common.h"

enum { N = 6000000, ROUNDS = 8 };

static double *value, *weight;

static KEEP double smooth(void)
{
	double sum = 0;

#ifdef AFTER
	for (int i = 0; i < N; i++) {
		double v = value[i] * weight[i] + 0.125;

		value[i] = v;
		sum += v;
	}
#else
	for (int i = 0; i < N; i++)
		value[i] *= weight[i];
	for (int i = 0; i < N; i++)
		value[i] += 0.125;
	for (int i = 0; i < N; i++)
		sum += value[i];
#endif
	return sum;
}

int main(void)
{
	double sum = 0;

	value = malloc(sizeof(double) * N);
	weight = malloc(sizeof(double) * N);
	for (int i = 0; i < N; i++) {
		value[i] = i % 10;
		weight[i] = 0.5;
	}
	for (int r = 0; r < ROUNDS; r++)
		sum += smooth();
	printf("%g\n", sum);
	return 0;
}
