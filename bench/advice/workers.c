/* advice: false-sharing data: job options: --processors 2 */
/* One thread reports its progress beside settings that another one reads; afterwards the progress
 * has its own line. */
#include <pthread.h>
#include <stdatomic.h>

#include "common.h"

enum { STEPS = 12000000 };

static struct job {
	atomic_uint limit; /* a setting: read, hardly ever written */
#ifdef AFTER
	_Alignas(64)
#endif
		atomic_ulong progress; /* written all the time */
} job;

static void *produce(void *arg)
{
	for (int i = 0; i < STEPS; i++)
		atomic_fetch_add_explicit(&job.progress, 1, memory_order_relaxed);
	return arg;
}

static void *consume(void *arg)
{
	uint64_t seed = 5, *sum = arg;

	for (int i = 0; i < STEPS; i++)
		*sum += next_random(&seed) % 1024 <
			atomic_load_explicit(&job.limit, memory_order_acquire);
	return NULL;
}

int main(void)
{
	pthread_t writer, reader;
	uint64_t sum = 0;

	atomic_store(&job.limit, 512);
	pthread_create(&writer, NULL, produce, NULL);
	pthread_create(&reader, NULL, consume, &sum);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	printf("%llu %lu\n", (unsigned long long)sum, atomic_load(&job.progress));
	return 0;
}
