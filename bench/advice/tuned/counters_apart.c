/* options: --processors 2 */
/* Threads count in lines of their own. */
#include <stdatomic.h>

#include "../common.h"
#include "../threads.h"

enum { COUNTS = 10000000 };

static struct {
	_Alignas(128) atomic_ulong value;
} counter[THREADS];

static void *work(void *arg)
{
	size_t mine = (size_t)arg;

	for (int i = 0; i < COUNTS; i++)
		atomic_fetch_add_explicit(&counter[mine].value, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	run_threads(work);
	printf("%lu\n", atomic_load(&counter[0].value) + atomic_load(&counter[1].value));
	return 0;
}
