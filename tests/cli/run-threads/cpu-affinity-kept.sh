# With several simulated processors the program, its threads, children and executed programs see the CPU affinity that they have
# without memspy.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
enum { THREADS = 4 };
static volatile long place[THREADS][64];
static pthread_barrier_t all;
static int seen[THREADS], others[THREADS];
static pthread_t thread[THREADS];
static int allowed(pthread_t t)
{
	cpu_set_t set;
	return pthread_getaffinity_np(t, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : -1;
}
static void *work(void *arg)
{
	int me = (int)((volatile long(*)[64])arg - place);
	for (int i = 0; i < 300000; i++)
		place[me][i % 64] += i;
	seen[me] = allowed(pthread_self());
	for (int i = 0; i < 300000; i++)
		place[me][i % 64] += i;
	pthread_barrier_wait(&all);
	others[me] = allowed(thread[(me + 1) % THREADS]);
	pthread_barrier_wait(&all);
	for (int i = 0; i < 300000; i++)
		place[me][i % 64] += i;
	if (me == 0 && fork() == 0) {
		printf("child %d\n", allowed(pthread_self()));
		fflush(stdout);
		execlp("nproc", "nproc", (char *)NULL);
		_exit(1);
	}
	return NULL;
}
int main(void)
{
	pthread_barrier_init(&all, NULL, THREADS);
	printf("main %d\n", allowed(pthread_self()));
	fflush(stdout);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)place[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	while (wait(NULL) > 0)
		;
	for (int i = 0; i < THREADS; i++)
		printf("thread %d: %d %d\n", i, seen[i], others[i]);
	printf("main %d\n", allowed(pthread_self()));
	return 0;
}
END
gcc -O1 -g -o program program.c -pthread || fail gcc
timeout -s KILL 60 ./program >alone.out
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --processors 4 --db runs.db -- ./program >program.out 2>program.err || fail "exit status $?: $(cat program.err)"
diff alone.out program.out || fail "allowed other processors than without memspy"
finish
