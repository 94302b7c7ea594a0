/* build: -O1 -g -shared -fPIC
   The second of the libraries that reload.c loads at one place: as reload-a.c, but for what it
   adds. */
#include <stdlib.h>

volatile long second_table[1024];

long reload_work(long rounds);
long reload_add(volatile long *table, long rounds);

/* Needs nothing but its arguments: it may be run wherever its bytes are mapped. */
long reload_add(volatile long *table, long rounds)
{
	for (long i = 0; i < rounds; i++)
		table[i & 1023] += 3;
	return table[0];
}

static __attribute__((noinline)) long second_fill(long rounds)
{
	volatile long *second_block = calloc(1024, sizeof(*second_block));
	long sum = 0;

	for (long i = 0; i < rounds; i++) {
		second_table[i & 1023] += 3;
		second_block[i & 1023] += 3;
	}
	for (int i = 0; i < 1024; i++)
		sum += second_table[i] + second_block[i];
	free((void *)second_block);
	return sum;
}

long reload_work(long rounds)
{
	return second_fill(rounds) / 2;
}
