# Threads are cancelled asynchronously in windows and between them, also when the first pthread_cancel() installs the C
# library's handler.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o cancelled "$SRC/tests/cli/native-signals/asynchronous-cancellation.c" || fail gcc
[ "$(./cancelled)" = '4 cancelled' ] || fail "alone"
for way in '' '--sample 1/2 --window 2K' '--sample 1/10 --window 2K' '--sample-sets 1/16'; do
	for counted in 0 1; do
		got=$(MEMSPY_NATIVE_COUNTED=$counted timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db cancelled.db $way -- ./cancelled 2>err) ||
			fail "$way, $counted: exit status $?: $(cat err)"
		[ "$got" = '4 cancelled' ] || fail "$way, $counted: $got"
	done
done
finish
