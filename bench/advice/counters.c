/* advice: false-sharing data: counter options: --processors 2 */
/* Each thread counts in an element of its own, all in one line; afterwards each has a line. */
#include <stdatomic.h>

#include "common.h"
#include "threads.h"

enum { COUNTS = 8000000 };

#ifdef AFTER
static struct {
	_Alignas(64) atomic_ulong value;
} counter[THREADS];
#define COUNTER(i) counter[i].value
#else
static atomic_ulong counter[THREADS];
#define COUNTER(i) counter[i]
#endif

static void *work(void *arg)
{
	size_t mine = (size_t)arg;

	for (int i = 0; i < COUNTS; i++)
		atomic_fetch_add_explicit(&COUNTER(mine), 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	run_threads(work);
	printf("%llu\n", (unsigned long long)(atomic_load(&COUNTER(0)) + atomic_load(&COUNTER(1))));
	return 0;
}
