/* build: -O1 -g -pthread
   foreign-frees [ROUNDS]: four threads that take blocks from each other, free them, and make them
   larger. One arena, and blocks too large for a thread's own cache: what one has freed is the next
   moment another's. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { SLOTS = 16, LEAST = 1100, MOST = 1500 };
static void *slots[SLOTS];
static int rounds;

static void *exchange(void *block, uint64_t slot)
{
	return __atomic_exchange_n(&slots[slot % SLOTS], block, __ATOMIC_SEQ_CST);
}

static void *work(void *arg)
{
	uint64_t random = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15);

	for (int i = 0; i < rounds; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		uint64_t slot = random >> 60, size = LEAST + (random >> 40) % (MOST - LEAST);
		char *block = exchange(NULL, slot);

		if (block == NULL || random >> 59 & 1) {
			free(block);
			block = malloc(size);
		} else {
			block = realloc(block, size);
		}
		block[0] = block[LEAST - 1] = 1;
		free(exchange(block, slot));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[4];

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	mallopt(M_ARENA_MAX, 1);
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < SLOTS; i++)
		free(slots[i]);
	return 0;
}
