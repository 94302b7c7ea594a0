/* build: -O1 -g -pthread
   heap-growth [ROUNDS]: four threads that make blocks of four kinds and use them, each kind in a
   function of its own, and at last all that they have made. None is freed, and the heap grows by a
   page at a time: many blocks are at its end, or after that. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4, MOST = 10000, SIZE = 1000, USES = 20, TIMES = 20 };

static int rounds;
static char *made[THREADS][MOST];

#define KIND(name)                                                         \
	static __attribute__((noinline)) char *make_##name(void)           \
	{                                                                  \
		char *name = malloc(SIZE);                                 \
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

static char *(*const make[THREADS])(void) = { make_ash, make_birch, make_cedar, make_dogwood };
static void (*const use[THREADS])(volatile char *) = { use_ash, use_birch, use_cedar, use_dogwood };

static void *work(void *arg)
{
	uintptr_t kind = (uintptr_t)arg;

	for (int i = 0; i < rounds; i++) {
		made[kind][i] = make[kind]();
		for (int k = 0; k < TIMES; k++)
			use[kind](made[kind][i]);
	}
	for (int k = 0; k < TIMES; k++)
		for (int i = 0; i < rounds; i++)
			use[kind](made[kind][i]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	if (rounds > MOST)
		return 2;
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TOP_PAD, 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
