/* bench/advice/threads.h - starts the threads of a program and waits for them. */
#ifndef BENCH_ADVICE_THREADS_H
#define BENCH_ADVICE_THREADS_H

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 2 };

/* Each thread is given its number, from 0 upwards. */
static inline void run_threads(void *(*work)(void *))
{
	pthread_t thread[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

#endif
