/* build: -O2 -g
   Makes client requests (include/memspy.h) while it is not traced: they must be processed. */
#include <stdio.h>

#include "memspy.h"

enum { BYTES = 1 << 24, LINE = 64 };
static char first[BYTES], second[BYTES];

static __attribute__((noipa)) long touch(volatile char *p, int rounds)
{
	long sum = 0;

	for (int r = 0; r < rounds; r++)
		for (unsigned i = 0; i < BYTES / LINE; i++)
			sum += p[(i * 7919u) % (BYTES / LINE) * LINE]++;
	return sum;
}

static __attribute__((noipa)) char *take(char *from)
{
	return memspy_pool_alloc(from, BYTES);
}

int main(void)
{
	long sum = touch(first, 8);

	memspy_name(second, BYTES, "the second");
	sum += touch(second, 8);
	memspy_phase("pool");
	char *third = take(first);
	sum += touch(third, 8);
	memspy_stop();
	sum += touch(second, 8);
	memspy_start();
	printf("%d %ld\n", memspy_running(), sum > 0 ? 1l : 0l);
	return 0;
}
