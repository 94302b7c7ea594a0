/* build: -O1 -g -pthread
 * Forks, again and again, while other threads allocate: a window ends at any moment of it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ended;

static void *work(void *arg)
{
	while (!ended) {
		volatile char *block = malloc(100);

		for (int i = 0; i < 100; i++)
			block[i] = (char)i;
		free((void *)block);
	}
	return arg;
}

static long count(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 40, wrong = 0;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < n; i++) {
		int status = 0;

		count(3000 + 700 * i);
		pid_t child = fork();
		if (child == 0)
			_exit(count(20000) == 199990000 ? 3 : 4);
		if (child < 0 || waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
			wrong++;
	}
	ended = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d children, %d wrong\n", n, wrong);
	return wrong != 0;
}
