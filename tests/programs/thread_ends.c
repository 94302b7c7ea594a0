/* build: -O1 -g -pthread
   thread_ends deadlock|fault|leave: two threads wait for each other for good until a third kills
   the program; or a thread is killed by its own mistake while the first waits for it; or ends the
   program while others run and wait. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *one(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&b);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a);
	return arg;
}

static void *killer(void *arg)
{
	pthread_barrier_wait(&both);
	for (int i = 0; i < 2000; i++)
		sched_yield();
	kill(getpid(), SIGTERM);
	for (;;)
		sched_yield();
	return arg;
}

static void *fault(void *arg)
{
	for (volatile int i = 0; i < 10000; i++)
		;
	*(volatile int *)arg = 1;
	return arg;
}

static void *leave(void *arg)
{
	for (volatile int i = 0; i < 10000; i++)
		;
	_exit(7);
	return arg;
}

static void *run_on(void *arg)
{
	static volatile long rounds;

	for (;;)
		rounds++;
	return arg;
}

static void *wait_on(void *arg)
{
	pthread_mutex_lock(&a);
	return arg;
}

static void *quick(void *arg)
{
	return arg;
}

static void run(pthread_t *thread, void *(*start)(void *))
{
	if (pthread_create(thread, NULL, start, NULL) != 0)
		_exit(3);
}

int main(int argc, char **argv)
{
	pthread_t thread[4];

	run(&thread[0], quick);
	pthread_join(thread[0], NULL);
	if (argc > 1 && strcmp(argv[1], "deadlock") == 0) {
		pthread_barrier_init(&both, NULL, 3);
		run(&thread[1], one);
		run(&thread[2], two);
		run(&thread[3], killer);
	} else if (argc > 1 && strcmp(argv[1], "leave") == 0) {
		pthread_mutex_lock(&a);
		run(&thread[1], run_on);
		run(&thread[2], wait_on);
		run(&thread[3], leave);
	} else {
		run(&thread[1], fault);
	}
	pthread_join(thread[1], NULL);
	return 0;
}
