/* advice: padding data: ring */
/*
 * The heads of many buffers, which are a power of two bytes apart, are updated in random order: all
 * heads have the same cache sets. Afterwards each buffer has a line more.
 */
#include "common.h"

#ifdef AFTER
enum { PAD = 8 };
#else
enum { PAD = 0 };
#endif
enum { RINGS = 128, WORDS = 1 << 14, UPDATES = 120000000 };

static uint64_t ring[RINGS][WORDS + PAD] __attribute__((aligned(64)));

static KEEP uint64_t update(uint64_t seed)
{
	uint64_t sum = 0;

	for (int i = 0; i < UPDATES; i++)
		sum += ring[next_random(&seed) % RINGS][0]++;
	return sum;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)update(1));
	return 0;
}
