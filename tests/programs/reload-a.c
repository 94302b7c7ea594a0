/* build: -O1 -g -shared -fPIC
   The first of the libraries that reload.c loads at one place: as reload-b.c, but for what it adds.
 */
#include <stdlib.h>

volatile long first_table[1024];

long reload_work(long rounds);
long reload_add(volatile long *table, long rounds);

/* Needs nothing but its arguments: it may be run wherever its bytes are mapped. */
long reload_add(volatile long *table, long rounds)
{
	for (long i = 0; i < rounds; i++)
		table[i & 1023] += 1;
	return table[0];
}

static __attribute__((noinline)) long first_fill(long rounds)
{
	volatile long *first_block = calloc(1024, sizeof(*first_block));
	long sum = 0;

	for (long i = 0; i < rounds; i++) {
		first_table[i & 1023] += 1;
		first_block[i & 1023] += 1;
	}
	for (int i = 0; i < 1024; i++)
		sum += first_table[i] + first_block[i];
	free((void *)first_block);
	return sum;
}

long reload_work(long rounds)
{
	return first_fill(rounds) / 2;
}
