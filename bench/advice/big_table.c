/* advice: huge-pages data: table */
/* Random loads from a table of 256 MiB; afterwards it is in huge pages. */
#include <sys/mman.h>

#include "common.h"

enum { N = 1 << 25, LOADS = 30000000 };

static uint64_t *table;

static KEEP uint64_t look_up(void)
{
	uint64_t seed = 37, sum = 0;

	for (int i = 0; i < LOADS; i++)
		sum += table[next_random(&seed) % N];
	return sum;
}

int main(void)
{
	table = aligned_alloc(1 << 21, N * sizeof(*table));
#ifdef AFTER
	madvise(table, N * sizeof(*table), MADV_HUGEPAGE);
#else
	madvise(table, N * sizeof(*table), MADV_NOHUGEPAGE);
#endif
	for (int i = 0; i < N; i += 64)
		table[i] = i;
	printf("%llu\n", (unsigned long long)look_up());
	return 0;
}
