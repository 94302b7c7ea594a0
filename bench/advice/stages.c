/* advice: working-set data: block */
/* Three stages work on a block of 48 MiB one after the other; afterwards on parts of 256 KiB. */
#include "common.h"

enum { N = 12000000, ROUNDS = 4 };
#ifdef AFTER
enum { PART = 64000 };
#else
enum { PART = N };
#endif

static float *block;

static KEEP void scale(float *part, int n)
{
	for (int i = 0; i < n; i++)
		part[i] *= 0.875f;
}

static KEEP void clip(float *part, int n)
{
	for (int i = 0; i < n; i++)
		part[i] = part[i] > 100 ? 100 : part[i];
}

static KEEP void offset(float *part, int n)
{
	for (int i = 0; i < n; i++)
		part[i] += 0.5f;
}

int main(void)
{
	block = malloc(sizeof(*block) * N);
	for (int i = 0; i < N; i++)
		block[i] = (float)(i % 200);
	for (int r = 0; r < ROUNDS; r++)
		for (int first = 0; first < N; first += PART) {
			int n = N - first < PART ? N - first : PART;

			scale(block + first, n);
			clip(block + first, n);
			offset(block + first, n);
		}
	printf("%g\n", (double)block[N / 3]);
	return 0;
}
