/* advice: thread-working-set data: level options: --processors 2 */
/* Two threads relax random pairs of nodes of their blocks; afterwards blocks fit into the
 * second-level cache. */
#include "common.h"
#include "threads.h"

enum { NODES = 4 << 20, VISITS = 8 }; /* 16 MiB a thread; visits of each node */
#ifdef AFTER
enum { BLOCK = 128 << 10 };
#else
enum { BLOCK = NODES };
#endif

static uint32_t *level;

static KEEP void relax(uint32_t *block, uint64_t *seed)
{
	for (int i = 0; i < VISITS * BLOCK; i++) {
		uint64_t random = next_random(seed);

		block[random % BLOCK] += (uint32_t)(random >> 40);
	}
}

static void *work(void *number)
{
	uint32_t *own = level + NODES * (size_t)number;
	uint64_t seed = 1 + (size_t)number;

	for (int first = 0; first < NODES; first += BLOCK)
		relax(own + first, &seed);
	return NULL;
}

int main(void)
{
	level = calloc((size_t)THREADS * NODES, sizeof(*level));
	run_threads(work);
	printf("%u\n", level[NODES / 3]);
	return 0;
}
