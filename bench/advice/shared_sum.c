/* advice: true-sharing data: total options: --processors 2 */
/* Threads add to one atomic total; afterwards each adds up its own, and once to the total. */
#include <pthread.h>
#include <stdatomic.h>

#include "common.h"

enum { THREADS = 2, COUNTS = 4000000 };

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
	pthread_t thread[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%lu\n", atomic_load(&total));
	return 0;
}
