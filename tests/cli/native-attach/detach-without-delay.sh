# After memspy detaches, the program runs on at once, however long memspy is busy: here it waits for its database.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -x c -o rounds - <<'END' || fail "gcc"
#include <pthread.h>
#include <unistd.h>
static volatile long table[1 << 16];
static void *turn(void *arg)
{
	char mark = *(const char *)arg;
	for (;;) {
		for (int k = 0; k < 20; k++)
			for (int i = 0; i < 1 << 16; i += 4)
				table[i]++;
		if (write(1, &mark, 1) != 1)
			return NULL;
	}
}
int main(int argc, char **argv)
{
	pthread_t other;
	(void)argv;
	if (argc > 1)
		pthread_create(&other, NULL, turn, "b");
	turn("a");
	return 0;
}
END
cat >lock.py <<'END'
import sqlite3, sys
db = sqlite3.connect("runs.db", isolation_level=None)
print("ready", flush=True)
sys.stdin.readline()
db.execute("begin exclusive")
print("locked", flush=True)
sys.stdin.read()
END
"$MEMSPY" run -q --db runs.db true || fail "exit status $?"
count() { tr -dc "$2" <"$1" | wc -c; }
# leaves NAME MARKS OPTION...: while memspy cannot end, all threads write their marks
leaves() {
	name=$1 marks=$2
	shift 2
	./rounds ${marks/a/} >"$name.out" &
	program=$!
	until [ -s "$name.out" ]; do sleep 0.01; done
	rm -f hold
	mkfifo hold
	python3 lock.py <hold >"$name.lock" &
	lock=$!
	exec 8>hold
	until grep -q ready "$name.lock"; do sleep 0.01; done
	"$MEMSPY" run -q --attach $program --duration 2 --db runs.db "$@" 2>"$name.err" 8>&- &
	memspy=$!
	# The database is locked while memspy follows the program: after it was opened, before the run is saved.
	until grep -q memspy /proc/$program/maps || ! kill -0 $memspy; do sleep 0.01; done
	echo >&8
	until grep -q locked "$name.lock"; do sleep 0.01; done
	sleep 3 # it has left by now
	for mark in $(fold -w 1 <<<"$marks"); do
		before=$(count "$name.out" $mark)
		sleep 1
		[ "$(count "$name.out" $mark)" -gt "$before" ] || fail "$name: thread $mark waits for memspy"
	done
	kill -0 $memspy || fail "$name: memspy is gone: $(cat "$name.err")"
	exec 8>&-
	wait $lock
	wait $memspy || fail "$name: exit status $?: $(cat "$name.err")"
	kill $program
	wait $program
}
leaves one a
leaves two ab
leaves sampled ab --sample 1/10
finish
