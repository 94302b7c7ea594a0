/* advice: true-sharing data: parts set: held-out options: --processors 2 */
/* Threads add to a common array of sums with atomic additions; afterwards each has its own array.
 */
#include <stdatomic.h>

#include "common.h"
#include "threads.h"

enum { STEPS = 3000000, PARTS = 8 };

static atomic_long parts[PARTS];

static void *work(void *arg)
{
	uint64_t seed = (size_t)arg * 7 + 3;
	long own[PARTS] = { 0 };

	for (int i = 0; i < STEPS; i++) {
		uint64_t x = next_random(&seed);
#ifdef AFTER
		own[x % PARTS] += (long)(x >> 60);
#else
		atomic_fetch_add(&parts[x % PARTS], (long)(x >> 60));
#endif
	}
	for (int i = 0; i < PARTS; i++)
		atomic_fetch_add(&parts[i], own[i]);
	return NULL;
}

int main(void)
{
	run_threads(work);
	printf("%ld\n", atomic_load(&parts[3]));
	return 0;
}
