/* advice: fusion data: sample build: -O3 -ffast-math */
/* Least, most, mean and square mean of samples, a loop each; afterwards one loop. */
#include "common.h"

enum { N = 10000000, ROUNDS = 12 };

static float *sample;

static KEEP float describe(void)
{
	float low = 1e9f, high = -1e9f, sum = 0, squares = 0;

#ifdef AFTER
	for (int i = 0; i < N; i++) {
		low = sample[i] < low ? sample[i] : low;
		high = sample[i] > high ? sample[i] : high;
		sum += sample[i];
		squares += sample[i] * sample[i];
	}
#else
	for (int i = 0; i < N; i++)
		low = sample[i] < low ? sample[i] : low;
	for (int i = 0; i < N; i++)
		high = sample[i] > high ? sample[i] : high;
	for (int i = 0; i < N; i++)
		sum += sample[i];
	for (int i = 0; i < N; i++)
		squares += sample[i] * sample[i];
#endif
	return low + high + sum + squares;
}

int main(void)
{
	float sum = 0;

	sample = malloc(sizeof(float) * N);
	for (int i = 0; i < N; i++)
		sample[i] = (float)(i % 1000) / 1000;
	for (int r = 0; r < ROUNDS; r++)
		sum += describe();
	printf("%g\n", (double)sum);
	return 0;
}
