# A sampled program may start more threads one after the other than there are lanes: threads that end between windows free their
# lanes.
. "$SRC/tests/cli/run/lib.bash"
cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static volatile long sum;
static void *work(void *arg)
{
	for (long i = 0; i < 1000; i++)
		sum += i;
	return arg;
}
int main(void)
{
	for (int i = 0; i < 1500; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
			return 1;
	}
	return 0;
}
END
gcc -O1 -g -pthread -o threads threads.c || fail "gcc"
profile sampled --frontend native --sample 1/100 --window 1000 -- ./threads
[ "$status" = 0 ] || fail "exit status $status: $(cat sampled.err)"
grep -q 'ran untraced' sampled.err && fail "$(cat sampled.err)"
finish
