/* advice: true-sharing data: total options: --processors 2 */
/* Threads add to one atomic total; afterwards each adds up its own, and once to the total. */
#include <stdatomic.h>

#include "common.h"
#include "threads.h"

enum { COUNTS = 4000000 };

static atomic_ulong total;

static void *work(void *arg)
{
	uint64_t seed = (size_t)arg + 1, own = 0;

	for (int i = 0; i < COUNTS; i++) {
#ifdef AFTER
		own += next_random(&seed) & 15;
#else
		atomic_fetch_add(&total, next_random(&seed) & 15);
#endif
	}
	atomic_fetch_add(&total, own);
	return NULL;
}

int main(void)
{
	run_threads(work);
	printf("%lu\n", atomic_load(&total));
	return 0;
}
