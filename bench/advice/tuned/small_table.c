/* Looks random keys up in a table that fits in the first-level cache. */
#include "../common.h"

enum { N = 4096, LOADS = 60000000 };

static uint64_t table[N];

static KEEP uint64_t look_up(void)
{
	uint64_t seed = 67, sum = 0;

	for (int i = 0; i < LOADS; i++)
		sum += table[next_random(&seed) % N];
	return sum;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		table[i] = (uint64_t)i;
	printf("%llu\n", (unsigned long long)look_up());
	return 0;
}
