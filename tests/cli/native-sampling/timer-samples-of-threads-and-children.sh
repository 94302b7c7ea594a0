# Threads and forked children are sampled between windows, too; all of a child's samples are in its own run.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END_C'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sink;
static void work(long n)
{
	for (long i = 0; i < n; i++)
		sink = sink * 3 + i;
}
static void *of_thread(void *arg) { work(40000000); return arg; }
static void of_child(void) { work(60000000); }
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, of_thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	pid_t child = fork();
	if (child == 0) {
		of_child();
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	printf("%d\n", status);
	return 0;
}
END_C
gcc -O1 -g -fno-inline -pthread -o program program.c || fail gcc
timeout -s KILL 120 "$MEMSPY" run -q --frontend native --follow-forks --sample 1/100 --window 20K --db runs.db -- ./program >program.out 2>program.err ||
	fail "exit status $?: $(cat program.err)"
[ "$(cat program.out)" = 0 ] || fail "output: $(cat program.out)"
[ "$(sqlite3 runs.db "SELECT count(*) FROM hardware WHERE samples > 5")" = 2 ] || fail "$(sqlite3 runs.db 'SELECT run, samples FROM hardware')"
[ "$(sqlite3 runs.db "SELECT max(threads) FROM hardware")" -ge 3 ] || fail "threads: $(sqlite3 runs.db 'SELECT run, threads FROM hardware')"
finish
