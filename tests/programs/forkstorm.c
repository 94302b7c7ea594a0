/*
 * Forks, again and again, while threads write shared data at full speed; each child makes a thread
 * of its own, and ends with status 3. "forkstorm [TIMES]".
 */
// build: -O1 -g -pthread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, WORDS = 64, WORK = 20000, STATUS = 3 };

static volatile int stop;
static volatile long shared[WORDS];

static void *write_shared(void *arg)
{
	while (!stop)
		for (int i = 0; i < WORDS; i++)
			shared[i]++;
	return arg;
}

static void touch(int times)
{
	for (int i = 0; i < times; i++)
		shared[i % WORDS]++;
}

static void child(void)
{
	pthread_t thread;

	touch(WORK);
	pthread_create(&thread, NULL, write_shared, NULL);
	touch(WORK);
	stop = 1;
	pthread_join(thread, NULL);
	_exit(STATUS);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 5, others = 0;
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_shared, NULL);
	for (int i = 0; i < times; i++) {
		int status = 0;

		touch(1000 + 371 * i);
		if (fork() == 0)
			child();
		wait(&status);
		others += !WIFEXITED(status) || WEXITSTATUS(status) != STATUS;
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d of %d children ended in another way\n", others, times);
	return others != 0;
}
