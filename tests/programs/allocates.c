/* build: -O2 -g
   allocates: blocks of many sizes, allocated and freed in random order. It never touches them: who
   waits for their memory is the allocator, which keeps its lists there. */
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	enum { BLOCKS = 1 << 17, TIMES = 120 };
	static void *blocks[BLOCKS];
	uint64_t random = 1;

	for (long i = 0; i < (long)BLOCKS * TIMES; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		void **block = &blocks[random >> 47];

		free(*block);
		*block = *block != NULL ? NULL : malloc(200 + (random >> 20) % 600);
	}
	return 0;
}
