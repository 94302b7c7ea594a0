/*
 * Arrays on the stack: in functions that call each other, recurse, are left by longjmp(), and in a
 * thread. Each array is written once per element.
 * build: -O1 -g -pthread
 */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;

static void __attribute__((noinline)) put(volatile double *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

static void __attribute__((noinline)) once(int n)
{
	double single[1000];

	put(single, n);
}

/* Its frames lie where the array of once() was. */
static int __attribute__((noinline)) small(int depth)
{
	volatile char bytes[64];

	for (int i = 0; i < 64; i++)
		bytes[i] = (char)i;
	return depth == 0 ? bytes[3] : small(depth - 1) + bytes[5];
}

static void __attribute__((noinline)) recurse(int depth)
{
	double level[500];

	put(level, 500);
	if (depth > 1)
		recurse(depth - 1);
	put(level, 1);
}

static void __attribute__((noinline)) leave(int n)
{
	double left[800];

	put(left, n);
	longjmp(back, 1);
}

static void *run(void *arg)
{
	double local[600];

	put(local, 600);
	return arg;
}

int main(void)
{
	double outer[2000];
	pthread_t thread;

	once(1000);
	small(50);
	put(outer, 2000);
	recurse(4);
	if (setjmp(back) == 0)
		leave(800);
	once(900);
	put(outer, 100);
	if (pthread_create(&thread, NULL, run, NULL) == 0)
		pthread_join(thread, NULL);
	return 0;
}
