/*
 * passing [THREADS] [ROUNDS] [EVERY] - threads that allocate and free blocks of 16 to 512 bytes, 32
 * of them at a time; each EVERY-th is given away for one of another thread's (0: none is). Prints
 * the processor time and the real time of such a pair. THREADS 0: without any.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64, SLOTS = 64, KEPT = 32 };

static void *slots[SLOTS];
static int rounds, every;
static double spent[MOST + 1];

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *work(void *arg)
{
	uint64_t random = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15);
	double began = now(CLOCK_THREAD_CPUTIME_ID);
	void *kept[KEPT] = { NULL };

	for (int i = 0; i < rounds; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		void *block = malloc(16 + (random >> 40) % 497);

		if (every != 0 && i % every == 0)
			block = __atomic_exchange_n(&slots[random >> 58], block, __ATOMIC_ACQ_REL);
		free(kept[i % KEPT]);
		kept[i % KEPT] = block;
	}
	for (int i = 0; i < KEPT; i++)
		free(kept[i]);
	spent[(uintptr_t)arg] = now(CLOCK_THREAD_CPUTIME_ID) - began;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, parts = threads > 0 ? threads : 1;
	pthread_t thread[MOST];
	double began = now(CLOCK_MONOTONIC), sum = 0;

	rounds = argc > 2 ? atoi(argv[2]) : 1000000;
	every = argc > 3 ? atoi(argv[3]) : 10;
	if (threads > MOST)
		return 2;
	for (intptr_t i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	if (threads == 0)
		work(NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	double real = now(CLOCK_MONOTONIC) - began;
	for (int i = 0; i < parts; i++)
		sum += spent[i];
	for (int i = 0; i < SLOTS; i++)
		free(slots[i]);
	printf("%d threads, each %d-th given away: %.1f ns of processor time a pair, %.1f ns a "
	       "pair "
	       "of all\n",
	       threads, every, sum / parts / rounds, real / parts / rounds);
	return 0;
}
