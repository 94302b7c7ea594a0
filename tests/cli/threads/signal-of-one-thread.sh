# A thread that causes a fatal signal while others run is reported as the one that received it, under Valgrind also if others
# were ahead in virtual time.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <string.h>
static volatile long own[2][64];
static const char *how;
static void work(int k, int n)
{
	for (int i = 0; i < n; i++)
		own[k][i % 64]++;
}
static void *bad(void *p)
{
	work(0, 5000);
	if (strcmp(how, "store") == 0)
		*(volatile int *)0 = 1;
	if (strcmp(how, "raise") == 0)
		raise(SIGTERM);
	__builtin_trap();
	return p;
}
static void *good(void *p)
{
	work(1, 100000000);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t, u;
	how = argc > 1 ? argv[1] : "";
	pthread_create(&t, NULL, bad, NULL);
	pthread_create(&u, NULL, good, NULL);
	pthread_join(u, NULL);
	pthread_join(t, NULL);
	return 0;
}
END
gcc -O1 -g -o program program.c -pthread || fail gcc
for how in store raise trap; do
	timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind --machine sgi-4d-340 --processors 4 --db $how.db -- ./program $how >/dev/null 2>&1
	[ $? -gt 128 ] || fail "$how: it was not killed"
	"$MEMSPY" threads --db $how.db --json | python3 -c '
import json, sys
ends = {t["name"]: t["ended"] for t in json.load(sys.stdin)["threads"]}
assert ends == {"main": "waiting", "bad": "signaled", "good": "running"}, ends' || fail "$how: another thread than the one that got the signal"
done
finish
