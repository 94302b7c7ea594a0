# With -p N, threads that are created after chroot(), without /proc, are scheduled and end.
. "$SRC/tests/cli/run/lib.bash"
cat >leaves.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
enum { THREADS = 3, ROUNDS = 3, WORK = 20000 };
static long own[THREADS];
static void *work(void *arg)
{
	volatile long *mine = arg;

	for (int i = 0; i < WORK; i++)
		(*mine)++;
	return NULL;
}
int main(void)
{
	pthread_t thread[THREADS];

	if (chroot("empty") != 0 || chdir("/") != 0)
		return 2;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, work, &own[i]);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	printf("%ld\n", own[0] + own[1] + own[2]);
	return 0;
}
END
gcc -O1 -g -pthread -o leaves leaves.c || fail gcc
mkdir empty
frontends=valgrind
[ ! -e "$BUILD/frontends/memspy-native.so" ] || frontends='valgrind native'
for frontend in $frontends; do
	timeout -s KILL 60 "$MEMSPY" run -q --frontend $frontend --processors 4 --db runs.db -o report.txt -- ./leaves >out.txt 2>err.txt ||
		fail "$frontend: exit status $?; says $(cat err.txt)"
	[ "$(cat out.txt)" = 180000 ] || fail "$frontend: prints $(cat out.txt)"
done
finish
