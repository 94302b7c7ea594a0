/* build: -O1 -g -pthread
   pass-blocks [ROUNDS]: four threads that pass blocks of four kinds to each other, each made in a
   place of its own and used in a function of its own; who takes one uses and frees it. One arena:
   what one thread frees is the next moment another's, of any kind and size. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4, KINDS = 4, SLOTS = 16, USES = 20, LEAST = 200, MOST = 1500 };

static uintptr_t slots[SLOTS];
static int rounds;

#define KIND(name)                                                         \
	static __attribute__((noinline)) char *make_##name(uint64_t size)  \
	{                                                                  \
		char *name = malloc(size);                                 \
		return name;                                               \
	}                                                                  \
	static __attribute__((noinline)) void use_##name(volatile char *p) \
	{                                                                  \
		for (int i = 0; i < USES; i++)                             \
			p[i * 8] = 1;                                      \
	}

KIND(ash)
KIND(birch)
KIND(cedar)
KIND(dogwood)

static char *(*const make[KINDS])(uint64_t) = { make_ash, make_birch, make_cedar, make_dogwood };
static void (*const use[KINDS])(volatile char *) = { use_ash, use_birch, use_cedar, use_dogwood };

static uint64_t next(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return *random >> 33;
}

static void *work(void *arg)
{
	uint64_t random = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15);

	for (int i = 0; i < rounds; i++) {
		uint64_t kind = next(&random) % KINDS;
		char *made = make[kind](LEAST + next(&random) % (MOST - LEAST));

		uintptr_t got = __atomic_exchange_n(&slots[next(&random) % SLOTS],
						    (uintptr_t)made | kind, __ATOMIC_ACQ_REL);
		char *taken = (char *)(got & ~(uintptr_t)(KINDS - 1));
		if (taken == NULL)
			continue;
		use[got % KINDS](taken);
		free(taken);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	mallopt(M_ARENA_MAX, 1);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < SLOTS; i++)
		free((char *)(slots[i] & ~(uintptr_t)(KINDS - 1)));
	return 0;
}
