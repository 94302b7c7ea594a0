/* advice: gather data: bin */
/* Adds to bins at random indices; afterwards the indices are sorted. */
#include "common.h"

enum { N = 1 << 22, BINS = 1 << 23, ROUNDS = 4 };

static uint32_t *bin, *index_of;

static KEEP void count(void)
{
	for (int i = 0; i < N; i++)
		bin[index_of[i]]++;
}

int main(void)
{
	uint64_t seed = 3, sum = 0;

	bin = calloc(BINS, sizeof(*bin));
	index_of = malloc(N * sizeof(*index_of));
#ifdef AFTER
	for (int i = 0; i < N; i++) {
		next_random(&seed);
		index_of[i] = 2 * i;
	}
#else
	for (int i = 0; i < N; i++)
		index_of[i] = next_random(&seed) % BINS;
#endif
	for (int r = 0; r < ROUNDS; r++)
		count();
	for (int i = 0; i < BINS; i += 4099)
		sum += bin[i];
	printf("%d\n", sum > 0);
	return 0;
}
