/* build: -O1 -g -pthread
   Variables that are not on the heap: n writes to each, a different n. */
#include <pthread.h>
#include <stdlib.h>

int global_zero[1000];
int global_set[500] = { 1 };
static int file_static[400];
const int constant[300] = { 1, 2, 3 };
static _Thread_local int local_zero[200];
_Thread_local int local_set[150] = { 1 };

static __attribute__((noinline)) void put(volatile int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 1;
}

static __attribute__((noinline)) int get(const volatile int *p, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static __attribute__((noinline)) void inside_function(void)
{
	static int counters[100];
	int automatic[250];

	put(counters, 100);
	put(automatic, 250);
}

static __attribute__((noinline)) void again(void)
{
	static int counters[90];

	put(counters, 90);
}

static void *thread(void *arg)
{
	put(local_zero, 120);
	put(local_set, 80);
	return arg;
}

int main(void)
{
	pthread_t other;

	put(global_zero, 1000);
	put(global_set, 500);
	put(file_static, 400);
	get(constant, 300);
	put(local_zero, 200);
	put(local_set, 150);
	inside_function();
	again();
	if (pthread_create(&other, NULL, thread, NULL) != 0)
		return 1;
	return pthread_join(other, NULL);
}
