/* advice: true-sharing data: bins options: --processors 2 */
/* Threads count into one small histogram; afterwards each has its own, added at the end. */
#include <stdatomic.h>

#include "common.h"
#include "threads.h"

enum { COUNTS = 4000000, BINS = 64 };

static atomic_uint bins[BINS];

static void *work(void *arg)
{
	uint64_t seed = (size_t)arg + 1;
#ifdef AFTER
	unsigned own[BINS] = { 0 };

	for (int i = 0; i < COUNTS; i++)
		own[next_random(&seed) % BINS]++;
	for (int i = 0; i < BINS; i++)
		atomic_fetch_add(&bins[i], own[i]);
#else
	for (int i = 0; i < COUNTS; i++)
		atomic_fetch_add(&bins[next_random(&seed) % BINS], 1);
#endif
	return NULL;
}

int main(void)
{
	run_threads(work);
	printf("%u\n", atomic_load(&bins[7]));
	return 0;
}
