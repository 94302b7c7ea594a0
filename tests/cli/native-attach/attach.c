/* Works until its standard input ends, in two threads, then prints whether all of it was right. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int ended;
static volatile long wrong;

static __attribute__((noinline)) long fill(volatile char *p, int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		p[i] = (char)(i & 7);
	for (int i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static void *other(void *arg)
{
	while (!ended) {
		short *second = malloc(4000);

		if (fill((char *)second, 4000) != 14000)
			wrong++;
		free(second);
	}
	return arg;
}

/* Blocks that it had before memspy came: small, and large enough for a mapping of its own. */
static __attribute__((noinline)) void use_early(volatile char *small, volatile char *large)
{
	for (int i = 0; i < 100; i++) {
		small[i]++;
		large[64 * i]++;
	}
}

int main(void)
{
	char *small = calloc(1, 100), *large = calloc(1, 1 << 20);
	struct pollfd in = { 0, POLLIN, 0 };
	pthread_t thread;
	long rounds = 0;

	pthread_create(&thread, NULL, other, NULL);
	puts("ready");
	fflush(stdout);
	while (poll(&in, 1, 1) == 0) {
		char *first = malloc(8000);

		for (int i = 0; i < 20; i++)
			if (fill(first, 8000) != 28000)
				wrong++;
		free(first);
		use_early(small, large);
		rounds++;
	}
	ended = 1;
	pthread_join(thread, NULL);
	printf("%s, wrong %ld\n", rounds > 10 ? "many rounds" : "few rounds", wrong);
	return 7;
}
