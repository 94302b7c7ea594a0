/* build: -O1 -g -pthread
   crowd THREADS: so many at a time, with the first; each writes a variable of its own. */
#include <pthread.h>
#include <stdlib.h>

static _Thread_local volatile long own[8];
static pthread_barrier_t all_there;

static void *work(void *arg)
{
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < 8; i++)
		own[i] = i;
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2;
	pthread_t *thread = calloc((size_t)n, sizeof(*thread));

	if (n < 1 || pthread_barrier_init(&all_there, NULL, (unsigned)n) != 0)
		return 1;
	for (int i = 1; i < n; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			return 2;
	work(NULL);
	for (int i = 1; i < n; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return 0;
}
