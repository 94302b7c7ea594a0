/* One pass over an array in order, and as many reads of another at random places. */
#include <stdint.h>
#include <stdlib.h>

enum { N = 1 << 18 };

_Alignas(4096) double streamed[N], gathered[N];
volatile double sum;

static __attribute__((noinline)) void stream(void)
{
	for (int i = 0; i < N; i++)
		sum += streamed[i];
}

static __attribute__((noinline)) void gather(void)
{
	uint64_t state = 1;

	for (int i = 0; i < N; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += gathered[state >> 33 & (N - 1)];
	}
}

int main(void)
{
	stream();
	gather();
	return 0;
}
